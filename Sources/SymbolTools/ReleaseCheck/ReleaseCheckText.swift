import SymbolicationModel
package import Wording

extension ReleaseCheck {
  /// A table for people: a line for each slice, with what is wrong below it; notes; and the tally.
  ///
  /// - Parameter width: the columns of the terminal, to which paths are cut; nil for whole paths.
  package func lines(width: Int?) -> [StyledLine] {
    let rows = images.map { image in
      [
        image.verdict.word, image.architecture.name, image.identity.map { "\($0)" } ?? "no UUID",
      ]
    }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let room = width.map { $0 - widths.reduce(0) { $0 + $1 + 2 } }
    // On a narrow terminal the table is lines of text, which are broken.
    let isNarrow = room.map { $0 < Self.leastPathWidth } ?? false
    var lines: [StyledLine] = []
    for (image, row) in zip(images, rows) {
      let style = image.verdict.style
      var line = StyledText()
      for column in 0..<3 {
        let padding =
          isNarrow
          ? " " : String(repeating: " ", count: widths[column] - row[column].count + 2)
        line.append(row[column] + padding, column > 0 && style != .faint ? .plain : style)
      }
      let path =
        isNarrow
        ? image.path : room.map { FittedText.end(ofPath: image.path, columns: $0) } ?? image.path
      line.append(path, style == .faint ? .faint : style == .alarm ? .strong : .plain)
      lines.append(isNarrow ? StyledLine(line) : StyledLine(line, .whole))
      if let explanation = image.explanation { lines.append(StyledLine("    \(explanation)")) }
    }
    lines += notes.map { note in
      var line = StyledText("note:", .strong)
      line.append(" \(note)")
      return StyledLine(line)
    }
    return lines + [StyledLine(tally, .strong)]
  }

  /// The same without a look, for any width.
  package var text: String { lines(width: nil).plainText }

  /// The fewest columns of a path in the table.
  private static let leastPathWidth = 20
}

extension CheckedImage {
  /// What is wrong with it, whether or not that is allowed; nil if nothing is.
  var explanation: String? {
    switch verdict {
    case .complete, .apple: nil
    case .incomplete(let defect), .allowed(let defect): defect.message(of: self)
    }
  }
}

extension CheckedImage.Verdict {
  fileprivate var style: TextStyle {
    switch self {
    case .complete: .plain
    case .incomplete: .alarm
    case .allowed: .caution
    case .apple: .faint
    }
  }

  /// The first column of the table, and `verdict` in JSON.
  var word: String {
    switch self {
    case .complete: "ok"
    case .incomplete: "missing"
    case .allowed: "allowed"
    case .apple: "apple"
    }
  }
}
