/// A line of a source file, and a column if it is known.
public struct SourceLocation: Hashable, Sendable {
  /// The path that the debug information states: compilation directory, include directory and name,
  /// joined.
  public let path: String
  /// The line, counted from 1; 0 if the compiler states that the code belongs to no line.
  public let line: UInt32
  /// The column, counted from 1; 0 if it is not known.
  public let column: UInt32

  /// Makes a location; `line` and `column` count from 1, and a `column` of 0 is not known.
  public init(path: String, line: UInt32, column: UInt32 = 0) {
    self.path = path
    self.line = line
    self.column = column
  }

  /// The last component of the path, as `atos` prints it.
  ///
  /// A file in the root directory keeps its slash. Apple's tools print `/<compiler-generated>` for
  /// Swift's compiler-generated code, whose directory is `/`. In an absolute Windows path a
  /// backslash separates components too.
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
