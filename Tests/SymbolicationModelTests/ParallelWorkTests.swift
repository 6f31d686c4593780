import SymbolicationModel
import Synchronization
import TestSupport
import Testing

struct ParallelWorkTests {
  @Test(arguments: [0, 1, 2, 100], [1, 2, 8])
  func callsTheBodyOnceForEachIndex(count: Int, jobs: Int) {
    let calls = Mutex<[Int]>([])
    ParallelWork.perform(count: count, jobs: jobs) { index in
      calls.withLock { $0.append(index) }
    }
    expectEqual(calls.withLock { $0.sorted() }, Array(0..<count))
  }

  @Test func mayBeNested() {
    let sum = Atomic(0)
    ParallelWork.perform(count: 10, jobs: 3) { outer in
      ParallelWork.perform(count: 10, jobs: 3) { inner in
        sum.add(outer * 10 + inner, ordering: .relaxed)
      }
    }
    expectEqual(sum.load(ordering: .relaxed), 4950)
  }

  /// Whatever the sizes and jobs, each piece of work is done once.
  @Test(arguments: [1, 2, 3, 100]) func doesEachPieceOnce(jobs: Int) {
    for sizes in [[], [0], [1, 2, 3], [1 << 20, 5, 1 << 30, 0, .max, .max, 7]] {
      let done = Mutex<[Int]>([])
      ParallelWork.perform(sizes: sizes, jobs: jobs) { index in done.withLock { $0.append(index) } }
      expectEqual(done.withLock { $0.sorted() }, Array(sizes.indices))
    }
  }

  /// Little work stays on this thread, in its order.
  @Test func doesLittleWorkInOrder() {
    let done = Mutex<[Int]>([])
    ParallelWork.perform(sizes: [1, 3, 2], jobs: 8) { index in done.withLock { $0.append(index) } }
    expectEqual(done.withLock { $0 }, [0, 1, 2])
  }
}
