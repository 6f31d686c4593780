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
    if let number = UInt128(uuid: text) {
      self.init(bytes: unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) })
      return
    }
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

  /// Whether a text is 32 hexadecimal digits, with any dashes. They may all be 0.
  package static func isUuid(_ text: Span<UInt8>) -> Bool {
    if UInt128(uuid: text) != nil { return true }
    var digits = 0
    for place in text.indices where text[place] != UInt8(ascii: "-") {
      guard hexadecimalDigitValue(text[place]) != nil else { return false }
      digits += 1
    }
    return digits == 32
  }
}

extension ImageIdentity: CustomStringConvertible {
  /// 16 bytes are written as a UUID, in upper case with dashes, as `dwarfdump --uuid` prints it.
  /// Any other number of bytes is written in lower case, as `readelf -n` prints a build-id.
  public var description: String {
    guard bytes.count == 16 else { return bytes.hexadecimalDigits }
    func digits(at offset: Int) -> UInt64 {
      let word = bytes.span.word(at: offset & 8)
      let half = UInt32(truncatingIfNeeded: offset & 4 == 0 ? word : word >> 32)
      return half.byteSwapped.hexadecimalWord(isUppercase: true)
    }
    var text: [UInt8] = []
    // 32 digits and 4 dashes; 8 bytes are stored at once.
    text.append(addingCapacity: 44) { output in
      let (second, third, dash) = (digits(at: 4), digits(at: 8), UInt8(ascii: "-"))
      digits(at: 0).appendBytes(to: &output)
      output.append(dash)
      second.appendBytes(4, to: &output)
      output.append(dash)
      (second >> 32).appendBytes(4, to: &output)
      output.append(dash)
      third.appendBytes(4, to: &output)
      output.append(dash)
      (third >> 32).appendBytes(4, to: &output)
      digits(at: 12).appendBytes(to: &output)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
