import Glibc
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
  }

  /// The columns of a narrow terminal. A longer line would wrap, and could not be rewritten.
  private static let maximumWidth = 79

  /// Nil if standard error is not a terminal.
  init?(title: String) {
    guard isatty(STDERR_FILENO) != 0 else { return nil }
    self.title = title.withoutControlCharacters
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

  /// Shows `text` after the title. May be called from several threads.
  func show(_ text: String) {
    state.withLock { state in
      let line = String((title + text).prefix(Self.maximumWidth))
      write(line, over: state.width)
      state.width = line.count
    }
  }

  func clear() {
    state.withLock { state in
      guard state.width > 0 else { return }
      write("", over: state.width)
      write("", over: 0)
      state.width = 0
    }
  }

  private func write(_ text: String, over width: Int) {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    _ = try? FileDescriptor.standardError.writeAll(Array("\r\(text)\(blanks)".utf8))
  }
}
