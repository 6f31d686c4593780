import SymbolicationModel

/// A name as Rust mangled it before v0: a nested C++ name (`_ZN…E`) whose last part is a hash.
/// Characters that a C++ identifier cannot have are written as escapes between dollar signs.
///
/// Source: what rustc 1.95 writes with `-C symbol-mangling-version=legacy`.
enum RustLegacyName {
  /// The path of `name`, such as `<alloc::vec::Vec<T> as core::fmt::Debug>::fmt`; nil if the name
  /// is malformed. A suffix follows in parentheses, as in C++ names (` (.cold)`).
  ///
  /// - Parameter keepsHash: whether to show the hash (`::h0123456789abcdef`) and the number that
  ///   the optimiser gives to functions it makes public (`.llvm.123`).
  static func demangled(_ name: String, keepsHash: Bool) -> String? {
    let bytes = Array(name.utf8)
    guard bytes.starts(with: "_ZN".utf8) else { return nil }
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes[3...]
    while let first = rest.first, first != UInt8(ascii: "E") {
      guard let part = takePart(&rest) else { return nil }
      parts.append(part)
    }
    guard rest.popFirst() != nil, parts.count > 1 else { return nil }
    if !keepsHash { parts.removeLast() }
    var shown: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { shown += "::".utf8 }
      appendDecoded(part, to: &shown)
    }
    return String(decoding: shown, as: UTF8.self)
      + RustSuffix.shown(rest, keepsLinkerNumber: keepsHash)
  }

  private static func takePart(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var length = 0
    while let byte = rest.first, byte.isDecimalDigit {
      length = length &* 10 &+ Int(byte - UInt8(ascii: "0"))
      guard length <= rest.count else { return nil }
      rest.removeFirst()
    }
    guard length > 0, length <= rest.count else { return nil }
    defer { rest.removeFirst(length) }
    return rest.prefix(length)
  }

  /// Decodes the parts of a path that stand between `::`.
  fileprivate static func appendDecoded(of path: ArraySlice<UInt8>, to shown: inout [UInt8]) {
    var rest = path
    while !rest.isEmpty {
      let end = rest.indices.first { rest[$0...].starts(with: "::".utf8) } ?? rest.endIndex
      appendDecoded(rest[..<end], to: &shown)
      rest = rest[end...]
      if !rest.isEmpty {
        shown += "::".utf8
        rest.removeFirst(2)
      }
    }
  }

  private static func appendDecoded(_ part: ArraySlice<UInt8>, to shown: inout [UInt8]) {
    var rest = part
    // An identifier may not begin with a dollar sign, so an underscore precedes it.
    if rest.starts(with: "_$".utf8) { rest.removeFirst() }
    while let byte = rest.first {
      if byte == UInt8(ascii: "$"), let (scalar, length) = escape(at: rest) {
        shown += Array(String(Character(scalar)).utf8)
        rest.removeFirst(length)
      } else if rest.starts(with: "..".utf8) {
        shown += "::".utf8
        rest.removeFirst(2)
      } else {
        shown.append(byte)
        rest.removeFirst()
      }
    }
  }

  /// The character of the escape at the start of `text`, and the length of the escape in bytes.
  private static func escape(at text: ArraySlice<UInt8>) -> (Unicode.Scalar, length: Int)? {
    // The longest is `$u10ffff$`.
    guard let end = text.dropFirst().prefix(8).firstIndex(of: UInt8(ascii: "$")) else { return nil }
    let code = text[text.startIndex + 1..<end]
    let length = code.count + 2
    switch String(decoding: code, as: UTF8.self) {
    case "SP": return ("@", length)
    case "BP": return ("*", length)
    case "RF": return ("&", length)
    case "LT": return ("<", length)
    case "GT": return (">", length)
    case "LP": return ("(", length)
    case "RP": return (")", length)
    case "C": return (",", length)
    case let digits where digits.utf8.first == UInt8(ascii: "u"):
      guard digits.utf8.dropFirst().first != UInt8(ascii: "+"),
        let scalar = UInt32(digits.dropFirst(), radix: 16).flatMap(Unicode.Scalar.init),
        scalar.properties.generalCategory != .control
      else { return nil }
      return (scalar, length)
    default: return nil
    }
  }
}

/// An older name of Rust's that a C++ demangler has shown: its hash and its escapes are still
/// there, as in `_$LT$tauri..App$u20$as$u20$core..fmt..Debug$GT$::fmt::h0123456789abcdef`.
package enum RustEscapedName {
  /// The name without hash and escapes; nil if it does not end with a hash.
  package static func readable(_ name: String) -> String? {
    let name = withoutModule(name) ?? name
    guard name.utf8.count > hashLength, name.utf8.last?.isLowercaseHexadecimalDigit == true,
      name.utf8.dropLast(hashLength - 1).last == UInt8(ascii: ":")
    else { return nil }
    let bytes = Array(name.utf8)
    let hash = bytes.suffix(hashLength)
    guard bytes.count > hashLength, hash.starts(with: "::h".utf8),
      hash.dropFirst(3).allSatisfy({ $0.isLowercaseHexadecimalDigit })
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
    let digits = inside.reversed().prefix { $0.isDecimalDigit }
    let head = inside.dropLast(digits.count)
    let mark = " (.llvm.".utf8
    guard !digits.isEmpty, head.suffix(mark.count).elementsEqual(mark) else { return nil }
    return String(Substring(head.dropLast(mark.count)))
  }

  /// `::h` and 16 digits.
  private static let hashLength = 19
}

/// A suffix that the optimiser or the linker adds to a Rust name: `.llvm.8423978345`, `.cold`,
/// `.123`.
enum RustSuffix {
  /// The suffix in parentheses, as in C++ names (` (.cold)`); empty if there is none.
  ///
  /// - Parameter keepsLinkerNumber: whether to show `.llvm.` and its number, which distinguish
  ///   functions of one name in several units.
  static func shown(_ suffix: ArraySlice<UInt8>, keepsLinkerNumber: Bool) -> String {
    var kept = suffix
    if !keepsLinkerNumber,
      let start = suffix.indices.first(where: { suffix[$0...].starts(with: ".llvm.".utf8) })
    {
      // Another suffix may follow the number.
      let behind = suffix[start...].dropFirst(6).drop { $0 != UInt8(ascii: ".") }
      kept = suffix[..<start] + behind
    }
    return kept.isEmpty ? "" : " (\(String(decoding: kept, as: UTF8.self)))"
  }
}
