/// `DW_TAG_…`: the tags of DIEs that have code, or may have descendants with code (DWARF 5, section
/// 7.5.3).
enum DwarfTag {
  static let classType: UInt64 = 0x02
  static let enumerationType: UInt64 = 0x04
  static let lexicalBlock: UInt64 = 0x0b
  static let structureType: UInt64 = 0x13
  static let unionType: UInt64 = 0x17
  static let commonBlock: UInt64 = 0x1a
  static let inlinedSubroutine: UInt64 = 0x1d
  static let module: UInt64 = 0x1e
  static let withStatement: UInt64 = 0x22
  static let catchBlock: UInt64 = 0x25
  static let subprogram: UInt64 = 0x2e
  static let tryBlock: UInt64 = 0x32
  static let interfaceType: UInt64 = 0x38
  static let namespace: UInt64 = 0x39
  static let partialUnit: UInt64 = 0x3c
}

/// `DW_AT_…`: the attributes that are read (DWARF 5, section 7.5.4, and vendor extensions).
enum DwarfAttribute {
  static let sibling: UInt16 = 0x01
  static let name: UInt16 = 0x03
  static let stmtList: UInt16 = 0x10
  static let lowPc: UInt16 = 0x11
  static let highPc: UInt16 = 0x12
  static let language: UInt16 = 0x13
  static let compDir: UInt16 = 0x1b
  static let abstractOrigin: UInt16 = 0x31
  static let specification: UInt16 = 0x47
  static let ranges: UInt16 = 0x55
  static let callColumn: UInt16 = 0x57
  static let callFile: UInt16 = 0x58
  static let callLine: UInt16 = 0x59
  static let linkageName: UInt16 = 0x6e
  static let strOffsetsBase: UInt16 = 0x72
  static let addrBase: UInt16 = 0x73
  static let rnglistsBase: UInt16 = 0x74
  static let dwoName: UInt16 = 0x76
  /// The linkage name that compilers wrote before DWARF 4, and Xcode 8.
  static let mipsLinkageName: UInt16 = 0x2007
  static let gnuDwoName: UInt16 = 0x2130
  static let gnuDwoId: UInt16 = 0x2131
  static let gnuRangesBase: UInt16 = 0x2132
  static let gnuAddrBase: UInt16 = 0x2133
}

/// `DW_LANG_…`: the source language of a unit (DWARF 5, section 7.12).
enum DwarfLanguage {
  static let objectiveC: UInt64 = 0x10
  static let swift: UInt64 = 0x1e

  /// Whether types may contain functions in the language with this code.
  static func hasMethods(_ code: UInt64) -> Bool {
    switch code {
    // C89, C, C99, C11, C17, and assembly (`DW_LANG_Mips_Assembler`, `DW_LANG_Assembly`).
    case 0x01, 0x02, 0x0c, 0x1d, 0x2c, 0x8001, 0x31: false
    default: true
    }
  }
}
