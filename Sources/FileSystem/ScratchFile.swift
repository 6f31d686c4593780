import Platform
package import SystemPackage

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
