import BinaryInput

/// The functions of a unit.
struct FunctionList: Sendable {
  let functions: ScopeTable
  /// Whether the walk skipped no children of functions, so that no nested function can be missing.
  let isComplete: Bool
}

extension WalkResult<FunctionList> {
  fileprivate static func nothing(_ fault: DwarfReadError?) -> WalkResult {
    var none = ScopeTable()
    none.finish()
    return WalkResult(content: FunctionList(functions: none, isComplete: true), fault: fault)
  }
}

/// Finds the functions of a unit, including functions nested in others. It skips everything else
/// below a function: `InlinedCallWalk` reads the inlined calls when they are needed.
struct FunctionWalk {
  private let unit: DwarfUnit
  private let format: DwarfUnitFormat
  private let table: AbbreviationTable
  private let entersTypes: Bool
  private let leavesFunctions: Bool
  private let asked: AskedAddresses?
  /// `.debug_addr`. One cursor for all functions: making one counts references.
  private var addresses: ByteCursor?
  private var functions = ScopeTable()
  private var leftAny = false
  private var fault: DwarfReadError?

  /// The functions of `unit` that have code, in the order of `.debug_info`.
  ///
  /// - Parameters:
  ///   - leavesFunctions: whether to skip the children of a function that has
  ///   `DW_AT_sibling`. That is faster, but misses nested functions (of GNU C and Fortran).
  ///   - asked: functions that cover none of these addresses are left out. Nil keeps all.
  static func functions(
    of unit: DwarfUnit, leavesFunctions: Bool, asked: AskedAddresses? = nil
  ) -> WalkResult<FunctionList> {
    guard unit.firstDieOffset < unit.header.end, !unit.isTypeUnit else { return .nothing(nil) }
    guard unit.file.limits.walks.permitsMore else {
      return .nothing(.decodingLimit(section: .info))
    }
    var walk: FunctionWalk
    do throws(DwarfReadError) {
      walk = FunctionWalk(
        unit: unit, table: try unit.abbreviations(), leavesFunctions: leavesFunctions,
        asked: asked)
    } catch {
      return .nothing(error)
    }
    let end = walk.walk()
    walk.functions.finish()
    return WalkResult(
      content: FunctionList(functions: walk.functions, isComplete: !walk.leftAny),
      fault: walk.fault ?? end)
  }

  private init(
    unit: DwarfUnit, table: AbbreviationTable, leavesFunctions: Bool, asked: AskedAddresses?
  ) {
    self.unit = unit
    self.format = unit.format
    self.table = table
    self.leavesFunctions = leavesFunctions
    self.asked = asked
    self.addresses = unit.file.addresses?.cursor(byteOrder: unit.file.byteOrder)
    self.entersTypes = unit.root.language.map(DwarfLanguage.hasMethods) ?? true
  }

  /// Returns why the walk ended too early; nil if it did not.
  private mutating func walk() -> DwarfReadError? {
    var cursor = unit.dieCursor(at: unit.firstDieOffset)
    let start = cursor.position
    defer { unit.file.limits.walks.add(cursor.position - start) }
    let table = table
    let layouts = table.layouts
    // The number of DIEs whose children are being read.
    var depth = 0
    while true {
      let offset = cursor.position
      // Some units lack the end marks of their trees.
      if cursor.isAtEnd { return nil }
      let code = cursor.readUleb128()
      if code == 0 {
        if cursor.hasFailed { return malformed(at: offset) }
        depth -= 1
        if depth <= 0 { return nil }
        continue
      }
      guard let index = table.index(of: code) else { return malformed(at: offset) }
      let layout = layouts[index]
      var enters = layout.hasChildren
      // What the calls below return is the position behind the DIE, or −1. They get the cursor by
      // value, and so it stays in registers.
      switch layout.role {
      case .function where layout.statesCode || layout.hasSibling:
        let read = readFunction(index, at: cursor, offset: offset)
        if read.isLeft { enters = false }
        DieSkipping.move(&cursor, to: read.next)
      case .type where !entersTypes && enters && depth > 0, .other where enters && depth > 0:
        DieSkipping.move(&cursor, to: DieSkipping.end(ofDieWith: index, at: cursor, table, unit))
        enters = false
      case .function, .inlinedCall, .block, .container, .type, .other:
        if !layout.skip(&cursor) {
          DieSkipping.move(&cursor, to: table.endOfSteps(index, at: cursor, in: format))
        }
      }
      if cursor.hasFailed { return malformed(at: offset) }
      if enters { depth += 1 }
      // If the first DIE of a unit has no children, there is nothing else in it.
      if depth == 0 { return nil }
    }
  }

