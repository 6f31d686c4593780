import Platform

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
