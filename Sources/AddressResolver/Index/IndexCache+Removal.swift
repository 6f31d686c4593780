import Glibc

extension IndexCache {
  /// A writer that has not gone on for so many seconds was interrupted.
  private static let secondsOfAWriter = 3600

  /// What was removed, and what could not be.
  package struct Removal: Hashable, Sendable {
    package var fileCount = 0
    package var byteCount: UInt64 = 0
    package var failures: [Failure] = []

    package struct Failure: Hashable, Sendable {
      package let path: String
      /// C's `errno`.
      package let errno: CInt
    }
  }

  /// Removes all indexes, and what interrupted writers left. Only regular files with names that the
  /// cache gives are removed; not what another writer may still be writing. The directory stays.
  package func clean() -> Removal {
    var removal = Removal()
    do throws(Removal.Failure) {
      for file in try files() where file.kind == .index || isAbandoned(file) {
        guard unsafe unlink(path(file.name)) == 0 else {
          // Another process was faster.
          if errno != ENOENT {
            removal.failures.append(Removal.Failure(path: path(file.name), errno: errno))
          }
          continue
        }
        removal.fileCount += 1
        removal.byteCount += file.size
      }
    } catch {
      // No cache is an empty one.
      if error.errno != ENOENT { removal.failures.append(error) }
    }
    return removal
  }

  /// Removes what interrupted writers left. What cannot be removed stays.
  func removeAbandonedFiles() {
    for file in (try? files()) ?? [] where isAbandoned(file) { unsafe unlink(path(file.name)) }
  }

  /// Removes the least recently used indexes until those that are left keep to the limit. What cannot
  /// be removed stays.
  ///
  /// - Parameter kept: the name of one that stays, however large it is.
  func removeLeastRecentlyUsed(except kept: String) {
    guard let sizeLimit, let files = try? files() else { return }
    let indexes = files.filter { $0.kind == .index }
    var total = indexes.reduce(UInt64(0)) { $0 &+ $1.size }
    for file in indexes.sorted(by: { $0.isOlder(than: $1) }) where total > sizeLimit {
      guard file.name != kept, unsafe unlink(path(file.name)) == 0 || errno == ENOENT else {
        continue
      }
      total = total &- file.size
    }
  }

  private func isAbandoned(_ file: CachedFile) -> Bool {
    file.kind == .temporary && time(nil) &- file.seconds >= Self.secondsOfAWriter
  }

  /// A file of the cache's.
  private struct CachedFile {
    let name: String
    let kind: IndexFileName
    let size: UInt64
    /// When it was last used, or written.
    let seconds: Int
    let nanoseconds: Int

    func isOlder(than other: CachedFile) -> Bool {
      (seconds, nanoseconds, name) < (other.seconds, other.nanoseconds, other.name)
    }
  }

  /// The files in the directory that are the cache's own, by their names. Throws where it cannot be
  /// read.
  ///
  /// Soundness: `readdir` returns a pointer that is valid until the next call on the same stream; the
  /// name is copied out before.
  private func files() throws(Removal.Failure) -> [CachedFile] {
    guard let stream = unsafe opendir(directory) else {
      throw Removal.Failure(path: directory, errno: errno)
    }
    defer { unsafe closedir(stream) }
    var files: [CachedFile] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
        unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard let kind = IndexFileName(name), unsafe lstat(path(name), &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      files.append(
        CachedFile(
          name: name, kind: kind, size: UInt64(clamping: status.st_size),
          seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec))
    }
    return files
  }
}

extension IndexCache.Removal.Failure: Error {}
