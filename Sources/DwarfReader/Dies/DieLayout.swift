import BinaryInput

/// The kinds of DIEs that the search for code distinguishes.
enum DieRole: UInt8 {
  /// A function (`DW_TAG_subprogram`).
  case function
  /// A call whose code is part of the caller (`DW_TAG_inlined_subroutine`).
  case inlinedCall
  /// A block in a function, which may contain inlined calls.
  case block
  /// A namespace or module, which may contain functions.
  case container
  /// A type. Old Swift compilers define methods inside their types.
  case type
  /// Any other DIE: neither it nor its descendants have code.
  case other

  init(tag: UInt64) {
    switch tag {
    case DwarfTag.subprogram: self = .function
    case DwarfTag.inlinedSubroutine: self = .inlinedCall
    case DwarfTag.lexicalBlock, DwarfTag.tryBlock, DwarfTag.catchBlock, DwarfTag.withStatement:
      self = .block
    case DwarfTag.namespace, DwarfTag.module, DwarfTag.commonBlock: self = .container
    case DwarfTag.structureType, DwarfTag.classType, DwarfTag.unionType, DwarfTag.interfaceType,
      DwarfTag.enumerationType:
      self = .type
    default: self = .other
    }
  }
}

/// What a walk needs to know of an abbreviation to pass over a DIE that it does not read.
///
/// It has 12 bytes, because a walk reads one for each DIE, and it makes most DIEs cost two
/// additions: they have at most one attribute whose size is not fixed.
struct DieLayout: Sendable {
  /// The sizes of the attributes, in their order.
  enum Shape: UInt8 {
    /// `lead` bytes.
    case fixed
    /// `lead` bytes, a LEB128 number, and `tail` bytes.
    case leb128
    /// `lead` bytes, a block behind its length in LEB128, and `tail` bytes.
    case block
    /// Anything else. The abbreviation has steps that skip the attributes.
    case steps
  }

  let role: DieRole
  let hasChildren: Bool
  /// Whether the DIE has children and states where they end (`DW_AT_sibling`).
  private(set) var hasSibling = false
  /// Whether the DIE states where its code is: `DW_AT_low_pc` or `DW_AT_ranges`.
  private(set) var statesCode = false
  private(set) var shape = Shape.fixed
  // At most 256 attributes of at most 16 bytes.
  private var lead: UInt16 = 0
  private var tail: UInt16 = 0
  /// How many bytes are before the sibling, if it is a `DW_FORM_ref4` in attributes of fixed size.
  private var beforeSibling = Self.none
  private static var none: UInt16 { .max }

  init(role: DieRole, hasChildren: Bool) {
    self.role = role
    self.hasChildren = hasChildren
  }

  /// Adds the next attribute.
  mutating func add(_ attribute: AttributeSpecification, in format: DwarfUnitFormat) {
    switch attribute.name {
    case DwarfAttribute.sibling where hasChildren && !hasSibling:
      hasSibling = true
      if attribute.form == DwarfForm.ref4, shape == .fixed { beforeSibling = lead }
    case DwarfAttribute.lowPc, DwarfAttribute.ranges: statesCode = true
    default: break
    }
    switch DwarfForm.layout(of: attribute.form, in: format) {
    case .fixed(let size):
      let size = UInt16(truncatingIfNeeded: size)
      if shape == .fixed { lead &+= size } else { tail &+= size }
    case .leb128: shape = shape == .fixed ? .leb128 : .steps
    case .lengthPrefixedBlock: shape = shape == .fixed ? .block : .steps
    case .string, .block, .indirect, .unknown: shape = .steps
    }
  }

  /// Reads the sibling of a DIE, skips the attributes, and returns the sibling's offset from the
  /// start of the unit; 0 if the DIE states none. Nil, and the cursor stays, if the DIE is not of
  /// the kind that this can read.
  @inline(__always)
  func readSibling(_ cursor: inout ByteCursor) -> UInt64? {
    guard beforeSibling != Self.none, shape == .fixed else { return nil }
    var attributes = cursor
    cursor.skip(Int(lead))
    attributes.skip(Int(beforeSibling))
    return cursor.hasFailed ? 0 : UInt64(attributes.readUInt32())
  }

  /// Skips the attributes of a DIE. Returns false, and leaves the cursor, if `shape` is `steps`.
  @inline(__always)
  func skip(_ cursor: inout ByteCursor) -> Bool {
    switch shape {
    case .fixed:
      cursor.skip(Int(lead))
    case .leb128:
      cursor.skip(Int(lead))
      cursor.skipLeb128()
      cursor.skip(Int(tail))
    case .block:
      cursor.skip(Int(lead))
      let length = cursor.readUleb128()
      cursor.skip(length)
      cursor.skip(Int(tail))
    case .steps:
      return false
    }
    return true
  }
}
