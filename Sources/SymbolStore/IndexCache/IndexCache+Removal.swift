package import FileSystem

extension IndexCache {
  /// What was removed, and what could not be.
  package typealias Removal = CacheFolder.Removal

  /// The directory as a cache. Its files are those with names that `IndexFileName` knows.
  var folder: CacheFolder {
    CacheFolder(directory: directory, sizeLimit: sizeLimit) { name in
      switch IndexFileName(name) {
      case .index: .content
      case .temporary: .temporary
      case nil: nil
      }
    }
  }

  /// Removes all indexes, and the temporary files of interrupted writers. Only regular files with
  /// names that the cache gives are removed, and none that a writer may still be writing. The
  /// directory stays.
  package func clean() -> Removal { folder.clean() }
}
