import FileSystem
import ReportSymbolication
import Wording

/// The exit status of `symbolicate`. If several apply, the first in the order of `precedence` is
/// returned.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// A bug in this program.
  case internalError = 1
  /// `--strict` was given, and a frame has no name.
  case unresolved = 2
  /// A symbol file given by name matches no image, and an image of the same name is unresolved.
  case unfitSymbolFile = 3
  /// Wrong arguments, or an output that would overwrite a symbol file or an input.
  case usage = 64
  /// No report in the input, or nothing to index.
  case noReport = 65
  /// An input could not be read.
  case unreadableInput = 66
  case cannotCreateOutput = 73
  case cannotWriteOutput = 74

  private static let precedence: [ExitStatus] = [
    .internalError, .cannotWriteOutput, .cannotCreateOutput, .unreadableInput, .noReport,
    .unfitSymbolFile, .unresolved,
  ]

  /// The status to return if all of `statuses` apply.
  static func combined(_ statuses: Set<ExitStatus>) -> ExitStatus {
    precedence.first { statuses.contains($0) } ?? .success
  }
}

extension ExitStatus {
  init(_ error: FileWriteError) {
    self =
      switch error {
      case .cannotCreate: .cannotCreateOutput
      case .cannotWrite: .cannotWriteOutput
      }
  }

  /// Writes something and reports a failure.
  static func of(_ write: () throws(FileWriteError) -> Void) -> ExitStatus {
    guard let error = FileWriteError.thrown(by: write) else { return .success }
    Diagnostics.error(error)
    return ExitStatus(error)
  }

  /// Writes `text` to standard output and reports a failure.
  static func ofWriting(_ text: String) -> ExitStatus {
    of { () throws(FileWriteError) in try OutputFile.writeToStandardOutput(Array(text.utf8)) }
  }

  /// Writes lines for people to standard output and reports a failure.
  static func ofWriting(_ lines: [StyledLine], _ look: TerminalLook) -> ExitStatus {
    of { () throws(FileWriteError) in try OutputFile.writeToStandardOutput(lines, look) }
  }
}
