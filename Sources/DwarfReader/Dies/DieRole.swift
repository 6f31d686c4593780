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
