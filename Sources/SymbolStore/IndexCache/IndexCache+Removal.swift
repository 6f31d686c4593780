import FileSystem
import Glibc
import SystemPackage

extension IndexCache {
  /// A temporary file that is older than this, in seconds, was left by an interrupted writer.
  private static let secondsOfAWriter: Int64 = 3600

  /// What was removed, and what could not be.
  package struct Removal: Hashable, Sendable {
    package var fileCount = 0
    package var byteCount: UInt64 = 0
    package var failures: [Failure] = []

    /// Adds what was removed, and what could not be, elsewhere.
    package mutating func add(_ other: Removal) {
      fileCount += other.fileCount
      byteCount &+= other.byteCount
      failures += other.failures
    }

    package struct Failure: Hashable, Sendable {
      package let path: String
      /// C's `errno`.
      package let errno: CInt
    }
  }

  /// Removes all indexes, and the temporary files of interrupted writers. Only regular files with
  /// names that the cache gives are removed, and none that a writer may still be writing. The
  /// directory stays.
  package func clean() -> Removal {
    var removal = Removal()
    do throws(FileSystemError) {
      for file in try files() where file.kind == .index || isAbandoned(file) {
        do throws(FileSystemError) {
          try removeFile(at: path(file.name))
          removal.fileCount += 1
          removal.byteCount += file.size
        } catch  where error.errno == .noSuchFileOrDirectory {
          // Another process was faster.
        } catch {
          removal.failures.append(Removal.Failure(error))
        }
      }
    } catch {
      // A cache that does not exist is empty.
      if error.errno != .noSuchFileOrDirectory { removal.failures.append(Removal.Failure(error)) }
    }
    return removal
  }

  /// Removes the temporary files of interrupted writers. A file that cannot be removed stays.
  func removeAbandonedFiles() {
    for file in (try? files()) ?? [] where isAbandoned(file) {
      try? removeFile(at: path(file.name))
    }
  }

  /// Removes the least recently used indexes until the others are within the limit. A file that
  /// cannot be removed stays.
  ///
  /// - Parameter kept: the name of an index that stays, however large it is.
  func removeLeastRecentlyUsed(except kept: String) {
    guard let sizeLimit, let files = try? files() else { return }
    let indexes = files.filter { $0.kind == .index }
    var total = indexes.reduce(UInt64(0)) { $0 &+ $1.size }
    for file in indexes.sorted(by: { $0.isOlder(than: $1) }) where total > sizeLimit {
      guard file.name != kept else { continue }
      do throws(FileSystemError) {
        try removeFile(at: path(file.name))
      } catch  where error.errno != .noSuchFileOrDirectory {
        continue
      } catch {}
      total = total &- file.size
    }
  }

  private func isAbandoned(_ file: CachedFile) -> Bool {
    file.kind == .temporary && Int64(time(nil)) &- file.time.seconds >= Self.secondsOfAWriter
  }

  /// A file of the cache.
  private struct CachedFile {
    let name: String
    let kind: IndexFileName
    let size: UInt64
    /// When it was last used, or written.
    let time: FileTime

    func isOlder(than other: CachedFile) -> Bool { (time, name) < (other.time, other.name) }
  }

  /// The files in the directory whose names the cache gives. Throws if it cannot be read.
  private func files() throws(FileSystemError) -> [CachedFile] {
    try Directory.entries(of: directory).compactMap { entry in
      guard let kind = IndexFileName(entry.name),
        let status = try? FileStatus(withoutFollowingLinks: path(entry.name)),
        status.kind == .regularFile
      else { return nil }
      return CachedFile(
        name: entry.name, kind: kind, size: status.size, time: status.modificationTime)
    }
  }
}

extension IndexCache.Removal.Failure {
  fileprivate init(_ error: FileSystemError) {
    self.init(path: error.path, errno: error.errno.rawValue)
  }
}
