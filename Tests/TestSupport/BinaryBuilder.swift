/// Builds the bytes of a file in the test that reads them, field by field.
public struct BinaryBuilder {
  public private(set) var bytes: [UInt8] = []
  private let isBigEndian: Bool

  public init(bigEndian: Bool = false) { isBigEndian = bigEndian }

  public var count: Int { bytes.count }

  public mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  public mutating func number<Number: FixedWidthInteger>(_ number: Number) {
    let ordered = isBigEndian ? number.bigEndian : number.littleEndian
    for index in 0..<(Number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: ordered >> (8 * Number(index))))
    }
  }

  public mutating func u8(_ value: UInt8) { bytes.append(value) }
  public mutating func u16(_ value: UInt16) { number(value) }
  public mutating func u32(_ value: UInt32) { number(value) }
  public mutating func u64(_ value: UInt64) { number(value) }

  /// The lowest `size` bytes of `value`.
  public mutating func unsigned(_ value: UInt64, size: Int) {
    for index in 0..<size {
      bytes.append(
        UInt8(truncatingIfNeeded: value >> (8 * (isBigEndian ? size - 1 - index : index))))
    }
  }

  public mutating func sleb128(_ value: Int64) {
    var rest = value
    while rest < -64 || rest > 63 {
      bytes.append(UInt8(truncatingIfNeeded: rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest & 0x7f))
  }

  public mutating func uleb128(_ value: UInt64) {
    var rest = value
    repeat {
      let group = UInt8(rest & 0x7f)
      rest >>= 7
      bytes.append(rest == 0 ? group : group | 0x80)
    } while rest != 0
  }

  /// The text's UTF-8 and a zero.
  public mutating func cString(_ text: String) { bytes += Array(text.utf8) + [0] }

  /// The text's UTF-8 filled with zeros, or cut, to `width`.
  public mutating func fixedString(_ text: String, width: Int) {
    bytes += (Array(text.utf8) + [UInt8](repeating: 0, count: width)).prefix(width)
  }

  public mutating func pad(to offset: Int) {
    if bytes.count < offset { bytes += [UInt8](repeating: 0, count: offset - bytes.count) }
  }

  /// Overwrites the number at `offset`, for lengths known only when what they count is there.
  public mutating func patch(u32 value: UInt32, at offset: Int) {
    for index in 0..<4 {
      let shift = UInt32(isBigEndian ? 3 - index : index) * 8
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }
}
