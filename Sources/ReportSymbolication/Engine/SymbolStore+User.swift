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
