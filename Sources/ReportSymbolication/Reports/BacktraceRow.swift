import CrashLogParser
import SymbolicationModel

/// A row of a symbolicated backtrace: a frame of the report, or a call that was found to be inlined
/// into one.
///
/// This is the one place where answers are expanded into inlined frames and rows are renumbered. A
/// row refers to its frame by index, because frames are large to copy.
struct BacktraceRow: Hashable {
  enum Content: Hashable {
    /// The frame itself.
    case frame
    /// An inlined call, by its index in the frame's answer. It comes before the frame.
    case inlined(Int)
    /// A frame that is dropped, because the answer of the frame it is inlined into brings its own
    /// inlined calls.
    case superseded
  }

  /// The index of the frame in its backtrace.
  let frame: Int
  let content: Content
  /// The number of inlined rows before this one, less that of superseded ones: by how much the
  /// number of the row differs from the one in the report.
  let shift: Int
}

/// The rows of a backtrace, innermost first.
struct BacktraceRows: Sequence, IteratorProtocol {
  private let frames: [SymbolicatedFrame]
  private var frame = 0
  /// How many of the calls inlined into the frame are behind.
  private var inlined = 0
  private var shift = 0

  init(_ frames: [SymbolicatedFrame]) { self.frames = frames }

  var underestimatedCount: Int { frames.count - frame }

  mutating func next() -> BacktraceRow? {
    guard frame < frames.count else { return nil }
    if frames[frame].isSuperseded {
      defer {
        frame += 1
        shift -= 1
      }
      return BacktraceRow(frame: frame, content: .superseded, shift: shift)
    }
    if let answer = frames[frame].answer, inlined < answer.inlined.count {
      defer {
        inlined += 1
        shift += 1
      }
      return BacktraceRow(frame: frame, content: .inlined(inlined), shift: shift)
    }
    defer {
      frame += 1
      inlined = 0
    }
    return BacktraceRow(frame: frame, content: .frame, shift: shift)
  }
}

extension SymbolicatedBacktrace {
  /// All rows, innermost first.
  var rows: BacktraceRows { BacktraceRows(frames) }

  /// Whether anything was found out, so that the rows differ from the frames of the report.
  var isChanged: Bool { frames.contains { $0.answer != nil || $0.isSuperseded } }

  /// What was found out about a row; nil for a frame without an answer.
  func answerText(of row: BacktraceRow) -> FrameAnswer.FrameText? {
    switch row.content {
    case .frame: frames[row.frame].answer?.function
    case .inlined(let index): frames[row.frame].answer?.inlined[index]
    case .superseded: nil
    }
  }

  /// The number of a row. Numbers that the report leaves out are left out here too.
  func number(of row: BacktraceRow) -> Int {
    (frames[row.frame].source.index ?? row.frame).moved(by: row.shift)
  }
}

extension Int {
  /// A report may hold any number: one that cannot grow is unchanged, and no number falls below 0.
  fileprivate func moved(by shift: Int) -> Int {
    let (moved, overflow) = addingReportingOverflow(shift)
    return overflow ? self : Swift.max(0, moved)
  }
}
