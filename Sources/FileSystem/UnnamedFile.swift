import Platform
package import SystemPackage

/// A new file that has no name until it is complete. Whatever ends the process before, nothing is
/// left behind.
///
/// Linux has such files since 3.11, in ext4, XFS, Btrfs, tmpfs and others; network file systems and
/// FAT have none.
package struct UnnamedFile {
  package let descriptor: FileDescriptor

  /// Nil if there can be none in the folder, or it could not get a name later. The reason shows
  /// when a file with a name is made there.
  ///
  /// - Parameter folder: with the slash at its end; empty for the current one.
  package static func make(in folder: String, permissions: FilePermissions) -> UnnamedFile? {
    let number = unsafe (folder.isEmpty ? "." : folder).withPathBytes {
      unsafe openUnnamedFile(in: $0, permissions: permissions.rawValue)
    }
    guard number >= 0 else { return nil }
    let file = UnnamedFile(descriptor: FileDescriptor(rawValue: number))
    // Some containers and `chroot`s have no /proc.
    guard FileAccess.exists(file.path) else {
      try? file.descriptor.close()
      return nil
    }
    return file
  }

  /// A path that leads to it as long as the descriptor is open.
  package var path: String { Self.path(of: descriptor) }

  private static func path(of descriptor: FileDescriptor) -> String {
    "/proc/self/fd/\(descriptor.rawValue)"
  }

  /// Gives the file behind a descriptor a name. Throws `fileExists` if something is there.
  package static func link(_ descriptor: FileDescriptor, to path: String) throws(Errno) {
    let result = unsafe self.path(of: descriptor).withPathBytes { own in
      unsafe path.withPathBytes { path in
        uninterrupted { unsafe linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) }
      }
    }
    if result != 0 { throw .current }
  }
}

/// A file for bytes that no other process needs and that would take too much memory. It has no
/// name, or loses it before anything is written, so nothing is left behind however the process
/// ends.
package enum ScratchFile {
  /// Makes one in the first folder that has room for it.
  ///
  /// - Parameters:
  ///   - folders: a folder that is absent or cannot be written is passed over.
  ///   - size: the bytes that will be written. Where the file system can promise the room for them,
  ///     it does.
  /// - Returns: a descriptor for reading and writing; nil if no folder will do.
  package static func open(in folders: [String], size: UInt64) -> FileDescriptor? {
    for folder in folders {
      guard let file = open(in: folder) else { continue }
      if reserve(size, in: file) { return file }
      try? file.close()
    }
    return nil
  }

  /// The user's folders for temporary files: `TMPDIR`, and those of the system. In many systems
  /// `/tmp` is in memory, so it is the last.
  ///
  /// Soundness: the text is copied at once, and this program does not change its environment.
  package static var userFolders: [String] {
    let stated = unsafe getenv("TMPDIR").map { unsafe String(pathBytes: $0) }
    return [stated].compactMap(\.self).filter(\.isAbsolutePath) + ["/var/tmp", "/tmp"]
  }

  private static let permissions = FilePermissions(rawValue: 0o600)

  private static func open(in folder: String) -> FileDescriptor? {
    let number = unsafe folder.withPathBytes {
      unsafe openUnnamedFile(in: $0, permissions: permissions.rawValue)
    }
    if number >= 0 { return FileDescriptor(rawValue: number) }
    // Network file systems have none without a name.
    let path = folder.appendingPath(PartialFiles.name(.random(in: .min ... .max)))
    guard
      let (file, temporary) = try? TemporaryFile.create(
        at: path, permissions: permissions, access: .readWrite)
    else { return nil }
    try? removeFile(at: path)
    temporary.end()
    return file
  }

  /// False if there is less room. A file system that promises nothing is no reason not to write.
  private static func reserve(_ size: UInt64, in file: FileDescriptor) -> Bool {
    guard size > 0 else { return true }
    guard let size = Int64(exactly: size) else { return false }
    if uninterrupted({ reserveRoom(size, in: file.rawValue) }) == 0 { return true }
    return errno == EOPNOTSUPP || errno == ENOSYS
  }
}
