import Demangling
package import SymbolicationModel

/// Why names are shown mangled.
package struct NameLimits {
  private var demangler: SymbolDemangler

  package init(style: DemanglingStyle) {
    demangler = SymbolDemangler(style: style)
  }

  /// The limit that `rawName` is beyond.
  ///
  /// - Parameter rawName: the name as a symbol table or DWARF has it. Names in Mach-O symbol tables
  ///   have one underscore more than in DWARF.
  package mutating func limitExceeded(by rawName: String) -> DemanglingLimit? {
    let isMangled = ManglingScheme(of: rawName) != nil
    guard !isMangled, rawName.utf8.first == UInt8(ascii: "_") else {
      return demangler.limitExceeded(by: rawName)
    }
    return demangler.limitExceeded(by: String(Substring(rawName.utf8.dropFirst())))
  }
}

/// What the raw name of a Swift symbol reveals about its function.
package enum SwiftSymbols {
  /// Whether the function is a thunk: made by the compiler, it only calls another one.
  package static func isThunk(_ rawName: String) -> Bool { isSwiftThunk(rawName) }
}
