import Platform
import ReportSymbolication
import Synchronization

/// How messages look on standard error: on a terminal, lines fit its width and labels have colours.
/// Elsewhere they are the text alone.
enum MessageLook {
  private static let hasRefusal = Atomic(false)

  /// `--color never` is about messages too.
  static func refuseColors() { hasRefusal.store(true, ordering: .relaxed) }

  private static let ofTerminal: TerminalLook? = {
    guard isatty(STDERR_FILENO) != 0 else { return nil }
    let environment = TerminalEnvironment.ofProcess
    var look = TerminalLook()
    look.isTerminal = true
    look.hasColors = environment.hasColors(.auto, isTerminal: true)
    look.width = environment.width(of: STDERR_FILENO)
    return look
  }()

  /// A message of one line as it is written, with its line end.
  static func shown(_ label: StyledMessage.Label, _ message: String) -> [UInt8] {
    guard var look = ofTerminal else { return StyledMessage.plain(label, message) }
    if hasRefusal.load(ordering: .relaxed) { look.hasColors = false }
    return look.shown([StyledMessage.line(label, message)])
  }
}
