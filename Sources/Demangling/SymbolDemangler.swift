import Glibc  // The Runtime module, linked statically, takes symbols from it.
import Runtime

/// Raw symbol names to the names that Apple's `atos` prints.
///
/// Swift names come out as `swift-demangle --simplified` prints them (no module names, no types,
/// argument labels kept), C++ names with their full signature; anything else, and what cannot be
/// demangled, comes out as it went in. The work is the Swift runtime's own: Swift `$s`, `$S`, `$e`,
/// `_T0`, and Itanium C++ `_Z`. It reads neither Swift 3's `_TF…` nor Rust's v0 names.
///
/// Names are remembered: the same name is demangled once.
package struct SymbolDemangler {
  private var shownNames: [String: String] = [:]

  package init() {}

  /// The name to show for `rawName`.
  ///
  /// - Parameter isMachOSymbol: whether the name stands in a Mach-O symbol table, where every name
  ///   has one underscore in front that is not part of it. Names in DWARF have none.
  package mutating func shownName(of rawName: String, isMachOSymbol: Bool) -> String {
    let name =
      isMachOSymbol && rawName.utf8.first == UInt8(ascii: "_")
      ? String(rawName.dropFirst()) : rawName
    guard Self.mayBeMangled(name) else { return name }
    if let known = shownNames[name] { return known }
    // `Symbol` is not `Sendable`: one is made per name and only its `String` kept.
    let symbol = SymbolicatedBacktrace.Symbol(
      imageIndex: -1, imageName: "", rawName: name, offset: 0, sourceLocation: nil)
    let shownName = symbol.name
    shownNames[name] = shownName
    return shownName
  }

  /// Whether a name, without the underscore of a Mach-O symbol table, looks mangled.
  package static func isMangled(_ name: String) -> Bool { mayBeMangled(name) }

  /// Whether the name begins as a mangled one does. It spares C and Objective-C names the way
  /// through the runtime.
  private static func mayBeMangled(_ name: String) -> Bool {
    name.hasPrefix("$") || name.hasPrefix("_$") || name.hasPrefix("_T") || name.hasPrefix("_Z")
      || name.hasPrefix("@__swiftmacro_")
  }
}
