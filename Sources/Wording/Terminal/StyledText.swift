import FileSystem

/// A text whose parts may look different. Without its styles it is an ordinary text.
package struct StyledText: Hashable, Sendable {
  /// A part with one look.
  package struct Part: Hashable, Sendable {
    package var text: String
    var style: TextStyle
    /// The address that the part leads to, where terminals show links.
    package var link: String?
  }

  private(set) var parts: [Part] = []

  package init() {}

  package init(_ text: String, _ style: TextStyle = .plain, link: String? = nil) {
    append(text, style, link: link)
  }

  package mutating func append(_ text: String, _ style: TextStyle = .plain, link: String? = nil) {
    guard !text.isEmpty else { return }
    if let last = parts.indices.last, parts[last].style == style, parts[last].link == link {
      parts[last].text += text
    } else {
      parts.append(Part(text: text, style: style, link: link))
    }
  }

  package mutating func append(_ other: StyledText) {
    for part in other.parts { append(part.text, part.style, link: part.link) }
  }

  /// The text alone.
  package var plain: String { parts.map(\.text).joined() }

  package var isEmpty: Bool { parts.isEmpty }

  /// Every part in one style, with its links.
  func styled(_ style: TextStyle) -> StyledText {
    var text = StyledText()
    for part in parts { text.append(part.text, style, link: part.link) }
    return text
  }

  /// As `shortened` does with a text: if it has more than `limit` characters, its beginning and
  /// `…`.
  package func shortened(to limit: Int) -> StyledText {
    // No character has less than a byte, and nearly all texts are short.
    if parts.reduce(0, { $0 + $1.text.utf8.count }) <= limit { return self }
    let plain = plain
    guard let end = plain.index(plain.startIndex, offsetBy: limit, limitedBy: plain.endIndex),
      end != plain.endIndex
    else { return self }
    var left = plain[..<end].utf8.count
    var text = StyledText()
    for part in parts where left > 0 {
      let cut = part.text.utf8.index(
        part.text.startIndex, offsetBy: left, limitedBy: part.text.endIndex)
      text.append(String(part.text[..<(cut ?? part.text.endIndex)]), part.style, link: part.link)
      left -= part.text.utf8.count
    }
    text.append("…", text.parts.last?.style ?? .plain)
    return text
  }
}

extension StyledText {
  /// The text with the sequences of a terminal around its parts. Whatever is in the text itself,
  /// nothing of it acts on the terminal, and it is one line.
  package func painted(for look: TerminalLook) -> String {
    parts.map { part in
      let text = part.text.shownPath.shownInMessages
      let styled = look.hasColors ? part.style.start + text + part.style.end : text
      guard look.hasLinks, let link = part.link else { return styled }
      return SourceLinks.start(of: link) + styled + SourceLinks.end
    }.joined()
  }
}

/// How a part of a text looks on a terminal.
///
/// Only red and magenta, bold and dim are used. Of the standard colours, these two have the best
/// contrast with white and with black at once: 3.4 and 3.5, the medians of nine terminals'
/// palettes, on the worse of the two backgrounds. (Green has 3.1, cyan 2.9, yellow 2.6, blue 2.2.)
package enum TextStyle: Hashable, Sendable, CaseIterable {
  /// As the terminal shows text.
  case plain
  /// What stands out: the app's own functions, headings.
  case strong
  /// What went wrong: why it crashed, the crashed thread, what is missing.
  case alarm
  /// A warning.
  case caution
  /// A place in a source file.
  case place
  /// What few look for: frames of the operating system.
  case faint

  /// The parameters of the control sequence Select Graphic Rendition (ECMA-48, 8.3.117); nil for
  /// plain text.
  var parameters: String? {
    switch self {
    case .plain: nil
    case .strong: "1"
    case .alarm: "1;31"
    case .caution: "1;35"
    case .place: "35"
    case .faint: "2"
    }
  }

  /// The sequence that switches to the style; empty for plain text.
  package var start: String { parameters.map { "\u{1b}[\($0)m" } ?? "" }
  /// The sequence that ends it.
  package var end: String { self == .plain ? "" : "\u{1b}[m" }
}
