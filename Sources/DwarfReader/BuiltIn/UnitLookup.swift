import SymbolicationModel

/// The lines, functions and inlined calls of one unit. What an address needs first is read then,
/// and kept.
struct UnitLookup {
  typealias Frame = DwarfUnitAnswers.Frame

  /// The unit in the image, which has the line table.
  private let unit: DwarfUnit
  /// The unit that has the functions: the same unit, or its split unit.
  private let dieUnit: DwarfUnit
  /// Nil if the unit has no line table, or one that cannot be read.
  private var lines: LineProgram.Result?
  /// Whether all of the unit would take more memory than may be in use. Then what is decoded is
  /// never complete.
  private let isLarge: Bool
  /// The addresses that `lines` and `walks` were read for; nil if they are complete.
  private var asked: AskedAddresses?
  /// The functions of one or two walks. The first walk skips the children of functions. The second
  /// finds all functions, nested ones too, and is done when an address is in none of the first. It
  /// is always searched after the first, so that no answer depends on which addresses were asked
  /// about before, not even in a damaged unit.
  private var walks: [FoundFunctions]
  private var calls = InlinedCallTable()
  /// By the index of a call: the number of its names; −1 until it is needed.
  private var callNames: [Int32] = []
  private var texts = UnitTexts()

  /// One function: the walk that found it, and its index there.
  private typealias Function = (walk: Int, index: Int)

  /// The functions that a walk found.
  private struct FoundFunctions {
    let list: FunctionList
    /// By function index: the function's inlined calls in `calls`; nil until they are needed.
    var callExtents: [InlinedCallTable.Extent?]
    /// By function index: the number of its names; −1 until it is needed.
    var names: [Int32]

    init(_ list: FunctionList) {
      self.list = list
      let count = list.functions.scopes.count
      self.callExtents = Array(repeating: nil, count: count)
      self.names = Array(repeating: -1, count: count)
    }
  }

  /// Where the last address was found. The search for the next one begins there.
  private struct Position {
    var row = LineTable.Position()
    /// In the functions of each walk.
    var functions = (first: 0, second: 0)
  }

  /// A source location in numbers; without one, `path` is −1.
  private struct Place {
    var path: Int32 = -1
    var line: UInt32 = 0
    var column: UInt32 = 0
  }

  /// Runs the line program and finds the functions. Passes what cannot be read to `record`.
  ///
  /// - Parameter addresses: those that are known to be asked about. If another one is asked about,
  ///   the unit is decoded again: for all addresses, if that does not take too much memory.
  init(
    _ unit: DwarfUnit, for addresses: some Collection<UInt64>, record: (DwarfReadError) -> Void
  ) {
    self.unit = unit
    let dieUnit = unit.unitHoldingDies(record: record)
    self.dieUnit = dieUnit
    let limit = unit.file.sections.decodedSizeLimit
    isLarge = unit.mayExceed(limit) || dieUnit.mayExceed(limit)
    asked = AskedAddresses(addresses, limit: isLarge ? .max : AskedAddresses.limit)
    walks = []
    decode(record: record)
  }

  /// Decodes the unit for the addresses in `asked`.
  private mutating func decode(record: (DwarfReadError) -> Void) {
    // Numbers of files and names stay valid: they belong to the unit.
    lines = nil
    walks = []
    calls = InlinedCallTable()
    callNames = []
    lines = LineProgram.run(
      for: unit, asked: asked, storedRowLimit: isLarge ? storedRowLimit : .max, record: record)
    let found = FunctionWalk.functions(of: dieUnit, leavesFunctions: true, asked: asked)
    walks = [FoundFunctions(found.content)]
    if let fault = found.fault { record(fault) }
  }

  /// How many rows of a sequence may be stored because they are not in order. While they are
  /// sorted, each takes 64 bytes.
  private var storedRowLimit: Int {
    max(1 << 16, Int(clamping: unit.file.sections.decodedSizeLimit / 64))
  }

  /// Reads what was left out for the addresses asked so far: everything, or only what `addresses`
  /// need.
  private mutating func complete(
    for addresses: some Collection<UInt64>, record: (DwarfReadError) -> Void
  ) {
    asked = isLarge ? AskedAddresses(addresses, limit: .max) : nil
    if isLarge { unit.file.limits.noteForgotten() }
    decode(record: record)
  }

  // MARK: - Answers

