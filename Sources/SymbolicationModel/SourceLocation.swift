/// A place in a source file.
public struct SourceLocation: Hashable, Sendable {
  /// The path as the debug information composes it: compilation directory, include directory, name.
  public let path: String
  /// 1-based; 0 where the compiler says that the code belongs to no line.
  public let line: UInt32
  /// 1-based; 0 where it is not known.
  public let column: UInt32

  public init(path: String, line: UInt32, column: UInt32 = 0) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The last component of the path, as `atos` prints it. A file that lies in the root directory
  /// itself keeps its slash: `/<compiler-generated>` is what Apple's tools print for Swift's
  /// compiler-generated code, whose directory is `/`. In an absolute path of Windows a backslash
  /// separates too.
  public var fileName: String {
    let bytes = path.utf8
    if path.isAbsoluteWindowsPath {
      let isSeparator = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
      guard let last = bytes.lastIndex(where: isSeparator) else { return path }
      return String(path[bytes.index(after: last)...])
    }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash != bytes.startIndex else {
      return path
    }
    return String(path[bytes.index(after: slash)...])
  }
}
