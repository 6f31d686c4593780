import Platform
import Synchronization
package import SystemPackage

/// A signal that asks a process for something while it works or waits for input.
///
/// The handler notes it and writes a byte to a pipe, so that it is noticed whenever it comes: a
/// signal just before a call of `read` would not interrupt that call.
package enum RequestSignal {
  // Soundness: set by `listen`, before the handler is installed.
  private nonisolated(unsafe) static var pipeEnd: CInt = -1
  private nonisolated(unsafe) static var readingEnd: CInt = -1
  private static var waitingEnd: CInt { unsafe readingEnd }
  private static let isAsked = Atomic(false)
  /// The signal; nil if nobody listens.
  private(set) nonisolated(unsafe) static var number: CInt?

  /// Takes the signal from now on. It may have been blocked and may have come before.
  package static func listen(_ number: CInt) {
    guard let ends = try? FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking]) else { return }
    unsafe readingEnd = ends.readEnd.rawValue
    unsafe pipeEnd = ends.writeEnd.rawValue
    _ = isAsked.load(ordering: .relaxed)
    Signals.handle(number, flags: SA_RESTART) { _ in
      let error = errno
      RequestSignal.isAsked.store(true, ordering: .sequentiallyConsistent)
      var byte: UInt8 = 0
      _ = unsafe write(RequestSignal.pipeEnd, &byte, 1)
      errno = error
    }
    unsafe Self.number = number
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  /// Whether the signal came since the last call.
  package static func take() -> Bool {
    isAsked.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// Waits until `input` can be read, has ended, or the signal has come.
  ///
  /// - Parameter waits: whether to wait at all.
  /// - Returns: whether `input` can be read.
  package static func waitForInput(_ input: FileDescriptor, waits: Bool) -> Bool {
    var streams = [
      pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: waitingEnd, events: Int16(POLLIN), revents: 0),
    ]
    let count = nfds_t(waitingEnd < 0 ? 1 : 2)
    // An interruption is a reason to look at what came. The next read returns any other error.
    guard unsafe poll(&streams, count, waits ? -1 : 0) >= 0 else { return errno != EINTR }
    if streams[1].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while unsafe Platform.read(waitingEnd, &bytes, bytes.count) > 0 {}
    }
    return streams[0].revents != 0
  }
}
