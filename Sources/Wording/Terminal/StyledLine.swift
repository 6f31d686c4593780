/// A line of output, and what becomes of it if the terminal is too narrow.
package struct StyledLine: Hashable, Sendable {
  package var text: StyledText
  var fit: Fit

  package enum Fit: Hashable, Sendable {
    /// The rest goes to further lines, which begin with so many spaces. Words stay whole.
    case wrap(indent: Int)
    /// The line ends with `…`.
    case cut
    /// The line stays as it is: a command to copy, or a line that was made for the width.
    case whole
  }

  package init(_ text: StyledText, _ fit: Fit = .wrap(indent: 4)) {
    self.text = text
    self.fit = fit
  }

  package init(_ text: String, _ style: TextStyle = .plain) {
    self.init(StyledText(text, style))
  }

  /// The lines that the terminal shows.
  package func rows(width: Int?) -> [StyledText] {
    guard let width else { return [text] }
    switch fit {
    case .whole: return [text]
    case .cut: return [text.cut(to: width)]
    case .wrap(let indent): return text.wrapped(to: width, indent: indent)
    }
  }
}

extension [StyledLine] {
  /// The text alone. A line stays a line, whatever is in it, and is no command to a CI system.
  package var plainText: String {
    map { $0.text.plain.withoutControlCharacters.withoutCommands + "\n" }.joined()
  }
}

/// A character of a styled text with its look.
private struct Cell {
  let character: Character
  package let columns: Int
  let style: TextStyle
  package let link: String?
}

extension Cell {
  init(_ character: Character, of part: StyledText.Part) {
    self.init(
      character: character, columns: TerminalColumns.count(of: character), style: part.style,
      link: part.link)
  }
}

extension StyledText {
  private var cells: [Cell] {
    parts.flatMap { part in part.text.map { Cell($0, of: part) } }
  }

  private init(_ cells: some Sequence<Cell>) {
    for cell in cells { append(String(cell.character), cell.style, link: cell.link) }
  }

  /// The text; if it has more columns, its beginning and `…`.
  func cut(to width: Int) -> StyledText {
    guard TerminalColumns.count(of: plain) > width else { return self }
    var kept: [Cell] = []
    var columns = 0
    // Only what is kept is made: a name may have megabytes, and a cell takes many bytes.
    search: for part in parts {
      for character in part.text {
        let cell = Cell(character, of: part)
        guard columns + cell.columns <= max(0, width - 1) else { break search }
        columns += cell.columns
        kept.append(cell)
      }
    }
    while kept.last?.character == " " { kept.removeLast() }
    var text = StyledText(kept)
    text.append("…", kept.last?.style ?? .plain)
    return text
  }

  /// The text in lines of at most `width` columns. Lines end at spaces, which are dropped there. A
  /// word that is wider than a line is divided behind its punctuation; if it is a path, or has
  /// none, it stays whole.
  ///
  /// A text of more than 64 KB stays as it is: its characters would take a hundred times its size.
  ///
  /// - Parameter indent: the spaces before each line but the first.
  func wrapped(to width: Int, indent: Int) -> [StyledText] {
    guard parts.reduce(0, { $0 + $1.text.utf8.count }) <= 1 << 16,
      TerminalColumns.count(of: plain) > width
    else { return [self] }
    var rows: [[Cell]] = []
    var row: [Cell] = []
    var columns = 0
    // The indentation of the first line is part of the text.
    var isAtStart = true
    let space = Cell(character: " ", columns: 1, style: .plain, link: nil)
    func startRow() {
      while row.last?.character == " " { row.removeLast() }
      rows.append(row)
      row = Array(repeating: space, count: indent)
      columns = indent
      isAtStart = true
    }
    for piece in Self.pieces(of: cells, room: width - indent) {
      if piece.first?.character == " " {
        // Spaces at the start of a later line are dropped.
        if isAtStart, !rows.isEmpty { continue }
      } else if columns + piece.columns > width, !isAtStart {
        startRow()
      }
      if piece.first?.character != " " { isAtStart = false }
      row += piece
      columns += piece.columns
    }
    while row.last?.character == " " { row.removeLast() }
    return (rows + [row]).map { StyledText($0) }
  }

  /// Runs of spaces, and words. Of words that are wider than a line, the parts that end with
  /// punctuation.
  private static func pieces(of cells: [Cell], room: Int) -> [ArraySlice<Cell>] {
    var pieces: [ArraySlice<Cell>] = []
    var start = 0
    while start < cells.count {
      let isSpace = cells[start].character == " "
      var end = start + 1
      while end < cells.count, (cells[end].character == " ") == isSpace { end += 1 }
      let word = cells[start..<end]
      if word.columns > room, !isSpace, !word.contains(where: { $0.character == "/" }) {
        var part = start
        for index in start..<end where ":(,<|".contains(cells[index].character) {
          pieces.append(cells[part...index])
          part = index + 1
        }
        if part < end { pieces.append(cells[part..<end]) }
      } else {
        pieces.append(word)
      }
      start = end
    }
    return pieces
  }
}

extension ArraySlice<Cell> {
  fileprivate var columns: Int { reduce(0) { $0 + $1.columns } }
}
