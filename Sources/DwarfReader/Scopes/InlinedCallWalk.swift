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
  /// How deep calls may be inlined into each other: what lies deeper is left out. Compilers end the
  /// recursion of templates, the deepest of all inlining, at 900 (gcc) and 1,024 (clang).
  private static let inliningLimit: Int32 = 2048

  /// The function whose entry stands at `offset` of `unit`, with its inlined calls. Functions that
  /// stand below it are left out.
  static func scopes(of unit: DwarfUnit, functionAt offset: UInt64) -> WalkResult<FunctionScopes> {
    var result = WalkResult(content: FunctionScopes(), fault: nil)
    do throws(DwarfReadError) {
      guard unit.file.limits.walks.permitsMore else { throw .decodingLimit(section: .info) }
      let end = walk(unit, try unit.abbreviations(), from: offset, into: &result)
      result.fault = result.fault ?? end
    } catch {
      result.fault = error
    }
    if result.content.scopes.ranges.count > linearSearchLimit { result.content.scopes.finish() }
    return result
  }

  private static func walk(
    _ unit: DwarfUnit, _ table: AbbreviationTable, from start: UInt64,
    into result: inout WalkResult<FunctionScopes>
  ) -> DwarfReadError? {
    let abbreviations = table.abbreviations
    let format = unit.format
    var cursor = unit.entryCursor(at: start)
    let startPosition = cursor.position
    defer { unit.file.limits.walks.add(cursor.position - startPosition) }
    // The scope that the children of each open entry belong to, and how many it is inlined into. (How many
    // entries are open is the file's to decide.)
    var enclosing: [(scope: Int32, depth: Int32)] = []
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
      let parent = enclosing.last ?? (scope: -1, depth: -1)
      var child = parent
      var enters = abbreviation.hasChildren
      switch abbreviation.role {
      case .inlinedCall where parent.depth >= inliningLimit:
        result.fault = result.fault ?? .decodingLimit(section: .info)
        EntrySkipping.leave(abbreviation, &cursor, table, unit)
        enters = false
      case .function where enclosing.isEmpty, .inlinedCall where !enclosing.isEmpty:
        var entry = CodeEntry()
        table.read(abbreviation, &cursor, in: format, into: &entry)
        if cursor.hasFailed { break }
        child = (
          scope: Int32(truncatingIfNeeded: result.content.scopes.scopes.count),
          depth: parent.depth + 1
        )
        add(entry, at: UInt64(offset), parent: parent.scope, unit, into: &result)
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
      if enters { enclosing.append(child) }
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
    if !isRead, result.fault == nil { result.fault = unit.unreadableRanges(ofEntryAt: offset) }
  }

  private static func malformed(at offset: Int) -> DwarfReadError {
    .malformed(section: .info, offset: UInt64(clamping: offset))
  }
}
