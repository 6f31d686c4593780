import FetchProtocol
import Platform
import Synchronization

/// Reports on standard output, from several threads.
final class ReportOutput: Sendable {
  /// When progress was last reported, in nanoseconds.
  private let lastProgress = Mutex<UInt64>(0)
  private let byteCount = Atomic<UInt64>(0)
  private let lock = Mutex<Void>(())

  private static let nanosecondsBetweenReports: UInt64 = 500_000_000

  func write(_ report: FetchReport) {
    lock.withLock { _ in
      var rest = report.line[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe Platform.write(STDOUT_FILENO, $0.baseAddress, $0.count)
        }
        if count < 0, errno == EINTR { continue }
        // Nobody reads any more.
        guard count > 0 else { _exit(0) }
        rest = rest.dropFirst(count)
      }
    }
  }

  func count(_ bytes: Int) { byteCount.add(UInt64(clamping: bytes), ordering: .relaxed) }

  /// Reports the progress of all downloads, unless that was done just now.
  func tick() {
    let nanoseconds = Clock.monotonicNanoseconds
    let isDue = lastProgress.withLock { last in
      guard nanoseconds &- last >= Self.nanosecondsBetweenReports else { return false }
      last = nanoseconds
      return true
    }
    if isDue { write(.progress(bytes: byteCount.load(ordering: .relaxed))) }
  }
}
