/// The header and the body of an `.ips` as the two elements of a JSON array.
struct JsonArrayWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let open = bytes[source.textStart...].firstIndex(where: { !isSpace($0) }),
      bytes[open] == Ascii.openBracket,
      let document = try? JsonDocument(bytes, in: open..<bytes.count)
    else { return nil }
    var text = UnwrappedText(of: bytes)
    var end = open + 1
    for element in document.root.elements where element.kind == .object {
      let range = element.byteRange
      text.put(Ascii.lineFeed, for: end..<range.lowerBound)
      text.copy(range)
      end = range.upperBound
    }
    guard end > open + 1 else { return nil }
    return text
  }
}
