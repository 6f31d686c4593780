import ArgumentParser
import Glibc
import ReportSymbolication

/// `--color`, of every command that prints for people.
struct TerminalOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp(
      "Colour standard output: auto (a terminal, unless NO_COLOR is set), always or never.",
      valueName: "when"))
  var color = TerminalChoice.auto

  mutating func validate() throws {
    if color == .never { MessageLook.refuseColors() }
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

extension TerminalChoice: ExpressibleByArgument {
  // ArgumentParser would find these by reflection, which takes longer.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }
  package var defaultValueDescription: String { rawValue }
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
