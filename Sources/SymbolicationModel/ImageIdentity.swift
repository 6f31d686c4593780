/// What tells one build of an image from any other: a Mach-O UUID (`LC_UUID`, 16 bytes) or a GNU
/// build-id (`NT_GNU_BUILD_ID`, any length, usually 20 bytes).
public struct ImageIdentity: Hashable, Sendable {
  /// The identity's bytes, in the order in which they are written.
  public let bytes: [UInt8]

  /// Nil for no bytes, and for nothing but zeros: writers put those where they know none.
  public init?(bytes: [UInt8]) {
    guard bytes.contains(where: { $0 != 0 }) else { return nil }
    self.bytes = bytes
  }

  /// Reads hexadecimal digits of either case; dashes between them are passed over.
  ///
  /// Nil where anything else stands in `text`, the number of digits is odd, or no digit but 0 is there.
  public init?(hexadecimal text: some Sequence<UInt8>) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text where character != UInt8(ascii: "-") {
      guard let digit = hexadecimalDigitValue(character) else { return nil }
      if let half = high {
        bytes.append(half << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else { return nil }
    self.init(bytes: bytes)
  }
}

extension ImageIdentity: CustomStringConvertible {
  /// 16 bytes as a UUID, upper case with dashes, as `dwarfdump --uuid` prints it; any other number
  /// as lower-case hexadecimal, as `readelf -n` prints a build-id.
  public var description: String {
    let isUuid = bytes.count == 16
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if isUuid, [4, 6, 8, 10].contains(index) { text.append("-") }
      text += byte.hexadecimalDigits(count: 2, uppercase: isUuid)
    }
    return text
  }
}
