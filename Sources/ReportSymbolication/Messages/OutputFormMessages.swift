extension OutputFormProblem {
  /// One sentence: why there is no such output, and what to use instead.
  ///
  /// - Parameter path: what to call the input.
  func message(path: String) -> String {
    switch self {
    case .notIps:
      "\(path) is a report as text, which cannot be turned into an .ips; --format json gives JSON of any report"
    case .noAppleText:
      "\(path) is a backtrace of Swift's runtime, which cannot be turned into a report of Apple's; --format json gives JSON of any report"
    }
  }
}