  /// The functions and the line row at `address`; nil if neither a function nor a row covers it.
  mutating func answer(at address: UInt64, record: (DwarfReadError) -> Void) -> DwarfAnswer? {
    if let asked, !asked.contains(address) {
      complete(for: CollectionOfOne(address), record: record)
    }
    var frames: [Frame] = []
    var position = Position()
    guard let place = find(address, from: &position, into: &frames, record: record) else {
      return nil
    }
    let location: SourceLocation? =
      place.path < 0
      ? nil
      : SourceLocation(
        path: texts.paths[Int(place.path)], line: place.line, column: place.column)
    return DwarfAnswer(
      frames: frames.map {
        DwarfFrame($0, named: texts.names[Int($0.name)], paths: texts.paths)
      },
      row: location, language: dieUnit.root.language)
  }

  /// No compiler inlines so many calls into each other.
  static let manyCalls = 64
  /// Answers with so many calls each are only kept together while these are no more than this:
  /// thousands of them would take gigabytes.
  static let keptCalls = 1 << 17

  /// The answers for those of `questions` that are in a function. If they take too much together,
  /// the last ones are missing.
  ///
  /// - Parameter questions: in ascending order of their addresses.
  mutating func answers(
    to questions: [NumberedAddress], record: (DwarfReadError) -> Void
  ) -> DwarfUnitAnswers {
    if let asked, !questions.allSatisfy({ asked.contains($0.address.value) }) {
      complete(for: questions.lazy.map(\.address.value), record: record)
    }
    var result = DwarfUnitAnswers(language: dieUnit.root.language)
    result.answers.reserveCapacity(questions.count)
    result.frames.reserveCapacity(questions.count)
    var position = Position()
    for question in questions {
      let first = result.frames.count
      if first > Self.keptCalls, first / Self.manyCalls > result.answers.count { break }
      _ = find(question.address.value, from: &position, into: &result.frames, record: record)
      if result.frames.count > first {
        result.answers.append(
          DwarfUnitAnswers.Answer(question: question, frames: first..<result.frames.count))
      }
    }
    result.names = texts.names
    result.paths = texts.paths
    return result
  }

  /// Adds the functions at `address` to `frames`, innermost first, and returns the place of the
  /// line row. Nil if neither a function nor a row covers the address.
  private mutating func find(
    _ address: UInt64, from position: inout Position, into frames: inout [Frame],
    record: (DwarfReadError) -> Void
  ) -> Place? {
    let row = lines?.table.row(at: address, near: &position.row)
    let function = findFunction(at: address, from: &position, record: record)
    guard row != nil || function != nil else { return nil }
    var place = Place()
    if let row {
      place = self.place(file: row.file, line: row.line, column: row.column, record: record)
    }
    if let function { addFrames(of: function, at: address, place, to: &frames, record: record) }
    if !unit.file.limits.texts.permitsMore { record(.decodingLimit(section: .strings)) }
    return place
  }

  private mutating func findFunction(
    at address: UInt64, from position: inout Position, record: (DwarfReadError) -> Void
  ) -> Function? {
    if let index = walks[0].list.functions.innermostScope(
      at: address, near: &position.functions.first)
    {
      return (0, index)
    }
    guard !walks[0].list.isComplete else { return nil }
    if walks.count == 1 {
      let found = FunctionWalk.functions(of: dieUnit, leavesFunctions: false, asked: asked)
      walks.append(FoundFunctions(found.content))
      if let fault = found.fault { record(fault) }
    }
    return walks[1].list.functions.innermostScope(at: address, near: &position.functions.second)
      .map { (1, $0) }
  }

  private mutating func addFrames(
    of function: Function, at address: UInt64, _ rowPlace: Place, to frames: inout [Frame],
    record: (DwarfReadError) -> Void
  ) {
    let extent = callExtent(of: function, record: record)
    var place = rowPlace
    var range = address..<(address &+ 1)
    var call = extent.ranges.isEmpty ? nil : calls.innermostCall(at: address, in: extent)
    while let index = call {
      let inlined = calls.calls[index]
      // An outer scope covers an inner one. If the compiler erred, the range of the inner one is
      // used.
      range = calls.range(ofCall: index, at: address) ?? range
      let name = name(ofCall: index, at: inlined.nameOffset, record: record)
      frames.append(frame(name, place, range))
      place = Place()
      if let file = inlined.file {
        place = self.place(file: file, line: inlined.line, column: inlined.column, record: record)
      }
      call = inlined.parent >= 0 ? Int(inlined.parent) : nil
    }
    range = walks[function.walk].list.functions.range(ofScope: function.index, at: address) ?? range
    frames.append(frame(name(of: function, record: record), place, range))
  }

  private func frame(_ name: Int32, _ place: Place, _ range: Range<UInt64>) -> Frame {
    Frame(name: name, path: place.path, line: place.line, column: place.column, range: range)
  }

  // MARK: - What is read when it is needed

