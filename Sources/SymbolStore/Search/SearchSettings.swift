package import SymbolicationModel

/// How directories are searched.
package struct SearchSettings: Sendable {
  /// The threads that search at a time; at least 1.
  package var jobs = ParallelWork.processorCount
  /// Where indexes of searched directories are kept; nil if none are.
  package var cache: SearchIndexCache?
  /// What was changed so many seconds before it is read, or fewer, is read again by the next
  /// search: a later change may leave the same time. File systems record times in steps of up to
  /// two seconds (FAT).
  package var unsettledSeconds: Int64 = 2
  /// How many files and folders are looked at below a directory.
  package var entryLimit = Int(clamping: ResourceLimits().searchedFiles)
  /// Called from any of the threads while directories are searched.
  package var progress: SearchProgress?

  package init() {}

  /// The settings that `places` ask for, with the user's cache.
  package init(
    for places: SymbolPlaces, jobs: Int = ParallelWork.processorCount,
    progress: SearchProgress? = nil
  ) {
    self.jobs = jobs
    self.entryLimit = Int(clamping: places.limits.searchedFiles)
    self.cache =
      places.usesSearchIndex ? SearchIndexCache.user(directory: places.cacheDirectory) : nil
    self.progress = progress
  }
}

/// Reports how far a search through directories has come.
///
/// - Parameter fileCount: the files looked at so far; nil when the search has ended.
package typealias SearchProgress = @Sendable (_ fileCount: Int?) -> Void
