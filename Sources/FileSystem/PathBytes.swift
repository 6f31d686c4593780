import Platform
package import SystemPackage

// A path is bytes for the system, and not all of them are UTF-8. In this program it is a `String`
// that stands for exactly these bytes: each byte that is not part of UTF-8 is one private-use
// character, U+10FE00 plus the byte. (Python does the same with surrogates, PEP 383, which Swift's
// strings cannot hold.) A name that really has such a character in it is taken as bytes, too, so no
// two names become the same text.
//
// Text becomes a path where it comes from the system: arguments, environment, directories, links.
// It becomes bytes again in `FilePath(pathText:)` and `withPathBytes`, which all calls of the
// system go through. Other text that holds these characters, such as a path in a symbol file, only
// names another file by it: they stand for 0x80 to 0xff, never for a slash.

/// The characters that stand for bytes of paths.
package enum PathByte {
  private static let base: UInt32 = 0x10_fe00
  /// UTF-8 of all these characters, and of few others, begins with this byte.
  static let lead: UInt8 = 0xf4

  /// The byte that `scalar` stands for; nil for an ordinary character.
  @inline(__always)
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    let (byte, overflow) = scalar.value.subtractingReportingOverflow(base)
    return !overflow && (0x80...0xff).contains(byte) ? UInt8(byte) : nil
  }

  /// The character that stands for a byte from 0x80 on; a smaller one is a character itself.
  static func scalar(of byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(base + UInt32(byte)) ?? "\u{fffd}"
  }
}

extension String {
  /// The path that has these bytes.
  ///
  /// - Parameter bytes: without a zero at the end.
  package init(pathBytes bytes: some Collection<UInt8>) {
    self = unsafe Array(bytes).withUnsafeBytes { unsafe String(pathBytes: $0) }
  }

  /// The path that has these bytes. Not generic: the runtime would look up what the slices of each
  /// collection can do, which takes longer than all that one address needs besides.
  ///
  /// Soundness: the bytes are read before it returns.
  @unsafe package init(pathBytes bytes: UnsafeRawBufferPointer) {
    if let text = unsafe String(validating: bytes, as: UTF8.self), !text.hasPathBytes {
      self = text
      return
    }
    var scalars = UnicodeScalarView()
    var rest = unsafe bytes[...]
    while let first = unsafe rest.first {
      var parser = Unicode.UTF8.ForwardParser()
      var iterator = unsafe rest.makeIterator()
      if case .valid(let encoded) = unsafe parser.parseScalar(from: &iterator),
        PathByte.byte(of: Unicode.UTF8.decode(encoded)) == nil
      {
        scalars.append(Unicode.UTF8.decode(encoded))
        unsafe rest = rest.dropFirst(encoded.count)
      } else {
        scalars.append(PathByte.scalar(of: first))
        unsafe rest = rest.dropFirst()
      }
    }
    self = String(scalars)
  }

  /// The path that a string of C holds.
  ///
  /// Soundness: `path` must end with a zero. The bytes are copied.
  @unsafe package init(pathBytes path: UnsafePointer<CChar>) {
    let bytes = unsafe UnsafeRawBufferPointer(start: path, count: strlen(path))
    self = unsafe String(pathBytes: bytes)
  }

  /// Whether a byte of the path is not UTF-8.
  package var hasPathBytes: Bool {
    // Asked about every path of a symbol file, and almost always false.
    let hasLead = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memchr(start, Int32(PathByte.lead), bytes.count) != nil
    }
    return hasLead != false && unicodeScalars.contains { PathByte.byte(of: $0) != nil }
  }

  /// The bytes of the path.
  package var pathBytes: [UInt8] {
    guard hasPathBytes else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      PathByte.byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// The text as people see it: a byte that is not UTF-8 as `\xff`.
  package var shownPath: String {
    guard hasPathBytes else { return self }
    var shown = ""
    for scalar in unicodeScalars {
      if let byte = PathByte.byte(of: scalar) {
        shown += "\\x" + String(byte, radix: 16)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Calls `body` with the bytes of the path, and a zero after them.
  @unsafe package func withPathBytes<Result>(
    _ body: (UnsafePointer<CChar>) throws -> Result
  ) rethrows -> Result {
    guard hasPathBytes else { return try unsafe withCString(body) }
    return try unsafe body(pathBytes.map { CChar(bitPattern: $0) } + [0])
  }
}

extension FilePath {
  /// The path with the bytes of `text`.
  package init(pathText text: String) {
    self = unsafe text.withPathBytes { unsafe FilePath(platformString: $0) }
  }

  /// The path as text. (`string` replaces bytes that are not UTF-8.)
  package var pathText: String {
    unsafe withPlatformString { unsafe String(pathBytes: $0) }
  }
}

extension FilePath.Component {
  /// The name as text.
  package var pathText: String {
    unsafe withPlatformString { unsafe String(pathBytes: $0) }
  }
}

// Paths as text. Nothing here asks the system.

extension String {
  /// Whether the path begins at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The folder of the file that the path leads to: relative if the path is.
  package var folder: String {
    // Not a search for the character "/": a mark at the start of a name is one character with it.
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The folder with the slash after it, so that a name can follow; empty if there is no slash.
  package var folderPrefix: String {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<utf8.index(after: $0)]) } ?? ""
  }

  /// The path of `relative` in this folder: both with one slash between them.
  package func appendingPath(_ relative: String) -> String {
    utf8.last == UInt8(ascii: "/") ? self + relative : self + "/" + relative
  }
}
