extension String {
  /// The text with every control character replaced by U+FFFD.
  ///
  /// Names come from symbol files and reports, which are untrusted. A line end in a name would
  /// break a line of the report, and an escape sequence would reach the terminal.
  package var withoutControlCharacters: String {
    // 0xc2 begins the two bytes of U+0080 to U+009F.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 }) else { return self }
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar)
    }
    return String(scalars)
  }
}

/// The text; if it has more than `limit` characters, its beginning and `…`.
package func shortened(_ text: String, to limit: Int) -> String {
  // No character has less than a byte.
  guard text.utf8.count > limit,
    let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
    end != text.endIndex
  else { return text }
  return text[..<end] + "…"
}

/// `1 report`, `2 reports`.
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
