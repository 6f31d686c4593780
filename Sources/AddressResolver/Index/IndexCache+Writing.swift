import Glibc
package import ObjectFiles
package import SymbolIndex
import SystemPackage

extension IndexCache {
  /// Writes `index`, which was made of `objectFile`, under the name that `find(for:)` looks for.
  ///
  /// The file takes its place whole or not at all: it is written beside it, and to the disk, before it
  /// gets its name. A directory that is not there is made; those of the cache for the user alone. In
  /// the cache, the least recently used indexes are removed where there are too many bytes.
  ///
  /// - Parameter source: the stamp of the symbol file, from before it was read.
  /// - Returns: the index's path.
  package func store(
    _ index: IndexBuilder.Index, for objectFile: ObjectFile, source: SourceStamp
  ) throws(IndexWriteError) -> String {
    guard let name = fileName(for: objectFile) else { throw .noIdentity }
    let trailer = IndexTrailer(
      linkBase: objectFile.linkBase(), architecture: objectFile.architecture,
      source: source, of: index.pieces)
    let target = path(name)
    try makeDirectory()
    removeAbandonedFiles()
    let temporary = try createTemporaryFile(for: target)
    do {
      try temporary.descriptor.closeAfter {
        for piece in index.pieces { try temporary.descriptor.writeAll(piece) }
        try temporary.descriptor.writeAll(trailer.encoded)
        guard fsync(temporary.descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
      }
      guard unsafe rename(temporary.path, target) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      unsafe unlink(temporary.path)
      throw .cannotWrite(path: target, errno: Self.code(of: error))
    }
    removeLeastRecentlyUsed(except: name)
    return target
  }

  private func createTemporaryFile(
    for target: String
  ) throws(IndexWriteError) -> (descriptor: FileDescriptor, path: String) {
    do {
      while true {
        let path = path(IndexFileName.temporary(UInt64.random(in: .min ... .max)))
        do {
          return (
            try FileDescriptor.open(
              FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
              permissions: FilePermissions(rawValue: 0o666)),
            path
          )
        } catch Errno.fileExists {
          continue
        }
      }
    } catch {
      throw .cannotCreate(path: target, errno: Self.code(of: error))
    }
  }

  private func makeDirectory() throws(IndexWriteError) {
    // The specification of XDG_CACHE_HOME wants 0700 for what is missing.
    let mode: mode_t = isCache ? 0o700 : 0o777
    var missing = FilePath(directory)
    var made: [FilePath] = []
    while !missing.isEmpty, unsafe access(missing.string, F_OK) != 0 {
      made.append(missing)
      guard missing.removeLastComponent(), isCache else { break }
    }
    for path in made.reversed() where unsafe mkdir(path.string, mode) != 0 && errno != EEXIST {
      throw .cannotCreate(path: path.string, errno: errno)
    }
    var status = stat()
    guard unsafe stat(directory, &status) == 0 else {
      throw .cannotCreate(path: directory, errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .cannotCreate(path: directory, errno: ENOTDIR)
    }
  }

  /// swift-system throws `Errno` and nothing else from these calls, without saying so in their types.
  private static func code(of error: any Error) -> CInt {
    (error as? Errno ?? .ioError).rawValue
  }
}

/// Why an index could not be written.
package enum IndexWriteError: Error, Hashable, Sendable {
  /// The image has neither UUID nor build-id by which the cache could find it.
  case noIdentity
  case cannotCreate(path: String, errno: CInt)
  case cannotWrite(path: String, errno: CInt)
}
