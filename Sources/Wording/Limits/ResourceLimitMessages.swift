package import SymbolicationModel

extension ResourceLimit {
  /// What raises the limit: the end of a sentence.
  package func remedy(from value: UInt64, by setting: LimitSetting = .option) -> String {
    "\(setting.beginning)\(name)=\(raised(value)) allows more"
  }

  /// Twice the limit, as it is written in the option.
  private func raised(_ value: UInt64) -> String {
    let (doubled, overflow) = value.multipliedReportingOverflow(by: 2)
    guard !overflow else { return "\(value)" }
    for (shift, unit) in [(30, "G"), (20, "M"), (10, "K")]
    where isSize && doubled.trailingZeroBitCount >= shift && doubled > 0 {
      return "\(doubled >> shift)\(unit)"
    }
    return "\(doubled)"
  }

  /// A report has more than so many.
  package func cutMessage(at value: UInt64, consequence: String) -> String {
    "only the first \(shown(value)) of the input \(value == 1 ? "was" : "were") read; \(consequence); \(remedy(from: value))"
  }

  /// So many frames got a short answer.
  package static func shortenedMessage(frameCount: Int, limit value: UInt64) -> String {
    "\(frameCount) \(frameCount == 1 ? "frame has its name" : "frames have their names") cut and no inlined calls: long names and inlined calls would take more than \(ResourceLimit.answerSize.shown(value)); \(ResourceLimit.answerSize.remedy(from: value))"
  }

  /// The limit in a sentence: `1 GiB`, `1000000 threads`.
  package func shown(_ value: UInt64) -> String {
    isSize ? ByteSize.text(value) : "\(value) \(things(value))"
  }

  private func things(_ count: UInt64) -> String {
    switch self {
    case .threads: count == 1 ? "thread" : "threads"
    case .frames: count == 1 ? "frame" : "frames"
    case .images: count == 1 ? "image" : "images"
    case .units: count == 1 ? "unit" : "units"
    case .searchedFiles: count == 1 ? "file" : "files"
    case .reportSize, .sectionSize, .miniDebugInfoSize, .memberSize, .answerSize, .decodedSize:
      "bytes"
    }
  }
}

/// How a user states a limit.
package enum LimitSetting: Hashable, Sendable {
  case option
  /// For `atos`, which has no such option.
  case environment

  fileprivate var beginning: String {
    switch self {
    case .option: "--limit "
    case .environment: "\(ResourceLimits.variable)="
    }
  }
}

extension ResourceLimits.Unreadable {
  /// The same where no option states limits.
  package var messageOfEnvironment: String {
    switch self {
    case .unknown, .value: "\(ResourceLimits.variable): \(message)"
    case .memory(let text):
      "\(ResourceLimits.memoryVariable) needs a size from \(ByteSize.text(ResourceLimits.leastMemory)) on, in bytes or like 500M or 4G, not '\(text)'."
    }
  }

  /// One sentence. The value may come from an option or from the environment.
  package var message: String {
    switch self {
    case .unknown(let word):
      "a limit is NAME=VALUE, with one of the names \(ResourceLimit.allCases.map(\.name).joined(separator: ", ")), not '\(word)'."
    case .value(let limit, let text):
      limit.isSize
        ? "\(limit.name) needs a size in bytes, or like 500M or 4G, not '\(text)'."
        : "\(limit.name) needs a number above 0, not '\(text)'."
    case .memory(let text):
      "--memory needs a size from \(ByteSize.text(ResourceLimits.leastMemory)) on, in bytes or like 500M or 4G, not '\(text)'."
    }
  }
}
