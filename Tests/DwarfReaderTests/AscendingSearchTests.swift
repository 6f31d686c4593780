import TestSupport
import Testing

@testable import DwarfReader

/// The searches that continue where the last one ended. The referees are those that do not.
struct AscendingSearchTests {
  /// Few addresses, so that sequences and scopes overlap, touch and leave gaps.
  private static let addresses: ClosedRange<UInt64> = 0...64

  @Test(arguments: 0..<200 as Range<UInt64>)
  func rows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = LineTable()
    for number in 0..<UInt32.random(in: 0...8, using: &random) {
      let low = UInt64.random(in: Self.addresses, using: &random)
      let high = UInt64.random(in: low...Self.addresses.upperBound + 8, using: &random)
      var line: UInt32 = 0
      for address in low..<max(low + 1, high)
      where address == low || Bool.random(using: &random) {
        line += 1
        table.append(LineRow(address: address, file: number, line: line, column: 0))
      }
      _ = table.endSequence(at: high) { _ in true }
    }
    _ = table.finish()
    var position = LineTable.Position()
    for address in 0..<80 as Range<UInt64> where Int.random(in: 0..<4, using: &random) > 0 {
      expectEqual(table.row(at: address, near: &position), table.row(at: address))
    }
    // Also where the addresses do not ascend.
    for _ in 0..<40 {
      let address = UInt64.random(in: 0..<80, using: &random)
      expectEqual(table.row(at: address, near: &position), table.row(at: address))
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func scopes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = ScopeTable()
    for number in 0..<UInt64.random(in: 0...12, using: &random) {
      let pieces = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let low = UInt64.random(in: Self.addresses, using: &random)
        return low..<UInt64.random(in: low + 1...Self.addresses.upperBound + 8, using: &random)
      }
      _ = table.append(dieOffset: number, parent: nil, isInlined: false, pieces: pieces)
    }
    table.finish()
    var position = 0
    for address in 0..<80 as Range<UInt64> where Int.random(in: 0..<4, using: &random) > 0 {
      expectEqual(
        table.innermostScope(at: address, near: &position), table.innermostScope(at: address))
    }
    for _ in 0..<40 {
      let address = UInt64.random(in: 0..<80, using: &random)
      expectEqual(
        table.innermostScope(at: address, near: &position), table.innermostScope(at: address))
    }
  }
}
