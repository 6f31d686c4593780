import SymbolicationModel
import Synchronization
import Testing

@Suite struct ParallelWorkTests {
  /// Whatever the sizes and jobs, each piece of work is done once.
  @Test(arguments: [1, 2, 3, 100]) func eachPieceIsDoneOnce(jobs: Int) {
    for sizes in [[], [0], [1, 2, 3], [1 << 20, 5, 1 << 30, 0, .max, .max, 7]] {
      let done = Mutex<[Int]>([])
      ParallelWork.perform(sizes: sizes, jobs: jobs) { index in done.withLock { $0.append(index) } }
      #expect(done.withLock { $0.sorted() } == Array(sizes.indices))
    }
  }

  /// Little work stays on this thread, in its order.
  @Test func littleWorkIsDoneInOrder() {
    let done = Mutex<[Int]>([])
    ParallelWork.perform(sizes: [1, 3, 2], jobs: 8) { index in done.withLock { $0.append(index) } }
    #expect(done.withLock { $0 } == [0, 1, 2])
  }
}
