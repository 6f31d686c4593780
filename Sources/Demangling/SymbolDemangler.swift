package import SymbolicationModel

/// Raw symbol names to the names that are shown.
///
/// Swift and C++ are demangled by the Swift runtime, Rust here. C and Objective-C names, and what cannot be
/// demangled, come out as they went in; Swift 3's names are among these.
///
/// Names are remembered: the same name is demangled once, as long as memory for that suffices.
package struct SymbolDemangler {
  private let style: DemanglingStyle
  private var shownNames: [String: String] = [:]
  /// How many bytes the names in `shownNames` have.
  private var rememberedByteCount = 0

  /// Past that the names are forgotten, and remembered anew. The most that was seen in a run is 2 MB,
  /// of 10,000 addresses.
  private static let rememberedByteLimit = 32 << 20

  package init(style: DemanglingStyle = .simplified) {
    self.style = style
  }

  /// The name to show for `rawName`.
  ///
  /// - Parameter isMachOSymbol: whether the name stands in a Mach-O symbol table, where every name
  ///   has one underscore in front that is not part of it. Names in DWARF have none.
  package mutating func shownName(of rawName: String, isMachOSymbol: Bool) -> String {
    let name =
      isMachOSymbol && rawName.utf8.first == UInt8(ascii: "_")
      ? String(Substring(rawName.utf8.dropFirst())) : rawName
    // C and Objective-C names are neither looked up nor kept.
    guard style != .raw, let scheme = ManglingScheme(of: name), scheme != .oldSwift else {
      return name
    }
    if let known = shownNames[name] { return known }
    // A name that says nothing (`_RC0`, a crate without one) is shown as it is.
    let demangled = Self.demangled(name, scheme, style) ?? ""
    let shownName = demangled.isEmpty ? name : demangled
    if rememberedByteCount > Self.rememberedByteLimit {
      shownNames.removeAll()
      rememberedByteCount = 0
    }
    shownNames[name] = shownName
    rememberedByteCount += name.utf8.count + shownName.utf8.count
    return shownName
  }

  private static func demangled(
    _ name: String, _ scheme: ManglingScheme, _ style: DemanglingStyle
  ) -> String? {
    switch scheme {
    case .swift:
      style == .full ? SwiftRuntime.fullName(of: name) : SwiftRuntime.simplifiedName(of: name)
    case .itanium: ItaniumName.demangled(name)
    case .rustLegacy:
      style == .atos
        ? ItaniumName.demangled(name)
        : RustLegacyName.demangled(name, keepsHash: style == .full) ?? ItaniumName.demangled(name)
    case .rustV0: RustV0Name.demangled(name, showsHashes: style == .full)
    case .oldSwift: nil
    }
  }
}
