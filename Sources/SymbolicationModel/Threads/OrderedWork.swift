import Platform
import Synchronization

/// Work on many items, each in four steps, on several threads. Where order matters, it is kept:
///
/// | step | thread | order |
/// | --- | --- | --- |
/// | prepare | any | begins in the order of the items |
/// | resolve | the calling one | the order of the items |
/// | finish | any | none |
/// | deliver | the calling one | the order of the items |
///
/// So what `resolve` and `deliver` use has one owner and needs no locks, and it sees the items in
/// the same order whatever the number of threads. The calling thread prepares and finishes items
/// too, when there is nothing to resolve or to deliver.
package struct OrderedWork: Sendable {
  /// The greatest number of threads, including the calling one.
  package let jobs: Int
  /// How much the items that are under way may weigh together. A heavier item goes alone.
  package let capacity: Int

  package struct Item: Sendable {
    /// What the item costs from its first step to its last, such as bytes of memory.
    package let weight: Int
    /// Whether it may begin only when all items before it have been delivered.
    package let isAlone: Bool

    package init(weight: Int, isAlone: Bool = false) {
      self.weight = weight
      self.isAlone = isAlone
    }
  }

  package init(jobs: Int, capacity: Int) {
    self.jobs = jobs
    self.capacity = capacity
  }

  /// Takes `count` items through all steps, and returns when the last is delivered.
  ///
  /// With one job or one item no thread is started, and each item ends before the next begins.
  ///
  /// - Parameter item: called only if there are several items and jobs.
  package func perform<Prepared: Sendable, Resolved: Sendable, Finished: Sendable>(
    count: Int, item: (Int) -> Item,
    prepare: @Sendable (Int) -> Prepared,
    resolve: (Int, consuming Prepared) -> Resolved,
    finish: @Sendable (Int, consuming Resolved) -> Finished,
    deliver: (Int, Finished) -> Void
  ) {
    guard jobs > 1, count > 1 else {
      for index in 0..<count { deliver(index, finish(index, resolve(index, prepare(index)))) }
      return
    }
    withoutActuallyEscaping(prepare) { prepare in
      withoutActuallyEscaping(finish) { finish in
        let line = AssemblyLine<Prepared, Resolved, Finished>(
          items: (0..<count).map(item), work: self)
        line.perform(
          AssemblyLine.CommonSteps(prepare: prepare, finish: finish), resolve: resolve,
          deliver: deliver)
      }
    }
  }
}

/// One call of `OrderedWork.perform`.
private final class AssemblyLine<
  Prepared: Sendable, Resolved: Sendable, Finished: Sendable
