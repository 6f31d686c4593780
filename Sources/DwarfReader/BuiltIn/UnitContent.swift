import SymbolicationModel

/// One unit and what was decoded of it. It belongs to one reader.
final class UnitContent {
  /// Where the line table is: the unit in the image.
  private let unit: DwarfUnit
  /// Where the functions are: the same, or its split unit.
  private let entries: DwarfUnit
  /// Nil where the unit has no line table, or one that cannot be read.
  private var lines: LineProgram.Result?
  private var functions: FunctionList
  private let abbreviations: AbbreviationTable
  private var calls = InlinedCallTable()
  /// By the index of the function: where its inlined calls are in `calls`, once it was asked about.
  private var callExtents: [InlinedCallTable.Extent?]
  /// By the offset of the entry.
  private var names: [UInt64: FunctionNames] = [:]

  /// Runs the line program and finds the functions. What cannot be read is told to `record`.
  init(_ unit: DwarfUnit, record: (DwarfReadError) -> Void) {
    self.unit = unit
    var entries = unit
    do throws(DwarfReadError) {
      if let split = try unit.file.splitUnit(of: unit) { entries = split }
    } catch {
      record(error)
    }
    self.entries = entries
    // A line table that cannot be read costs the lines, not the functions.
    do throws(DwarfReadError) {
      self.lines = try LineProgram.run(for: unit)
      if let fault = lines?.fault { record(fault) }
    } catch {
      record(error)
    }
    let found = FunctionWalk.functions(of: entries, leavesFunctions: true)
    self.functions = found.content
    self.abbreviations = entries.abbreviations
    self.callExtents = Array(repeating: nil, count: found.content.functions.scopes.count)
    if let fault = found.fault { record(fault) }
  }

  /// What the unit says of `address`; nil where neither a function nor a row covers it.
  func answer(at address: LinkAddress, record: (DwarfReadError) -> Void) -> DwarfAnswer? {
    let row = lines?.table.row(at: address.value)
    let function = self.function(at: address.value, record: record)
    guard row != nil || function != nil else { return nil }
    let location = row.flatMap { row in
      self.location(file: row.file, line: row.line, column: row.column, record: record)
    }
    guard let function else { return DwarfAnswer(frames: [], row: location) }
    return DwarfAnswer(
      frames: frames(of: function, at: address.value, location, record: record), row: location)
  }

  private func function(at address: UInt64, record: (DwarfReadError) -> Void) -> Int? {
    if let index = functions.functions.innermostScope(at: address) { return index }
    guard !functions.isComplete else { return nil }
    // It may stand below a function that was left by its sibling.
    let found = FunctionWalk.functions(of: entries, leavesFunctions: false)
    functions = found.content
    callExtents = Array(repeating: nil, count: functions.functions.scopes.count)
    if let fault = found.fault { record(fault) }
    return functions.functions.innermostScope(at: address)
  }

  private func frames(
    of function: Int, at address: UInt64, _ location: SourceLocation?,
    record: (DwarfReadError) -> Void
  ) -> [DwarfFrame] {
    let extent = callExtent(of: function, record: record)
    var frames: [DwarfFrame] = []
    var location = location
    var range = address..<(address &+ 1)
    var call = calls.innermostCall(at: address, in: extent)
    while let index = call {
      let inlined = calls.calls[index]
      // What a body is inlined into covers it, unless the compiler erred: then the body's range.
      range = calls.range(ofCall: index, at: address) ?? range
      frames.append(frame(namedAt: inlined.nameOffset, location, range, record: record))
      location = inlined.file.flatMap {
        self.location(file: $0, line: inlined.line, column: inlined.column, record: record)
      }
      call = inlined.parent >= 0 ? Int(inlined.parent) : nil
    }
    range = functions.functions.range(ofScope: function, at: address) ?? range
    let offset = functions.functions.scopes[function].entryOffset
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
    of function: Int, record: (DwarfReadError) -> Void
  ) -> InlinedCallTable.Extent {
    if let known = callExtents[function] { return known }
    let read = InlinedCallWalk.read(
      functionAt: functions.functions.scopes[function].entryOffset, of: entries, abbreviations,
      into: &calls)
    if let fault = read.fault { record(fault) }
    callExtents[function] = read.content
    return read.content
  }

  private func names(at offset: UInt64, record: (DwarfReadError) -> Void) -> FunctionNames {
    if let known = names[offset] { return known }
    let read = entries.names(at: offset)
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
