/// Names of C++ (Itanium ABI), in the form of LLVM's demangler, which Apple's tools use, as far as it
/// differs from the runtime's, which is that of libstdc++.
enum ItaniumName {
  /// Nil where `name` cannot be demangled.
  static func demangled(_ name: String) -> String? {
    if let enclosing = enclosingFunction(ofBlock: name) {
      return demangled(enclosing).map { "invocation function for block in " + $0 }
    }
    if let shownName = SwiftRuntime.simplifiedName(of: name) {
      return withJoinedBrackets(withPlainSuffixes(shownName))
    }
    // The runtime takes suffixes only behind the parameters of functions. Rust's older names have none.
    guard let dot = suffixStart(of: name),
      let shownName = SwiftRuntime.simplifiedName(of: String(name[..<dot]))
    else { return nil }
    return "\(withJoinedBrackets(shownName)) (\(name[dot...]))"
  }

  /// Where a suffix begins behind a nested name (`_ZN…E.llvm.1`), or else the first dot.
  private static func suffixStart(of name: String) -> String.Index? {
    let bytes = name.utf8
    var start: String.Index?
    var previous: UInt8 = 0
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "."), previous == UInt8(ascii: "E") || start == nil {
        start = index
      }
      previous = bytes[index]
    }
    return start
  }

  /// The function a block stands in, by the block's name: `___ZN3foo3barEv_block_invoke_2`. Clang puts two
  /// underscores in front of the function's name, older ones three. Nil where `name` is no block's.
  private static func enclosingFunction(ofBlock name: String) -> String? {
    guard name.hasPrefix("___Z") || name.hasPrefix("____Z") else { return nil }
    // A number follows where there are several, and what the optimiser writes behind names.
    let bytes = name.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    var stem = bytes[..<end]
    if let last = stem.last, isDigit(last) {
      while let last = stem.last, isDigit(last) { stem.removeLast() }
      guard stem.popLast() == UInt8(ascii: "_") else { return nil }
    }
    let marker = "_block_invoke".utf8
    guard stem.suffix(marker.count).elementsEqual(marker) else { return nil }
    let enclosing = stem.dropLast(marker.count).drop { $0 == UInt8(ascii: "_") }
    return "_\(Substring(enclosing))"
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// ` [clone .part.0] [clone .cold]` is ` (.part.0.cold)`.
  private static func withPlainSuffixes(_ shownName: String) -> String {
    guard shownName.utf8.last == UInt8(ascii: "]") else { return shownName }
    let opening = " [clone ".utf8
    var rest = shownName.utf8[...]
    var suffixes = ""
    while rest.last == UInt8(ascii: "]"), let start = rest.lastIndex(of: UInt8(ascii: " ")) {
      // The blank within ` [clone .cold]`.
      let stem = rest[...start]
      guard stem.suffix(opening.count).elementsEqual(opening) else { break }
      suffixes = String(Substring(rest[start...].dropFirst().dropLast())) + suffixes
      rest = stem.dropLast(opening.count)
    }
    return suffixes.isEmpty ? shownName : "\(Substring(rest)) (\(suffixes))"
  }
  /// `vector<vector<int> >` is `vector<vector<int>>`.
  private static func withJoinedBrackets(_ shownName: String) -> String {
    var joined: [UInt8] = []
    let bytes = Array(shownName.utf8)
    joined.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: " "), joined.last == UInt8(ascii: ">"), index + 1 < bytes.count,
        bytes[index + 1] == UInt8(ascii: ">")
      {
        continue
      }
      joined.append(byte)
    }
    return joined.count == bytes.count ? shownName : String(decoding: joined, as: UTF8.self)
  }
}
