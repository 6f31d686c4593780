import Wording

/// Spells text from reports and symbol files in Markdown (GitHub's and GitLab's).
///
/// Such text is always code, in a span or a block: there, neither Markdown nor HTML means anything,
/// and the sites make no mention, link or emoji of it (GitHub Flavored Markdown Spec 0.29, sections
/// 4.5 and 6.3). A backslash does not prevent mentions: sites find them after Markdown is read.
enum MarkdownText {
  /// The text as a code span, on one line.
  static func code(_ text: String) -> String {
    let text = clean(text)
    let fence = String(repeating: "`", count: longestRun(ofBackticksIn: text) + 1)
    // One space at each end is not shown, if there is one at both.
    let needsPadding =
      text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") && text.hasSuffix(" ")
    let padding = needsPadding ? " " : ""
    return text.isEmpty ? "" : "\(fence)\(padding)\(text)\(padding)\(fence)"
  }

  /// The text as a cell of a table. A bar would end the cell, in a code span too, and whether a
  /// backslash before it is one depends on what is before that, so bars are between spans.
  static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false)
      .map { code(trimmed($0)) }.joined(separator: " \\| ")
  }

  /// Lines as a block of code, which ends with a line end.
  static func block(_ lines: [String]) -> String {
    let lines = lines.map(clean)
    let run = lines.map { longestRun(ofBackticksIn: $0) }.max() ?? 0
    let fence = String(repeating: "`", count: max(3, run + 1))
    return "\(fence)text\n" + lines.map { $0 + "\n" }.joined() + "\(fence)\n"
  }

  /// The text with U+FFFD for what is not shown, or shows other text in another place.
  private static func clean(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: HtmlText.isNamed) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar == "\t" ? " " : HtmlText.isNamed(scalar) ? "\u{fffd}" : scalar)
    }
    return String(scalars)
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
  }

  private static func longestRun(ofBackticksIn text: String) -> Int {
    var (longest, length) = (0, 0)
    for byte in text.utf8 {
      length = byte == UInt8(ascii: "`") ? length + 1 : 0
      longest = max(longest, length)
    }
    return longest
  }
}
