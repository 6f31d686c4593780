import Platform
import ReportSymbolication
import Synchronization

/// What a terminal has been shown so far, if standard output is one. Files and pipes get all bytes
/// as they are.
final class TerminalOutput: Sendable {
  /// Nil if standard output is not a terminal.
  static let current: TerminalOutput? = isatty(STDOUT_FILENO) != 0 ? TerminalOutput() : nil

  private let filter = Mutex(TerminalFilter())

  private init() {}

  /// What to write for the next piece of the output.
  func shown(_ piece: [UInt8]) -> [UInt8] { filter.withLock { [piece] in $0.shown(piece) } }
}
