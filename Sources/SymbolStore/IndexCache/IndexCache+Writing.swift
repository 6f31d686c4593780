import FileSystem
package import ObjectFiles
package import SymbolIndex
import SystemPackage

extension IndexCache {
  /// Writes an index under the name that `find(for:)` looks for, completely or not at all.
  ///
  /// A missing directory is made; in the cache, only the user may read it. In the cache, the least
  /// recently used indexes are removed if all together are too large.
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
    let trailer = IndexTrailer(
      linkBase: objectFile.linkBase(), architecture: objectFile.architecture,
      source: source, of: pieces)
    let target = path(name)
    try makeDirectory()
    removeAbandonedFiles()
    do throws(FileWriteError) {
      try WholeFile.write(
        pieces + [trailer.encoded], to: target, temporaryName: IndexFileName.temporary)
    } catch {
      switch error {
      case .cannotCreate(let path, let errno):
        throw .cannotCreate(path: path, errno: errno.rawValue)
      case .cannotWrite(let path, let errno):
        throw .cannotWrite(path: path, errno: errno.rawValue)
      }
    }
    removeLeastRecentlyUsed(except: name)
    return target
  }

  private func makeDirectory() throws(IndexWriteError) {
    // The XDG Base Directory Specification wants 0700 for missing directories.
    let permissions = FilePermissions(rawValue: isCache ? 0o700 : 0o777)
    var missing = FilePath(directory)
    var made: [FilePath] = []
    while !missing.isEmpty, !FileAccess.exists(missing.string) {
      made.append(missing)
      guard missing.removeLastComponent(), isCache else { break }
    }
    do throws(FileSystemError) {
      for path in made.reversed() {
        try Directory.create(at: path.string, permissions: permissions)
      }
      guard try FileStatus(path: directory).kind == .directory else {
        throw FileSystemError(path: directory, errno: .notDirectory)
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
  case cannotCreate(path: String, errno: CInt)
  case cannotWrite(path: String, errno: CInt)
}
