import BinaryInput

/// Reads the calls inlined into one function.
enum InlinedCallWalk {
  /// The greatest depth of calls inlined into each other; deeper calls are left out. Recursive
  /// templates give the deepest inlining, and compilers limit them to 900 (gcc) and 1,024 (clang).
  private static let inliningLimit: Int32 = 2048

  /// Adds to `table` the calls inlined into the function whose DIE is at `offset` of `.debug_info`,
  /// and returns their indices. Nested functions are skipped.
  static func read(
    functionAt offset: UInt64, of unit: DwarfUnit, into table: inout InlinedCallTable
  ) -> WalkResult<InlinedCallTable.Extent> {
    let firstCall = Int32(truncatingIfNeeded: table.calls.count)
    let firstRange = Int32(truncatingIfNeeded: table.ranges.count)
    var fault: DwarfReadError?
    do throws(DwarfReadError) {
      guard unit.file.limits.walks.permitsMore else { throw .decodingLimit(section: .info) }
      var walk = Walk(unit: unit, abbreviations: try unit.abbreviations())
      let end = walk.run(from: offset, into: &table)
      fault = walk.fault ?? end
    } catch {
      fault = error
    }
    return WalkResult(
      content: InlinedCallTable.Extent(
        calls: firstCall..<Int32(truncatingIfNeeded: table.calls.count),
        ranges: firstRange..<Int32(truncatingIfNeeded: table.ranges.count)),
      fault: fault)
  }

  private struct Walk {
    let unit: DwarfUnit
    let abbreviations: AbbreviationTable
    var fault: DwarfReadError?

    /// Returns why the walk ended too early; nil if it did not.
    mutating func run(
      from start: UInt64, into table: inout InlinedCallTable
    ) -> DwarfReadError? {
      let format = unit.format
      var cursor = unit.dieCursor(at: start)
      let startPosition = cursor.position
      defer { unit.file.limits.walks.add(cursor.position - startPosition) }
      // For each open DIE: the call that its children belong to, and the depth of that call. (The
      // file decides how many DIEs are open, so this is not recursive.)
      var enclosing: [(call: Int32, depth: Int32)] = []
      while !cursor.isAtEnd {
        let offset = cursor.position
        let code = cursor.readUleb128()
        if code == 0 {
          if cursor.hasFailed || enclosing.isEmpty { return malformed(at: offset) }
          enclosing.removeLast()
          if enclosing.isEmpty { return nil }
          continue
        }
        guard let index = abbreviations.index(of: code) else { return malformed(at: offset) }
        let abbreviation = abbreviations.abbreviations[index]
        let parent = enclosing.last ?? (call: -1, depth: 0)
        var childParent = parent
        var enters = abbreviation.hasChildren
        switch abbreviation.role {
        case .inlinedCall where parent.depth >= inliningLimit:
          if fault == nil { fault = .decodingLimit(section: .info) }
          DieSkipping.skip(index, &cursor, abbreviations, unit)
          enters = false
        case .inlinedCall where !enclosing.isEmpty:
          var attributes = ScopeAttributes()
          abbreviations.read(abbreviation, &cursor, in: format, into: &attributes)
          if cursor.hasFailed { break }
          childParent = (
            call: Int32(truncatingIfNeeded: table.calls.count), depth: parent.depth + 1
          )
          add(attributes, abbreviation, at: UInt64(offset), parent: parent.call, into: &table)
        case .function where enclosing.isEmpty, .block where !enclosing.isEmpty:
          abbreviations.skip(abbreviation, &cursor, in: format)
        default:
          DieSkipping.skip(index, &cursor, abbreviations, unit)
          enters = false
        }
        if cursor.hasFailed { return malformed(at: offset) }
        if enters { enclosing.append(childParent) }
        if enclosing.isEmpty { return nil }
      }
      return nil
    }

    @inline(__always)
    private mutating func add(
      _ call: ScopeAttributes, _ abbreviation: Abbreviation, at offset: UInt64, parent: Int32,
      into table: inout InlinedCallTable
    ) {
      table.begin(
        InlinedCall(
          nameOffset: nameOffset(of: call, abbreviation, at: offset), parent: parent,
          firstRange: Int32(truncatingIfNeeded: table.ranges.count),
          file: call.hasCallFile ? UInt32(clamping: call.callFile) : nil,
          line: UInt32(clamping: call.callLine), column: UInt32(clamping: call.callColumn)))
      let file = unit.file
      let isRead = unit.forEachCodeRange(of: call.codeRange) { low, high in
        if low < high, file.isCode(low) { table.addRange(low: low, high: high) }
      }
      table.endCall()
      if !isRead, fault == nil { fault = unit.unreadableRanges(ofDieAt: offset) }
    }

    private func nameOffset(
      of call: ScopeAttributes, _ abbreviation: Abbreviation, at offset: UInt64
    ) -> UInt64 {
      guard !abbreviation.hasName else { return offset }
      switch call.origin.form {
      case DwarfForm.ref1, DwarfForm.ref2, DwarfForm.ref4, DwarfForm.ref8, DwarfForm.refUdata:
        let (origin, overflow) = unit.header.offset.addingReportingOverflow(call.origin.number)
        return !overflow && unit.holdsDie(at: origin) ? origin : offset
      case DwarfForm.refAddr: return call.origin.number
      default: return offset
      }
    }

    private func malformed(at offset: Int) -> DwarfReadError {
      .malformed(section: .info, offset: UInt64(clamping: offset))
    }
  }
}
