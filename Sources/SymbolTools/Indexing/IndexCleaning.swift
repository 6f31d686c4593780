import FileSystem
import SymbolStore
import SymbolicationModel
import SystemPackage
import Wording

/// Neither `XDG_CACHE_HOME` nor `HOME` is an absolute path, so the user has no cache.
package struct NoCacheDirectory: Error, Hashable, Sendable {
  package var message: String {
    "there is no directory for the cache: neither XDG_CACHE_HOME nor HOME is an absolute path; give a directory with -o"
  }
}

/// Emptying the user's cache: indexes, what was unpacked from archives, what was learnt from
/// reports, and downloads.
package enum IndexCleaning {
  static func userCache(limit: UInt64?) throws(NoCacheDirectory) -> IndexCache {
    guard let cache = IndexCache.user(sizeLimit: limit ?? IndexCache.standardSizeLimit) else {
      throw NoCacheDirectory()
    }
    return cache
  }

  /// - Parameter directory: a directory that the user named; nil for the user's cache.
  static func cache(at directory: String?, limit: UInt64?) throws(NoCacheDirectory) -> IndexCache {
    if let directory { return IndexCache(directory: directory) }
    return try userCache(limit: limit)
  }

  /// What was removed, and what could not be removed, one sentence each.
  package struct Result: Hashable, Sendable {
    package let note: String
    package let problems: [String]
  }

  package static func perform() throws(NoCacheDirectory) -> Result {
    let cache = try userCache(limit: nil)
    var removal = cache.clean()
    if let names = SystemNames(directory: nil)?.clean() { removal.add(names) }
    if let searched = SearchIndexCache.user()?.clean() { removal.add(searched) }
    if let unpacked = IndexCache.cleanUnpackedArchives() { removal.add(unpacked) }
    if let learnt = IndexCache.cleanLearntNames() { removal.add(learnt) }
    if let downloads = IndexCache.cleanDownloads() { removal.add(downloads) }
    return Result(
      note:
        "removed \(counted(removal.fileCount, "file")), \(removal.byteCount) bytes, from \(cache.directory)"
        .withoutControlCharacters,
      problems: removal.failures.map { failure in
        "cannot remove \(failure.path): \(Errno(rawValue: failure.errno))".withoutControlCharacters
      })
  }
}
