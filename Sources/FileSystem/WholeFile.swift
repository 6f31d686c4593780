import Platform
package import SystemPackage

/// Why a file was not written.
package enum FileWriteError: Error, Hashable, Sendable {
  case cannotCreate(path: String, Errno)
  case cannotWrite(path: String, Errno)
}

/// Writing files so that nobody ever sees half of one, and nothing is left of one that does not
/// become complete.
package enum WholeFile {
  /// Writes the file at `path` completely or not at all: the bytes go to a new file, without a name
  /// (`UnnamedFile`) or beside it, which takes its place when everything is written.
  ///
  /// A file that is replaced keeps its old content until the new one is on the disk, even if the
  /// system fails. For a file that did not exist there is nothing to lose, so nothing waits for the
  /// disk: for thousands of small results that was most of the time.
  ///
  /// The owner and the permissions of a file that is replaced are kept; if this process may not
  /// give the file to the owner, bits that let others run it as the owner (set-user-id) are
  /// dropped. A file without write permission is not replaced, and symbolic links are followed. A
  /// device or a pipe is written to as it is.
  ///
  /// - Parameter waitsForReader: whether a named pipe waits until somebody reads it. If not, and
  ///   nobody does, `noSuchAddressOrDevice` is thrown.
  package static func replace(
    path: String, with bytes: [UInt8], waitsForReader: Bool = true
  ) throws(FileWriteError) {
    try replaceIfWanted(path: path, waitsForReader: waitsForReader) { descriptor in
      try descriptor.writeAll(bytes)
      return true
    }
  }

  /// Writes a file whose bytes come from `content`, piece by piece. `content` may only throw
  /// `Errno`.
  package static func replace(
    path: String, content: (FileDescriptor) throws -> Void
  ) throws(FileWriteError) {
    try replaceIfWanted(path: path) { descriptor in
      try content(descriptor)
      return true
    }
  }

  /// The same, but if `content` returns false, the file stays as it was.
  package static func replaceIfWanted(
    path: String, waitsForReader: Bool = true, content: (FileDescriptor) throws -> Bool
  ) throws(FileWriteError) {
    let status: FileStatus?
    do throws(FileSystemError) {
      status = try FileStatus(path: path)
    } catch {
      // Of a file that is there, owner and permissions must be known.
      guard error.isAbsence else { throw .cannotCreate(path: path, error.errno) }
      status = nil
    }
    if let status {
      guard status.kind == .regularFile else {
        return try writeInPlace(path: path, waitsForReader, content)
      }
      do throws(FileSystemError) {
        try FileAccess.check(.write, path: path)
      } catch {
        throw .cannotCreate(path: path, error.errno)
      }
    }
    guard let target = FileLinks.target(of: path) else {
      throw .cannotCreate(path: path, .tooManySymbolicLinkLevels)
    }
    PartialFiles.removeAbandoned(in: target.folderPrefix)
    do throws(FileWriteError) {
      try write(
        to: target, permissions: status.map { $0.permissions.intersection(Self.harmless) },
        waitsForDisk: status != nil,
        temporaryName: PartialFiles.name
      ) { descriptor in
        guard try content(descriptor) else { return false }
        // Not before: each write of an ordinary user drops the set-user-id bit.
        if let status { try take(status, descriptor) }
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
    if let file = UnnamedFile.make(
      in: path.folderPrefix, permissions: permissions ?? FilePermissions(rawValue: 0o666))
    {
      return try write(to: path, file, permissions, waitsForDisk, temporaryName, content)
    }
    let (descriptor, temporary) = try createBeside(path, permissions, temporaryName)
    let lock = PartialFiles.keepLock(of: descriptor)
    defer {
      temporary.end()
      try? lock?.close()
    }
    do {
      if try fill(descriptor, permissions, waitsForDisk, content) {
        try renameFile(at: temporary.path, to: path)
      } else {
        try? removeFile(at: temporary.path)
      }
    } catch {
      try? removeFile(at: temporary.path)
      throw .cannotWrite(path: path, errno(of: error))
    }
  }

  /// Writes the file without a name first: it gets one when it is complete, so that nothing is left
  /// of it if the process is killed.
  private static func write(
    to path: String, _ file: UnnamedFile, _ permissions: FilePermissions?, _ waitsForDisk: Bool,
    _ temporaryName: (UInt64) -> String, _ content: (FileDescriptor) throws -> Bool
  ) throws(FileWriteError) {
    PartialFiles.lockUnnamed(file.descriptor)
    guard let kept = PartialFiles.keepLock(of: file.descriptor) else {
      let errno = Errno.current
      try? file.descriptor.close()
      throw .cannotCreate(path: path, errno)
    }
    defer { try? kept.close() }
    do {
      guard try fill(file.descriptor, permissions, waitsForDisk, content) else { return }
      do {
        try UnnamedFile.link(kept, to: path)
      } catch .fileExists {
        try replace(path, with: kept, temporaryName)
      }
    } catch {
      throw .cannotWrite(path: path, errno(of: error))
    }
  }

  /// A link cannot take the place of what is there, a rename can.
  private static func replace(
    _ path: String, with file: FileDescriptor, _ temporaryName: (UInt64) -> String
  ) throws {
    while true {
      let name = path.folderPrefix + temporaryName(UInt64.random(in: .min ... .max))
      do {
        let temporary = try TemporaryFile.link(file, at: name)
        defer { temporary.end() }
        do {
          return try renameFile(at: name, to: path)
        } catch {
          try? removeFile(at: name)
          throw error
        }
      } catch Errno.fileExists {
        continue
      }
    }
  }

  /// Writes a new file and closes it.
  ///
  /// - Returns: what `content` returned.
  private static func fill(
    _ descriptor: FileDescriptor, _ permissions: FilePermissions?, _ waitsForDisk: Bool,
    _ content: (FileDescriptor) throws -> Bool
  ) throws -> Bool {
    try descriptor.closingAfter {
      // The process's mask was applied when it was made.
      if let permissions { try call { fchmod(descriptor.rawValue, permissions.rawValue) } }
      guard try content(descriptor) else { return false }
      if waitsForDisk { try call { fsync(descriptor.rawValue) } }
      return true
    }
  }

  private static func call(_ call: () -> CInt) throws(Errno) {
    if uninterrupted(call) != 0 { throw .current }
  }

  /// All but those that let others run a file as its owner or group.
  private static let harmless = FilePermissions(rawValue: 0o1777)

  /// Gives the new file the owner and the group of the one that it replaces, and then the rest of
  /// its permissions.
  private static func take(_ status: FileStatus, _ descriptor: FileDescriptor) throws {
    let new = try FileStatus(descriptor, path: "")
    if (new.owner, new.group) != (status.owner, status.group) {
      let file = descriptor.rawValue
      guard uninterrupted({ fchown(file, status.owner, status.group) }) == 0 else { return }
    }
    guard !harmless.contains(status.permissions) else { return }
    try call { fchmod(descriptor.rawValue, status.permissions.rawValue) }
  }

  private static func createBeside(
    _ target: String, _ permissions: FilePermissions?, _ temporaryName: (UInt64) -> String
  ) throws(FileWriteError) -> (descriptor: FileDescriptor, file: TemporaryFile) {
    do {
      while true {
        let path = target.folderPrefix + temporaryName(UInt64.random(in: .min ... .max))
        do {
          let made = try TemporaryFile.create(
            at: path, permissions: permissions ?? FilePermissions(rawValue: 0o666))
          if PartialFiles.lock(made.descriptor) { return made }
          try? made.descriptor.close()
          try? removeFile(at: path)
          made.file.end()
        } catch Errno.fileExists {
          continue
        }
      }
    } catch {
      throw .cannotCreate(path: target, errno(of: error))
    }
  }

  private static func writeInPlace(
    path: String, _ waitsForReader: Bool, _ content: (FileDescriptor) throws -> Bool
  ) throws(FileWriteError) {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(
        FilePath(pathText: path), .writeOnly,
        options: waitsForReader ? .closeOnExec : [.closeOnExec, .nonBlocking])
      // A reader that is there may be slow.
      if !waitsForReader { _ = fcntl(descriptor.rawValue, F_SETFL, 0) }
    } catch {
      throw .cannotCreate(path: path, errno(of: error))
    }
    do {
      _ = try descriptor.closingAfter { try content(descriptor) }
    } catch {
      throw .cannotWrite(path: path, errno(of: error))
    }
  }

  /// swift-system throws `Errno` and nothing else from these calls, without saying so in their
  /// types.
  private static func errno(of error: any Error) -> Errno {
    (error as? Errno) ?? (error as? FileSystemError)?.errno ?? .ioError
  }
}
