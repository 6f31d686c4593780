import Glibc
package import SystemPackage

/// Why a file was not written.
package enum FileWriteError: Error, Hashable, Sendable {
  case cannotCreate(path: String, Errno)
  case cannotWrite(path: String, Errno)
}

/// Writing files so that nobody ever sees half of one.
package enum WholeFile {
  /// Writes the file at `path` completely or not at all: the bytes go to a new file beside it,
  /// which takes its place when everything is written.
  ///
  /// A file that is replaced keeps its old content until the new one is on the disk, even if the
  /// system fails. For a file that did not exist there is nothing to lose, so nothing waits for the
  /// disk: for thousands of small results that was most of the time.
  ///
  /// The permissions of a file that is replaced are kept, a file without write permission is not
  /// replaced, and symbolic links are followed. A device or a pipe is written to as it is.
  package static func replace(
    path: String, with bytes: [UInt8]
  ) throws(FileWriteError) {
    try replace(path: path) { try $0.writeAll(bytes) }
  }

  /// Writes a file whose bytes come from `content`, piece by piece. `content` may only throw
  /// `Errno`.
  package static func replace(
    path: String, content: (FileDescriptor) throws -> Void
  ) throws(FileWriteError) {
    let status = try? FileStatus(path: path)
    if let status {
      guard status.kind == .regularFile else { return try writeInPlace(path: path, content) }
      do throws(FileSystemError) {
        try FileAccess.check(.write, path: path)
      } catch {
        throw .cannotCreate(path: path, error.errno)
      }
    }
    guard let target = FileLinks.target(of: path) else {
      throw .cannotCreate(path: path, .tooManySymbolicLinkLevels)
    }
    do throws(FileWriteError) {
      try write(
        to: target, permissions: status?.permissions, waitsForDisk: status != nil,
        temporaryName: { ".symbolicate-\($0).partial" }
      ) { descriptor in
        try content(descriptor)
        return true
      }
    } catch {
      // What the caller knows is the path that it gave.
      switch error {
      case .cannotCreate(_, let errno): throw .cannotCreate(path: path, errno)
      case .cannotWrite(_, let errno): throw .cannotWrite(path: path, errno)
      }
    }
  }

  /// Writes `pieces`, one after the other, to a new file that then takes the place of `path` in one
  /// step, whatever is there: a link is replaced and not followed.
  ///
  /// - Parameters:
  ///   - permissions: exactly those of the new file; nil for reading and writing by all, less the
  ///     process's mask.
  ///   - temporaryName: the name that the file has in the same folder until it is complete, made
  ///     with a random number. It is removed if anything fails.
  package static func write(
    _ pieces: [[UInt8]], to path: String, permissions: FilePermissions? = nil,
    temporaryName: (UInt64) -> String
  ) throws(FileWriteError) {
    try write(to: path, permissions: permissions, temporaryName: temporaryName) { descriptor in
      for piece in pieces { try descriptor.writeAll(piece) }
      return true
    }
  }

  /// Writes a file whose bytes come from `content`, piece by piece. If `content` returns false, the
  /// new file is removed and nothing else happens. `content` may only throw `Errno`.
  ///
  /// - Parameter waitsForDisk: whether the file takes its place only when it is on the disk.
  package static func write(
    to path: String, permissions: FilePermissions? = nil, waitsForDisk: Bool = true,
    temporaryName: (UInt64) -> String, content: (FileDescriptor) throws -> Bool
  ) throws(FileWriteError) {
    let temporary = try createBeside(path, permissions, temporaryName)
    do {
      let isComplete = try temporary.descriptor.closeAfter {
        // The process's mask was applied when it was made.
        if let permissions { fchmod(temporary.descriptor.rawValue, permissions.rawValue) }
        guard try content(temporary.descriptor) else { return false }
        if waitsForDisk, fsync(temporary.descriptor.rawValue) != 0 { throw Errno.current }
        return true
      }
      guard isComplete else {
        unsafe unlink(temporary.path)
        return
      }
      guard unsafe rename(temporary.path, path) == 0 else { throw Errno.current }
    } catch {
      unsafe unlink(temporary.path)
      throw .cannotWrite(path: path, errno(of: error))
    }
  }

  private static func createBeside(
    _ target: String, _ permissions: FilePermissions?, _ temporaryName: (UInt64) -> String
  ) throws(FileWriteError) -> (descriptor: FileDescriptor, path: String) {
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    do {
      while true {
        let path = folder + temporaryName(UInt64.random(in: .min ... .max))
        do {
          let descriptor = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: permissions ?? FilePermissions(rawValue: 0o666))
          return (descriptor, path)
        } catch Errno.fileExists {
          continue
        }
      }
    } catch {
      throw .cannotCreate(path: target, errno(of: error))
    }
  }

  private static func writeInPlace(
    path: String, _ content: (FileDescriptor) throws -> Void
  ) throws(FileWriteError) {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
    } catch {
      throw .cannotCreate(path: path, errno(of: error))
    }
    do {
      try descriptor.closeAfter { try content(descriptor) }
    } catch {
      throw .cannotWrite(path: path, errno(of: error))
    }
  }

  /// swift-system throws `Errno` and nothing else from these calls, without saying so in their
  /// types.
  private static func errno(of error: any Error) -> Errno { (error as? Errno) ?? .ioError }
}
