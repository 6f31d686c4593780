import CDemangle
import Glibc  // The Runtime module, linked statically, takes symbols from it.
import Runtime

/// The demanglers that are linked into every Swift program.
enum SwiftRuntime {
  /// The longest name that is demangled, in bytes. The runtime's demangler recurses: a name of 150
  /// KB, nested 50,000 deep, overflowed the stack. Real names have up to a few thousand bytes.
  static let lengthLimit = 16 << 10

  /// The demangled form of a Swift name, as `swift-demangle --simplified` prints it. Nil if the
  /// name cannot be demangled, as those of Swift 3.
  static func simplifiedName(of name: String) -> String? {
    guard name.utf8.count <= lengthLimit else { return nil }
    // `Symbol` is not `Sendable`, so one is made for each name and only its `String` is kept.
    let symbol = SymbolicatedBacktrace.Symbol(
      imageIndex: -1, imageName: "", rawName: name, offset: 0, sourceLocation: nil)
    let shownName = symbol.name
    return shownName == name ? nil : shownName
  }

  /// A Swift name as `swift-demangle` prints it without options; nil if it cannot be demangled.
  static func fullName(of name: String) -> String? {
    guard name.utf8.count <= lengthLimit else { return nil }
    // Safe: the runtime reads only the stated number of bytes of `name`. It returns null, or a
    // zero-terminated string in newly allocated memory, which is freed once.
    guard let start = unsafe swift_demangle(name, name.utf8.count, nil, nil, 0) else { return nil }
    defer { unsafe free(start) }
    let shownName = unsafe String(cString: start)
    return shownName == name ? nil : SwiftTypeSugar.applied(to: shownName)
  }
}
