package import SymbolStore
package import SymbolicationModel
import Wording

extension SymbolStore {
  /// The store of a run of the program: with the user's caches, and progress.
  ///
  /// - Parameters:
  ///   - jobs: the threads that search at a time.
  ///   - progress: called from any thread while directories are searched, with the number of files
  ///     looked at so far, and with nil when a search has ended.
  ///   - downloadProgress: called from time to time while servers are asked.
  package convenience init(
    forUser places: SymbolPlaces, jobs: Int = ParallelWork.processorCount,
    progress: (@Sendable (Int?) -> Void)? = nil,
    downloadProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) {
    self.init(
      places, SearchSettings(for: places, jobs: jobs, progress: progress),
      archiveCache: .user(
        directory: places.cacheDirectory, sizeLimit: CacheLimit.statedOrStandard),
      downloadProgress: downloadProgress)
  }
}

extension SymbolFileInventory {
  /// Everything at `path`: a directory, an archive or a file. What is unpacked goes to the user's
  /// cache. Throws if `path` cannot be read.
  package init(forUserAt path: String, limits: ResourceLimits) throws(SymbolFileProblem) {
    self.init(
      try FileTrees.open(
        path: path, cache: .user(sizeLimit: CacheLimit.statedOrStandard), limits: limits))
  }
}

extension CacheLimit {
  /// A limit that is not a size is reported by `symbolicate index`, which fills the cache.
  fileprivate static var statedOrStandard: UInt64 {
    (try? stated()) ?? IndexCache.standardSizeLimit
  }
}

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
