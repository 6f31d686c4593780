import Platform
package import SystemPackage

/// What the system knows about a file, from one call of `stat`.
package struct FileStatus: Hashable, Sendable {
  package let kind: FileKind
  /// In bytes. Of files of `/proc`, which have content, 0.
  package let size: UInt64
  /// When the content was last changed.
  package let modificationTime: FileTime
  /// When content, name, owner or permissions were last changed: `st_ctime`. Unlike the time of
  /// modification, no program can set it.
  package let changeTime: FileTime
  /// Which file it is, whatever path leads to it.
  package let identity: FileIdentity
  package let permissions: FilePermissions
  /// The number of the user who owns the file.
  package let owner: UInt32
  package let group: UInt32

  /// The status of what `path` leads to: symbolic links are followed.
  package init(path: String) throws(FileSystemError) {
    var status = stat()
    guard
      unsafe path.withPathBytes({ path in uninterrupted { unsafe stat(path, &status) } }) == 0
    else {
      throw FileSystemError(path: path, errno: .current)
    }
    self.init(status)
  }

  /// The status of what is at `path` itself, which may be a symbolic link.
  package init(withoutFollowingLinks path: String) throws(FileSystemError) {
    var status = stat()
    guard
      unsafe path.withPathBytes({ path in uninterrupted { unsafe lstat(path, &status) } }) == 0
    else {
      throw FileSystemError(path: path, errno: .current)
    }
    self.init(status)
  }

  /// The status of what `path` leads to from `directory`, an open directory: symbolic links are
  /// followed. Looking up many paths below one directory is faster so.
  package init(path: String, in directory: FileDescriptor) throws(FileSystemError) {
    var status = stat()
    let result = unsafe path.withPathBytes { path in
      uninterrupted { unsafe fstatat(directory.rawValue, path, &status, 0) }
    }
    guard result == 0 else {
      throw FileSystemError(path: path, errno: .current)
    }
    self.init(status)
  }

  /// The status of an open file. `path` names it in the error.
  package init(_ descriptor: FileDescriptor, path: String) throws(FileSystemError) {
    var status = stat()
    guard uninterrupted({ unsafe fstat(descriptor.rawValue, &status) }) == 0 else {
      throw FileSystemError(path: path, errno: .current)
    }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self.kind = .regularFile
    case S_IFDIR: self.kind = .directory
    case S_IFLNK: self.kind = .symbolicLink
    default: self.kind = .special
    }
    self.size = UInt64(clamping: status.st_size)
    self.modificationTime = FileTime(status.contentTime)
    self.changeTime = FileTime(status.changeTime)
    self.identity = FileIdentity(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    self.permissions = FilePermissions(rawValue: status.st_mode & 0o7777)
    self.owner = status.st_uid
    self.group = status.st_gid
  }
}

extension FileIdentity {
  /// Whether both paths lead to one thing that exists.
  package static func isSame(_ path: String, _ other: String) -> Bool {
    guard let status = try? FileStatus(path: path) else { return false }
    return (try? FileStatus(path: other))?.identity == status.identity
  }
}

/// What kind of thing a path leads to.
package enum FileKind: Hashable, Sendable {
  case regularFile
  case directory
  /// Only where links are not followed.
  case symbolicLink
  /// A pipe, a device or a socket: opening it may wait for another process, or do something.
  case special

  /// The kind of what `path` leads to; nil if the system does not say.
  package init?(path: String) {
    guard let status = try? FileStatus(path: path) else { return nil }
    self = status.kind
  }
}

/// A moment as the file system records it.
package struct FileTime: Hashable, Sendable, Comparable {
  /// Since 1970-01-01 00:00 UTC; may be negative.
  package let seconds: Int64
  /// Of that second: 0 to 999,999,999.
  package let nanoseconds: UInt32

  package init(seconds: Int64, nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: UInt32(clamping: time.tv_nsec))
  }

  package static func < (first: FileTime, second: FileTime) -> Bool {
    (first.seconds, first.nanoseconds) < (second.seconds, second.nanoseconds)
  }
}

/// What tells one file from all others on the machine: two paths with equal identities lead to the
/// same file, by links of any kind.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
}

/// Why what is in a file or folder may be another user's work.
package enum FileExposure: Hashable, Sendable {
  /// It belongs to another user, who is not the administrator.
  case otherOwner(UInt32)
  /// Users other than the owner may write to it.
  case writableByOthers(FilePermissions)
}

extension FileStatus {
  /// Whether others than this user and the administrator may have written what is there; nil if
  /// they cannot.
  ///
  /// A group counts as others, even if this user is alone in it: asking who is in a group would
  /// load the system's name services. An access control list shows in the bits of the group.
  package var exposure: FileExposure? {
    exposure(trusting: [], writers: [.groupWrite, .otherWrite])
  }

  /// The same, if some more owners are trusted, and only `writers` count as others.
  package func exposure(
    trusting owners: Set<UInt32>, writers: FilePermissions
  ) -> FileExposure? {
    guard owner == geteuid() || owner == 0 || owners.contains(owner) else {
      return .otherOwner(owner)
    }
    guard permissions.isDisjoint(with: writers) else { return .writableByOthers(permissions) }
    return nil
  }
}
