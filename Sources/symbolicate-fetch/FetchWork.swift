import FetchProtocol
import Platform
import Synchronization

/// The requests, and the threads that work on them.
@safe final class FetchWork: Sendable {
  /// Downloads at the same time. Each thread has one connection, which it keeps for the next.
  private static let threadCount = 8

  private let output: ReportOutput
  private let failures = ServerFailures()
  private let budget = DownloadBudget()
  private let state = Mutex(State())
  private let threads = Mutex(Threads())

  private struct State {
    var limits = FetchLimits(
      seconds: 90, totalSeconds: 0, bytes: 0, runSeconds: .max, runBytes: .max)
    var queue: [(request: FetchRequest, limits: FetchLimits)] = []
    var isFinished = false
  }

  /// Counts the entries of the queue, and then one for each thread that may end.
  ///
  /// Soundness: allocated once and never freed, because threads wait on it until the process ends.
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  init(output: ReportOutput) {
    self.output = output
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  func add(_ request: FetchRequest) {
    if case .limits(let limits) = request {
      state.withLock { $0.limits = limits }
      return
    }
    if case .useless(let url) = request {
      failures.note(Downloader.server(of: url), isFinal: false)
      return
    }
    let queued = state.withLock { state in
      state.queue.append((request, state.limits))
      return state.queue.count
    }
    unsafe sem_post(semaphore)
    threads.withLock { threads in
      if threads.count < min(Self.threadCount, threads.count + queued) { start(&threads) }
    }
  }

  /// Returns when all requests are done.
  func finish() {
    state.withLock { $0.isFinished = true }
    let threads = threads.withLock { $0 }
    for _ in 0..<threads.count { unsafe sem_post(semaphore) }
    threads.join()
  }

  private func start(_ threads: inout Threads) {
    guard !threads.start({ self.run() }), threads.count == 0 else { return }
    // Without any thread, the work is done here.
    state.withLock { $0.isFinished = true }
    unsafe sem_post(semaphore)
    run()
    state.withLock { $0.isFinished = false }
  }

  private func run() {
    let downloader = Downloader(output: output, failures: failures, budget: budget)
    let debuginfod = DebuginfodClient(output: output, failures: failures, budget: budget)
    while true {
      while unsafe sem_wait(semaphore) != 0 {}
      let next = state.withLock { $0.queue.isEmpty ? nil : $0.queue.removeFirst() }
      guard let (request, limits) = next else {
        if state.withLock({ $0.isFinished }) { return }
        continue
      }
      switch request {
      case .get(let id, let candidates):
        downloader.download(candidates, id: id, limits: limits)
      case .debuginfod(let id, let kind, let buildId):
        debuginfod.find(kind, buildId: buildId, id: id, limits: limits)
      case .limits, .useless, .end: break
      }
    }
  }
}

/// Which servers have failed, so that a server that does not answer costs its time limit once and
/// not for each file, and one that sends too much, or the wrong files, does so three times.
final class ServerFailures: Sendable {
  private static let mostFailures = 3
  private let counts = Mutex<[String: Int]>([:])

  func isDown(_ server: String) -> Bool {
    counts.withLock { ($0[server] ?? 0) >= Self.mostFailures }
  }

  /// - Parameter isFinal: whether the server cannot be reached at all.
  func note(_ server: String, isFinal: Bool) {
    counts.withLock { $0[server, default: 0] += isFinal ? Self.mostFailures : 1 }
  }
}
