/// The exit status of `symbolicate`. Several may hold at once: the highest in the order of
/// `precedence` is returned.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// A fault of this program.
  case internalError = 1
  /// `--strict`, and a frame has no name.
  case unresolved = 2
  /// A symbol file given by name fits no image, while an image of its name stayed unresolved.
  case unfitSymbolFile = 3
  case usage = 64
  /// No report in the input, or nothing of which there could be an index.
  case noReport = 65
  /// An input could not be read.
  case unreadableInput = 66
  case cannotCreateOutput = 73
  case cannotWriteOutput = 74

  private static let precedence: [ExitStatus] = [
    .internalError, .cannotWriteOutput, .cannotCreateOutput, .unreadableInput, .noReport,
    .unfitSymbolFile, .unresolved,
  ]

  /// The one to return when all of `statuses` hold.
  static func combined(_ statuses: Set<ExitStatus>) -> ExitStatus {
    precedence.first { statuses.contains($0) } ?? .success
  }
}
