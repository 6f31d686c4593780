import SymbolicationModel
import TestSupport
import Testing

struct PartitionPointTests {
  @Test(arguments: 0...9)
  func isTheFirstElementBeyond(count: Int) {
    let elements = (0..<count).map { 2 * $0 }
    for probe in -1...2 * count {
      let expected = elements.firstIndex { $0 > probe } ?? elements.endIndex
      expectEqual(elements.partitionPoint { $0 > probe }, expected)
      expectEqual(elements.nearPartitionPoint { $0 > probe }, expected)
    }
  }

  @Test func isAnIndexOfTheSliceItself() {
    let slice = [9, 9, 1, 3, 5][2...]
    expectEqual(slice.partitionPoint { $0 > 2 }, 3)
    expectEqual(slice.partitionPoint { $0 > 5 }, 5)
    expectEqual((100..<200).partitionPoint { $0 >= 150 }, 150)
    expectEqual(slice.nearPartitionPoint { $0 > 2 }, 3)
    expectEqual(slice.nearPartitionPoint { $0 > 5 }, 5)
    expectEqual((100..<200).nearPartitionPoint { $0 >= 150 }, 150)
  }

  @Test func asksFewNearTheStart() {
    var questions = 0
    let found = (0..<1_000_000).nearPartitionPoint {
      questions += 1
      return $0 > 4
    }
    expectEqual(found, 5)
    #expect(questions < 8)
  }

  @Test func staysInBoundsOfUnsortedElements() {
    let elements = [5, 1, 4, 1, 3]
    for probe in 0...6 {
      expectTrue((0...elements.count).contains(elements.partitionPoint { $0 > probe }))
      expectTrue((0...elements.count).contains(elements.nearPartitionPoint { $0 > probe }))
    }
  }
}
