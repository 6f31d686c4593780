import Glibc
import ReportSymbolication
import Synchronization
import SystemPackage

/// A line on a terminal that says how far some work is. It is written over itself, and gone when the
/// work is done.
final class ProgressLine: Sendable {
  private let title: String
  private let state = Mutex(State())

  private struct State {
    /// What is shown now: a hundredth of the work. Nothing yet: -1.
    var percent = -1
    /// How many columns the line has now.
    var width = 0
  }

  /// Columns of a narrow terminal: a longer line would wrap, and could not be written over.
  private static let maximumWidth = 79

  /// Nil where standard error is no terminal.
  init?(title: String) {
    guard isatty(STDERR_FILENO) != 0 else { return nil }
    self.title = title.withoutControlCharacters
  }

  /// May be called from several threads. Cost: most calls write nothing.
  func show(done: Int, of total: Int) {
    guard total > 0 else { return }
    let percent = Int(clamping: Int64(done) * 100 / Int64(total))
    state.withLock { state in
      // Threads may come in another order than they counted.
      guard percent > state.percent else { return }
      state.percent = percent
      let counts = ": \(done) of \(total) units"
      let line = String(title.prefix(max(0, Self.maximumWidth - counts.count))) + counts
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
