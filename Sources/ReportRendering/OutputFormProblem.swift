/// Why an input cannot be written in an output form.
package enum OutputFormProblem: Hashable, Sendable {
  /// A report is not Apple's JSON, and cannot be turned into it.
  case notIps
  /// A report has no counterpart in Apple's text format.
  case noAppleText
  /// The input is binary and the output is text, which must not replace it.
  case binaryInput
  /// The input is compressed and the output is not, which must not replace it.
  case compressedInput
  /// The input has the reports in a wrapping whose structure an answer would break.
  case indivisibleWrapping
}

extension OutputFormProblem {
  /// One sentence: why there is no such output, and what to use instead.
  ///
  /// - Parameter path: what to call the input.
  package func message(path: String) -> String {
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

package enum OutputFormMessages {
  /// Follows the sentence about an input that would pass as it is.
  package static let binaryOnTerminal =
    "; it is binary, so it is not copied to the terminal: give -o FILE, or a pipe"
}
