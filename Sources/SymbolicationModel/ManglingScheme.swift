/// The scheme that mangled a symbol's name.
///
/// It is judged by little more than the start of the name, so a name of a scheme may still turn out
/// not to be demangled by it.
public enum ManglingScheme: String, Hashable, Sendable {
  /// Swift 4 and later: `$s`, `$S`, `$e` (Embedded Swift), `_T0` (4.0), each also after an
  /// underscore, and `@__swiftmacro_`.
  case swift
  /// Swift 3 and older, and the names that Swift still gives its types in the Objective-C runtime:
  /// `_TF…`, `_TtC…`. The Swift runtime does not demangle them.
  case oldSwift
  /// C++ (Itanium ABI): `_Z…`; and blocks in C++ functions: `___Z…_block_invoke`.
  case itanium
  /// Rust before v0: a C++ name whose last part is a hash, `_ZN…17h0123456789abcdefE`.
  case rustLegacy
  /// Rust v0 (RFC 2603): `_R…`.
  case rustV0
  /// Kotlin/Native: `kfun:…`.
  case kotlin

  /// The scheme of `name`; nil if it is not mangled, as in C and Objective-C.
  ///
  /// Cost: a few bytes are read, and all bytes of C++ names.
  ///
  /// - Parameter name: the name as a compiler writes it, without the underscore that Mach-O puts in
  ///   front of every symbol.
  package init?(of name: String) {
    switch name.utf8.first {
    case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "@"): break
    case UInt8(ascii: "k") where name.hasPrefix("kfun:"):
      self = .kotlin
      return
    default: return nil
    }
    guard let scheme = Self.scheme(of: name.utf8.span) else { return nil }
    self = scheme
  }

  /// The scheme of a name as a symbol table spells it; nil if it is not mangled.
  ///
  /// - Parameter isMachOSymbol: whether the name is from a Mach-O symbol table and so begins with
  ///   one more underscore.
  package init?(of rawName: String, isMachOSymbol: Bool) {
    if isMachOSymbol, rawName.utf8.first == UInt8(ascii: "_") {
      self.init(of: String(Substring(rawName.utf8.dropFirst())))
    } else {
      self.init(of: rawName)
    }
  }

  private static func scheme(of name: Span<UInt8>) -> ManglingScheme? {
    func at(_ index: Int) -> UInt8 { index < name.count ? name[index] : 0 }
    if at(0) == UInt8(ascii: "@") {
      return hasPrefix("@__swiftmacro_", name) ? .swift : nil
    }
    let dollar = at(0) == UInt8(ascii: "_") ? 1 : 0
    if at(dollar) == UInt8(ascii: "$") {
      switch at(dollar + 1) {
      case UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "e"): return .swift
      default: return nil
      }
    }
    switch at(1) {
    case UInt8(ascii: "Z"): return isRustLegacy(name) ? .rustLegacy : .itanium
    case UInt8(ascii: "R"): return isRustV0(name) ? .rustV0 : nil
    case UInt8(ascii: "T"):
      if at(2) == UInt8(ascii: "0") { return .swift }
      return isOldSwift(name) ? .oldSwift : nil
    case UInt8(ascii: "_"):
      return hasPrefix("___Z", name) || hasPrefix("____Z", name) ? .itanium : nil
    default: return nil
    }
  }

  private static func hasPrefix(_ prefix: StaticString, _ name: Span<UInt8>) -> Bool {
    guard name.count >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount
    where unsafe name[index] != prefix.utf8Start[index] {
      return false
    }
    return true
  }

  /// Whether the name is `_ZN…17h`, 16 hexadecimal digits and `E`. Suffixes of later stages, which
  /// begin with a dot, may follow. A C++ function of such a name has its parameters after the `E`.
  private static func isRustLegacy(_ name: Span<UInt8>) -> Bool {
    guard hasPrefix("_ZN", name), name.count >= 3 + 20 else { return false }
    var end = name.count
    if name[end - 1] != UInt8(ascii: "E") {
      // Suffixes are lower-case words and numbers, so they have no capital E; the digits after
      // `.llvm.` may, but no dot follows it there.
      var index = end - 1
      while index >= 23, name[index] != UInt8(ascii: "E") || name[index + 1] != UInt8(ascii: ".") {
        index -= 1
      }
      guard index >= 22 else { return false }
      end = index + 1
    }
    let hash = end - 20
    guard hash >= 3, name[hash] == UInt8(ascii: "1"), name[hash + 1] == UInt8(ascii: "7"),
      name[hash + 2] == UInt8(ascii: "h")
    else { return false }
    for index in hash + 3..<end - 1 {
      guard name[index].isLowercaseHexadecimalDigit else { return false }
    }
    return true
  }

  /// Whether `_R` is followed by the start of a path. C functions have such names too
  /// (`_RNG_init`).
  private static func isRustV0(_ name: Span<UInt8>) -> Bool {
    func at(_ index: Int) -> UInt8 { index < name.count ? name[index] : 0 }
    func isTag(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "C"), UInt8(ascii: "M"), UInt8(ascii: "X"), UInt8(ascii: "Y"),
        UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "B"):
        true
      default: false
      }
    }
    func isIdentifierStart(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "s") || byte == UInt8(ascii: "u") || byte.isDecimalDigit
    }
    switch at(2) {
    case UInt8(ascii: "N"):
      return (UInt8(ascii: "A")...UInt8(ascii: "z")).contains(at(3)) && isTag(at(4))
    case UInt8(ascii: "I"): return isTag(at(3))
    case UInt8(ascii: "C"): return isIdentifierStart(at(3))
    case UInt8(ascii: "M"), UInt8(ascii: "X"): return at(3) == UInt8(ascii: "s") || isTag(at(3))
    case UInt8(ascii: "Y"): return at(3) != 0
    default: return false
    }
  }

  /// Whether `_T` is followed by a letter for the kind of entity, and then by letters and digits
  /// with at least one digit (the length of a name) or one name of the standard library (`SS`). C
  /// functions have such names too (`_TIFFOpen`).
  private static func isOldSwift(_ name: Span<UInt8>) -> Bool {
    guard name.count > 3 else { return false }
    switch name[2] {
    case UInt8(ascii: "F"), UInt8(ascii: "I"), UInt8(ascii: "M"), UInt8(ascii: "P"),
      UInt8(ascii: "T"), UInt8(ascii: "W"), UInt8(ascii: "Z"), UInt8(ascii: "i"),
      UInt8(ascii: "t"), UInt8(ascii: "v"):
      break
    default: return false
    }
    var saysWhere = false
    for index in 3..<name.count {
      switch name[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): saysWhere = true
      case UInt8(ascii: "S") where index + 1 < name.count && name[index + 1] != UInt8(ascii: "_"):
        saysWhere = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
        continue
      default: return false
      }
    }
    return saysWhere
  }
}
