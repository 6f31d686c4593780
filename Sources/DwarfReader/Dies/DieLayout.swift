import BinaryInput

/// What a walk needs to know of an abbreviation to pass over a DIE that it does not read.
///
/// It has 8 bytes, because a walk reads one for each DIE, and it makes most DIEs cost two
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
  var hasSibling = false
  private(set) var shape = Shape.fixed
  // At most 256 attributes of at most 16 bytes.
  private var lead: UInt16 = 0
  private var tail: UInt16 = 0

  init(role: DieRole, hasChildren: Bool) {
    self.role = role
    self.hasChildren = hasChildren
  }

  /// Adds the next attribute.
  mutating func add(_ layout: DwarfForm.Layout) {
    switch layout {
    case .fixed(let size):
      let size = UInt16(truncatingIfNeeded: size)
      if shape == .fixed { lead &+= size } else { tail &+= size }
    case .leb128: shape = shape == .fixed ? .leb128 : .steps
    case .lengthPrefixedBlock: shape = shape == .fixed ? .block : .steps
    case .string, .block, .indirect, .unknown: shape = .steps
    }
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
