import DwarfReader
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

extension DwarfReading {
  func frames(_ address: UInt64) throws -> [DwarfFrame] {
    try answerInBothWays(at: LinkAddress(address))?.frames ?? []
  }

  /// Innermost first.
  func names(_ address: UInt64) throws -> [String?] { try frames(address).map(\.name) }

  /// The location of the innermost frame.
  func name(_ address: UInt64) throws -> String? { try frames(address).first?.name }

  /// The location of the innermost frame.
  func range(_ address: UInt64) throws -> Range<LinkAddress>? { try frames(address).first?.range }

  func row(_ address: UInt64) throws -> SymbolicationModel.SourceLocation? {
    try answerInBothWays(at: LinkAddress(address))?.row
  }

  /// The answer for one address. An answer in numbers must be the same.
  private func answerInBothWays(at address: LinkAddress) throws -> DwarfAnswer? {
    let numbers = Mutex<[DwarfAnswer]>([])
    answer([NumberedAddress(address, number: 0)], jobs: 1) { found in
      numbers.withLock { $0 += found.answers.map(found.answer) }
    }
    let answer = try answer(at: address)
    numbers.withLock { expectTrue($0.allSatisfy { $0 == answer }) }
    return answer
  }
}

/// A range of link addresses.
func code(_ low: UInt64, _ high: UInt64) -> Range<LinkAddress> {
  LinkAddress(low)..<LinkAddress(high)
}
