import TestSupport
import Testing

@testable import symbolicate

/// `ExitStatus.combined`: of several the first of 1, 74, 73, 66, 65, 3, 2, as the help text says.
struct ExitStatusPrecedenceTests {
  private static let order: [Int32] = [1, 74, 73, 66, 65, 3, 2]

  @Test func ofAllPairs() throws {
    for (place, first) in Self.order.enumerated() {
      let winner = try require(ExitStatus(rawValue: first))
      for second in Self.order[place...] + [0] {
        let other = try require(ExitStatus(rawValue: second))
        expectEqual(ExitStatus.combined([winner, other]), winner)
      }
    }
  }

  @Test func ofNoneAndOfAll() {
    expectEqual(ExitStatus.combined([]), .success)
    expectEqual(ExitStatus.combined([.success]), .success)
    expectEqual(ExitStatus.combined(Set(ExitStatus.allCases)), .internalError)
  }
}
