extension OutputFormProblem {
  /// One sentence: why there is no such output, and what to use instead.
  ///
  /// - Parameter path: what to call the input.
  func message(path: String) -> String {
    switch self {
    case .notIps:
      "\(path) is a text report, which cannot be converted to .ips; use --format json, which takes any report"
    case .noAppleText:
      "\(path) has no counterpart in Apple's text format; use --format json, which takes any report"
    case .binaryInput:
      "\(path) is binary, and its result is text, which will not replace it; use -o"
    case .compressedInput:
      "\(path) is compressed, and its result is not and will not replace it; use --output-dir"
    case .indivisibleWrapping:
      "\(path) has formatting inside the lines to complete, so it stays as it is; use --format crash, which writes the report as plain text"
    }
  }
}

enum OutputFormMessages {
  /// Follows the sentence about an input that would pass as it is.
  static let binaryOnTerminal =
    "; it is binary, so it is not copied to the terminal: give -o FILE, or a pipe"
}
