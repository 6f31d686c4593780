package import SymbolicationModel

/// Turns raw symbol names into the names that are shown.
///
/// The Swift runtime demangles Swift names, behind a guard (`SwiftNameMeter`); C++, Rust and Kotlin
/// names are demangled here. Names of C and Objective-C stay as they are, and so do names that
/// cannot be demangled, such as those of Swift 3, and names beyond a `DemanglingLimit`.
///
/// Names are remembered, so that each is demangled once as long as they take up to 32 MiB.
package struct SymbolDemangler {
  private var demanglers: Demanglers
  private var shownNames: [String: String] = [:]
  /// The size of the names in `shownNames`, in bytes.
  private var rememberedByteCount = 0

  /// Beyond this many bytes, all names are forgotten. The most that one run was seen to need is 2
  /// MB, for 10,000 addresses.
  private static let rememberedByteLimit = 32 << 20

  /// The greatest of the limits of all schemes (`DemanglingLimit.nameLength`), in bytes. Longer
  /// names are shown as they are, and not hashed.
  private static let longestName = 64 << 10

  package init(style: DemanglingStyle = .simplified) {
    demanglers = Demanglers(style: style)
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
    guard demanglers.style != .raw, let scheme = ManglingScheme(of: name), scheme != .oldSwift,
      name.utf8.count <= Self.longestName
    else { return name }
    if rememberedByteCount > Self.rememberedByteLimit {
      shownNames.removeAll()
      rememberedByteCount = 0
    }
    // One access to the dictionary: to hash a name takes a twentieth of the time to demangle it.
    return Self.shownName(
      of: name, scheme, rememberedAs: &shownNames[name], byteCount: &rememberedByteCount,
      &demanglers)
  }

  /// The name to show for a C++ type that is named as `std::type_info` names it
  /// (`St13runtime_error`); nil for any other text.
  package mutating func shownTypeName(of rawName: String) -> String? {
    let prefix = "typeinfo name for "
    // Types with other first letters, such as `i`, have no name of their own.
    guard demanglers.style != .raw, let first = rawName.utf8.first,
      first.isDecimalDigit || first == UInt8(ascii: "N")
        || first == UInt8(ascii: "S"),
      let shown = try? demanglers.demangled("_ZTS" + rawName, .itanium), shown.hasPrefix(prefix)
    else { return nil }
    return String(shown.dropFirst(prefix.count))
  }

  private static func shownName(
    of name: String, _ scheme: ManglingScheme, rememberedAs known: inout String?,
    byteCount: inout Int, _ demanglers: inout Demanglers
  ) -> String {
    if let known { return known }
    // An empty result is of no use to a reader (`_RC0`: a crate without a name), so the raw name is
    // shown.
    let demangled = (try? demanglers.demangled(name, scheme)) ?? ""
    let shownName = demangled.isEmpty ? name : demangled
    known = shownName
    byteCount += name.utf8.count + shownName.utf8.count
    return shownName
  }

  /// The limit that leaves `name` mangled; nil if it is demangled, or if it cannot be demangled for
  /// another reason. It is demangled anew: only explanations ask.
  ///
  /// - Parameter name: the name without the underscore of Mach-O symbol tables.
  package mutating func limitExceeded(by name: String) -> DemanglingLimit? {
    guard demanglers.style != .raw, let scheme = ManglingScheme(of: name) else { return nil }
    do {
      _ = try demanglers.demangled(name, scheme)
      return nil
    } catch {
      switch error {
      case .beyond(let limit): return limit
      case .malformed: return nil
      }
    }
  }
}

/// The demanglers of all schemes. Each keeps its memory for the next name.
private struct Demanglers {
  let style: DemanglingStyle
  private var itanium = ItaniumDemangler()
  private var swift = SwiftRuntime()

  init(style: DemanglingStyle) { self.style = style }

  mutating func demangled(
    _ name: String, _ scheme: ManglingScheme
  ) throws(DemanglingFailure) -> String {
    switch scheme {
    case .swift:
      return try style == .full ? swift.fullName(of: name) : swift.simplifiedName(of: name)
    case .itanium: return try itanium.demangled(name)
    case .rustLegacy:
      if style != .atos,
        let path = RustLegacyName.demangled(name, keepsHash: style == .full)
      {
        return path
      }
      return try itanium.demangled(name)
    case .rustV0: return try RustV0Name.demangled(name, showsHashes: style == .full)
    case .kotlin where style != .atos:
      return try KotlinName.demangled(name, showsPackages: style == .full)
    case .kotlin, .oldSwift: throw .malformed
    }
  }
}

/// Why a name cannot be demangled.
package enum DemanglingFailure: Error, Hashable {
  /// It does not follow the grammar of its scheme.
  case malformed
  case beyond(DemanglingLimit)
}
