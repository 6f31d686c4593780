/// The nearest symbol before an address that has no name, and why it is not the name of the
/// address.
public struct SymbolRefusal: Hashable, Sendable {
  /// The name as the symbol file spells it.
  public let rawName: String
  /// Where the symbol begins; at or before the address.
  public let start: LinkAddress
  /// Why the symbol is not the name of the address.
  public let reason: Reason

  /// Why a symbol is not the name of an address.
  public enum Reason: Hashable, Sendable {
    /// The symbol has a stated size, or is a symbol stub, and ends here: the first address beyond
    /// it, at or before the one that was looked up.
    case endsAt(LinkAddress)
    /// The symbol is in another section than the address. The names are those of the symbol file
    /// (`__TEXT,__text`, `.text`); nil if the address is in no section.
    case anotherSection(own: String, ofAddress: String?)
    /// Another function begins here, between the symbol and the address, and no symbol names it
    /// (`LC_FUNCTION_STARTS`).
    case functionStart(LinkAddress)
    /// The system's shared cache hides the symbol's name (`<redacted>`).
    case hiddenName
  }

  /// Records why the symbol that begins at `start` is not the name of an address.
  public init(rawName: String, start: LinkAddress, reason: Reason) {
    self.rawName = rawName
    self.start = start
    self.reason = reason
  }
}
