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
