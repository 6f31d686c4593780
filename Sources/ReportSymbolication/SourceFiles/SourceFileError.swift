package import SystemPackage

/// Why lines of a source file are not shown.
package enum SourceFileError: Error, Hashable, Sendable {
  /// There is no such file on this machine.
  case missing
  /// It is outside the folders that source files must be in.
  case outsideRoots
  case unreadable(Errno)
  /// It is a folder, a pipe or a device.
  case notRegularFile
  /// It is larger than `limit` bytes.
  case tooLarge(limit: Int)
  /// It has zero bytes.
  case notText
  /// It ends before the line, so it is not the file that was compiled.
  case tooShort
  /// `limit` bytes have been read for this input already.
  case beyondLimit(limit: Int)
}
