import FileSystem
import Platform
import ReportSymbolication
import Synchronization
import SystemPackage

/// A line on a terminal that shows the progress of some work. It is rewritten in place, and erased
/// when the work is done.
final class ProgressLine: Sendable {
  private let title: String
  private let state = Mutex(State())

  private struct State {
    /// The percentage shown now; -1 before the first.
    var percent = -1
    /// The number of columns shown now.
    var width = 0
    /// When the line was last written, or the counting began; in nanoseconds.
    var time: UInt64?
  }

  /// How long a count must go on before it is shown, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000
  /// The shortest time between two counts that are shown, in nanoseconds.
  private static let pause: UInt64 = 100_000_000

  /// A line that is longer than the terminal's would wrap, and could not be rewritten.
  private static let maximumWidth = min(
    79, TerminalEnvironment.ofProcess.width(of: STDERR_FILENO) - 1)

  /// Nil if standard error is not a terminal, or nothing but errors is wanted.
  init?(title: String) {
    guard isatty(STDERR_FILENO) != 0, !Diagnostics.isQuiet else { return nil }
    self.title = title.shownPath.shownInMessages
  }

  /// Shows how far the search through directories is; nil if nobody would see it.
  static func searchProgress() -> (@Sendable (Int?) -> Void)? {
    guard let line = ProgressLine(title: "searching for symbols") else { return nil }
    return { count in
      if let count { line.show(fileCount: count) } else { line.clear() }
    }
  }

  /// Shows that `done` of `total` units are done. May be called from several threads; most calls
  /// write nothing.
  func show(done: Int, of total: Int) {
    guard total > 0 else { return }
    let percent = Int(clamping: Int64(done) * 100 / Int64(total))
    state.withLock { state in
      // A thread with a lower count may come later.
      guard percent > state.percent else { return }
      state.percent = percent
      let counts = ": \(done) of \(total) units"
      let line = String(title.prefix(max(0, Self.maximumWidth - counts.count))) + counts
      write(line, over: state.width)
      state.width = line.count
    }
  }

  /// Shows that `count` files are done, of an unknown number, once the work has taken longer than a
  /// second. May be called from several threads; most calls write nothing.
  func show(fileCount count: Int) { showInTime { ": \(count) files" } }

  /// Shows a text after the title, once the work has taken longer than a second, and then ten times
  /// a second at most. May be called from several threads; most calls write nothing.
  func showInTime(_ text: () -> String) {
    state.withLock { state in
      // Swift's clocks would link its concurrency runtime.
      let now = Self.nanoseconds
      // The work begins with the first call.
      let last = state.time ?? now
      if state.time == nil { state.time = now }
      guard now &- last >= (state.width == 0 ? Self.patience : Self.pause) else { return }
      state.time = now
      let line = String((title + text()).prefix(Self.maximumWidth))
      write(line, over: state.width)
      state.width = line.count
    }
  }

  /// Shows `text` after the title. May be called from several threads.
  func show(_ text: String) {
    state.withLock { state in
      let line = String((title + text).prefix(Self.maximumWidth))
      write(line, over: state.width)
      state.width = line.count
    }
  }

  /// Erases the line. The work may begin again.
  func clear() {
    state.withLock { state in
      state.time = nil
      guard state.width > 0 else { return }
      write("", over: state.width)
      write("", over: 0)
      state.width = 0
    }
  }

  /// The time since some moment.
  static var nanoseconds: UInt64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  private func write(_ text: String, over width: Int) {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    _ = try? FileDescriptor.standardError.writeAll(Array("\r\(text)\(blanks)".utf8))
  }
}
