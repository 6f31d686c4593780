import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import SymbolTools

struct OrderedPartsTests {
  private final class Output: Sendable {
    let parts = Mutex<[[UInt8]]>([])
  }

  private struct Full: Error {}

  @Test(arguments: [1, 2, 4])
  func passesPartsOnInOrder(jobs: Int) throws {
    let output = Output()
    let parts = OrderedParts<any Error> { part in output.parts.withLock { $0.append(part) } }
    ParallelWork.perform(count: 1000, jobs: jobs) { index in
      // The even ones first, in descending order.
      let number = index < 500 ? 998 - 2 * index : 2 * (index - 500) + 1
      var part = parts.buffer()
      expectEmpty(part)
      part.append(UInt8(truncatingIfNeeded: number))
      parts.add(part, number: number)
    }
    try parts.finish()
    expectEqual(output.parts.withLock { $0 }, (0..<1000).map { [UInt8(truncatingIfNeeded: $0)] })
  }

  @Test func stopsAtAFailure() {
    let output = Output()
    let parts = OrderedParts<any Error> { part in
      if part == [2] { throw Full() }
      output.parts.withLock { $0.append(part) }
    }
    for number in [1, 0, 2, 3] { parts.add([UInt8(number)], number: number) }
    var failure: (any Error)?
    do { try parts.finish() } catch { failure = error }
    expectTrue(failure is Full)
    expectEqual(output.parts.withLock { $0 }, [[0], [1]])
  }
}
