import FileSystem
import Platform
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import Synchronization
import SystemPackage
import Wording

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
  fileprivate static let patience: UInt64 = 1_000_000_000
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
      write(String(title.prefix(max(0, Self.maximumWidth - counts.count))) + counts, &state)
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
      let now = Clock.monotonicNanoseconds
      // The work begins with the first call.
      let last = state.time ?? now
      if state.time == nil { state.time = now }
      guard now &- last >= (state.width == 0 ? Self.patience : Self.pause) else { return }
      state.time = now
      write(String((title + text()).prefix(Self.maximumWidth)), &state)
    }
  }

  /// Shows `text` after the title. May be called from several threads.
  func show(_ text: String) {
    state.withLock { write(String((title + text).prefix(Self.maximumWidth)), &$0) }
  }

  /// Erases the line. The work may begin again.
  func clear() {
    state.withLock { state in
      state.time = nil
      guard state.width > 0 else { return }
      write("", &state)
      write("", &state)
    }
  }

  /// Writes `text` over what is shown.
  private func write(_ text: String, _ state: inout State) {
    let blanks = String(repeating: " ", count: max(0, state.width - text.count))
    state.width = text.count
    _ = try? FileDescriptor.standardError.writeAll(Array("\r\(text)\(blanks)".utf8))
  }
}

/// The progress of downloads on a terminal, as soon as they take longer than a second.
final class DownloadLine: Sendable {
  private let line = ProgressLine(title: "Asking symbol servers: ")
  /// When the downloads that are under way began, in nanoseconds.
  private let start = Mutex<UInt64?>(nil)

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
    let now = Clock.monotonicNanoseconds
    let start = start.withLock { start in
      start = start ?? now
      return start ?? now
    }
    guard now &- start >= ProgressLine.patience else { return }
    let megabytes = Double(progress.bytes / 100_000) / 10
    line.show("\(progress.done) of \(progress.total) images, \(megabytes) MB")
  }
}

/// How far a run over directories is, on a terminal.
struct RunProgress {
  private let line: ProgressLine?
  private let total: Int
  private let start = Clock.monotonicNanoseconds
  private var done = 0

  /// - Parameter isShown: whether there may be enough to do that somebody waits.
  init(total: Int, isShown: Bool) {
    self.total = total
    line = isShown ? ProgressLine(title: "") : nil
  }

  /// One more input is done. Most calls write nothing.
  mutating func advance() {
    done += 1
    guard let line else { return }
    let progress = RunProgressText(
      done: done, total: total, nanoseconds: Clock.monotonicNanoseconds &- start)
    line.showInTime { progress.text }
  }

  func clear() { line?.clear() }
}
