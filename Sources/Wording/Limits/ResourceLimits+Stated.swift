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
