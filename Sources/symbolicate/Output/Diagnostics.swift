import FileSystem
import Platform
import ReportGrouping
import ReportRuns
import ReportSymbolication
import SymbolTools
import Synchronization
import SystemPackage
import Wording

/// Messages on standard error, in one scheme for all commands: `symbolicate: error: …`, `warning:`
/// and `note:`; counts and lists have no label. `atos` writes `atos: …`, as Apple's does.
///
/// Names and paths in messages are from strangers, so characters that a terminal would act on are
/// replaced, wherever the messages go. A message that cannot be written is lost: there is nowhere
/// left to report it.
enum Diagnostics {
  private static let quiet = Atomic(false)

  /// Whether nothing but errors is written (`--quiet`).
  static var isQuiet: Bool { quiet.load(ordering: .relaxed) }

  static func beQuiet() { quiet.store(true, ordering: .relaxed) }

  /// Something was not done, and the exit status says so.
  static func error(_ message: String) { write(.error, message) }

  /// The result may not be what was wanted.
  static func warning(_ message: String) {
    if !isQuiet { write(.warning, message) }
  }

  /// What explains the result, and asks for nothing.
  static func note(_ message: String) { if !isQuiet { write(.note, message) } }

  /// A count, or a line of a list.
  static func line(_ text: String) { if !isQuiet { write(.none, text) } }

  /// A line that an option asked for.
  static func answer(_ text: String) { write(.none, text) }

  static func show(_ message: Message) {
    switch message.severity {
    case .error: error(message.text)
    case .warning where message.isSaidWhenQuiet: write(.warning, message.text)
    case .warning: warning(message.text)
    case .note: note(message.text)
    case .plain: line(message.text)
    }
  }

  /// Says that a result was not written. Nothing is said if standard output is a pipe that nobody
  /// reads any more: whoever closed it (`| head -1`) has what was wanted.
  static func error(_ failure: FileWriteError) {
    if !failure.isClosedPipe { error(failure.message) }
  }

  /// What `atos` says.
  static func atos(_ message: String) { write(.atos, message) }

  static func atos(_ failure: FileWriteError) {
    if !failure.isClosedPipe { atos(failure.message) }
  }

  /// Writes a text of several lines and a newline.
  static func text(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.flatMap { StyledMessage.plain(.none, String($0)) })
  }

  /// The words before and after the path of a mapped file with a page that is gone. They are
  /// written by a signal handler, so they are no `String`.
  static func lostPage(isAtos: Bool) -> (before: StaticString, after: StaticString) {
    (
      isAtos ? "atos: cannot read " : "symbolicate: error: cannot read ",
      ": the file was shortened while it was being read, or its disk failed; try again\n"
    )
  }

  private static func write(_ label: StyledMessage.Label, _ message: String) {
    write(MessageLook.shown(label, message))
  }

  private static func write(_ bytes: [UInt8]) {
    _ = try? FileDescriptor.standardError.writeAll(bytes)
  }
}

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
