/// The system's threads, which are not linked to Swift's concurrency runtime.
package struct Threads: Sendable {
  private var threads: [pthread_t] = []

  package init() {}

  /// Starts up to `count` threads that all do the same: fewer if the system refuses more.
  package init(count: Int, _ body: @escaping @Sendable () -> Void) {
    let start = Start(body: body)
    for _ in 0..<count {
      guard add(start) else { break }
    }
  }

  package var count: Int { threads.count }

  /// Starts another thread.
  ///
  /// - Returns: false if the system refuses it.
  package mutating func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    add(Start(body: body))
  }

  private mutating func add(_ start: Start) -> Bool {
    var thread = pthread_t()
    // The new thread releases this reference.
    let argument = unsafe Unmanaged.passRetained(start)
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, argument.toOpaque())
    guard result == 0 else {
      unsafe argument.release()
      return false
    }
    threads.append(thread)
    return true
  }

  /// Waits until all have ended.
  package func join() {
    for thread in threads { _ = pthread_join(thread, nil) }
  }

  /// The number of the thread that asks; not 0. May be asked for in a signal handler.
  package static var current: Int { Int(truncatingIfNeeded: pthread_self()) }

  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