  private mutating func callExtent(
    of function: Function, record: (DwarfReadError) -> Void
  ) -> InlinedCallTable.Extent {
    if let known = walks[function.walk].callExtents[function.index] { return known }
    let read = InlinedCallWalk.read(
      functionAt: walks[function.walk].list.functions.scopes[function.index].dieOffset,
      of: dieUnit, into: &calls)
    if let fault = read.fault { record(fault) }
    walks[function.walk].callExtents[function.index] = read.content
    callNames += repeatElement(-1, count: calls.calls.count - callNames.count)
    return read.content
  }

  private mutating func name(
    ofCall index: Int, at offset: UInt64, record: (DwarfReadError) -> Void
  ) -> Int32 {
    let known = callNames[index]
    if known >= 0 { return known }
    let name = texts.name(at: offset, of: dieUnit, record: record)
    callNames[index] = name
    return name
  }

  private mutating func name(
    of function: Function, record: (DwarfReadError) -> Void
  ) -> Int32 {
    let known = walks[function.walk].names[function.index]
    if known >= 0 { return known }
    let name = texts.name(
      at: walks[function.walk].list.functions.scopes[function.index].dieOffset, of: dieUnit,
      record: record)
    walks[function.walk].names[function.index] = name
    return name
  }

  private mutating func place(
    file: UInt32, line: UInt32, column: UInt32, record: (DwarfReadError) -> Void
  ) -> Place {
    guard let files = lines?.files else { return Place() }
    return Place(
      path: texts.path(of: file, in: files, of: unit, record: record), line: line, column: column)
  }
}

/// The decoded content of one unit. It belongs to one reader.
final class UnitContent {
  private var lookup: UnitLookup

  /// Runs the line program and finds the functions. Passes what cannot be read to `record`.
  ///
  /// - Parameter addresses: those that are known to be asked about.
  init(
    _ unit: DwarfUnit, for addresses: some Collection<UInt64>, record: (DwarfReadError) -> Void
  ) {
    lookup = UnitLookup(unit, for: addresses, record: record)
  }

  /// The functions and the line row at `address`; nil if neither a function nor a row covers it.
  func answer(at address: LinkAddress, record: (DwarfReadError) -> Void) -> DwarfAnswer? {
    lookup.answer(at: address.value, record: record)
  }

  /// The answers for those of `questions` that are in a function.
  ///
  /// - Parameter questions: in ascending order of their addresses.
  func answers(
    to questions: [NumberedAddress], record: (DwarfReadError) -> Void
  ) -> DwarfUnitAnswers {
    lookup.answers(to: questions, record: record)
  }
}

/// The names and paths that the answers of one unit have needed so far. Each is read once and then
/// known by its number.
struct UnitTexts {
  private(set) var names: [FunctionNames] = []
  private(set) var paths: [String] = []
  /// By the offset of the DIE.
  private var nameNumbers: [UInt64: Int32] = [:]
  /// By the number of the file in the line table; −1 for a file without a path.
  private var pathNumbers: [UInt64: Int32] = [:]
  /// The last file asked about and its path: code of one file is mostly adjacent.
  private var lastFile: (file: UInt32, path: Int32)?

  /// The number of the names of the function whose DIE is at `offset`.
  mutating func name(
    at offset: UInt64, of unit: DwarfUnit, record: (DwarfReadError) -> Void
  ) -> Int32 {
    if let known = nameNumbers[offset] { return known }
    let read = unit.names(at: offset)
    if let fault = read.fault { record(fault) }
    let number = Int32(truncatingIfNeeded: names.count)
    names.append(read.content)
    nameNumbers[offset] = number
    return number
  }

  /// The number of the path of `file`; −1 if the table has no such file, or its name cannot be
  /// read.
  mutating func path(
    of file: UInt32, in files: LineFileTable, of unit: DwarfUnit,
    record: (DwarfReadError) -> Void
  ) -> Int32 {
    if let lastFile, lastFile.file == file { return lastFile.path }
    let number = pathNumbers[UInt64(file)] ?? newPath(of: file, in: files, of: unit, record: record)
    lastFile = (file, number)
    return number
  }

  private mutating func newPath(
    of file: UInt32, in files: LineFileTable, of unit: DwarfUnit,
    record: (DwarfReadError) -> Void
  ) -> Int32 {
    let path = files.path(at: file)
    if files.hasUnreadableNames, let offset = unit.root.lineTableOffset {
      record(.malformed(section: .line, offset: offset))
    }
    let number = path == nil ? -1 : Int32(truncatingIfNeeded: paths.count)
    if let path { paths.append(path) }
    pathNumbers[UInt64(file)] = number
    return number
  }
}
