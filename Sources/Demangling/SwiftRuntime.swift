import CDemangle
import Glibc  // The Runtime module, linked statically, takes symbols from it.
import Runtime

/// The demanglers that every Swift program carries in it.
enum SwiftRuntime {
  /// The runtime's demangler recurses, and what nests 50,000 deep takes more than the stack: a name of
  /// 150 KB did. Real names have up to some thousand bytes.
  static let lengthLimit = 16 << 10

  /// A Swift name as `swift-demangle --simplified` prints it, or a C++ name; nil where it cannot be
  /// demangled. Swift 3's names cannot.
  static func simplifiedName(of name: String) -> String? {
    guard name.utf8.count <= lengthLimit else { return nil }
    // `Symbol` is not `Sendable`: one is made per name and only its `String` kept.
    let symbol = SymbolicatedBacktrace.Symbol(
      imageIndex: -1, imageName: "", rawName: name, offset: 0, sourceLocation: nil)
    let shownName = symbol.name
    return shownName == name ? nil : shownName
  }

  /// A Swift name as `swift-demangle` prints it without options; nil where it cannot be demangled.
  static func fullName(of name: String) -> String? {
    guard name.utf8.count <= lengthLimit else { return nil }
    // Safe: the runtime reads as many bytes of `name` as it is told, and returns null or a string that
    // ends with 0, in memory of its own that is freed once.
    guard let start = unsafe swift_demangle(name, name.utf8.count, nil, nil, 0) else { return nil }
    defer { unsafe free(start) }
    let shownName = unsafe String(cString: start)
    return shownName == name ? nil : SwiftTypeSugar.applied(to: shownName)
  }
}
