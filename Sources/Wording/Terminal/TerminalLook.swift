import FileSystem

/// What output is made for: a terminal of some width, with colours and links, or none of these.
package struct TerminalLook: Hashable, Sendable {
  /// Whether people look at the output, on a terminal.
  package var isTerminal = false
  /// Whether parts of the text have colours.
  package var hasColors = false
  /// Whether places in source files are links.
  package var hasLinks = false
  /// How many columns a line may have; nil if nobody counts.
  package var width: Int?

  package init() {}

  /// Output for a pipe or a file: every byte as it is.
  package static let plain = TerminalLook()

  /// Whether the output has control sequences of this program.
  package var isPainted: Bool { hasColors || hasLinks }

  /// How many columns a text takes; without a width, how many characters.
  package func columns(of text: String) -> Int {
    width == nil ? text.count : TerminalColumns.count(of: text)
  }

  /// The lines as bytes: fitted to the width, painted, and harmless on a terminal. A plain look
  /// gives the text alone, in which paths are their bytes.
  package func shown(_ lines: [StyledLine]) -> [UInt8] {
    if self == .plain {
      return lines.plainText.pathBytes
    }
    var output: [UInt8] = []
    for line in lines {
      for row in line.rows(width: width) {
        output += row.painted(for: self).utf8
        output.append(UInt8(ascii: "\n"))
      }
    }
    return output
  }

  /// The line above the summary of one of several inputs.
  package func title(ofInput path: String) -> [UInt8] {
    shown([StyledLine(StyledText("\(path):", .strong), .whole)])
  }
}

/// What `--color` and `--hyperlinks` say.
package enum TerminalChoice: String, CaseIterable, Sendable {
  /// If the output is a terminal that can, and the environment has no wish.
  case auto
  case always
  case never
}
