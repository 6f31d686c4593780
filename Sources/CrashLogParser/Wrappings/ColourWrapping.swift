internal import SymbolicationModel

/// Text with the codes by which terminals colour it (`ESC [ 31 m`).
struct ColourWrapping: WrappingReader {
  private static let escape: UInt8 = 0x1B

  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    guard bytes.contains(Self.escape) else { return nil }
    var text = UnwrappedText(of: bytes, dress: .repeated)
    text.reserve(bytes.count)
    var copied = 0
    var position = bytes.span.firstOffset(of: Self.escape, from: 0)
    while position < bytes.count {
      if let end = Self.codeEnd(source, at: position) {
        text.copy(copied..<position)
        copied = end
        position = end
      } else {
        position += 1
      }
      position = bytes.span.firstOffset(of: Self.escape, from: position)
    }
    text.copy(copied..<bytes.count)
    return text
  }

  /// The end of `ESC [`, parameters and a final letter.
  private static func codeEnd(_ source: TextSource, at offset: Int) -> Int? {
    guard source[offset + 1] == Ascii.openBracket else { return nil }
    var position = offset + 2
    while (0x20...0x3F).contains(source[position]) { position += 1 }
    return (0x40...0x7E).contains(source[position]) ? position + 1 : nil
  }
}
