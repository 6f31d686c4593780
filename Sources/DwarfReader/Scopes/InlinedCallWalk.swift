import BinaryInput
import SymbolicationModel

/// A function with the calls inlined into it.
struct FunctionScopes: Sendable {
  /// The function itself has index 0.
  var scopes = ScopeTable()
  /// By scope index; that of the function is empty.
  var calls: [InlinedCall] = []
}

/// Where an inlined call stands in the source, and what it calls.
struct InlinedCall: Sendable {
  /// `DW_AT_call_file`: the index of a file of the unit's line table; nil without it.
  let file: UInt32?
  let line: UInt32
  let column: UInt32
}

/// Reads the calls inlined into one function.
enum InlinedCallWalk {
  /// How many ranges are searched one after the other: until then that costs less than sorting them.
  private static let linearSearchLimit = 256

  /// The function whose entry stands at `offset` of `unit`, with its inlined calls. Functions that
  /// stand below it are left out.
  static func scopes(of unit: DwarfUnit, functionAt offset: UInt64) -> WalkResult<FunctionScopes> {
    var result = WalkResult(content: FunctionScopes(), fault: nil)
    let end = walk(unit, from: offset, into: &result)
    result.fault = result.fault ?? end
    if result.content.scopes.ranges.count > linearSearchLimit { result.content.scopes.finish() }
    return result
  }

  private static func walk(
    _ unit: DwarfUnit, from start: UInt64, into result: inout WalkResult<FunctionScopes>
  ) -> DwarfReadError? {
    let table = unit.abbreviations
    let abbreviations = table.abbreviations
    let format = unit.format
    var cursor = unit.entryCursor(at: start)
    // The scope that the children of each open entry belong to. (The depth is the file's to decide.)
    var enclosing: [Int32] = []
    while !cursor.isAtEnd {
      let offset = cursor.position
      let code = cursor.readUleb128()
      if code == 0 {
        if cursor.hasFailed { return malformed(at: offset) }
        _ = enclosing.popLast()
        if enclosing.isEmpty { return nil }
        continue
      }
      guard let index = table.index(of: code) else { return malformed(at: offset) }
      let abbreviation = abbreviations[index]
      let parent = enclosing.last ?? -1
      var childScope = parent
      var enters = abbreviation.hasChildren
      switch abbreviation.role {
      case .function where enclosing.isEmpty, .inlinedCall where !enclosing.isEmpty:
        var entry = CodeEntry()
        table.read(abbreviation, &cursor, in: format, into: &entry)
        if cursor.hasFailed { break }
        childScope = Int32(truncatingIfNeeded: result.content.scopes.scopes.count)
        add(entry, at: UInt64(offset), parent: parent, unit, into: &result)
      case .block where !enclosing.isEmpty:
        table.skip(abbreviation, &cursor, in: format)
      default:
        if enters {
          EntrySkipping.leave(abbreviation, &cursor, table, unit)
        } else {
          table.skip(abbreviation, &cursor, in: format)
        }
        enters = false
      }
      if cursor.hasFailed { return malformed(at: offset) }
      if enters { enclosing.append(childScope) }
      if enclosing.isEmpty { return nil }
    }
    return nil
  }

  private static func add(
    _ entry: CodeEntry, at offset: UInt64, parent: Int32, _ unit: DwarfUnit,
    into result: inout WalkResult<FunctionScopes>
  ) {
    let sections = unit.file.sections
    _ = result.content.scopes.beginScope(
      entryOffset: offset, parent: parent < 0 ? nil : Int(parent), isInlined: parent >= 0)
    let isRead = unit.forEachCodeRange(of: entry.code) { low, high in
      if low < high, sections.isCode(LinkAddress(low)) {
        result.content.scopes.addRange(low: low, high: high)
      }
    }
    result.content.scopes.endScope()
    result.content.calls.append(
      InlinedCall(
        file: entry.hasCallFile ? UInt32(clamping: entry.callFile) : nil,
        line: UInt32(clamping: entry.callLine), column: UInt32(clamping: entry.callColumn)))
    if !isRead, result.fault == nil { result.fault = malformed(at: Int(clamping: offset)) }
  }

  private static func malformed(at offset: Int) -> DwarfReadError {
    .malformed(section: .info, offset: UInt64(clamping: offset))
  }
}
