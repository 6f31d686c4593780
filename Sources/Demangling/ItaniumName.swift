/// Demangles C++ names (Itanium ABI) and shows them as LLVM's demangler does, because Apple's tools
/// use that one. The Swift runtime demangles them as libstdc++ does; the differences are evened out
/// here.
enum ItaniumName {
  /// The demangled name; nil if `name` cannot be demangled.
  static func demangled(_ name: String) -> String? {
    if let enclosing = enclosingFunction(ofBlock: name) {
      return demangled(enclosing).map { "invocation function for block in " + $0 }
    }
    if let shownName = SwiftRuntime.simplifiedName(of: name) {
      return withJoinedBrackets(withPlainSuffixes(shownName))
    }
    // The runtime accepts suffixes only after the parameters of functions. Rust's older names have
    // no parameters.
    guard let dot = suffixStart(of: name),
      let shownName = SwiftRuntime.simplifiedName(of: String(name[..<dot]))
    else { return nil }
    return "\(withJoinedBrackets(shownName)) (\(name[dot...]))"
  }

  /// The start of the suffix after a nested name (`_ZN…E.llvm.1`), or else the first dot.
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

  /// The mangled name of the function that a block is in, taken from the block's name
  /// (`___ZN3foo3barEv_block_invoke_2`). Nil if `name` is not that of a block.
  ///
  /// Clang puts two underscores in front of the function's name; older versions put three.
  private static func enclosingFunction(ofBlock name: String) -> String? {
    guard name.hasPrefix("___Z") || name.hasPrefix("____Z") else { return nil }
    // If there are several blocks, a number follows; then suffixes of the optimiser may follow.
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

  /// Writes the suffixes ` [clone .part.0] [clone .cold]` as ` (.part.0.cold)`.
  private static func withPlainSuffixes(_ shownName: String) -> String {
    guard shownName.utf8.last == UInt8(ascii: "]") else { return shownName }
    let opening = " [clone ".utf8
    var rest = shownName.utf8[...]
    var suffixes = ""
    while rest.last == UInt8(ascii: "]"), let start = rest.lastIndex(of: UInt8(ascii: " ")) {
      // `start` is the space within ` [clone .cold]`.
      let stem = rest[...start]
      guard stem.suffix(opening.count).elementsEqual(opening) else { break }
      suffixes = String(Substring(rest[start...].dropFirst().dropLast())) + suffixes
      rest = stem.dropLast(opening.count)
    }
    return suffixes.isEmpty ? shownName : "\(Substring(rest)) (\(suffixes))"
  }

  /// Writes `vector<vector<int> >` as `vector<vector<int>>`.
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
