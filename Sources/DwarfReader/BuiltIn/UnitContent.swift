import SymbolicationModel

/// One unit and what was decoded of it. It belongs to one reader.
final class UnitContent {
  /// Where the line table is: the unit in the image.
  private let unit: DwarfUnit
  /// Where the functions are: the same, or its split unit.
  private let entries: DwarfUnit
  /// Nil where the unit has no line table, or one that cannot be read.
  private var lines: LineProgram.Result?
  private let functions: FunctionList
  /// All functions, also those below functions that were left by their sibling, once an address asked for
  /// them. It is searched second: what other addresses ask changes no answer, damaged units included.
  private var nestedFunctions: ScopeTable?
  /// By the offset of the function's entry.
  private var functionScopes: [UInt64: FunctionScopes] = [:]
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
    if let fault = found.fault { record(fault) }
  }

  /// What the unit says of `address`; nil where neither a function nor a row covers it.
  func answer(at address: LinkAddress, record: (DwarfReadError) -> Void) -> DwarfAnswer? {
    let row = lines?.table.row(at: address.value)
    let function = self.function(at: address.value, record: record)
    guard row != nil || function != nil else { return nil }
    let location = row.flatMap { row in
      self.location(file: row.file, line: row.line, column: row.column)
    }
    let found =
      function.map { frames(of: $0, at: address.value, location, record: record) } ?? []
    if !unit.file.limits.texts.permitsMore { record(.decodingLimit(section: .strings)) }
    return DwarfAnswer(frames: found, row: location)
  }

  /// The offset of the entry of the function at `address`.
  private func function(at address: UInt64, record: (DwarfReadError) -> Void) -> UInt64? {
    if let offset = functions.functions.entryOffset(at: address) { return offset }
    guard !functions.isComplete else { return nil }
    // It may stand below a function that was left by its sibling.
    if nestedFunctions == nil {
      let found = FunctionWalk.functions(of: entries, leavesFunctions: false)
      nestedFunctions = found.content.functions
      if let fault = found.fault { record(fault) }
    }
    return nestedFunctions?.entryOffset(at: address)
  }

  private func frames(
    of function: UInt64, at address: UInt64, _ location: SourceLocation?,
    record: (DwarfReadError) -> Void
  ) -> [DwarfFrame] {
    let content = scopes(of: function, record: record)
    var frames: [DwarfFrame] = []
    var location = location
    var range = address..<(address &+ 1)
    // The function itself where none of its inlined calls, nor it, claims the address: it was found by
    // the same ranges.
    var scope = content.scopes.innermostScope(at: address)
    while let index = scope {
      let names = self.names(at: content.scopes.scopes[index].entryOffset, record: record)
      // What a body is inlined into covers it, unless the compiler erred: then the body's range.
      range = content.scopes.range(ofScope: index, at: address) ?? range
      frames.append(
        DwarfFrame(
          linkageName: names.linkageName, name: names.name, location: location,
          range: LinkAddress(range.lowerBound)..<LinkAddress(range.upperBound)))
      let call = content.calls[index]
      location = call.file.flatMap {
        self.location(file: $0, line: call.line, column: call.column)
      }
      scope = content.scopes.scopes[index].parent
    }
    return frames
  }

  private func scopes(
    of function: UInt64, record: (DwarfReadError) -> Void
  ) -> FunctionScopes {
    if let known = functionScopes[function] { return known }
    let read = InlinedCallWalk.scopes(of: entries, functionAt: function)
    if let fault = read.fault { record(fault) }
    functionScopes[function] = read.content
    return read.content
  }

  private func names(at offset: UInt64, record: (DwarfReadError) -> Void) -> FunctionNames {
    if let known = names[offset] { return known }
    let read = entries.names(at: offset)
    if let fault = read.fault { record(fault) }
    names[offset] = read.content
    return read.content
  }

  private func location(file: UInt32, line: UInt32, column: UInt32) -> SourceLocation? {
    lines?.files.path(at: file).map { SourceLocation(path: $0, line: line, column: column) }
  }
}

extension ScopeTable {
  /// Of the innermost scope at `address`.
  fileprivate func entryOffset(at address: UInt64) -> UInt64? {
    innermostScope(at: address).map { scopes[$0].entryOffset }
  }
}
