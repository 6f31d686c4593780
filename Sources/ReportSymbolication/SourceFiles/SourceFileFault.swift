package import SystemPackage

/// Why there are no lines of a source file.
package enum SourceFileFault: Error, Hashable, Sendable {
  /// There is no such file on this machine.
  case missing
  /// It is in none of the folders that sources may lie in.
  case outsideRoots
  case unreadable(Errno)
  /// A folder, a pipe, a device.
  case noRegularFile
  /// It has more bytes than are read.
  case tooLarge(limit: Int)
  /// It has bytes of value 0.
  case noText
  /// It ends before the line: it is not what was compiled.
  case tooShort
  /// As much as is read for one input has been read already.
  case beyondLimit(limit: Int)
}
