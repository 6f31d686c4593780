import SymbolicationModel

/// The lines of a source file around one line.
package struct SourceExcerpt: Hashable, Sendable {
  /// The number of the first line in `lines`, from 1.
  package let firstLine: Int
  /// The number of the line in the middle, from 1.
  package let line: Int
  /// Without newlines, and never empty. Control characters other than tabs are replaced; a long
  /// line is cut and ends with `…`.
  package let lines: [String]

  /// The lines as they are shown below a frame's line:
  ///
  /// ```text
  ///         13│ var tiles: [Tile] = []
  ///       > 14│ let first = tiles[0]
  ///         15│
  /// ```
  ///
  /// No parser of reports takes such a line for a frame, because no space follows the number. Tabs
  /// become spaces, up to the next multiple of four columns.
  package var shownLines: [String] {
    let width = String(firstLine + lines.count - 1).utf8.count
    return lines.enumerated().map { index, text in
      let number = String(firstLine + index)
      let padding = String(repeating: " ", count: width - number.utf8.count)
      let mark = firstLine + index == line ? "> " : "  "
      let shown = text.isEmpty ? "" : " \(text.withSpacesForTabs)"
      return "\(Self.indentation)\(mark)\(padding)\(number)│\(shown)"
    }
  }

  private static let indentation = "      "

  /// Whether `line`, without its newline, looks like one of `shownLines`.
  package static func isShownLine(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: indentation.utf8) else { return false }
    var rest = line.dropFirst(indentation.utf8.count)
    guard rest.starts(with: "> ".utf8) || rest.starts(with: "  ".utf8) else { return false }
    rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: " ") }
    let digits = rest.prefix { $0.isDecimalDigit }
    return !digits.isEmpty && rest.dropFirst(digits.count).starts(with: "│".utf8)
  }
}

extension String {
  /// Tabs become spaces, up to the next multiple of four columns.
  package var withSpacesForTabs: String {
    guard utf8.contains(UInt8(ascii: "\t")) else { return self }
    var text = ""
    var column = 0
    for character in self {
      if character == "\t" {
        let count = 4 - column % 4
        text += String(repeating: " ", count: count)
        column += count
      } else {
        text.append(character)
        column += 1
      }
    }
    return text
  }
}
