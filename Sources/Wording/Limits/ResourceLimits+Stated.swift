import SymbolStore
package import SymbolicationModel

extension ResourceLimits {
  package static let variable = "SYMBOLICATE_LIMITS"
  package static let memoryVariable = "SYMBOLICATE_MEMORY"

  /// Words that state no limit.
  package enum Unreadable: Error, Hashable, Sendable {
    /// Not NAME=VALUE with the name of a limit.
    case unknown(String)
    /// The value is not a number, or not a size.
    case value(ResourceLimit, String)
    /// Not a size, or less than a run needs.
    case memory(String)
  }

  /// The limits that the environment and the options state: memory first, from which the others
  /// follow, then each limit by its name. An option counts more than the environment.
  ///
  /// - Parameters:
  ///   - memory: the value of `--memory`.
  ///   - limits: the values of `--limit`, NAME=VALUE each.
  package static func stated(
    memory: String? = nil, limits: [String] = [],
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) throws(Unreadable) -> ResourceLimits {
    var result = ResourceLimits()
    let stated = memory ?? environment(memoryVariable).flatMap { $0.isEmpty ? nil : $0 }
    if let text = stated {
      guard let size = CacheLimit.size(text), size >= leastMemory else { throw .memory(text) }
      result.fit(memory: size)
    }
    if let text = environment(variable), !text.isEmpty {
      for word in text.split(separator: ",") { try result.take(String(word)) }
    }
    for word in limits { try result.take(word) }
    return result
  }

  private mutating func take(_ word: String) throws(Unreadable) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let limit = ResourceLimit(rawValue: String(parts[0])) else {
      throw .unknown(word)
    }
    let text = String(parts[1])
    // A count may be written like a size: 10M is 10 times 1,048,576.
    guard let value = CacheLimit.size(text), value > 0 else { throw .value(limit, text) }
    self[limit] = value
  }
}

/// The environment variable that limits the size of the index cache.
package enum CacheLimit {
  package static let variable = "SYMBOLICATE_CACHE_LIMIT"

  /// The variable's value is not a size.
  package struct Unreadable: Error, Hashable, Sendable {
    package let value: String
  }

  /// The limit in bytes; nil if the variable is not set, or empty.
  package static func stated(
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) throws(Unreadable) -> UInt64? {
    guard let value = environment(variable), !value.isEmpty else { return nil }
    guard let size = size(value) else { throw Unreadable(value: value) }
    return size
  }

  /// The number of bytes in `text`: decimal digits, and then maybe K, M, G or T, in either case,
  /// for powers of 1024. Nil for anything else, and for more than 64 bits.
  package static func size(_ text: String) -> UInt64? {
    var digits = text[...]
    var shift = 0
    if let last = digits.utf8.last, let power = Array("kmgt".utf8).firstIndex(of: last | 0x20),
      last & 0xc0 == 0x40
    {
      shift = 10 * (power + 1)
      digits.removeLast()
    }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits) else {
      return nil
    }
    let (size, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : size
  }
}

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
    case .downloadTime: count == 1 ? "second" : "seconds"
    case .reportSize, .sectionSize, .miniDebugInfoSize, .memberSize, .unpackedSize, .answerSize,
      .decodedSize, .downloadSize:
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

extension CacheLimit.Unreadable {
  package var message: String {
    "\(CacheLimit.variable) is '\(value)'; expected a number of bytes, such as 500M or 2G"
      .withoutControlCharacters
  }
}
