import Platform
import Synchronization

/// Work on several threads that ends before the call returns.
///
/// It uses the system's threads and not tasks: linking Swift's concurrency runtime costs every run
/// of the program 0.2 to 0.9 ms at its start (measured with Swift 6.3 on Linux, statically linked),
/// and most runs look up one address.
package enum ParallelWork {
  /// How many threads the machine can run at the same time; at least 1.
  package static var processorCount: Int { ThisProcess.processorCount }

  /// Calls `body` once for each index below `count`, on up to `jobs` threads including this one,
  /// and returns when all calls have returned.
  ///
  /// Each thread takes the next index when it has finished one, so unequal pieces of work spread
  /// evenly. If the system refuses further threads, the existing ones do the work. While an
  /// `OrderedWork` is under way, its idle threads help, and no others are started.
  ///
  /// - Parameter body: called from several threads. Calls begin in ascending order of the index.
  package static func perform(count: Int, jobs: Int, _ body: @Sendable (Int) -> Void) {
    guard jobs > 1, count > 1 else {
      for index in 0..<count { body(index) }
      return
    }
    let helperCount = min(jobs, count) - 1
    withoutActuallyEscaping(body) { body in
      let work = Work(count: count, body: body)
      if let crew = crew.withLock({ $0 }) {
        crew.help(with: work, helperCount: helperCount)
      } else {
        let threads = Threads(count: helperCount) { work.run() }
        work.run()
        threads.join()
      }
      work.end()
    }
  }

  /// Starting a thread and giving it memory takes about as long as decoding so many bytes. A thread
  /// is worth it for twice as many.
  private static let costOfAThread = 1 << 17
  /// What each piece of work costs besides, as a number of bytes.
  private static let costOfAPiece = 1 << 13

  /// Calls `body` once for each index of `sizes`, the greatest size first, and returns when all
  /// calls have returned. Thus no thread waits long for another at the end.
  ///
  /// - Parameters:
  ///   - sizes: the number of bytes that each piece of work decodes. There are no more threads than
  ///     the sum is worth.
  ///   - jobs: the greatest number of threads, this one included.
  ///   - body: called from several threads.
  package static func perform(sizes: [Int], jobs: Int, _ body: @Sendable (Int) -> Void) {
    let sum = sizes.reduce(0) { $0 + min($1, costOfAThread) + costOfAPiece }
    let jobs = min(jobs, 1 + sum / (2 * costOfAThread))
    guard jobs > 1 else { return perform(count: sizes.count, jobs: 1, body) }
    let order = sizes.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
    perform(count: sizes.count, jobs: jobs) { body(order[$0]) }
  }

  /// The threads that help while they have nothing else to do.
  static let crew = Mutex<(any Crew)?>(nil)

  final class Work: Sendable {
    private let next = Atomic(0)
    private let count: Int
    private let body: Mutex<(@Sendable (Int) -> Void)?>

    init(count: Int, body: @escaping @Sendable (Int) -> Void) {
      self.count = count
      self.body = Mutex(body)
    }

    /// Lets go of the body. A thread that took part may know the work a moment longer.
    func end() { body.withLock { $0 = nil } }

    /// Takes part until no index is left.
    func run() {
      guard let body = body.withLock({ $0 }) else { return }
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index)
      }
    }
  }
}

/// Threads that exist already.
protocol Crew: AnyObject, Sendable {
  /// Does all of `work` on the calling thread and on up to `helperCount` others that are idle.
  func help(with work: ParallelWork.Work, helperCount: Int)
}
