import BinaryInput

/// What a walk over entries gathered, and why it did not reach the end.
struct WalkResult<Content> {
  var content: Content
  var fault: DwarfReadError?
}

/// The functions of a unit.
struct FunctionList: Sendable {
  let functions: ScopeTable
  /// Whether no function was left by its sibling, so that none below one can be missing.
  let isComplete: Bool
}

/// Finds the functions of a unit. What stands below a function is passed over, but for other functions
/// there; the calls inlined into it are read when an address asks for them.
struct FunctionWalk {
  private let unit: DwarfUnit
  private let format: DwarfUnitFormat
  private let table: AbbreviationTable
  private let entersTypes: Bool
  private let leavesFunctions: Bool
  private var functions = ScopeTable()
  private var leftAny = false
  private var fault: DwarfReadError?

  /// The functions of `unit` that have code, in the order of `.debug_info`.
  ///
  /// - Parameter leavesFunctions: whether `DW_AT_sibling` may be used to leave a function, at the
  ///   price of the functions that stand below it (nested functions of GNU C and Fortran).
  static func functions(
    of unit: DwarfUnit, leavesFunctions: Bool
  ) -> WalkResult<FunctionList> {
    var walk = FunctionWalk(unit: unit, leavesFunctions: leavesFunctions)
    if unit.firstEntryOffset < unit.header.end, !unit.isTypeUnit {
      let end = walk.walk()
      if let end { walk.fault = walk.fault ?? end }
    }
    walk.functions.finish()
    return WalkResult(
      content: FunctionList(functions: walk.functions, isComplete: !walk.leftAny),
      fault: walk.fault)
  }

  private init(unit: DwarfUnit, leavesFunctions: Bool) {
    self.unit = unit
    self.format = unit.format
    self.table = unit.abbreviations
    self.leavesFunctions = leavesFunctions
    self.entersTypes = unit.root.language.map(DwarfLanguage.hasMethods) ?? true
  }

  /// Returns why the walk ended too early; nil where it did not.
  private mutating func walk() -> DwarfReadError? {
    var cursor = unit.entryCursor(at: unit.firstEntryOffset)
    let abbreviations = table.abbreviations
    // How many entries are open whose children are being read.
    var depth = 0
    while true {
      let offset = cursor.position
      // Units end with the end marks of their trees; some lack them.
      if cursor.isAtEnd { return nil }
      let code = cursor.readUleb128()
      if code == 0 {
        if cursor.hasFailed { return malformed(at: offset) }
        depth -= 1
        if depth <= 0 { return nil }
        continue
      }
      guard let index = table.index(of: code) else { return malformed(at: offset) }
      let abbreviation = abbreviations[index]
      var enters = abbreviation.hasChildren
      switch abbreviation.role {
      case .function:
        var entry = CodeEntry()
        table.read(abbreviation, &cursor, in: format, into: &entry)
        if !cursor.hasFailed { add(entry.code, at: UInt64(offset)) }
        if enters, leavesFunctions, entry.sibling > 0 {
          seek(to: entry.sibling, &cursor)
          leftAny = true
          enters = false
        }
      case .type where !entersTypes, .other:
        if enters, depth > 0 {
          leave(abbreviation, &cursor)
          enters = false
        } else {
          table.skip(abbreviation, &cursor, in: format)
        }
      case .inlinedCall, .block, .container, .type:
        table.skip(abbreviation, &cursor, in: format)
      }
      if cursor.hasFailed { return malformed(at: offset) }
      if enters { depth += 1 }
      // A unit whose first entry has no children holds nothing else.
      if depth == 0 { return nil }
    }
  }

  private mutating func add(_ code: EntryCode, at offset: UInt64) {
    // Declarations, and functions that are everywhere inlined, have none.
    guard code.low.isPresent || code.ranges.isPresent else { return }
    _ = functions.beginScope(entryOffset: offset, parent: nil, isInlined: false)
    let count = functions.ranges.count
    let file = unit.file
    let isRead = unit.forEachCodeRange(of: code) { low, high in
      if low < high, file.isCode(low) {
        functions.addRange(low: low, high: high)
      }
    }
    if !isRead, fault == nil { fault = malformed(at: Int(clamping: offset)) }
    if functions.ranges.count == count {
      functions.removeLastScope()
    } else {
      functions.endScope()
    }
  }

  @inline(__always)
  private func seek(to sibling: UInt64, _ cursor: inout ByteCursor) {
    EntrySkipping.seek(to: sibling, of: unit, &cursor)
  }

  @inline(__always)
  private func leave(_ abbreviation: Abbreviation, _ cursor: inout ByteCursor) {
    EntrySkipping.leave(abbreviation, &cursor, table, unit)
  }

  private func malformed(at offset: Int) -> DwarfReadError {
    .malformed(section: .info, offset: UInt64(clamping: offset))
  }
}

/// Passing over entries and all that stands below them.
enum EntrySkipping {
  /// Moves to the entry that `sibling`, counted from the start of the unit, says. It must stand behind
  /// `cursor`: what leads back never ends.
  @inline(__always)
  static func seek(to sibling: UInt64, of unit: DwarfUnit, _ cursor: inout ByteCursor) {
    let (offset, overflow) = unit.header.offset.addingReportingOverflow(sibling)
    if overflow || offset < UInt64(cursor.position) {
      cursor.fail()
    } else {
      cursor.seek(to: offset)
    }
  }

  /// Passes over the attributes of an entry with children, on which `cursor` stands behind the code,
  /// and over its subtree.
  @inline(__always)
  static func leave(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, _ table: AbbreviationTable,
    _ unit: DwarfUnit
  ) {
    let sibling = table.sibling(abbreviation, &cursor, in: unit.format)
    if sibling > 0 { return seek(to: sibling, of: unit, &cursor) }
    let next = endOfChildren(at: cursor, table, unit)
    if next < 0 { cursor.fail() } else { cursor.seek(to: UInt64(next)) }
  }

  /// The place behind the children among which `cursor` stands and their end mark; −1 where they cannot
  /// be read. (A call that changed the cursor itself would keep it out of the registers.)
  private static func endOfChildren(
    at cursor: ByteCursor, _ table: AbbreviationTable, _ unit: DwarfUnit
  ) -> Int {
    var cursor = cursor
    let format = unit.format
    var depth = 1
    while depth > 0, !cursor.isAtEnd {
      let code = cursor.readUleb128()
      if code == 0 {
        depth -= 1
        continue
      }
      guard let index = table.index(of: code) else { return -1 }
      let abbreviation = table.abbreviations[index]
      guard abbreviation.hasChildren else {
        table.skip(abbreviation, &cursor, in: format)
        continue
      }
      let sibling = table.sibling(abbreviation, &cursor, in: format)
      if sibling > 0 { seek(to: sibling, of: unit, &cursor) } else { depth += 1 }
    }
    return cursor.hasFailed ? -1 : cursor.position
  }
}
