import SymbolicationModel

/// The decoded content of one unit. It belongs to one reader.
final class UnitContent {
  /// The unit in the image, which has the line table.
  private let unit: DwarfUnit
  /// The unit that has the functions: the same unit, or its split unit.
  private let dieUnit: DwarfUnit
  /// Nil if the unit has no line table, or one that cannot be read.
  private var lines: LineProgram.Result?
  private var functions: FoundFunctions
  /// The addresses that `lines` and the functions were read for; nil if they are complete.
  private var asked: AskedAddresses?
  /// All functions, including those nested in functions whose children the first walk skipped; read
  /// when an address needs them. They are always searched after `functions`, so that no answer
  /// depends on which addresses were asked about before, not even in a damaged unit.
  private var nestedFunctions: FoundFunctions?
  private var calls = InlinedCallTable()
  /// By the offset of the DIE.
  private var names: [UInt64: FunctionNames] = [:]

  /// The functions that a walk found.
  private final class FoundFunctions {
    let list: FunctionList
    /// By function index: the function's inlined calls in `calls`; nil until they are needed.
    var callExtents: [InlinedCallTable.Extent?]

    init(_ list: FunctionList) {
      self.list = list
      self.callExtents = Array(repeating: nil, count: list.functions.scopes.count)
    }
  }

  /// One function among those found.
  private typealias Function = (found: FoundFunctions, index: Int)

  /// Runs the line program and finds the functions. Passes what cannot be read to `record`.
  ///
  /// - Parameter asked: the addresses that are known to be asked about; nil if there are many. If
  ///   another one is asked about, the unit is decoded again, for all addresses.
  init(_ unit: DwarfUnit, asked: AskedAddresses?, record: (DwarfReadError) -> Void) {
    self.unit = unit
    self.asked = asked
    let dieUnit = unit.unitHoldingDies(record: record)
    self.dieUnit = dieUnit
    self.lines = LineProgram.run(for: unit, asked: asked, record: record)
    let found = FunctionWalk.functions(of: dieUnit, leavesFunctions: true, asked: asked)
    self.functions = FoundFunctions(found.content)
    if let fault = found.fault { record(fault) }
  }

  /// Reads what was left out for the addresses asked so far.
  private func complete(record: (DwarfReadError) -> Void) {
    asked = nil
    lines = LineProgram.run(for: unit, record: record)
    let found = FunctionWalk.functions(of: dieUnit, leavesFunctions: true)
    functions = FoundFunctions(found.content)
    if let fault = found.fault { record(fault) }
    nestedFunctions = nil
  }

  /// The functions and the line row at `address`; nil if neither a function nor a row covers it.
  func answer(at address: LinkAddress, record: (DwarfReadError) -> Void) -> DwarfAnswer? {
    if let asked, !asked.contains(address.value) { complete(record: record) }
    let row = lines?.table.row(at: address.value)
    let function = self.function(at: address.value, record: record)
    guard row != nil || function != nil else { return nil }
    let location = row.flatMap { row in
      self.location(file: row.file, line: row.line, column: row.column, record: record)
    }
    let answered =
      function.map { frames(of: $0, at: address.value, location, record: record) } ?? []
    if !unit.file.limits.texts.permitsMore { record(.decodingLimit(section: .strings)) }
    return DwarfAnswer(frames: answered, row: location, language: dieUnit.root.language)
  }

  private func function(at address: UInt64, record: (DwarfReadError) -> Void) -> Function? {
    if let index = functions.list.functions.innermostScope(at: address) {
      return (functions, index)
    }
    guard !functions.list.isComplete else { return nil }
    // The function may be nested in one whose children the first walk skipped.
    if nestedFunctions == nil {
      let found = FunctionWalk.functions(of: dieUnit, leavesFunctions: false, asked: asked)
      nestedFunctions = FoundFunctions(found.content)
      if let fault = found.fault { record(fault) }
    }
    guard let nestedFunctions else { return nil }
    return nestedFunctions.list.functions.innermostScope(at: address).map { (nestedFunctions, $0) }
  }

  private func frames(
    of function: Function, at address: UInt64, _ location: SourceLocation?,
    record: (DwarfReadError) -> Void
  ) -> [DwarfFrame] {
    let extent = callExtent(of: function, record: record)
    var frames: [DwarfFrame] = []
    var location = location
    var range = address..<(address &+ 1)
    var call = calls.innermostCall(at: address, in: extent)
    while let index = call {
      let inlined = calls.calls[index]
      // An outer scope covers an inner one. If the compiler erred, the range of the inner one is
      // used.
      range = calls.range(ofCall: index, at: address) ?? range
      frames.append(frame(namedAt: inlined.nameOffset, location, range, record: record))
      location = inlined.file.flatMap {
        self.location(file: $0, line: inlined.line, column: inlined.column, record: record)
      }
      call = inlined.parent >= 0 ? Int(inlined.parent) : nil
    }
    let scopes = function.found.list.functions
    range = scopes.range(ofScope: function.index, at: address) ?? range
    let offset = scopes.scopes[function.index].dieOffset
    frames.append(frame(namedAt: offset, location, range, record: record))
    return frames
  }

  private func frame(
    namedAt offset: UInt64, _ location: SourceLocation?, _ range: Range<UInt64>,
    record: (DwarfReadError) -> Void
  ) -> DwarfFrame {
    let names = names(at: offset, record: record)
    return DwarfFrame(
      linkageName: names.linkageName, name: names.name, location: location,
      range: LinkAddress(range.lowerBound)..<LinkAddress(range.upperBound))
  }

  private func callExtent(
    of function: Function, record: (DwarfReadError) -> Void
  ) -> InlinedCallTable.Extent {
    if let known = function.found.callExtents[function.index] { return known }
    let read = InlinedCallWalk.read(
      functionAt: function.found.list.functions.scopes[function.index].dieOffset, of: dieUnit,
      into: &calls)
    if let fault = read.fault { record(fault) }
    function.found.callExtents[function.index] = read.content
    return read.content
  }

  private func names(at offset: UInt64, record: (DwarfReadError) -> Void) -> FunctionNames {
    if let known = names[offset] { return known }
    let read = dieUnit.names(at: offset)
    if let fault = read.fault { record(fault) }
    names[offset] = read.content
    return read.content
  }

  private func location(
    file: UInt32, line: UInt32, column: UInt32, record: (DwarfReadError) -> Void
  ) -> SourceLocation? {
    guard let files = lines?.files else { return nil }
    let path = files.path(at: file)
    if files.hasUnreadableNames, let offset = unit.root.lineTableOffset {
      record(.malformed(section: .line, offset: offset))
    }
    return path.map { SourceLocation(path: $0, line: line, column: column) }
  }
}
