import BinaryInput
import SymbolicationModel

/// One table of `.debug_abbrev`, compiled for units of one format.
final class AbbreviationTable: Sendable {
  /// In the order of the table.
  let abbreviations: [Abbreviation]
  /// The layouts of `abbreviations`, in the same order.
  let layouts: [DieLayout]
  let attributes: [AttributeSpecification]
  let steps: [AttributeStep]
  /// Whether the codes are 1, 2, 3 and so on, as all known compilers write them.
  let isDense: Bool
  /// The codes with their indices in `abbreviations`, ascending by code; empty if `isDense`.
  private let indicesByCode: [(code: UInt64, index: Int32)]
  /// The size of the table in `.debug_abbrev`, in bytes.
  let size: Int

  /// Compiles the table at `offset` of `section`. If the section ends before the table does, the
  /// complete abbreviations are used.
  ///
  /// Cost: a walk over the table.
  init(
    _ section: ByteRegion, at offset: UInt64, byteOrder: ByteOrder, format: DwarfUnitFormat
  ) {
    var compiler = AbbreviationCompiler(format: format)
    var cursor = section.cursor(at: offset, byteOrder: byteOrder)
    let start = cursor.position
    while true {
      let code = cursor.readUleb128()
      if code == 0 { break }
      compiler.compile(code: code, &cursor)
      if cursor.hasFailed { break }
    }
    self.size = cursor.position - start
    self.abbreviations = compiler.abbreviations
    self.layouts = compiler.layouts
    self.attributes = compiler.attributes
    self.steps = compiler.steps
    self.isDense = compiler.isDense
    if compiler.isDense {
      self.indicesByCode = []
    } else {
      // If two abbreviations have the same code, the first counts.
      self.indicesByCode = compiler.codes.enumerated().map { (code: $1, index: Int32($0)) }
        .sorted { ($0.code, $0.index) < ($1.code, $1.index) }
    }
  }

  /// Moves `cursor` from the start of a table to the attributes of the declaration of `code`, and
  /// returns the tag.
  ///
  /// Returns nil if the table has no such declaration before the position `limit`. The cursor is
  /// then at an unspecified position.
  static func find(_ code: UInt64, in cursor: inout ByteCursor, until limit: Int) -> UInt64? {
    while cursor.position < limit {
      let declared = cursor.readUleb128()
      if declared == 0 { return nil }
      let tag = cursor.readUleb128()
      cursor.skip(1)  // DW_CHILDREN_yes or DW_CHILDREN_no
      if declared == code { return cursor.hasFailed ? nil : tag }
      while cursor.position < limit {
        let name = cursor.readUleb128()
        let form = cursor.readUleb128()
        if name == 0, form == 0 { break }
        if form == UInt64(DwarfForm.implicitConst) { cursor.skipLeb128() }
      }
    }
    return nil
  }

  /// The index in `abbreviations` of `code`; nil if the table has no such code.
  @inline(__always)
  func index(of code: UInt64) -> Int? {
    if isDense { return code &- 1 < UInt64(abbreviations.count) ? Int(code) - 1 : nil }
    return search(code)
  }

  private func search(_ code: UInt64) -> Int? {
    let position = indicesByCode.partitionPoint { $0.code >= code }
    guard position < indicesByCode.count, indicesByCode[position].code == code else { return nil }
    return Int(indicesByCode[position].index)
  }
}

/// The layout of the DIEs with one abbreviation code (DWARF 5, section 7.5.3), compiled into steps
/// for skipping such a DIE and for reading its `ScopeAttributes`.
struct Abbreviation: Sendable {
  /// The greatest number of attributes of a declaration. DWARF defines 140 and vendors some dozens,
  /// and a DIE has each at most once. The size of the DIE is no limit: attributes of some forms
  /// take no bytes in it.
  static let attributeLimit = 256

  let layout: DieLayout
  /// Whether the DIE has a name of its own: `DW_AT_name` or a linkage name.
  let hasName: Bool
  /// The steps that skip all attributes: indices in the table's `steps`. Empty if `layout` skips
  /// them.
  let skipSteps: Range<Int32>
  /// The steps that read the `ScopeAttributes`: all of them for functions and inlined calls, only
  /// the sibling for other DIEs with children. Empty if there is nothing to read.
  let readSteps: Range<Int32>
  /// Indices in the table's `attributes`.
  let attributes: Range<Int32>

  var role: DieRole { layout.role }
  var hasChildren: Bool { layout.hasChildren }
}

/// One attribute in the declaration of an abbreviation.
struct AttributeSpecification: Sendable {
  let name: UInt16
  let form: UInt16
}

