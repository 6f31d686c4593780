/// The symbol nearest before an address that has no name, and why it is not the address's name.
public struct SymbolRefusal: Hashable, Sendable {
  /// As the symbol file spells it.
  public let rawName: String
  /// Where it begins; not beyond the address.
  public let start: LinkAddress
  public let reason: Reason

  public enum Reason: Hashable, Sendable {
    /// It has a stated size, or is a symbol stub, and this is the first address beyond it.
    case endsAt(LinkAddress)
    /// It is in another section than the address. Names as the symbol file has them (`__TEXT,__text`,
    /// `.text`); nil for an address in no section.
    case anotherSection(own: String, ofAddress: String?)
    /// Another function, which no symbol names, begins here, between the symbol and the address
    /// (`LC_FUNCTION_STARTS`).
    case functionStart(LinkAddress)
    /// It is the nearest, and the system's shared cache hides its name (`<redacted>`).
    case hiddenName
  }

  public init(rawName: String, start: LinkAddress, reason: Reason) {
    self.rawName = rawName
    self.start = start
    self.reason = reason
  }
}
