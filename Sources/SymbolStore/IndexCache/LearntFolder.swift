package import FileSystem
package import LearntNames
import ObjectFiles
import Platform
package import SymbolicationModel
import SystemPackage

/// The names of system functions that were learnt from reports: the folder `learnt` in the user's
/// cache, or in a directory of indexes. There is one file for each image, named after its UUID.
///
/// Nothing in it makes room for other things: the reports that the names are from may be gone.
package struct LearntFolder: Sendable {
  private let cache: IndexCache
  private let folder: CacheFolder

  package init(in cache: IndexCache) {
    self.cache = cache
    folder = CacheFolder(
      directory: cache.directory.appendingPath("learnt"), sizeLimit: nil, suffixes: [Self.suffix],
      temporaryStart: Self.temporaryStart)
  }

  private static let suffix = ".learnt"
  private static let temporaryStart = ".symbolicate-learnt-"

  package var directory: String { folder.directory }

  private func name(_ identity: ImageIdentity) -> String {
    identity.bytes.hexadecimalDigits + Self.suffix
  }

  /// The file of an image; nil if there is none. Throws `unusableIndex` if there is one that cannot
  /// be used, or that others may have written.
  ///
  /// - Parameter trust: whose files are used; it is asked once there is a file.
  func objectFile(
    for identity: ImageIdentity, _ trust: () -> Trust
  ) throws(SymbolFileProblem) -> ObjectFile? {
    let path = folder.path(name(identity))
    let container: ObjectContainer
    let status: FileStatus
    do throws(ObjectFileError) {
      (container, status) = try ObjectContainer.open(ownFileAt: path)
    } catch {
      let problem = SymbolFileProblem(error)
      switch problem.kind {
      case .inaccessible(errno: ENOENT, operation: _), .inaccessible(errno: ENOTDIR, operation: _):
        return nil
      default:
        throw SymbolFileProblem(path: path, kind: .unusableIndex(.unreadable(problem.kind)))
      }
    }
    if let refusal = refusal(of: path, status, trust()) {
      throw SymbolFileProblem(path: path, kind: .unusableIndex(refusal))
    }
    guard let file = container.objectFile(identity: identity) else {
      throw SymbolFileProblem(
        path: path,
        kind: .unusableIndex(.otherImage(found: container.objectFiles.first?.identity)))
    }
    return file
  }

  /// Whose files in the folder are used.
  enum Trust: Sendable {
    /// Those that only the user can have written: the folder is in the user's cache.
    case user
    /// Also those of the owner of the folder, which the user named and may share. A file must not
    /// be open to all.
    case folder(owner: UInt32?)
    /// None: others may write to the folder in the user's cache.
    case nobody(IndexRefusal)
  }

  /// Cost: the system is asked about the folder.
  var trust: Trust {
    guard cache.isCache else {
      return .folder(owner: (try? FileStatus(path: cache.directory))?.owner)
    }
    return cache.exposure(of: directory).map { .nobody($0) } ?? .user
  }

  /// Why others may have written the file at `path`.
  private func refusal(of path: String, _ status: FileStatus, _ trust: Trust) -> IndexRefusal? {
    switch trust {
    case .nobody(let refusal): refusal
    case .user: status.exposure.map { cache.refusal(path, $0) }
    case .folder(let owner):
      status.exposure(trusting: Set([owner].compactMap(\.self)), writers: .otherWrite)
        .map { cache.refusal(path, $0) }
    }
  }

  // MARK: - Writing

  /// Makes the folder, and waits until no other process adds to it.
  ///
  /// - Returns: the lock, if there is one to have.
  package func prepare() throws(IndexWriteError) -> FileLock? {
    try cache.makeDirectory()
    try cache.make(folder)
    folder.removeAbandonedFiles()
    let lock = FileLock.take(folder.path(Self.temporaryStart + "lock"), waits: true)
    return if case .taken(let lock) = lock { lock } else { nil }
  }

  /// What was learnt about an image before; nil if nothing was. Throws as `objectFile(for:)` does.
  package func image(
    for identity: ImageIdentity
  ) throws(SymbolFileProblem) -> LearntImage? {
    guard let object = try objectFile(for: identity, { trust }),
      let bytes = object.content(as: .learnt)
    else { return nil }
    guard let image = LearntImage(try LearntFile(bytes, path: object.path)) else {
      throw SymbolFileProblem(
        path: object.path,
        kind: .unusableIndex(
          .unreadable(.damaged(structure: "tables of the learnt names", offset: 64))))
    }
    return image
  }

  /// Writes the file of an image, completely or not at all.
  ///
  /// - Returns: its path; nil if the image is too large for the format.
  package func store(_ image: LearntImage) throws(IndexWriteError) -> String? {
    guard let bytes = image.encoded else { return nil }
    let path = folder.path(name(image.identity))
    do throws(FileWriteError) {
      try WholeFile.write(
        [bytes], to: path, permissions: cache.isCache ? FilePermissions(rawValue: 0o600) : nil
      ) { CacheFolder.temporaryName(Self.temporaryStart, $0) }
    } catch {
      throw IndexWriteError(error)
    }
    return path
  }

  func clean() -> CacheFolder.Removal { folder.clean() }
}

extension IndexCache {
  /// Removes everything that was learnt into the user's cache; nil if the user has no cache.
  package static func cleanLearntNames() -> CacheFolder.Removal? {
    user().map { LearntFolder(in: $0).clean() }
  }
}
