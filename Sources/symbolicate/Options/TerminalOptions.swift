import ArgumentParser
import Platform
import ReportSymbolication
import Wording

/// `--color`, of every command that prints for people.
struct TerminalOptions: OptionList {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp(
      "Colour standard output. (values: auto, always, never; default: auto)",
      valueName: "when"),
    completion: .list(TerminalChoice.allCases.map(\.rawValue)))
  var colorName: String?

  var options: [Mirror.Child] { [("_colorName", _colorName)] }

  // Converted here, and not by ArgumentParser, as in `SourcePathOptions`.
  func validate() throws {
    if let colorName, TerminalChoice(rawValue: colorName) == nil {
      throw ValidationError(TerminalChoice.refusal(of: colorName, option: "color"))
    }
    if color == .never { MessageLook.refuseColors() }
  }

  private var color: TerminalChoice {
    colorName.flatMap { TerminalChoice(rawValue: $0) } ?? .auto
  }

  /// What standard output is made for.
  func look(hyperlinks: TerminalChoice = .never) -> TerminalLook {
    let environment = TerminalEnvironment.ofProcess
    let isTerminal = TerminalOutput.current != nil
    var look = TerminalLook()
    look.isTerminal = isTerminal
    look.hasColors = environment.hasColors(color, isTerminal: isTerminal)
    look.hasLinks = environment.hasLinks(hyperlinks, isTerminal: isTerminal)
    if isTerminal { look.width = environment.width(of: STDOUT_FILENO) }
    return look
  }
}

extension TerminalChoice {
  static func refusal(of word: String, option: String) -> String {
    "--\(option) needs \(alternatives(allCases.map(\.rawValue))), not '\(word)'."
  }
}

extension TerminalEnvironment {
  static let ofProcess = TerminalEnvironment { name in
    // The text is copied at once, and this program does not change its environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The columns of the terminal that is open as `descriptor`.
  func width(of descriptor: CInt) -> Int {
    var size = winsize()
    let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    return width(columns: isKnown ? Int(size.ws_col) : nil)
  }
}
