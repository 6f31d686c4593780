package import FileSystem
package import ObjectFiles
package import SymbolIndex
package import SymbolicationModel
import Synchronization
import SystemPackage

/// Indexes of the libraries of systems, by the UUIDs of the libraries. They have names, not lines.
///
/// They are a folder of their own in the user's cache. Other indexes stand in for a symbol file and
/// can be made again, so they make room for others. These are all that is left of a system whose
/// files are far away: they answer alone, and nothing is removed to make room.
package struct SystemNames: Sendable {
  private let cache: IndexCache
  private let folder: CacheFolder

  /// - Parameter directory: where the user wants them; nil for the user's cache. Nil is returned if
  ///   there is no cache.
  package init?(directory: String?, cacheDirectory: String? = nil) {
    if let directory {
      cache = IndexCache(directory: directory)
    } else if let user = CacheFolder.userDirectory(
      stated: cacheDirectory, environment: { IndexCache.environmentVariable($0) })
    {
      cache = IndexCache(cache: user.appendingPath("system"), sizeLimit: .max)
    } else {
      return nil
    }
    folder = CacheFolder(
      directory: cache.directory, sizeLimit: nil, suffixes: [".gsym"],
      temporaryStart: Self.temporaryStart)
  }

  private static let temporaryStart = ".symbolicate-index-"

  private func name(of identity: ImageIdentity) -> String {
    identity.bytes.hexadecimalDigits + ".gsym"
  }

  // MARK: - Writing

  /// Makes the folder. Throws if others may write to it in the cache.
  package func prepare() throws(IndexWriteError) {
    try cache.makeDirectory()
    folder.removeAbandonedFiles()
  }

  /// The path of the index of the image, if it was made from these files as they are now.
  package func upToDate(_ identity: ImageIdentity, source: SourceStamp) -> String? {
    let path = folder.path(name(of: identity))
    let trailer = (try? IndexFile.open(path: path))?.trailer
    return trailer?.source.isSameContent(as: source) == true ? path : nil
  }

  /// Writes the index of an image, completely or not at all. `prepare` was called before.
  ///
  /// Nothing waits for the disk: there are thousands of files, and one that was cut when the system
  /// failed is found by its checksums.
  ///
  /// - Returns: the path of the index.
  package func store(
    _ pieces: [[UInt8]], for file: ObjectFile, source: SourceStamp
  ) throws(IndexWriteError) -> String {
    guard let identity = file.identity else { throw .noIdentity }
    let ending = IndexTrailer.ending(
      linkBase: file.linkBase(), architecture: file.architecture, source: source, of: pieces)
    let path = folder.path(name(of: identity))
    do throws(FileWriteError) {
      try WholeFile.write(
        to: path, permissions: cache.isCache ? FilePermissions(rawValue: 0o600) : nil,
        waitsForDisk: false,
        temporaryName: { CacheFolder.temporaryName(Self.temporaryStart, $0) }
      ) { descriptor in
        for piece in pieces + [ending] { try descriptor.writeAll(piece) }
        return true
      }
    } catch {
      throw IndexWriteError(error)
    }
    return path
  }

  package func clean() -> CacheFolder.Removal { folder.clean() }

  // MARK: - Reading

  /// Whether there may be indexes that can be trusted.
  fileprivate var isUsable: Bool { folder.isPrivate }

  /// The index of the image; nil if there is none, or others may have written it. The folder was
  /// looked at before (`isUsable`). Throws if the index is damaged.
  fileprivate func file(
    for identity: ImageIdentity
  ) throws(ObjectFileError) -> ObjectFile? {
    let path = folder.path(name(of: identity))
    do throws(ObjectFileError) {
      let (container, status) = try ObjectContainer.open(ownFileAt: path)
      guard status.exposure == nil else { return nil }
      return container.objectFile(identity: identity)
    } catch {
      if error.isAbsence { return nil }
      throw error
    }
  }
}

/// The names of systems in the user's cache as a place of symbol files.
final class SystemNamePlace: ImagePlace {
  private let directory: String?
  private let cacheDirectory: String?
  private let state = Mutex(State.unknown)

  /// The folder is looked at once, when something is first asked for: most users have none.
  private enum State {
    case unknown
    case absent
    case usable(SystemNames)
  }

  init(_ places: SymbolPlaces) {
    directory = places.indexDirectory
    cacheDirectory = places.cacheDirectory
  }

  private var names: SystemNames? {
    state.withLock { state in
      if case .unknown = state {
        let names = SystemNames(directory: directory, cacheDirectory: cacheDirectory)
        state = names.flatMap { $0.isUsable ? .usable($0) : nil } ?? .absent
      }
      return if case .usable(let names) = state { names } else { nil }
    }
  }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, let identity = image.identity, let names else {
      return SymbolFileAnswer()
    }
    do throws(ObjectFileError) {
      return SymbolFileAnswer(files: [try names.file(for: identity)].compactMap(\.self))
    } catch {
      return SymbolFileAnswer(refused: [
        DebugFileSearch.Attempt(
          path: error.path, finding: .unreadable(SymbolFileProblem(error).kind))
      ])
    }
  }

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    let answer = locate(.image(image), skipping: [])
    return answer.files.map {
      SymbolFinding($0, place: .indexCache, outcome: .fits(by: .identity))
    } + answer.refused.map { SymbolFinding($0, place: .indexCache) }
  }
}
