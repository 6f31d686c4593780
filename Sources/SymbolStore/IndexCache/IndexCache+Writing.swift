import FileSystem
package import ObjectFiles
package import SymbolIndex
package import SymbolicationModel
import SystemPackage

extension IndexCache {
  /// Writes an index under the name that `find(for:)` looks for, completely or not at all.
  ///
  /// A missing directory is made; in the cache, only the user may read it and the indexes in it. A
  /// cache that others may write to is refused. In the cache, the least recently used indexes are
  /// removed if all together are too large.
  ///
  /// - Parameters:
  ///   - pieces: the bytes of the index, written one after the other.
  ///   - objectFile: the file from which it was made.
  ///   - source: the stamp of that file, from before it was read.
  /// - Returns: the path of the index.
  package func store(
    _ pieces: [[UInt8]], for objectFile: ObjectFile, source: SourceStamp
  ) throws(IndexWriteError) -> String {
    guard let name = fileName(for: objectFile) else { throw .noIdentity }
    let ending = IndexTrailer.ending(
      linkBase: objectFile.linkBase(), architecture: objectFile.architecture,
      source: source, of: pieces)
    let target = path(name)
    try makeDirectory()
    upkeep.begin(folder)
    do throws(FileWriteError) {
      try WholeFile.write(
        pieces + [ending], to: target,
        permissions: isCache ? FilePermissions(rawValue: 0o600) : nil,
        temporaryName: IndexFileName.temporary)
    } catch {
      throw IndexWriteError(error)
    }
    let size = pieces.reduce(UInt64(ending.count)) { $0 &+ UInt64($1.count) }
    upkeep.add(size, to: folder) { $0 == name }
    return target
  }

  /// Whether the file at `path` has the trailer of an index, maybe a damaged one: GSYM files of
  /// other programs have none.
  package static func isIndexOfThisProgram(_ path: String) -> Bool {
    do throws(IndexFileError) {
      return try IndexFile.open(path: path).trailer != nil
    } catch .trailer {
      return true
    } catch {
      return false
    }
  }

  func makeDirectory() throws(IndexWriteError) {
    try make(folder)
    if isCache, let exposure = folderExposure { throw .exposedCache(directory, exposure) }
  }

  /// Makes the folder of the indexes, or one in it: for the user alone if it is in the cache.
  func make(_ folder: CacheFolder) throws(IndexWriteError) {
    do throws(FileSystemError) {
      if isCache {
        try folder.makeDirectory()
      } else {
        try Directory.create(at: folder.directory, permissions: FilePermissions(rawValue: 0o777))
      }
    } catch {
      throw .cannotCreate(path: error.path, errno: error.errno.rawValue)
    }
  }
}

/// Why an index could not be written.
package enum IndexWriteError: Error, Hashable, Sendable {
  /// The image has neither UUID nor build-id by which the cache could find it.
  case noIdentity
  /// Others may write to the cache at this path, so nothing in it would be used.
  case exposedCache(String, IndexRefusal)
  case cannotCreate(path: String, errno: CInt)
  case cannotWrite(path: String, errno: CInt)

  init(_ error: FileWriteError) {
    self =
      switch error {
      case .cannotCreate(let path, let errno): .cannotCreate(path: path, errno: errno.rawValue)
      case .cannotWrite(let path, let errno): .cannotWrite(path: path, errno: errno.rawValue)
      }
  }
}

extension SourceStamp {
  /// The stamp of the file at `path` as it is now. Throws `inaccessible`.
  package init(ofFileAt path: String) throws(SymbolFileProblem) {
    do throws(FileSystemError) {
      let status = try FileStatus(path: path)
      self.init(
        size: status.size, modificationSeconds: status.modificationTime.seconds,
        modificationNanoseconds: status.modificationTime.nanoseconds, path: path)
    } catch {
      throw SymbolFileProblem(path: path, kind: .inaccessible(errno: error.errno.rawValue))
    }
  }
}
