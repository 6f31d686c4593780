package import SymbolicationModel

/// A named range of code.
package struct Symbol: Hashable, Sendable {
  /// The name as the file spells it: mangled, and with Mach-O's leading underscore. Bytes that are
  /// not UTF-8 are replaced by U+FFFD.
  package let rawName: String
  /// Half-open. `SymbolTable` says how the end is found.
  package let addresses: Range<LinkAddress>

  package init(rawName: String, addresses: Range<LinkAddress>) {
    self.rawName = rawName
    self.addresses = addresses
  }
}
