/// Counts the shown frames of a report by outcome. Inlined calls that were found are not counted,
/// because they are not frames of the report.
package struct FrameCounts: Hashable, Sendable {
  /// Frames that already showed a function.
  package var named = 0
  /// The part of `named` that was given a line.
  package var completed = 0
  /// Frames that were given a function.
  package var resolved = 0
  /// Frames without a function.
  package var unresolved = 0
  /// The part of `unresolved` that lies in libraries of the operating system
  /// (`ReportImage.belongsToSystem`).
  var unresolvedOfSystem = 0

  package var frames: Int { named + resolved + unresolved }

  /// Whether every frame has a name, other than those in libraries of the operating system.
  package var isCompleteOutsideSystem: Bool { unresolved == unresolvedOfSystem }

  package init() {}

  package init(_ report: SymbolicatedReport, _ options: SymbolicationOptions) {
    for backtrace in report.backtraces.indices where report.backtraces[backtrace].isSelected {
      // A frame is large to copy, and in a span it can be looked at where it is.
      let allFrames = report.backtraces[backtrace].frames
      let frames = allFrames.span
      for index in frames.indices { add(frames[index], options) }
    }
  }

  @inline(__always)
  private mutating func add(_ frame: borrowing SymbolicatedFrame, _ options: SymbolicationOptions) {
    guard frame.isShown(options) else { return }
    if frame.statement.isNamed {
      named += 1
      if frame.answer?.keepsStatedName == true { completed += 1 }
    } else if frame.answer != nil {
      resolved += 1
    } else {
      unresolved += 1
      if frame.image?.belongsToSystem == true { unresolvedOfSystem += 1 }
    }
  }

  package static func += (left: inout FrameCounts, right: FrameCounts) {
    left.named += right.named
    left.completed += right.completed
    left.resolved += right.resolved
    left.unresolved += right.unresolved
    left.unresolvedOfSystem += right.unresolvedOfSystem
  }
}
