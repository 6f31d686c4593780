import Platform
import Synchronization
package import SystemPackage

/// Signals that ask the process to end, for one that holds something back: it writes that first.
///
/// The handler notes the signal and writes a byte to a pipe, as that of `RequestSignal` does. The
/// same signal once more ends the process at once.
package enum StopSignal {
  // Soundness: set by `listen`, before a handler is installed.
  private nonisolated(unsafe) static var writingEnd: CInt = -1
  private nonisolated(unsafe) static var readingEnd: CInt = -1
  /// The first signal that came; 0 if none did.
  private static let received = Atomic<CInt>(0)

  /// Takes SIGINT, SIGTERM and SIGHUP from now on, except for those that are ignored.
  package static func listen() {
    guard let ends = try? FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking]) else { return }
    unsafe readingEnd = ends.readEnd.rawValue
    unsafe writingEnd = ends.writeEnd.rawValue
    for number in Signals.askingToEnd {
      Signals.handleUnlessIgnored(number, flags: SA_RESTART | Signals.resetsHandler) { number in
        let error = errno
        _ = StopSignal.received.compareExchange(
          expected: 0, desired: number, ordering: .sequentiallyConsistent)
        var byte: UInt8 = 0
        _ = unsafe write(StopSignal.writingEnd, &byte, 1)
        errno = error
      }
    }
  }

  /// Whether one of the signals came.
  package static var hasCome: Bool { received.load(ordering: .sequentiallyConsistent) != 0 }

  package enum Event: Hashable, Sendable {
    /// The input can be read, or has ended.
    case input
    /// Nothing came in the time.
    case pause
    case signal
  }

  /// Waits for the input.
  ///
  /// - Parameter milliseconds: how long; nil for as long as it takes, 0 to look only.
  package static func wait(for input: FileDescriptor, milliseconds: CInt?) -> Event {
    while true {
      if hasCome { return .signal }
      var streams = [
        pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: unsafe readingEnd, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&streams, 2, milliseconds ?? -1)
      if hasCome { return .signal }
      // An interruption by another signal starts the time anew.
      if count < 0 && errno == EINTR { continue }
      if count == 0 { return .pause }
      return .input
    }
  }

  /// Whether reading `input` would not wait.
  package static func isReadable(_ input: FileDescriptor) -> Bool {
    var stream = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&stream, 1, 0) > 0
  }

  /// Ends the process as the signal that came would have.
  package static func endProcess() {
    let number = received.load(ordering: .sequentiallyConsistent)
    guard number != 0 else { return }
    Signals.endProcess(by: number)
  }
}
