import TestSupport
import Testing
import Wording

/// Which output has colours and links, and how wide it is. The rules are those of docs/cli.md, of
/// no-color.org and of bixense.com/clicolors.
struct TerminalEnvironmentTests {
  private func environment(_ variables: [String: String]) -> TerminalEnvironment {
    TerminalEnvironment { variables[$0] }
  }

  @Test(
    arguments: [
      // A terminal that can, and a pipe.
      (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false),
      (["TERM": "dumb"], true, false), ([:], true, false), (["TERM": ""], true, false),
      // "when present and not an empty string (regardless of its value)".
      (["TERM": "xterm", "NO_COLOR": "1"], true, false),
      (["TERM": "xterm", "NO_COLOR": "0"], true, false),
      (["TERM": "xterm", "NO_COLOR": ""], true, true),
      // "ANSI colors should be enabled no matter what", if it is not 0.
      (["CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR_FORCE": "0"], false, false),
      (["CLICOLOR_FORCE": ""], false, false),
      (["CLICOLOR_FORCE": "1", "TERM": "dumb"], true, true),
      (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false, false),
      (["TERM": "xterm", "CLICOLOR": "0"], true, false),
      (["TERM": "xterm", "CLICOLOR": "1"], false, false),
      (["CLICOLOR_FORCE": "1", "CLICOLOR": "0"], false, true),
    ] as [([String: String], Bool, Bool)])
  func colors(variables: [String: String], isTerminal: Bool, expected: Bool) {
    let environment = environment(variables)
    expectEqual(environment.hasColors(.auto, isTerminal: isTerminal), expected)
    // The option comes first.
    expectTrue(environment.hasColors(.always, isTerminal: isTerminal))
    expectFalse(environment.hasColors(.never, isTerminal: isTerminal))
  }

  @Test(
    arguments: [
      (["TERM": "xterm-256color"], false), (["TERM": "xterm-kitty"], true),
      (["TERM": "foot"], true),
      (["TERM": "xterm-256color", "VTE_VERSION": "7200"], true),
      (["TERM": "xterm-256color", "VTE_VERSION": "4402"], false),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"], true),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], false),
      (["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"], true),
      (["TERM": "xterm-256color", "KONSOLE_VERSION": "190801"], false),
      (["TERM": "xterm-256color", "WT_SESSION": "1"], true),
      // What is in a multiplexer may not be what is outside.
      (["TERM": "screen-256color", "WT_SESSION": "1"], false),
      (["TERM": "tmux-256color", "VTE_VERSION": "7200"], false),
      (["TERM": "dumb", "VTE_VERSION": "7200"], false), ([:], false),
      (["TERM": "xterm", "FORCE_HYPERLINK": "1"], true),
      (["TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"], false),
      (["TERM": "dumb", "FORCE_HYPERLINK": "1"], false),
      // Links are not colours.
      (["TERM": "xterm-kitty", "NO_COLOR": "1"], true),
    ] as [([String: String], Bool)])
  func links(variables: [String: String], expected: Bool) {
    let environment = environment(variables)
    expectEqual(environment.hasLinks(.auto, isTerminal: true), expected)
    expectFalse(environment.hasLinks(.auto, isTerminal: false))
    expectTrue(environment.hasLinks(.always, isTerminal: false))
    expectFalse(environment.hasLinks(.never, isTerminal: true))
  }

  @Test(
    arguments: [
      ([:], 120, 120), (["COLUMNS": "100"], 120, 100), (["COLUMNS": "100"], nil, 100),
      (["COLUMNS": ""], 120, 120), (["COLUMNS": "wide"], 120, 120), (["COLUMNS": "0"], 120, 120),
      (["COLUMNS": "-5"], 120, 120), ([:], nil, 80), ([:], 0, 80), ([:], 3, 40),
      (["COLUMNS": "1"], 120, 40),
    ] as [([String: String], Int?, Int)])
  func width(variables: [String: String], columns: Int?, expected: Int) {
    expectEqual(environment(variables).width(columns: columns), expected)
  }
}
