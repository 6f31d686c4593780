import Platform
import Synchronization
import SystemPackage

/// A folder of files that can be made again: least recently used files make room for new ones.
///
/// The folder may hold anything else too: only regular files whose names `role` knows are counted
/// or removed. Several processes may use it at a time.
package struct CacheFolder: Sendable {
  package let directory: String
  /// The bytes that all files may have together; nil for no limit, so that nothing is removed.
  package let sizeLimit: UInt64?
  /// What a file of that name is; nil for a name that the cache does not give.
  private let role: @Sendable (String) -> Role?

  package enum Role: Hashable, Sendable {
    case content
    /// A file that is being written, or whose writer was interrupted.
    case temporary
  }

  package init(
    directory: String, sizeLimit: UInt64?, role: @escaping @Sendable (String) -> Role?
  ) {
    self.directory = directory
    self.sizeLimit = sizeLimit
    self.role = role
  }

  /// A folder whose files are named with hexadecimal digits and dashes, and one of `suffixes`.
  ///
  /// - Parameter temporaryStart: with what the names of files begin that are being written.
  package init(
    directory: String, sizeLimit: UInt64?, suffixes: [String], temporaryStart: String
  ) {
    self.init(directory: directory, sizeLimit: sizeLimit) { name in
      if name.hasPrefix(temporaryStart), name.hasSuffix(Self.temporaryEnd) { return .temporary }
      guard let suffix = suffixes.first(where: { name.hasSuffix($0) }) else { return nil }
      let isOurs = name.utf8.dropLast(suffix.utf8.count).allSatisfy {
        $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit
      }
      return isOurs ? .content : nil
    }
  }

  private static let temporaryEnd = ".partial"

  /// The name of a file that is being written.
  ///
  /// - Parameter number: a random one.
  package static func temporaryName(_ start: String, _ number: UInt64) -> String {
    start + String(number, radix: 16) + temporaryEnd
  }

  /// `$XDG_CACHE_HOME/symbolicate`, else `$HOME/.cache/symbolicate` (XDG Base Directory
  /// Specification 0.8). A relative path does not count. Nil if neither is set. It need not exist.
  ///
  /// - Parameter stated: the directory that the user named in its place.
  package static func userDirectory(
    stated: String? = nil, environment: (String) -> String?
  ) -> String? {
    if let stated { return stated }
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.isAbsolutePath ? $0 : nil }
    }
    let parent = absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/.cache" }
    return parent.map { $0 + "/symbolicate" }
  }

  /// Whether it is a name that the cache gives.
  package func isOurs(_ name: String) -> Bool { role(name) != nil }

  package func path(_ name: String) -> String { directory.appendingPath(name) }

  /// Makes the directory and the missing ones above it. All are for the user alone (0700), as the
  /// XDG Base Directory Specification wants. In a bundle of symbols nothing is made.
  package func makeDirectory() throws(FileSystemError) {
    let symbols = [BundleName.dsymSuffix, BundleName.archiveSuffix]
    guard
      !FilePath(pathText: directory).components.contains(where: { component in
        symbols.contains { component.string.hasSuffix($0) }
      })
    else { throw FileSystemError(path: directory, errno: .notPermitted) }
    var missing = FilePath(pathText: directory)
    var made: [FilePath] = []
    while !missing.isEmpty, !FileAccess.exists(missing.pathText) {
      made.append(missing)
      guard missing.removeLastComponent() else { break }
    }
    for path in made.reversed() {
      try Directory.create(at: path.pathText, permissions: FilePermissions(rawValue: 0o700))
    }
    guard try FileStatus(path: directory).kind == .directory else {
      throw FileSystemError(path: directory, errno: .notDirectory)
    }
  }

  // MARK: - Privacy

  /// Why others may have written what is in the folder; nil if they cannot, or there is no folder.
  package var exposure: FileExposure? { (try? FileStatus(path: directory))?.exposure }

  /// Whether the folder is there and only the user writes to it.
  package var isPrivate: Bool {
    guard let status = try? FileStatus(path: directory) else { return false }
    return status.kind == .directory && status.exposure == nil
  }

  /// Whether the file of that name is there and only the user can have written it: it may have
  /// been put there while the folder was open to others.
  package func isPrivate(_ name: String) -> Bool {
    guard isPrivate, let status = try? FileStatus(path: path(name)) else { return false }
    return status.exposure == nil
  }

  // MARK: - Removal

  /// A temporary file that nobody has locked, and that is older than this, in seconds, was left by
  /// an interrupted writer. A complete download waits less until it is looked at.
  private static let secondsOfAWriter: Int64 = 600

  /// What was removed, and what could not be.
  package struct Removal: Hashable, Sendable {
    package var fileCount = 0
    package var byteCount: UInt64 = 0
    package var failures: [Failure] = []

    package mutating func add(_ other: Removal) {
      fileCount += other.fileCount
      byteCount &+= other.byteCount
      failures += other.failures
    }

    package struct Failure: Hashable, Sendable {
      package let path: String
      /// C's `errno`.
      package let errno: CInt

      init(_ error: FileSystemError) {
        path = error.path
        errno = error.errno.rawValue
      }
    }
  }

  /// Removes all files, and the temporary files of interrupted writers, but none that a writer may
  /// still be writing. The directory stays.
  package func clean() -> Removal {
    var removal = Removal()
    do throws(FileSystemError) {
      for file in try files() where file.role == .content || isAbandoned(file) {
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
  package func removeAbandonedFiles() {
    for file in (try? files()) ?? [] where isAbandoned(file) {
      try? removeFile(at: path(file.name))
    }
  }

  /// Removes the least recently used files until the others are within the limit. A file that
  /// cannot be removed stays.
  ///
  /// - Parameter kept: whether the file of that name stays, however large it is.
  /// - Returns: the bytes of the files that stay; nil if the folder cannot be read or has no limit.
  @discardableResult
  package func removeLeastRecentlyUsed(except kept: (String) -> Bool) -> UInt64? {
    guard let sizeLimit, let files = try? files() else { return nil }
    let contents = files.filter { $0.role == .content }
    var total = contents.reduce(UInt64(0)) { $0 &+ $1.size }
    for file in contents.sorted(by: { $0.isOlder(than: $1) }) where total > sizeLimit {
      guard !kept(file.name) else { continue }
      do throws(FileSystemError) {
        try removeFile(at: path(file.name))
      } catch  where error.errno != .noSuchFileOrDirectory {
        continue
      } catch {}
      total = total &- file.size
    }
    return total
  }

  private func isAbandoned(_ file: CachedFile) -> Bool {
    file.role == .temporary
      && PartialFiles.isAbandoned(path(file.name), seconds: Self.secondsOfAWriter)
  }

  /// A file of the cache.
  private struct CachedFile {
    let name: String
    let role: Role
    let size: UInt64
    /// When it was last used, or written.
    let time: FileTime

    func isOlder(than other: CachedFile) -> Bool { (time, name) < (other.time, other.name) }
  }

  /// The files in the directory whose names the cache gives. Throws if it cannot be read.
  private func files() throws(FileSystemError) -> [CachedFile] {
    try Directory.entries(of: directory).compactMap { entry in
      guard let role = role(entry.name),
        let status = try? FileStatus(withoutFollowingLinks: path(entry.name)),
        status.kind == .regularFile
      else { return nil }
      return CachedFile(
        name: entry.name, role: role, size: status.size, time: status.modificationTime)
    }
  }

  // MARK: - Use

  private static let secondsBetweenNotes: Int64 = 86_400

  /// Records the use of the file at `path` in its time of change, at most once a day. A cache
  /// without write permission can be read.
  package static func noteUse(of path: String) {
    guard let changed = (try? FileStatus(path: path))?.modificationTime.seconds,
      // Anybody may have set the time to any value.
      Clock.secondsSince1970 &- changed >= Self.secondsBetweenNotes
    else { return }
    try? touchFile(at: path)
  }
}

/// What one run does so that a cache stays small. The folder is listed before the first file is
/// written, and when the files may be too many: a run may write thousands. What other processes
/// write meanwhile is not counted.
package final class CacheUpkeep: Sendable {
  private struct State {
    var isBegun = false
    /// About how many bytes all files have; nil if that is not known.
    var size: UInt64?
  }

  private let state = Mutex(State())

  package init() {}

  /// Removes what interrupted writers left, the first time.
  package func begin(_ folder: CacheFolder) {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    if isFirst { folder.removeAbandonedFiles() }
  }

  /// Counts a file that was written, and removes others if there are too many.
  ///
  /// - Parameter kept: whether the file of that name stays.
  package func add(_ bytes: UInt64, to folder: CacheFolder, keeping kept: (String) -> Bool) {
    guard let limit = folder.sizeLimit else { return }
    state.withLock { state in
      let sum = state.size.map { $0.addingReportingOverflow(bytes) }
      state.size =
        if let sum, !sum.overflow, sum.partialValue <= limit { sum.partialValue } else {
          folder.removeLeastRecentlyUsed(except: kept)
        }
    }
  }
}
