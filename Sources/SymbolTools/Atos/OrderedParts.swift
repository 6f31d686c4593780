import Synchronization

/// Passes parts of an output on in the order of their numbers, on whichever thread finishes one
/// when it is its turn. No thread waits for another.
final class OrderedParts<Failure: Error>: Sendable {
  private let state = Mutex(State())
  private let pass: @Sendable ([UInt8]) throws(Failure) -> Void

  private struct State {
    /// The number of the next part to pass on.
    var next = 0
    /// Whether a thread is passing one on.
    var isPassing = false
    /// Parts that were finished before their turn.
    var waiting: [Int: [UInt8]] = [:]
    /// Memory of parts that were passed on: new memory costs more than filling it.
    var buffers: [[UInt8]] = []
    var failure: Failure?
  }

  /// - Parameter pass: gets each part. It is not called again after it has thrown.
  init(_ pass: @escaping @Sendable ([UInt8]) throws(Failure) -> Void) { self.pass = pass }

  /// An empty array to compose a part in.
  func buffer() -> [UInt8] { state.withLock { $0.buffers.popLast() } ?? [] }

  /// Adds the part with `number`. Numbers begin with 0.
  func add(_ part: consuming [UInt8], number: Int) {
    state.withLock { [part] in $0.waiting[number] = part }
    part = []
    while var next = takeNext() {
      var failure: Failure?
      do throws(Failure) { try pass(next) } catch { failure = error }
      next.removeAll(keepingCapacity: true)
      state.withLock { [next, failure] state in
        state.buffers.append(next)
        state.isPassing = false
        state.next += 1
        state.failure = failure
      }
    }
  }

  private func takeNext() -> [UInt8]? {
    state.withLock { state in
      guard !state.isPassing, state.failure == nil,
        let part = state.waiting.removeValue(forKey: state.next)
      else { return nil }
      state.isPassing = true
      return part
    }
  }

  /// Throws what passing on a part has thrown.
  func finish() throws(Failure) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
