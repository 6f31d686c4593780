package import FileSystem
package import ObjectFiles
import Platform
package import SymbolicationModel
package import SymbolIndex
import SystemPackage

/// A directory of indexes: the user's cache, or one that the user named.
///
/// An index is named after the image's identity and architecture: `HEX-ARCHITECTURE.gsym`. In a
/// directory that the user named, the index of an image without identity is named after the symbol
/// file. The cache holds none for such images, because nothing would distinguish builds.
///
/// Several processes may read and write the directory at a time: a file appears whole, and a
/// process that has mapped an earlier one keeps it.
package struct IndexCache: Sendable {
  package let directory: String
  /// The bytes that all indexes may have together; nil for a directory that the user named, from
  /// which nothing is removed.
  package let sizeLimit: UInt64?
  let upkeep = CacheUpkeep()

  /// The directory at `path`, which the user named.
  package init(directory path: String) { self.init(path, sizeLimit: nil) }

  /// The directory at `path` as a cache of at most `sizeLimit` bytes.
  package init(cache path: String, sizeLimit: UInt64) { self.init(path, sizeLimit: sizeLimit) }

  private init(_ path: String, sizeLimit: UInt64?) {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    self.directory = path
    self.sizeLimit = sizeLimit
  }

  var isCache: Bool { sizeLimit != nil }

  func path(_ name: String) -> String { directory.appendingPath(name) }

  /// The file name of the index of `objectFile`; nil for an image without identity in the cache.
  package func fileName(for objectFile: ObjectFile) -> String? {
    let stem: String
    if let identity = objectFile.identity {
      stem = identity.bytes.hexadecimalDigits
    } else if isCache {
      return nil
    } else {
      stem = objectFile.path.lastPathComponent
    }
    return "\(stem)-\(Self.shownInNames(objectFile.architecture)).gsym"
  }

  /// The name of an unnamed architecture has characters that are special to shells.
  private static func shownInNames(_ architecture: Architecture) -> String {
    String(
      decoding: architecture.name.utf8.map { isInNames($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self
    )
  }

  static func isInNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The index of `objectFile`; nil if there is none.
  ///
  /// It has the image's identity and architecture, and was made from the symbol file as it is now,
  /// judged by size and time of change. An index that another program wrote does not state what it
  /// was made from, and is refused.
  ///
  /// Nil, too, if the index was made from another file of the same image (such as the dSYM of a
  /// program) that has not changed since.
  ///
  /// In the cache, a use sets the file's time of change, at most once a day, so that the least
  /// recently used index is known. A cache without write permission can be read.
  ///
  /// Throws a problem of the kind `unusableIndex` if there is an index that cannot be used, or that
  /// others may have written.
  ///
  /// Cost: the system is asked about four files, and the start and the end of the index are read.
  /// Damage in between is found by lookups.
  package func find(for objectFile: ObjectFile) throws(SymbolFileProblem) -> IndexFile? {
    guard let name = fileName(for: objectFile) else { return nil }
    let path = path(name)
    func refuse(_ refusal: IndexRefusal) -> SymbolFileProblem {
      SymbolFileProblem(path: path, kind: .unusableIndex(refusal))
    }
    let index: IndexFile
    do throws(IndexFileError) {
      index = try IndexFile.open(path: path)
    } catch .inaccessible(errno: ENOENT), .inaccessible(errno: ENOTDIR) {
      return nil
    } catch {
      throw refuse(IndexRefusal(error))
    }
    if let exposure = exposure(of: path, for: objectFile) { throw refuse(exposure) }
    let identity = ImageIdentity(bytes: index.gsym.uuid)
    guard identity == objectFile.identity else { throw refuse(.otherImage(found: identity)) }
    // Only an index of this program certainly answers what the symbol file would.
    guard let trailer = index.trailer else { throw refuse(.foreign) }
    guard trailer.architecture == objectFile.architecture else {
      throw refuse(.otherArchitecture(found: trailer.architecture))
    }
    func isSource(_ path: String) -> Bool {
      (try? SourceStamp(ofFileAt: path))?.isSameContent(as: trailer.source) == true
    }
    guard isSource(objectFile.path) else {
      // A program and its dSYM belong to one image: the index of one is not that of the other, and
      // nothing is wrong with it.
      if isSource(trailer.source.path) { return nil }
      throw refuse(.stale(madeFrom: trailer.source.path))
    }
    if isCache { CacheFolder.noteUse(of: path) }
    return index
  }
}

extension IndexCache {
  /// The size limit of the user's cache if none is given: 2 GiB.
  package static let standardSizeLimit: UInt64 = 2 << 30

  /// The user's cache: `$XDG_CACHE_HOME/symbolicate`, else `$HOME/.cache/symbolicate` (XDG Base
  /// Directory Specification 0.8). A relative path does not count. Nil if neither is set. It need
  /// not exist.
  ///
  /// - Parameter directory: the directory that the user named in its place.
  package static func user(
    directory: String? = nil, sizeLimit: UInt64 = standardSizeLimit,
    environment: (String) -> String? = { environmentVariable($0) }
  ) -> IndexCache? {
    CacheFolder.userDirectory(stated: directory, environment: environment).map {
      IndexCache(cache: $0, sizeLimit: sizeLimit)
    }
  }

  /// The value as a path.
  ///
  /// Soundness: the text is copied at once, and this program does not change its environment.
  package static func environmentVariable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(pathBytes: text)
  }
}

extension IndexCache {
  /// Why others than the user may have written the index at `path`; nil if they cannot.
  ///
  /// What the trailer states about the symbol file can be forged by whoever knows the file. So the
  /// user's cache and what is in it must belong to the user or the administrator, and nobody else
  /// may write to them. A directory that the user named is often shared: an index there may also
  /// belong to the owner of the directory or of the symbol file, who could make it lie anyway, and
  /// a group may write to it; all may, if all may write to the symbol file.
  func exposure(of path: String, for objectFile: ObjectFile) -> IndexRefusal? {
    if isCache { return exposure(of: path) }
    let symbolFile = try? FileStatus(path: objectFile.path)
    let owners = [symbolFile, try? FileStatus(path: directory)].compactMap { $0?.owner }
    let isOpenToAll = symbolFile?.permissions.contains(.otherWrite) == true
    return (try? FileStatus(path: path))?.exposure(
      trusting: Set(owners), writers: isOpenToAll ? [] : .otherWrite
    ).map { refusal(path, $0) }
  }

  /// Why others may write to the folder of the cache; nil if they cannot, or there is none.
  var folderExposure: IndexRefusal? { folder.exposure.map { refusal(directory, $0) } }

  /// Why others than the user may have written what is at `path` in the user's cache.
  func exposure(of path: String) -> IndexRefusal? {
    folderExposure ?? (try? FileStatus(path: path))?.exposure.map { refusal(path, $0) }
  }

  func refusal(_ path: String, _ exposure: FileExposure) -> IndexRefusal {
    switch exposure {
    case .otherOwner(let user): .otherOwner(path: path, user: user)
    case .writableByOthers(let permissions):
      .writableByOthers(path: path, permissions: UInt32(permissions.rawValue))
    }
  }
}

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

extension IndexCache {
  /// Whether the directory is there.
  package var exists: Bool { FileKind(path: directory) == .directory }

  /// Removes the directory if there is nothing in it.
  package func removeIfEmpty() { _ = unsafe directory.withPathBytes { unsafe rmdir($0) } }

  /// Takes the lock of the index of `objectFile`, so that of several processes one makes it. No
  /// lock is no reason not to make it: an index appears whole in any case.
  ///
  /// - Returns: the lock, if there is one to have; and whether another process has it.
  package func lock(
    for objectFile: ObjectFile, waits: Bool
  ) -> (lock: FileLock?, isBusy: Bool) {
    // `store` says what is wrong with the directory.
    guard let name = fileName(for: objectFile), (try? makeDirectory()) != nil else {
      return (nil, false)
    }
    switch FileLock.take(path(IndexFileName.lock(name)), waits: waits) {
    case .taken(let lock): return (lock, false)
    case .busy: return (nil, true)
    case .unavailable: return (nil, false)
    }
  }
}

/// The names of files in a cache of indexes. Files with other names are never removed.
enum IndexFileName: Equatable {
  /// `HEX-ARCHITECTURE.gsym`
  case index
  /// A file that is being written, or whose writer was interrupted; or the lock of a writer.
  case temporary

  private static let temporaryStart = ".symbolicate-index-"
  private static let temporaryEnd = ".partial"

  static func temporary(_ number: UInt64) -> String {
    temporaryStart + number.hexadecimalDigits() + temporaryEnd
  }

  private static let lockEnd = ".lock"

  /// The lock that the writer of the index with that name holds.
  static func lock(_ indexName: String) -> String { temporaryStart + indexName + lockEnd }

  /// Nil for a name that the cache does not give.
  init?(_ name: String) {
    if name.hasPrefix(Self.temporaryStart), name.hasSuffix(Self.lockEnd),
      Self(String(name.dropFirst(Self.temporaryStart.count).dropLast(Self.lockEnd.count))) == .index
    {
      self = .temporary
      return
    }
    if name.hasPrefix(Self.temporaryStart), name.hasSuffix(Self.temporaryEnd),
      Self.isHexadecimal(
        name.utf8.dropFirst(Self.temporaryStart.utf8.count).dropLast(Self.temporaryEnd.utf8.count))
    {
      self = .temporary
      return
    }
    guard name.hasSuffix(".gsym") else { return nil }
    let parts = name.utf8.dropLast(5).split(
      separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count % 2 == 0, Self.isHexadecimal(parts[0]),
      !parts[1].isEmpty, parts[1].allSatisfy(IndexCache.isInNames)
    else { return nil }
    self = .index
  }

  private static func isHexadecimal(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLowercaseHexadecimalDigit }
  }
}