>: Crew {
  private let items: [OrderedWork.Item]
  private let work: OrderedWork
  private let state = Monitor(State())

  /// The steps that any thread may perform. They are no part of the line, which other threads of
  /// the process may know a moment longer than the call lasts.
  struct CommonSteps: Sendable {
    let prepare: @Sendable (Int) -> Prepared
    let finish: @Sendable (Int, consuming Resolved) -> Finished
  }

  private struct State: Sendable {
    /// The numbers of items that began their preparation, that were given to `resolve`, and that
    /// were delivered.
    var begunCount = 0
    var resolvedCount = 0
    var deliveredCount = 0
    /// The weight of the items under way.
    var load = 0
    /// What is ready for the next step.
    var prepared: [Int: Prepared] = [:]
    var resolved: [(index: Int, value: Resolved)] = []
    var finished: [Int: Finished] = [:]
    /// Work within a step of the calling thread, for threads without any.
    var help: Help?
  }

  private struct Help: Sendable {
    let work: ParallelWork.Work
    /// How many more threads may help.
    var places: Int
    var helperCount = 0
  }

  private enum Step: Sendable {
    case prepare(Int)
    case resolve(Int, Prepared)
    case finish(Int, Resolved)
    case deliver(Int, Finished)
    case help(ParallelWork.Work)
    case end
  }

  init(items: [OrderedWork.Item], work: OrderedWork) {
    self.items = items
    self.work = work
  }

  func perform(
    _ steps: CommonSteps, resolve: (Int, consuming Prepared) -> Resolved,
    deliver: (Int, Finished) -> Void
  ) {
    let isCrew = ParallelWork.crew.withLock { crew in
      guard crew == nil else { return false }
      crew = self
      return true
    }
    let threads = Threads(count: min(work.jobs, items.count) - 1) {
      while let step = self.nextStep(ofCaller: false) { self.perform(step, steps) }
    }
    while let step = nextStep(ofCaller: true) {
      switch consume step {
      case .resolve(let index, let prepared):
        let resolved = resolve(index, consume prepared)
        state.withLock { $0.resolved.append((index, resolved)) }
      case .deliver(let index, let finished):
        deliver(index, finished)
        state.withLock { state in
          state.deliveredCount += 1
          state.load -= weight(of: index)
        }
      case let other: perform(other, steps)
      }
    }
    threads.join()
    if isCrew { ParallelWork.crew.withLock { $0 = nil } }
  }

  /// Performs one of the steps that any thread may perform.
  private func perform(_ step: consuming Step, _ steps: CommonSteps) {
    switch consume step {
    case .prepare(let index):
      let prepared = steps.prepare(index)
      state.withLock { $0.prepared[index] = prepared }
    case .finish(let index, let resolved):
      let finished = steps.finish(index, consume resolved)
      state.withLock { $0.finished[index] = finished }
    case .help(let work):
      work.run()
      state.withLock { state in
        state.help?.helperCount -= 1
      }
    case .resolve, .deliver, .end: return
    }
  }

  /// Waits for something to do; nil if everything is done.
  private func nextStep(ofCaller isCaller: Bool) -> Step? {
    let step = state.wait { self.takeStep(&$0, isCaller: isCaller) }
    if case .end = step { return nil }
    return step
  }

  private func takeStep(_ state: inout State, isCaller: Bool) -> Step? {
    if isCaller {
      if let finished = state.finished.removeValue(forKey: state.deliveredCount) {
        return .deliver(state.deliveredCount, finished)
      }
      if let prepared = state.prepared.removeValue(forKey: state.resolvedCount) {
        state.resolvedCount += 1
        return .resolve(state.resolvedCount - 1, prepared)
      }
    } else if let help = state.help, help.places > 0 {
      // The calling thread works on something that all items wait for.
      state.help?.places -= 1
      state.help?.helperCount += 1
      return .help(help.work)
    }
    // What is almost done makes room for others.
    if !state.resolved.isEmpty {
      let (index, resolved) = state.resolved.removeFirst()
      return .finish(index, resolved)
    }
    if mayBegin(state) {
      state.begunCount += 1
      state.load += weight(of: state.begunCount - 1)
      return .prepare(state.begunCount - 1)
    }
    return state.deliveredCount == items.count ? .end : nil
  }

  private func mayBegin(_ state: State) -> Bool {
    guard state.begunCount < items.count else { return false }
    if state.begunCount == state.deliveredCount { return true }
    let (load, isTooMuch) = state.load.addingReportingOverflow(weight(of: state.begunCount))
    return !items[state.begunCount].isAlone && !isTooMuch && load <= work.capacity
  }

  private func weight(of index: Int) -> Int { max(items[index].weight, 0) }

  // MARK: Crew

  func help(with work: ParallelWork.Work, helperCount: Int) {
    let isOffered = state.withLock { state in
      // One work at a time: work within work has no help.
      guard state.help == nil else { return false }
      state.help = Help(work: work, places: helperCount)
      return true
    }
    work.run()
    guard isOffered else { return }
    state.withLock { state in
      state.help?.places = 0
    }
    state.wait { state -> Void? in state.help?.helperCount == 0 ? () : nil }
    state.withLock { $0.help = nil }
  }
}

/// A value that several threads share, one at a time, and whose changes they wait for.
///
/// `Mutex` of the standard library has no way to wait for a change, and linking `Foundation` for
/// one, or Swift's concurrency runtime, would cost every start of the program.
@safe final class Monitor<Value: Sendable>: @unchecked Sendable {
  // Soundness: the value is read and written only while `mutex` is held. The two objects of the C
  // library keep their addresses, and live as long as the monitor.
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(change, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(change)
    unsafe pthread_mutex_destroy(mutex)
    unsafe change.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the value, and wakes those who wait.
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(change)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&value)
  }

  /// Calls `body` at once, and again after each change, until it returns a value.
  func wait<Result: Sendable>(_ body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(change, mutex)
    }
  }
}
