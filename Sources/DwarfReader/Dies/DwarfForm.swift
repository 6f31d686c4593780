/// `DW_FORM_…`: the encodings of attribute values in DWARF 2 to 5 (DWARF 5, section 7.5.6) and in
/// the GNU extensions for split DWARF and dwz.
enum DwarfForm {
  static let addr: UInt16 = 0x01
  static let block2: UInt16 = 0x03
  static let block4: UInt16 = 0x04
  static let data2: UInt16 = 0x05
  static let data4: UInt16 = 0x06
  static let data8: UInt16 = 0x07
  static let string: UInt16 = 0x08
  static let block: UInt16 = 0x09
  static let block1: UInt16 = 0x0a
  static let data1: UInt16 = 0x0b
  static let flag: UInt16 = 0x0c
  static let sdata: UInt16 = 0x0d
  static let strp: UInt16 = 0x0e
  static let udata: UInt16 = 0x0f
  static let refAddr: UInt16 = 0x10
  static let ref1: UInt16 = 0x11
  static let ref2: UInt16 = 0x12
  static let ref4: UInt16 = 0x13
  static let ref8: UInt16 = 0x14
  static let refUdata: UInt16 = 0x15
  static let indirect: UInt16 = 0x16
  static let secOffset: UInt16 = 0x17
  static let exprloc: UInt16 = 0x18
  static let flagPresent: UInt16 = 0x19
  static let strx: UInt16 = 0x1a
  static let addrx: UInt16 = 0x1b
  static let refSup4: UInt16 = 0x1c
  static let strpSup: UInt16 = 0x1d
  static let data16: UInt16 = 0x1e
  static let lineStrp: UInt16 = 0x1f
  static let refSig8: UInt16 = 0x20
  static let implicitConst: UInt16 = 0x21
  static let loclistx: UInt16 = 0x22
  static let rnglistx: UInt16 = 0x23
  static let refSup8: UInt16 = 0x24
  static let strx1: UInt16 = 0x25
  static let strx2: UInt16 = 0x26
  static let strx3: UInt16 = 0x27
  static let strx4: UInt16 = 0x28
  static let addrx1: UInt16 = 0x29
  static let addrx2: UInt16 = 0x2a
  static let addrx3: UInt16 = 0x2b
  static let addrx4: UInt16 = 0x2c
  static let gnuAddrIndex: UInt16 = 0x1f01
  static let gnuStrIndex: UInt16 = 0x1f02
  static let gnuRefAlt: UInt16 = 0x1f20
  static let gnuStrpAlt: UInt16 = 0x1f21

  /// What determines the size of a value.
  enum Layout {
    /// All values have this size in bytes.
    case fixed(Int)
    /// A LEB128 number.
    case leb128
    /// A zero-terminated string.
    case string
    /// A length of 1, 2 or 4 bytes, followed by that many bytes.
    case block(lengthSize: Int)
    /// A length in LEB128, followed by that many bytes.
    case lengthPrefixedBlock
    /// The number of the actual form, followed by a value of that form.
    case indirect
    case unknown
  }

  static func layout(of form: UInt16, in format: DwarfUnitFormat) -> Layout {
    switch form {
    case flagPresent, implicitConst: .fixed(0)
    case data1, flag, ref1, strx1, addrx1: .fixed(1)
    case data2, ref2, strx2, addrx2: .fixed(2)
    case strx3, addrx3: .fixed(3)
    case data4, ref4, strx4, addrx4, refSup4: .fixed(4)
    case data8, ref8, refSig8, refSup8: .fixed(8)
    case data16: .fixed(16)
    case addr: .fixed(format.addressSize)
    case strp, secOffset, lineStrp, strpSup, gnuRefAlt, gnuStrpAlt: .fixed(format.offsetSize)
    case refAddr: .fixed(format.referenceAddressSize)
    case sdata, udata, refUdata, strx, addrx, loclistx, rnglistx, gnuAddrIndex, gnuStrIndex:
      .leb128
    case string: .string
    case block1: .block(lengthSize: 1)
    case block2: .block(lengthSize: 2)
    case block4: .block(lengthSize: 4)
    case block, exprloc: .lengthPrefixedBlock
    case indirect: .indirect
    default: .unknown
    }
  }
}

/// The properties of a unit that determine the sizes of values.
struct DwarfUnitFormat: Hashable, Sendable {
  /// In bytes, 1 to 8.
  let addressSize: Int
  /// In bytes: 4, or 8 in 64-bit DWARF.
  let offsetSize: Int
  let version: UInt16

  /// The size of a `DW_FORM_ref_addr` value: it has that of an address in DWARF 2, and that of an
  /// offset in later versions.
  var referenceAddressSize: Int { version <= 2 ? addressSize : offsetSize }
}

extension DwarfUnitHeader {
  var format: DwarfUnitFormat {
    DwarfUnitFormat(addressSize: addressSize, offsetSize: is64Bit ? 8 : 4, version: version)
  }
}
