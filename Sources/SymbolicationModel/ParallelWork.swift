import Glibc
import Synchronization

/// Work on several threads at a time, which is over when the call returns.
///
/// Threads of the system, not tasks: linking Swift's concurrency runtime costs every run of the program
/// 0.2 to 0.9 ms of start-up (measured with Swift 6.3 on Linux, statically linked), and most runs ask
/// about one address.
package enum ParallelWork {
  /// How many threads the machine runs at a time; at least 1.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Calls `body` once for each index below `count`, on up to `jobs` threads, this one among them.
  /// Each thread takes the next index when it is done with one, so unequal pieces of work spread
  /// evenly. Returns when all calls have returned. Where the system gives no more threads, those that
  /// are there do the work.
  ///
  /// - Parameter body: called from several threads; indices begin in ascending order.
  package static func perform(count: Int, jobs: Int, _ body: @Sendable (Int) -> Void) {
    guard jobs > 1, count > 1 else {
      for index in 0..<count { body(index) }
      return
    }
    withoutActuallyEscaping(body) { body in
      let work = Work(count: count, body: body)
      var threads: [pthread_t] = []
      for _ in 1..<min(jobs, count) {
        var thread = pthread_t()
        // The thread takes over this reference.
        let argument = unsafe Unmanaged.passRetained(work)
        let result = unsafe pthread_create(
          &thread, nil,
          { argument in
            if let argument = unsafe argument {
              unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
            }
            return nil
          }, argument.toOpaque())
        guard result == 0 else {
          unsafe argument.release()
          break
        }
        threads.append(thread)
      }
      work.run()
      for thread in threads { _ = pthread_join(thread, nil) }
    }
  }

  private final class Work: Sendable {
    let next = Atomic(0)
    let count: Int
    let body: @Sendable (Int) -> Void

    init(count: Int, body: @escaping @Sendable (Int) -> Void) {
      self.count = count
      self.body = body
    }

    func run() {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index)
      }
    }
  }
}
