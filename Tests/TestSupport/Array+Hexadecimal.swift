extension [UInt8] {
  /// The bytes that `text` spells with two hexadecimal digits each; anything between them is
  /// ignored.
  public init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
