/// One function of an answer, and where in it the address lies.
public struct ResolvedFrame: Hashable, Sendable {
  /// The name to show: demangled if it can be.
  public let name: String
  /// The name as the symbol file spells it, with Mach-O's leading underscore.
  public let rawName: String
  /// The source line of the address. In the innermost frame it is that of the line row that covers
  /// the address; in every other frame it is that of the call to the next inner one. Nil if the
  /// symbol file does not state it.
  public let location: SourceLocation?
  /// The start of the contiguous range of this function's code, or of its inlined body, that holds
  /// the address.
  public let rangeStart: LinkAddress

  /// Makes a frame. `location` is nil if the source line is not known.
  public init(
    name: String, rawName: String, location: SourceLocation?, rangeStart: LinkAddress
  ) {
    self.name = name
    self.rawName = rawName
    self.location = location
    self.rangeStart = rangeStart
  }
}
