package import SymbolicationModel

/// A named piece of code.
package struct Symbol: Hashable, Sendable {
  /// The name as the file has it: mangled, in Mach-O with the leading underscore. What is not UTF-8
  /// in it is replaced by U+FFFD.
  package let rawName: String
  /// From its first byte up to where it ends (`SymbolTable` says how that is found).
  package let addresses: Range<LinkAddress>

  package init(rawName: String, addresses: Range<LinkAddress>) {
    self.rawName = rawName
    self.addresses = addresses
  }
}
