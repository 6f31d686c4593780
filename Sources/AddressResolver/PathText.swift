// Paths as text: what is needed to make up where files may lie.

extension String {
  /// Whether it begins at the root.
  var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The folder of the file that the path leads to, relative or absolute as the path is.
  var folder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The path of what `relative` is in this folder.
  func appendingPath(_ relative: String) -> String {
    hasSuffix("/") ? self + relative : self + "/" + relative
  }
}

extension [String] {
  /// The same in the same order, each once.
  var withoutRepetitions: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Collection<UInt8> {
  /// Two lower-case hexadecimal digits a byte.
  var digits: String {
    map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
  }
}
