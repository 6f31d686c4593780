extension String {
  /// Whether this is an absolute Windows path: `C:\src\a.c`, `C:/src/a.c`, `\\server\share\a.c`.
  /// Compilers on Windows write such paths for any target; those for Android write them to ELF
  /// files.
  package var isAbsoluteWindowsPath: Bool {
    var bytes = utf8.makeIterator()
    guard let first = bytes.next(), let second = bytes.next() else { return false }
    if first == UInt8(ascii: "\\") { return second == UInt8(ascii: "\\") }
    guard second == UInt8(ascii: ":"), let third = bytes.next() else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
      && (third == UInt8(ascii: "\\") || third == UInt8(ascii: "/"))
  }
}
