import Platform
import SymbolicationModel
import Synchronization

/// The progress of downloads on a terminal, as soon as they take longer than a second.
final class DownloadLine: Sendable {
  private let line = ProgressLine(title: "Asking symbol servers: ")
  /// When the downloads that are under way began, in seconds of the system's steady clock.
  private let start = Mutex<Double?>(nil)

  /// Nil if nobody would see it.
  var progress: (@Sendable (DownloadProgress) -> Void)? {
    guard let line else { return nil }
    return { self.show($0, line) }
  }

  func clear() {
    line?.clear()
    start.withLock { $0 = nil }
  }

  private func show(_ progress: DownloadProgress, _ line: ProgressLine) {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let seconds = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    let start = start.withLock { start in
      start = start ?? seconds
      return start ?? seconds
    }
    guard seconds - start >= 1 else { return }
    let megabytes = Double(progress.bytes / 100_000) / 10
    line.show("\(progress.done) of \(progress.total) images, \(megabytes) MB")
  }
}
