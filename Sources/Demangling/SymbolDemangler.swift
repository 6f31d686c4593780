package import SymbolicationModel

/// Turns raw symbol names into the names that are shown.
///
/// The Swift runtime demangles Swift names; C++ and Rust names are demangled here. Names of C and
/// Objective-C stay as they are, and so do names that cannot be demangled, such as those of Swift
/// 3.
///
/// Names are remembered, so that each is demangled once as long as they take up to 32 MiB.
package struct SymbolDemangler {
  private let style: DemanglingStyle
  private var itanium = ItaniumDemangler()
  private var shownNames: [String: String] = [:]
  /// The size of the names in `shownNames`, in bytes.
  private var rememberedByteCount = 0

  /// Beyond this many bytes, all names are forgotten. The most that one run was seen to need is 2
  /// MB, for 10,000 addresses.
  private static let rememberedByteLimit = 32 << 20

  package init(style: DemanglingStyle = .simplified) {
    self.style = style
  }

  /// The name to show for `rawName`.
  ///
  /// - Parameter isMachOSymbol: whether the name is from a Mach-O symbol table, where an underscore
  ///   that is not part of the name precedes every name. Names in DWARF have no such underscore.
  package mutating func shownName(of rawName: String, isMachOSymbol: Bool) -> String {
    let name =
      isMachOSymbol && rawName.utf8.first == UInt8(ascii: "_")
      ? String(Substring(rawName.utf8.dropFirst())) : rawName
    // C and Objective-C names are neither looked up nor remembered.
    guard style != .raw, let scheme = ManglingScheme(of: name), scheme != .oldSwift else {
      return name
    }
    if let known = shownNames[name] { return known }
    // An empty result is of no use to a reader (`_RC0`: a crate without a name), so the raw name is
    // shown.
    let demangled = demangled(name, scheme) ?? ""
    let shownName = demangled.isEmpty ? name : demangled
    if rememberedByteCount > Self.rememberedByteLimit {
      shownNames.removeAll()
      rememberedByteCount = 0
    }
    shownNames[name] = shownName
    rememberedByteCount += name.utf8.count + shownName.utf8.count
    return shownName
  }

  private mutating func demangled(_ name: String, _ scheme: ManglingScheme) -> String? {
    switch scheme {
    case .swift:
      style == .full ? SwiftRuntime.fullName(of: name) : SwiftRuntime.simplifiedName(of: name)
    case .itanium: itanium.demangled(name)
    case .rustLegacy:
      style == .atos
        ? itanium.demangled(name)
        : RustLegacyName.demangled(name, keepsHash: style == .full) ?? itanium.demangled(name)
    case .rustV0: RustV0Name.demangled(name, showsHashes: style == .full)
    case .oldSwift: nil
    }
  }
}
