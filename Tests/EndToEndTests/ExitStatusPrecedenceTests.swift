import Testing

@testable import symbolicate

/// `ExitStatus.combined`: of several the first of 1, 74, 73, 66, 65, 3, 2, as the help text says.
struct ExitStatusPrecedenceTests {
  private static let order: [Int32] = [1, 74, 73, 66, 65, 3, 2]

  @Test func ofAllPairs() throws {
    for (place, first) in Self.order.enumerated() {
      let winner = try #require(ExitStatus(rawValue: first))
      for second in Self.order[place...] + [0] {
        let other = try #require(ExitStatus(rawValue: second))
        #expect(ExitStatus.combined([winner, other]) == winner)
      }
    }
  }

  @Test func ofNoneAndOfAll() {
    #expect(ExitStatus.combined([]) == .success)
    #expect(ExitStatus.combined([.success]) == .success)
    #expect(ExitStatus.combined(Set(ExitStatus.allCases)) == .internalError)
  }
}
