extension String {
  /// The name of the file or directory at this path, without trailing slashes; the whole text if it
  /// has no name (`/`, or empty).
  package var lastPathComponent: String {
    let name = withBytes { bytes in
      var end = bytes.count
      while end > 0, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
      var start = end
      while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
      return start..<end
    }
    guard !name.isEmpty else { return self }
    return String(Substring(utf8.prefix(name.upperBound).dropFirst(name.lowerBound)))
  }

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

/// A path as it is written in a URL: each byte except letters, digits, slashes and `-._~` (RFC
/// 3986, 2.3) as `%2F`.
package func percentEncoded(_ path: [UInt8]) -> String {
  path.reduce(into: "") { text, byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      text.unicodeScalars.append(Unicode.Scalar(byte))
    default: text += "%" + byte.hexadecimalDigits(count: 2, uppercase: true)
    }
  }
}
