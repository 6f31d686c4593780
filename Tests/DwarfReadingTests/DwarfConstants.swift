/// The constants of DWARF 5, sections 7.5 to 7.25, and of vendors that the tests write.
enum Tag {
  static let lexicalBlock: UInt64 = 0x0b
  static let compileUnit: UInt64 = 0x11
  static let structure: UInt64 = 0x13
  static let inlined: UInt64 = 0x1d
  static let module: UInt64 = 0x1e
  static let importedUnit: UInt64 = 0x3d
  static let subprogram: UInt64 = 0x2e
  static let namespace: UInt64 = 0x39
  static let partialUnit: UInt64 = 0x3c
  static let typeUnit: UInt64 = 0x41
  static let skeletonUnit: UInt64 = 0x4a
}

enum Attribute {
  static let sibling: UInt64 = 0x01
  static let name: UInt64 = 0x03
  static let statementList: UInt64 = 0x10
  static let lowPc: UInt64 = 0x11
  static let highPc: UInt64 = 0x12
  static let language: UInt64 = 0x13
  static let compilationDirectory: UInt64 = 0x1b
  static let inline: UInt64 = 0x20
  static let abstractOrigin: UInt64 = 0x31
  static let declaration: UInt64 = 0x3c
  static let specification: UInt64 = 0x47
  static let ranges: UInt64 = 0x55
  static let callColumn: UInt64 = 0x57
  static let callFile: UInt64 = 0x58
  static let callLine: UInt64 = 0x59
  static let linkageName: UInt64 = 0x6e
  static let stringOffsetsBase: UInt64 = 0x72
  static let addressBase: UInt64 = 0x73
  static let rangeListsBase: UInt64 = 0x74
  static let dwoName: UInt64 = 0x76
  static let mipsLinkageName: UInt64 = 0x2007
  static let gnuDwoName: UInt64 = 0x2130
  static let gnuDwoIdentifier: UInt64 = 0x2131
  static let gnuRangesBase: UInt64 = 0x2132
  static let gnuAddressBase: UInt64 = 0x2133
  /// In the range for vendors; nothing uses it.
  static let unknown: UInt64 = 0x3a5a
}

enum Form {
  static let addr: UInt64 = 0x01
  static let data2: UInt64 = 0x05
  static let data4: UInt64 = 0x06
  static let data8: UInt64 = 0x07
  static let string: UInt64 = 0x08
  static let data1: UInt64 = 0x0b
  static let sdata: UInt64 = 0x0d
  static let strp: UInt64 = 0x0e
  static let udata: UInt64 = 0x0f
  static let refAddr: UInt64 = 0x10
  static let ref1: UInt64 = 0x11
  static let ref2: UInt64 = 0x12
  static let ref4: UInt64 = 0x13
  static let ref8: UInt64 = 0x14
  static let refUdata: UInt64 = 0x15
  static let indirect: UInt64 = 0x16
  static let secOffset: UInt64 = 0x17
  static let flagPresent: UInt64 = 0x19
  static let strx: UInt64 = 0x1a
  static let addrx: UInt64 = 0x1b
  static let refSup4: UInt64 = 0x1c
  static let strpSup: UInt64 = 0x1d
  static let data16: UInt64 = 0x1e
  static let lineStrp: UInt64 = 0x1f
  static let implicitConst: UInt64 = 0x21
  static let rnglistx: UInt64 = 0x23
  static let refSup8: UInt64 = 0x24
  static let strx1: UInt64 = 0x25
  static let addrx1: UInt64 = 0x29
  static let gnuAddrIndex: UInt64 = 0x1f01
  static let gnuStrIndex: UInt64 = 0x1f02
  static let gnuRefAlt: UInt64 = 0x1f20
  static let gnuStrpAlt: UInt64 = 0x1f21
}

enum UnitType {
  static let compile: UInt8 = 1
  static let type: UInt8 = 2
  static let partial: UInt8 = 3
  static let skeleton: UInt8 = 4
  static let splitCompile: UInt8 = 5
  static let splitType: UInt8 = 6
}
