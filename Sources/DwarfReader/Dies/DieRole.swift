/// What an entry of `.debug_info` means for the search for code.
enum DieRole: UInt8 {
  /// A function (`DW_TAG_subprogram`).
  case function
  /// A call whose code stands in the caller (`DW_TAG_inlined_subroutine`).
  case inlinedCall
  /// A block of a function, which may hold inlined calls.
  case block
  /// A namespace or module, which may hold functions.
  case container
  /// A type. Old Swift defines methods inside the types they belong to.
  case type
  /// Nothing below it holds code.
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
