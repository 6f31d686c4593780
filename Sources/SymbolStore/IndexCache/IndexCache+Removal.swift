import FileSystem
import Glibc
import SystemPackage

extension IndexCache {
  /// A writer that has not gone on for so many seconds was interrupted.
  private static let secondsOfAWriter: Int64 = 3600

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
      // No cache is an empty one.
      if error.errno != .noSuchFileOrDirectory { removal.failures.append(Removal.Failure(error)) }
    }
    return removal
  }

  /// Removes what interrupted writers left. What cannot be removed stays.
  func removeAbandonedFiles() {
    for file in (try? files()) ?? [] where isAbandoned(file) {
      try? removeFile(at: path(file.name))
    }
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

  /// A file of the cache's.
  private struct CachedFile {
    let name: String
    let kind: IndexFileName
    let size: UInt64
    /// When it was last used, or written.
    let time: FileTime

    func isOlder(than other: CachedFile) -> Bool { (time, name) < (other.time, other.name) }
  }

  /// The files in the directory that are the cache's own, by their names. Throws where it cannot be
  /// read.
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