/// One step of skipping or reading the attributes of a DIE.
struct AttributeStep: Sendable {
  enum Operation: UInt8 {
    /// Skips `operand` bytes.
    case skipBytes
    case skipLeb128
    case skipString
    /// Skips a block whose length takes `operand` bytes.
    case skipSizedBlock
    /// Skips a block whose length is a LEB128 number.
    case skipLengthPrefixedBlock
    case skipIndirect
    /// Fails: the form is unknown, so nothing behind it can be read.
    case fail
    // The operations below read a value of the step's form.
    case sibling
    case lowPc
    case highPc
    case ranges
    case callFile
    case callLine
    case callColumn
    case origin
  }

  let operation: Operation
  let form: UInt16
  /// A size in bytes, or the value of `DW_FORM_implicit_const`.
  let operand: Int64
}

/// The attributes of a DIE that state where its code is, undecoded: `DW_AT_low_pc`, `DW_AT_high_pc`
/// and `DW_AT_ranges`. `DwarfUnit.forEachCodeRange` turns them into addresses.
struct CodeRangeAttributes: Sendable {
  var low = DwarfValue.absent
  var high = DwarfValue.absent
  var ranges = DwarfValue.absent
}

/// The attributes of a function or an inlined call that a walk over the DIEs of a unit reads.
struct ScopeAttributes {
  var codeRange = CodeRangeAttributes()
  /// `DW_AT_sibling`: the offset of the next sibling from the start of the unit; 0 without it.
  var sibling: UInt64 = 0
  var callFile: UInt64 = 0
  var callLine: UInt64 = 0
  var callColumn: UInt64 = 0
  var hasCallFile = false
  /// `DW_AT_abstract_origin`.
  var origin = DwarfValue.absent
}

extension AbbreviationTable {
  /// Skips the attributes of a DIE.
  @inline(__always)
  func skip(_ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat) {
    if abbreviation.layout.skip(&cursor) { return }
    for index in abbreviation.skipSteps { skip(steps[Int(index)], &cursor, in: format) }
  }

  /// The position behind the attributes of a DIE with the abbreviation at `index`, whose layout is
  /// `steps`; −1 if they cannot be read. (The cursor is passed by value: a function that changed it
  /// would keep it out of the caller's registers.)
  @inline(never)
  func endOfSteps(_ index: Int, at cursor: ByteCursor, in format: DwarfUnitFormat) -> Int {
    var cursor = cursor
    for step in abbreviations[index].skipSteps { skip(steps[Int(step)], &cursor, in: format) }
    return cursor.hasFailed ? -1 : cursor.position
  }

  /// Reads the attributes of a DIE into `result`. Attributes that it lacks stay as they are there.
  @inline(__always)
  func read(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat,
    into result: inout ScopeAttributes
  ) {
    if abbreviation.readSteps.isEmpty { return skip(abbreviation, &cursor, in: format) }
    for index in abbreviation.readSteps {
      let step = steps[Int(index)]
      switch step.operation {
      case .sibling:
        result.sibling = value(step, &cursor, in: format).number
      case .lowPc: result.codeRange.low = value(step, &cursor, in: format)
      case .highPc: result.codeRange.high = value(step, &cursor, in: format)
      case .ranges: result.codeRange.ranges = value(step, &cursor, in: format)
      case .callFile:
        result.callFile = value(step, &cursor, in: format).number
        result.hasCallFile = true
      case .callLine: result.callLine = value(step, &cursor, in: format).number
      case .callColumn: result.callColumn = value(step, &cursor, in: format).number
      case .origin: result.origin = value(step, &cursor, in: format)
      default: skip(step, &cursor, in: format)
      }
    }
  }

  @inline(__always)
  private func value(
    _ step: AttributeStep, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) -> DwarfValue {
    DwarfValue(step.form, &cursor, in: format, implicit: step.operand)
  }

  @inline(__always)
  private func skip(
    _ step: AttributeStep, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) {
    switch step.operation {
    case .skipBytes: cursor.skip(Int(step.operand))
    case .skipLeb128: cursor.skipLeb128()
    case .skipString: cursor.skipCString()
    case .skipSizedBlock:
      let length = cursor.readUnsigned(size: Int(step.operand))
      cursor.skip(length)
    case .skipLengthPrefixedBlock:
      let length = cursor.readUleb128()
      cursor.skip(length)
    case .skipIndirect: _ = DwarfValue(DwarfForm.indirect, &cursor, in: format)
    default: cursor.fail()
    }
  }

  /// Skips the attributes of a DIE and returns its `DW_AT_sibling`, the offset of the next sibling
  /// from the start of the unit; 0 without one.
  @inline(__always)
  func sibling(
    _ abbreviation: Abbreviation, _ cursor: inout ByteCursor, in format: DwarfUnitFormat
  ) -> UInt64 {
    if abbreviation.readSteps.isEmpty {
      skip(abbreviation, &cursor, in: format)
      return 0
    }
    var attributes = ScopeAttributes()
    read(abbreviation, &cursor, in: format, into: &attributes)
    return attributes.sibling
  }
}
