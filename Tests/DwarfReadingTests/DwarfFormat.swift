import TestSupport
import Testing

/// The version, byte order and sizes in which a unit or line table is written.
struct DwarfFormat: Hashable, Sendable, CustomTestStringConvertible {
  var version: UInt16 = 4
  /// "64-bit DWARF", which exists since version 3.
  var is64Bit = false
  var addressSize: UInt8 = 8
  var isBigEndian = false

  var offsetSize: Int { is64Bit ? 8 : 4 }
  /// The size of the length field at the start of units and tables.
  var lengthSize: Int { is64Bit ? 12 : 4 }

  /// A builder of this byte order.
  var bytes: BinaryBuilder { BinaryBuilder(bigEndian: isBigEndian) }

  var testDescription: String {
    "DWARF \(version), \(is64Bit ? 64 : 32)-bit, addresses of \(addressSize), "
      + (isBigEndian ? "big" : "little")
  }

  /// Every combination that the standard allows.
  static let all: [DwarfFormat] = (2...5).flatMap { all(of: $0) }

  static func all(of version: UInt16) -> [DwarfFormat] {
    var formats: [DwarfFormat] = []
    for is64Bit in version == 2 ? [false] : [false, true] {
      for addressSize: UInt8 in [4, 8] {
        for isBigEndian in [false, true] {
          formats.append(
            DwarfFormat(
              version: version, is64Bit: is64Bit, addressSize: addressSize,
              isBigEndian: isBigEndian))
        }
      }
    }
    return formats
  }

  /// Each version in 32-bit DWARF with addresses of 8 bytes, little endian.
  static let versions: [DwarfFormat] = (2...5).map { DwarfFormat(version: $0) }
}

extension BinaryBuilder {
  mutating func address(_ address: UInt64, _ format: DwarfFormat) {
    unsigned(address, size: Int(format.addressSize))
  }

  mutating func offset(_ offset: UInt64, _ format: DwarfFormat) {
    unsigned(offset, size: format.offsetSize)
  }

  /// `content`, preceded by its length.
  mutating func table(_ content: BinaryBuilder, _ format: DwarfFormat) {
    if format.is64Bit { u32(0xffff_ffff) }
    offset(UInt64(content.count), format)
    append(content.bytes)
  }
}
