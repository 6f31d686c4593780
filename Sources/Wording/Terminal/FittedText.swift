/// Texts that are cut for a column of a table.
package enum FittedText {
  /// The beginning of a text, and `…`.
  package static func start(_ text: String, columns: Int) -> String {
    TerminalColumns.fits(text, columns) ? text : StyledText(text).cut(to: columns).plain
  }

  /// The beginning of a text up to punctuation, if some is near the end, and `…`.
  package static func phrase(_ text: String, columns: Int) -> String {
    guard !TerminalColumns.fits(text, columns) else { return text }
    let start = String(Self.start(text, columns: columns).dropLast())
    guard let last = start.lastIndex(where: { ":(,<| ".contains($0) }),
      start[...last].count * 2 >= start.count
    else { return start + "…" }
    let cut = start[...last]
    return (cut.last == " " ? String(cut.dropLast()) : String(cut)) + "…"
  }

  /// `…` and the end of a path, which says most; from a slash on, if one is near.
  package static func end(ofPath path: String, columns: Int) -> String {
    guard !TerminalColumns.fits(path, columns) else { return path }
    var kept: [Character] = []
    var count = 1
    for character in path.reversed() {
      let width = TerminalColumns.count(of: character)
      guard count + width <= columns else { break }
      count += width
      kept.append(character)
    }
    let end = String(kept.reversed())
    if let slash = end.firstIndex(of: "/"), end[slash...].count * 2 >= end.count {
      return "…" + end[slash...]
    }
    return "…" + end
  }
}

/// How many columns of a terminal characters take: none, one or two.
package enum TerminalColumns {
  /// Whether a text takes at most so many columns. Short texts are not counted: what takes two
  /// columns has three bytes.
  package static func fits(_ text: String, _ columns: Int) -> Bool {
    text.utf8.count <= columns || count(of: text) <= columns
  }

  package static func count(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + count(of: $1) }
  }

  /// A character with its combining marks takes the columns of the mark's base. A picture that is
  /// joined from several, or that U+FE0F makes one, takes two.
  package static func count(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.value < 0x80, scalars.count == 1 { return 1 }
    if scalars.contains(where: { $0.value == 0xfe0f }), first.properties.isEmoji { return 2 }
    return scalars.reduce(0) { max($0, count(of: $1)) }
  }

  package static func count(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    // The soft hyphen is shown, and so is what stands for a harmful character.
    case .format: return scalar.value == 0xad || TerminalFilter.isHarmful(scalar.value) ? 1 : 0
    default: break
    }
    return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
  }

  private static func isWide(_ code: UInt32) -> Bool {
    guard code >= 0x1100 else { return false }
    return wide.contains { $0.contains(code) }
  }

  /// Blocks and ranges of the letters that Unicode calls wide (EastAsianWidth.txt, W and F),
  /// without pictures, which are wide by their presentation (UAX #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0x4dbf,
    0x4e00...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
    0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff,
    0x1f200...0x1f2ff, 0x20000...0x3fffd,
  ]
}
