import Demangling
import SymbolicationModel

/// Names of functions that a report has mangled, for people to read. Only summaries show them:
/// other outputs keep what the report has.
package enum ReadableName {
  /// The name demangled; the name itself if it is not mangled.
  package static func readable(_ name: String) -> String {
    guard let first = name.utf8.first else { return name }
    if first == UInt8(ascii: "_") || first == UInt8(ascii: "$"), ManglingScheme(of: name) != nil {
      var demangler = SymbolDemangler()
      return demangler.shownName(of: name, isMachOSymbol: false)
    }
    return RustEscapedName.readable(name) ?? name
  }
}
