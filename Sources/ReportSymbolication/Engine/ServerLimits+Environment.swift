import SymbolStore
package import SymbolicationModel
import Wording

extension ServerLimits {
  /// A variable whose value cannot be understood.
  package struct Unreadable: Error, Hashable, Sendable {
    package let variable: String
    package let value: String
    /// Whether a size is wanted, and not a number of seconds.
    package let isSize: Bool

    package init(variable: String, value: String, isSize: Bool) {
      self.variable = variable
      self.value = value
      self.isSize = isSize
    }
  }

  package static let timeoutVariable = "SYMBOLICATE_SERVER_TIMEOUT"
  package static let totalTimeVariable = "SYMBOLICATE_SERVER_MAXTIME"
  package static let sizeVariable = "SYMBOLICATE_SERVER_MAXSIZE"

  /// The limits that the environment states; the standard ones for variables that are not set, or
  /// empty.
  package static func stated(
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) throws(Unreadable) -> ServerLimits {
    func value<Value>(
      _ variable: String, isSize: Bool, _ parse: (String) -> Value?
    ) throws(Unreadable) -> Value? {
      guard let text = environment(variable), !text.isEmpty else { return nil }
      guard let value = parse(text) else {
        throw Unreadable(variable: variable, value: text, isSize: isSize)
      }
      return value
    }
    func seconds(_ text: String) -> Int? { UInt32(text).map { Int($0) } }
    var limits = ServerLimits()
    if let stated = try value(timeoutVariable, isSize: false, seconds) { limits.seconds = stated }
    if let stated = try value(totalTimeVariable, isSize: false, seconds) {
      limits.totalSeconds = stated
    }
    if let stated = try value(sizeVariable, isSize: true, CacheLimit.size), stated > 0 {
      limits.bytes = stated
    }
    if let stated = try value(CacheLimit.variable, isSize: true, CacheLimit.size) {
      limits.cacheBytes = stated
    }
    return limits
  }

  /// Whether `DEBUGINFOD_URLS` names a server.
  package static func namesDebuginfod(
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) -> Bool {
    (environment("DEBUGINFOD_URLS") ?? "").contains { !$0.isWhitespace }
  }
}
