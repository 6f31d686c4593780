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
    if width != nil { return TerminalColumns.count(of: text) }
    // Of ASCII, only CR and LF are one character together.
    return text.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") }
      ? text.utf8.count : text.count
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
        // A command to a CI system, behind escape sequences too.
        if row.plain.startsCommand { output += "\u{fffd}".utf8 }
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

/// What the environment says about colours, links and width. Each question follows documented
/// rules: an option comes first, then the variables, then what the output is.
package struct TerminalEnvironment: Sendable {
  private let variable: @Sendable (String) -> String?

  /// - Parameter variable: the value of an environment variable.
  package init(_ variable: @escaping @Sendable (String) -> String?) { self.variable = variable }

  /// A variable that is set to something.
  private func value(_ name: String) -> String? {
    variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: Colours

  /// The option; `NO_COLOR` (no-color.org); `CLICOLOR_FORCE`, then `CLICOLOR=0`
  /// (bixense.com/clicolors); a terminal with a name other than `dumb`.
  package func hasColors(_ choice: TerminalChoice, isTerminal: Bool) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if value("NO_COLOR") != nil { return false }
    if let force = value("CLICOLOR_FORCE"), force != "0" { return true }
    guard isTerminal else { return false }
    return value("CLICOLOR") != "0" && isCapable
  }

  /// Whether the terminal acts on control sequences at all.
  private var isCapable: Bool { value("TERM").map { $0 != "dumb" } ?? false }

  // MARK: Links

  /// The option; `FORCE_HYPERLINK` (as npm's and Cargo's libraries understand it); a terminal that
  /// is known to have links. Others are not asked to show what they might print as text.
  package func hasLinks(_ choice: TerminalChoice, isTerminal: Bool) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    guard isTerminal, isCapable else { return false }
    if let force = value("FORCE_HYPERLINK") { return force != "0" }
    return knowsLinks
  }

  private var knowsLinks: Bool {
    let term = value("TERM") ?? ""
    // A multiplexer stands between, and may be older than what it runs in.
    if term.hasPrefix("screen") || term.hasPrefix("tmux") || value("TMUX") != nil { return false }
    if Self.terms.contains(where: { term.hasPrefix($0) }) { return true }
    if let program = value("TERM_PROGRAM") { return Self.programs.contains(program) }
    // GNOME Terminal and its relatives: links since 0.50.
    if let version = value("VTE_VERSION").flatMap({ Int($0) }) { return version >= 5000 }
    if let version = value("KONSOLE_VERSION").flatMap({ Int($0) }) { return version >= 201200 }
    return ["WT_SESSION", "KITTY_WINDOW_ID", "DOMTERM"].contains { value($0) != nil }
  }

  private static let terms = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm"]
  private static let programs: Set = [
    "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed",
  ]

  // MARK: Width

  /// `COLUMNS`, or what the terminal says; 80 if neither does. Not less than ``leastWidth``.
  ///
  /// - Parameter columns: what the terminal says; nil or 0 if it does not know.
  package func width(columns: Int?) -> Int {
    let stated = value("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let known = columns.flatMap { $0 > 0 ? $0 : nil }
    return max(Self.leastWidth, stated ?? known ?? 80)
  }

  /// On a narrower terminal, lines are made for this width.
  package static let leastWidth = 40
}
