import JsonReading
import ReportModel

/// A report in the parts of a JSON document: header and body as two elements of an array, or as two
/// members of an object; or each line as an element. A part may be an object or a string.
struct JsonPartsWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let start = Self.start(source)
    guard Self.mayBegin(source, at: start),
      let document = try? JsonDocument(source.bytes, in: start..<source.count)
    else { return nil }
    let parts = Self.parts(of: document.root)
    guard parts.count > 1, let last = parts.last else { return nil }
    // Answers go into the body, which is the last part.
    var text =
      last.kind == .string
      ? UnwrappedText(of: source.bytes, encode: JsonStringEscapes.encoder(like: source))
      : UnwrappedText(of: source.bytes)
    text.reserve(document.byteRange.count)
    var end: Int?
    for part in parts {
      let range = part.byteRange
      let isString = part.kind == .string
      let content = isString ? range.lowerBound + 1..<range.upperBound - 1 : range
      guard content.lowerBound <= content.upperBound else { continue }
      // A new line gets what is between two parts: `",` and `"`.
      if let end { text.put(Ascii.lineFeed, for: end..<content.lowerBound) }
      end = content.upperBound
      if isString {
        JsonStringEscapes.decode(source, content, into: &text)
      } else {
        text.copy(content)
      }
    }
    return text.text.isEmpty ? nil : text
  }

  /// Whether a body without its header may be a part of an array.
  static func isSign(_ source: TextSource) -> Bool {
    source[start(source)] == Ascii.openBracket
  }

  private static func start(_ source: TextSource) -> Int {
    var start = source.textStart
    while source[start] == Ascii.lineFeed || source[start] == Ascii.carriageReturn
      || source[start] == Ascii.space || source[start] == Ascii.tab
    {
      start += 1
    }
    return start
  }

  private static func mayBegin(_ source: TextSource, at start: Int) -> Bool {
    source[start] == Ascii.openBracket || source[start] == Ascii.openBrace
  }

  private static func parts(of root: JsonValue) -> [JsonValue] {
    let isPart = { (value: JsonValue) in value.kind == .object || value.kind == .string }
    if root.kind == .array { return root.elements.filter(isPart) }
    let values = root.members.map(\.value).filter(isPart)
    // Other objects have no parts that belong together.
    guard values.contains(where: { $0.kind == .object && $0["bug_type"] != nil }) else { return [] }
    return values.filter { $0.kind == .object || $0.byteRange.count > 1000 }
  }
}
