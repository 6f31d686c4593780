/// An older name of Rust's that a C++ demangler has shown: its hash and its escapes are still
/// there, as in `_$LT$tauri..App$u20$as$u20$core..fmt..Debug$GT$::fmt::h0123456789abcdef`.
package enum RustEscapedName {
  /// The name without hash and escapes; nil if it does not end with a hash.
  package static func readable(_ name: String) -> String? {
    let name = withoutModule(name) ?? name
    guard name.utf8.count > hashLength, isHexadecimalDigit(name.utf8.last ?? 0),
      name.utf8.dropLast(hashLength - 1).last == UInt8(ascii: ":")
    else { return nil }
    let bytes = Array(name.utf8)
    let hash = bytes.suffix(hashLength)
    guard bytes.count > hashLength, hash.starts(with: "::h".utf8),
      hash.dropFirst(3).allSatisfy(isHexadecimalDigit)
    else { return nil }
    var shown: [UInt8] = []
    RustLegacyName.appendDecoded(of: bytes.dropLast(hashLength), to: &shown)
    return String(decoding: shown, as: UTF8.self)
  }

  /// The name without the number that LLVM puts behind the hash, ` (.llvm.16324810852684978592)`;
  /// nil if it has none.
  private static func withoutModule(_ name: String) -> String? {
    guard name.utf8.last == UInt8(ascii: ")") else { return nil }
    let inside = name.utf8.dropLast()
    let digits = inside.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let head = inside.dropLast(digits.count)
    let mark = " (.llvm.".utf8
    guard !digits.isEmpty, head.suffix(mark.count).elementsEqual(mark) else { return nil }
    return String(Substring(head.dropLast(mark.count)))
  }

  /// `::h` and 16 digits.
  private static let hashLength = 19

  private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

extension RustLegacyName {
  /// Decodes the parts of a path that stand between `::`.
  fileprivate static func appendDecoded(of path: ArraySlice<UInt8>, to shown: inout [UInt8]) {
    var rest = path
    while !rest.isEmpty {
      let end =
        rest.indices.first { rest[$0...].starts(with: "::".utf8) } ?? rest.endIndex
      appendDecoded(rest[..<end], to: &shown)
      rest = rest[end...]
      if !rest.isEmpty {
        shown += "::".utf8
        rest.removeFirst(2)
      }
    }
  }
}
