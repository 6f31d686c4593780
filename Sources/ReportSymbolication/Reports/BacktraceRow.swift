import CrashLogParser
import SymbolicationModel

/// A row of a symbolicated backtrace: a frame of the report, or a call that was found to be inlined
/// into one.
///
/// This is the one place where answers are expanded into inlined frames and rows are renumbered. A
/// row refers to its frame by index, because frames are large to copy.
package struct BacktraceRow: Hashable {
  package enum Content: Hashable {
    /// The frame itself.
    case frame
    /// An inlined call, by its index in the frame's answer. It comes before the frame; in a call
    /// tree, where callers come first, after it.
    case inlined(Int)
    /// A frame that is dropped, because the answer of the frame it is inlined into brings its own
    /// inlined calls.
    case superseded
  }

  /// The index of the frame in its backtrace.
  package let frame: Int
  package let content: Content
  /// The number of inlined rows before this one, less that of superseded ones: by how much the
  /// number of the row differs from the one in the report.
  package let shift: Int
}

/// The rows of a backtrace: innermost first, or those of a call tree, in which a caller comes
/// before what it calls.
package struct BacktraceRows: Sequence, IteratorProtocol {
  private let frames: [SymbolicatedFrame]
  private let isCallTree: Bool
  private var frame = 0
  /// How many of the calls inlined into the frame are behind. In a call tree, how many of its rows:
  /// the frame is the first of them.
  private var inlined = 0
  private var shift = 0

  init(_ frames: [SymbolicatedFrame], isCallTree: Bool) {
    self.frames = frames
    self.isCallTree = isCallTree
  }

  package var underestimatedCount: Int { frames.count - frame }

  package mutating func next() -> BacktraceRow? {
    guard frame < frames.count else { return nil }
    if frames[frame].isSuperseded {
      defer {
        frame += 1
        shift -= 1
      }
      return BacktraceRow(frame: frame, content: .superseded, shift: shift)
    }
    if isCallTree { return nextInTree() }
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

  /// The frame, then the calls inlined into it, outermost first.
  private mutating func nextInTree() -> BacktraceRow {
    let count = frames[frame].answer?.inlined.count ?? 0
    let row = BacktraceRow(
      frame: frame, content: inlined == 0 ? .frame : .inlined(count - inlined), shift: shift)
    if inlined < count {
      inlined += 1
      shift += 1
    } else {
      frame += 1
      inlined = 0
    }
    return row
  }
}

extension SymbolicatedBacktrace {
  /// All rows, innermost first; those of a call tree in the order of the tree.
  package var rows: BacktraceRows { BacktraceRows(frames, isCallTree: source.isCallTree) }

  /// Whether anything was found out, so that the rows differ from the frames of the report.
  package var isChanged: Bool {
    let frames = frames.span
    for index in frames.indices where frames[index].answer != nil || frames[index].isSuperseded {
      return true
    }
    return false
  }

  /// What was found out about a row; nil for a frame without an answer.
  package func answerText(of row: BacktraceRow) -> FrameAnswer.FrameText? {
    switch row.content {
    case .frame: frames[row.frame].answer?.function
    case .inlined(let index): frames[row.frame].answer?.inlined[index]
    case .superseded: nil
    }
  }

  /// The number of a row. Numbers that the report leaves out are left out here too.
  package func number(of row: BacktraceRow) -> Int {
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
