/// The shape of the entries that carry one abbreviation code (DWARF 5, section 7.5.3), made ready for
/// two ways of reading: passing over them, and reading what concerns code.
struct Abbreviation: Sendable {
  /// How many attributes a declaration may have. DWARF has 140, vendors some dozens, and an entry has
  /// each once. (Those of some forms take no bytes of an entry, so that the entry is no limit.)
  static let attributeLimit = 256

  let role: DieRole
  let hasChildren: Bool
  /// Whether the entry has a name of its own: `DW_AT_name` or a linkage name.
  let hasName: Bool
  /// Bytes of all attributes together, where no value changes them; −1 otherwise.
  let fixedSize: Int32
  /// The steps that pass over all attributes.
  let skipSteps: Range<Int32>
  /// The steps that read what concerns code: of functions and inlined calls where it is, of others that
  /// have children their sibling. Empty where there is nothing to read.
  let readSteps: Range<Int32>
  /// In the table's `attributes`.
  let attributes: Range<Int32>
}

/// One attribute of an abbreviation, as it is written.
struct AttributeSpecification: Sendable {
  let name: UInt16
  let form: UInt16
  /// The value of `DW_FORM_implicit_const`.
  let implicit: Int64
}

/// One step of passing over, or reading, the attributes of an entry.
struct AttributeStep: Sendable {
  enum Operation: UInt8 {
    /// Passes over `operand` bytes.
    case skipBytes
    case skipLeb128
    case skipString
    /// Passes over a block whose length has `operand` bytes.
    case skipSizedBlock
    case skipLengthPrefixedBlock
    case skipIndirect
    /// A form that is not known: nothing behind it can be read.
    case fail
    // What follows reads a value of the step's form.
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
  /// A size, or the value of `DW_FORM_implicit_const`.
  let operand: Int64
}
