import JsonReading
import ReportModel

/// The reason of an exception that nobody caught, as an `.ips` has it:
///
/// ```text
/// "exceptionReason" : {"arguments":["-[__NSArray0 objectAtIndex:]","0"],
///   "format_string":"*** %s: index %lu beyond bounds for empty array","name":"NSRangeException",
///   "type":"objc-exception","composed_message":"*** -[__NSArray0 objectAtIndex:]: index 0 …"}
/// ```
///
/// The order of the members varies, and a text that breaks off may have only the first of them.
///
/// Source: Apple's "String Programming Guide", "String Format Specifiers".
enum ThrownMessage {
  /// Nil if no member has it.
  static func text(of reason: JsonValue) -> String? {
    if let message = text(.composedMessage, of: reason) { return message }
    let arguments = reason[.arguments]?.elements.map { $0.string ?? "" } ?? []
    if let format = text(.formatString, of: reason) { return composed(format, arguments) }
    guard !arguments.isEmpty else { return nil }
    let words = reason[.name] == nil ? "uncaught exception" : "its words are not in this text"
    return "\(words): … \(arguments.joined(separator: " … ")) …"
  }

  /// The string of a member. That of the last one in a text that breaks off has no end.
  private static func text(_ key: IpsKey, of reason: JsonValue) -> String? {
    if let text = reason[key]?.string { return text }
    guard !reason.isComplete else { return nil }
    let source = TextSource(bytes: reason.content.bytes)
    let range = reason.byteRange
    let name = "\"\(key.rawValue)\""
    guard let start = source.find(name, from: range.lowerBound, limit: range.upperBound) else {
      return nil
    }
    let colon = source.skipSeparators(from: start + name.utf8.count, limit: range.upperBound)
    let quote = source.skipSeparators(from: colon + 1, limit: range.upperBound)
    guard source[colon] == Ascii.colon, source[quote] == Ascii.quote else { return nil }
    // Fences of Markdown may be below.
    let line = source.line(at: quote)
    let words = source.string(quote + 1..<max(quote + 1, min(line.end, range.upperBound)))
    let text = words.replacing("\\/", with: "/").replacing("\\\"", with: "\"")
    return text.isEmpty ? nil : text + "…"
  }

  /// The format with its arguments, which stand in the place of `%s`, `%lu`, `%2$@` and the like.
  private static func composed(_ format: String, _ arguments: [String]) -> String {
    var text = ""
    var rest = format.utf8[...]
    var next = 0
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      text += Substring(rest[..<percent])
      rest = rest[rest.index(after: percent)...]
      if rest.first == UInt8(ascii: "%") {
        text += "%"
        rest = rest.dropFirst()
        continue
      }
      var place = next
      var digits = rest.prefix { Ascii.isDigit($0) }
      if !digits.isEmpty, rest[digits.endIndex...].first == UInt8(ascii: "$") {
        place = Int(Substring(digits)).flatMap { $0 > 0 ? $0 - 1 : nil } ?? next
        rest = rest[digits.endIndex...].dropFirst()
      } else {
        next += 1
      }
      // Flags, width, precision and length.
      digits = rest.prefix { Ascii.isDigit($0) || "+- #.'hlqLztj".utf8.contains($0) }
      rest = rest[digits.endIndex...].dropFirst()
      text += arguments.indices.contains(place) ? arguments[place] : "…"
    }
    return text + Substring(rest)
  }
}
