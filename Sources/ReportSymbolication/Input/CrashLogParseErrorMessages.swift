package import CrashLogParser

extension CrashLogParseError {
  /// One sentence: what the input is instead of a crash report, and what to do about it.
  ///
  /// - Parameter path: what to call the input.
  package func message(path: String) -> String {
    switch self {
    case .emptyInput: "\(path) is empty; expected a crash report"
    case .inputTooLarge(let count): "\(path) has \(count) bytes; the limit is 4 GiB"
    case .noReportFound(let format): "\(path) \(format.unreadable)"
    }
  }
}
