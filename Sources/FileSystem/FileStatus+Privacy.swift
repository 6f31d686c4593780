import Platform
package import SystemPackage

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
