import Platform
import Synchronization

/// Starts the program of this process anew when an item of its work crashes or does not end, with
/// the memory that it keeps (`KeptMemory`).
///
/// No thread can be stopped from outside without leaving locks and memory as they are, so all of
/// them end: execve(2) puts a new program in the place of the old one, in the same process, with
/// the same open streams. The item is marked, and the new program answers it with an error. A
/// process that watches another one would do the same, but all bytes would pass through it.
///
/// The handler only calls what POSIX allows in a handler, and reads memory that nothing frees.
package enum Restart {
  // Soundness: set by `prepare`, before the handlers are installed, and only read afterwards. The
  // kept memory and the arguments live as long as the process.
  private nonisolated(unsafe) static var memory: KeptMemory?
  private nonisolated(unsafe) static var arguments =
    UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
  private nonisolated(unsafe) static var environment =
    UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
  private nonisolated(unsafe) static var signalMask = sigset_t()
  private nonisolated(unsafe) static var owner = Threads.current
  private nonisolated(unsafe) static var program = UnsafeMutablePointer<CChar>.allocate(capacity: 1)

  /// Whether the owner changes the kept memory or writes answers.
  private static let isBusy = Atomic(false)
  /// Whether a thread is about to start anew.
  private static let isRestarting = Atomic(false)
  /// Counts on while the process runs: a process that was stopped has not taken longer.
  private static let ticks = Atomic(0)
  private static let ticksPerSecond = 10

  /// The items under way: the thread, the item plus 1, and the tick at which it began.
  private nonisolated(unsafe) static let slots = unsafe makeSlots()
  private static let slotCount = 256
  private static let slotSize = 3

  private static func makeSlots() -> UnsafeMutablePointer<Atomic<Int>> {
    let slots = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: slotCount * slotSize)
    for index in 0..<slotCount * slotSize { unsafe (slots + index).initialize(to: Atomic(0)) }
    return unsafe slots
  }

  /// The reason with which an item is marked that took too long. Others are signals.
  package static let timeout = 0

  /// The signals by which a program ends because of its own fault, or of a file that is cut.
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

  // MARK: Preparation

  /// Called once, by the thread that owns `memory`.
  ///
  /// - Parameters:
  ///   - arguments: those of the program. The descriptor of the kept memory is added as another
  ///     one.
  ///   - seconds: how long an item may take; 0 for any time.
  package static func prepare(_ memory: KeptMemory, arguments: [String], seconds: Int) {
    unsafe Self.memory = memory
    unsafe owner = Threads.current
    _ = unsafe (slots, isBusy.load(ordering: .relaxed), isRestarting.load(ordering: .relaxed))
    _ = ticks.load(ordering: .relaxed)
    unsafe program = strdup(ThisProcess.programPath)
    let words = arguments + ["\(memory.descriptor)"]
    unsafe Self.arguments = .allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() {
      unsafe Self.arguments[index] = unsafe word.withPathBytes { unsafe strdup($0) }
    }
    unsafe Self.arguments[words.count] = nil
    unsafe environment = unsafe ThisProcess.environment
    unsafe pthread_sigmask(SIG_SETMASK, nil, &signalMask)
    // The new program does not know the signal until it listens.
    if let number = unsafe RequestSignal.number { unsafe sigaddset(&signalMask, number) }
    useAlternateStack()
    for number in signals {
      Signals.handle(number, flags: SA_ONSTACK) { number in Restart.handle(number) }
    }
    if seconds > 0 {
      let limit = seconds.multipliedReportingOverflow(by: ticksPerSecond)
      watch(limit: limit.overflow ? .max : limit.partialValue)
    }
  }

  /// Without it a stack that is full could not be handled.
  private static func useAlternateStack() {
    let size = 1 << 16
    var stack = unsafe stack_t()
    unsafe stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe stack.ss_size = size
    unsafe sigaltstack(&stack, nil)
  }

  private static func watch(limit: Int) {
    _ = Threads(count: 1) {
      while true {
        sleep(milliseconds: 1000 / ticksPerSecond)
        let now = ticks.wrappingAdd(1, ordering: .relaxed).newValue
        endItems(begunBefore: now &- limit)
      }
    }
  }

  private static func sleep(milliseconds: Int) {
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds &* 1_000_000)
    unsafe nanosleep(&time, nil)
  }

  // MARK: Items

  /// Works on an item. If that crashes or takes too long, the program starts anew with the item
  /// marked, and nothing returns. May be called from any thread.
  package static func working<Result>(on item: Int, _ body: () -> Result) -> Result {
    let thread = Threads.current
    for slot in 0..<slotCount {
      let place = slot * slotSize
      guard
        unsafe slots[place].compareExchange(
          expected: 0, desired: thread, ordering: .sequentiallyConsistent
        ).exchanged
      else { continue }
      unsafe slots[place + 2].store(ticks.load(ordering: .relaxed), ordering: .relaxed)
      unsafe slots[place + 1].store(item &+ 1, ordering: .sequentiallyConsistent)
      defer {
        unsafe slots[place + 1].store(0, ordering: .sequentiallyConsistent)
        unsafe slots[place].store(0, ordering: .sequentiallyConsistent)
      }
      return body()
    }
    return body()
  }

  /// Changes the kept memory, or writes answers, by its owner. The program does not start anew
  /// meanwhile.
  package static func undivided<Result>(_ body: () -> Result) -> Result {
    while true {
      isBusy.store(true, ordering: .sequentiallyConsistent)
      if !isRestarting.load(ordering: .sequentiallyConsistent) { break }
      isBusy.store(false, ordering: .sequentiallyConsistent)
      sleep(milliseconds: 1)
    }
    defer { isBusy.store(false, ordering: .sequentiallyConsistent) }
    return body()
  }

  // MARK: The end

  private static func endItems(begunBefore tick: Int) {
    for slot in 0..<slotCount {
      let place = slot * slotSize
      let item = unsafe slots[place + 1].load(ordering: .sequentiallyConsistent)
      guard item > 0, unsafe slots[place + 2].load(ordering: .relaxed) < tick,
        !isRestarting.exchange(true, ordering: .sequentiallyConsistent)
      else { continue }
      waitForOwner()
      // It may have ended meanwhile.
      if unsafe slots[place + 1].load(ordering: .sequentiallyConsistent) == item {
        startAnew(marking: item &- 1, reason: timeout)
      }
      isRestarting.store(false, ordering: .sequentiallyConsistent)
    }
  }

  private static func handle(_ number: CInt) {
    let thread = Threads.current
    let isOwner = unsafe thread == owner
    let item = item(of: thread) ?? (unsafe item(of: owner))
    // Outside an item there is nothing to go on with.
    guard let item, !(isOwner && isBusy.load(ordering: .sequentiallyConsistent)) else {
      return endNormally(number)
    }
    if isRestarting.exchange(true, ordering: .sequentiallyConsistent) { while true { pause() } }
    waitForOwner()
    startAnew(marking: item, reason: Int(number))
    endNormally(number)
  }

  /// Ends the process by the signal, as soon as its handler returns.
  private static func endNormally(_ number: CInt) {
    Signals.endProcess(by: number)
  }

  private static func item(of thread: Int) -> Int? {
    for slot in 0..<slotCount {
      let place = slot * slotSize
      let item = unsafe slots[place + 1].load(ordering: .sequentiallyConsistent)
      let owner = unsafe slots[place].load(ordering: .sequentiallyConsistent)
      if item > 0, owner == thread { return item &- 1 }
    }
    return nil
  }

  private static func waitForOwner() {
    while isBusy.load(ordering: .sequentiallyConsistent) { sleep(milliseconds: 1) }
  }

  /// Returns only if the program cannot be started.
  private static func startAnew(marking item: Int, reason: Int) {
    guard let memory = unsafe memory else { return }
    let base = unsafe memory.base
    let count = unsafe base.load(fromByteOffset: KeptMemory.Number.markCount * 8, as: Int.self)
    guard count >= 0, count < KeptMemory.markLimit else { return }
    let place = KeptMemory.markStart &+ count &* 16
    unsafe base.storeBytes(of: item, toByteOffset: place, as: Int.self)
    unsafe base.storeBytes(of: reason, toByteOffset: place &+ 8, as: Int.self)
    unsafe base.storeBytes(
      of: count &+ 1, toByteOffset: KeptMemory.Number.markCount * 8, as: Int.self)
    TemporaryFiles.removeAll()
    _ = fcntl(memory.descriptor, F_SETFD, 0)
    unsafe pthread_sigmask(SIG_SETMASK, &signalMask, nil)
    unsafe execve(program, arguments, environment)
    _ = fcntl(memory.descriptor, F_SETFD, FD_CLOEXEC)
    unsafe base.storeBytes(of: count, toByteOffset: KeptMemory.Number.markCount * 8, as: Int.self)
  }
}
