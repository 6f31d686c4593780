import DwarfReader
import SymbolicationModel

extension DwarfReading {
  func frames(_ address: UInt64) throws -> [DwarfFrame] {
    try answer(at: LinkAddress(address))?.frames ?? []
  }

  /// Innermost first.
  func names(_ address: UInt64) throws -> [String?] { try frames(address).map(\.name) }

  /// The location of the innermost frame.
  func name(_ address: UInt64) throws -> String? { try frames(address).first?.name }

  /// The location of the innermost frame.
  func range(_ address: UInt64) throws -> Range<LinkAddress>? { try frames(address).first?.range }

  func row(_ address: UInt64) throws -> SourceLocation? {
    try answer(at: LinkAddress(address))?.row
  }
}

/// A range of link addresses.
func code(_ low: UInt64, _ high: UInt64) -> Range<LinkAddress> {
  LinkAddress(low)..<LinkAddress(high)
}
