extension String {
  /// Whether it is an absolute path of Windows: `C:\src\a.c`, `C:/src/a.c`, `\\server\share\a.c`. Compilers
  /// that run there write such paths for any target, Android's for ELF files among them.
  package var isAbsoluteWindowsPath: Bool {
    var bytes = utf8.makeIterator()
    guard let first = bytes.next(), let second = bytes.next() else { return false }
    if first == UInt8(ascii: "\\") { return second == UInt8(ascii: "\\") }
    guard second == UInt8(ascii: ":"), let third = bytes.next() else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
      && (third == UInt8(ascii: "\\") || third == UInt8(ascii: "/"))
  }
}
