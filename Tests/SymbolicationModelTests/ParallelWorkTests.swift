import SymbolicationModel
import Synchronization
import Testing

struct ParallelWorkTests {
  @Test(arguments: [0, 1, 2, 100], [1, 2, 8])
  func callsTheBodyOnceForEachIndex(count: Int, jobs: Int) {
    let calls = Mutex<[Int]>([])
    ParallelWork.perform(count: count, jobs: jobs) { index in
      calls.withLock { $0.append(index) }
    }
    #expect(calls.withLock { $0.sorted() } == Array(0..<count))
  }

  @Test func mayBeNested() {
    let sum = Atomic(0)
    ParallelWork.perform(count: 10, jobs: 3) { outer in
      ParallelWork.perform(count: 10, jobs: 3) { inner in
        sum.add(outer * 10 + inner, ordering: .relaxed)
      }
    }
    #expect(sum.load(ordering: .relaxed) == 4950)
  }
}
