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