  /// Reads the function whose abbreviation code ends at `cursor`. `next` is the position behind its
  /// attributes, or behind its children if they are skipped; −1 if it cannot be read.
  @inline(never)
  private mutating func readFunction(
    _ index: Int, at cursor: ByteCursor, offset: Int
  ) -> (next: Int, isLeft: Bool) {
    var cursor = cursor
    let layout = table.layouts[index]
    var isLeft = false
    var sibling: UInt64 = 0
    if !layout.statesCode, let stated = layout.readSibling(&cursor) {
      // A declaration, or a function that is inlined everywhere.
      sibling = stated
    } else {
      var attributes = ScopeAttributes()
      table.read(table.abbreviations[index], &cursor, in: format, into: &attributes)
      if !cursor.hasFailed { add(attributes.codeRange, at: UInt64(offset)) }
      sibling = attributes.sibling
    }
    if layout.hasChildren, leavesFunctions, sibling > 0 {
      DieSkipping.seek(to: sibling, of: unit, &cursor)
      leftAny = true
      isLeft = true
    }
    return (cursor.hasFailed ? -1 : cursor.position, isLeft)
  }

  private mutating func add(_ codeRange: CodeRangeAttributes, at offset: UInt64) {
    // Declarations, and functions that are inlined everywhere, have no code of their own.
    guard codeRange.low.isPresent || codeRange.ranges.isPresent else { return }
    if isCertainlyNotAsked(codeRange) { return }
    _ = functions.beginScope(dieOffset: offset, parent: nil, isInlined: false)
    let count = functions.ranges.count
    let file = unit.file
    var isAsked = asked == nil
    let isRead = unit.forEachCodeRange(of: codeRange) { low, high in
      if low < high, file.isCode(low) {
        functions.addRange(low: low, high: high)
        if let asked, !isAsked { isAsked = asked.isAny(from: low, to: high) }
      }
    }
    if !isRead, fault == nil { fault = unit.unreadableRanges(ofDieAt: offset) }
    if functions.ranges.count == count || !isAsked {
      functions.removeLastScope()
    } else {
      functions.endScope()
    }
  }

  /// Whether the function has one range, and that holds none of the addresses asked about. False if
  /// that needs more than a look.
  private mutating func isCertainlyNotAsked(_ codeRange: CodeRangeAttributes) -> Bool {
    guard let asked, codeRange.high.isPresent, !codeRange.high.isAddress,
      let low = address(codeRange.low)
    else { return false }
    let (high, overflow) = low.addingReportingOverflow(codeRange.high.number)
    return overflow || !asked.isAny(from: low, to: high)
  }

  /// What `DwarfUnit.address` returns. Nil, too, for tables that no compiler writes.
  private mutating func address(_ value: DwarfValue) -> UInt64? {
    if value.form == DwarfForm.addr { return value.number }
    let size = UInt64(format.addressSize)
    guard value.isAddress, size == 4 || size == 8, let end = addresses?.end,
      value.number <= UInt64(end) / size
    else { return nil }
    let (offset, overflow) = unit.addressBase.addingReportingOverflow(value.number * size)
    guard !overflow, offset <= UInt64(end), size <= UInt64(end) - offset else { return nil }
    addresses?.seek(to: offset)
    return addresses?.readUnsigned(size: Int(size))
  }

  private func malformed(at offset: Int) -> DwarfReadError {
    .malformed(section: .info, offset: UInt64(clamping: offset))
  }
}

/// What a walk over DIEs found.
struct WalkResult<Content> {
  var content: Content
  /// The first thing that could not be read; nil if there was none.
  var fault: DwarfReadError?
}
