/// The number that identifies one build of an image: a Mach-O UUID (`LC_UUID`, 16 bytes) or a GNU
/// build-id (`NT_GNU_BUILD_ID`, any length, usually 20 bytes).
public struct ImageIdentity: Hashable, Sendable {
  /// The bytes in the order in which they are written; at least one is not 0.
  public let bytes: [UInt8]

  /// Nil if `bytes` is empty or holds only zeros, which writers put where they know no identity.
  public init?(bytes: [UInt8]) {
    guard bytes.contains(where: { $0 != 0 }) else { return nil }
    self.bytes = bytes
  }

  /// Reads hexadecimal digits of either case and ignores dashes.
  ///
  /// Nil if `text` has any other character, an odd number of digits, or no digit but 0.
  public init?(hexadecimal text: some Sequence<UInt8>) {
    self.init(hexadecimal: Array(text).span)
  }

  /// The same, without a copy of the bytes. A report has hundreds of images.
  package init?(hexadecimal text: Span<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    // 8 bytes at a time.
    var word: UInt64 = 0
    var digitCount = 0
    for place in text.indices where text[place] != UInt8(ascii: "-") {
      guard let digit = hexadecimalDigitValue(text[place]) else { return nil }
      word = word << 4 | UInt64(digit)
      digitCount += 1
      if digitCount & 15 == 0 {
        unsafe withUnsafeBytes(of: word.bigEndian) { unsafe bytes.append(contentsOf: $0) }
      }
    }
    guard digitCount & 1 == 0 else { return nil }
    for place in (0..<(digitCount & 15) / 2).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * place)))
    }
    self.init(bytes: bytes)
  }
}

extension ImageIdentity: CustomStringConvertible {
  /// 16 bytes are written as a UUID, in upper case with dashes, as `dwarfdump --uuid` prints it.
  /// Any other number of bytes is written in lower case, as `readelf -n` prints a build-id.
  public var description: String {
    let isUuid = bytes.count == 16
    var text = [UInt8](repeating: UInt8(ascii: "-"), count: 2 * bytes.count + (isUuid ? 4 : 0))
    let letters = UInt8(ascii: isUuid ? "A" : "a") - 10
    var place = 0
    for index in bytes.indices {
      if isUuid, index == 4 || index == 6 || index == 8 || index == 10 { place += 1 }
      text[place] = Self.letter(bytes[index] >> 4, letters)
      text[place + 1] = Self.letter(bytes[index] & 0xf, letters)
      place += 2
    }
    return String(decoding: text, as: UTF8.self)
  }

  @inline(__always)
  private static func letter(_ digit: UInt8, _ letters: UInt8) -> UInt8 {
    digit + (digit < 10 ? UInt8(ascii: "0") : letters)
  }
}
