package import Archives
import FileSystem

extension ArchiveCache {
  /// The user's cache of unpacked symbol files: the folder `archives` beside the indexes, with a
  /// size limit of its own. Nil if the user has no cache.
  package static func user(
    directory: String? = nil, sizeLimit: UInt64 = IndexCache.standardSizeLimit,
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) -> ArchiveCache? {
    CacheFolder.userDirectory(stated: directory, environment: environment).map {
      ArchiveCache(directory: $0.appendingPath("archives"), sizeLimit: sizeLimit)
    }
  }
}

extension IndexCache {
  /// Removes everything that was unpacked from archives into the user's cache; nil if the user has
  /// no cache.
  package static func cleanUnpackedArchives() -> Removal? { ArchiveCache.user()?.clean() }
}
