import CrashLogParser

extension StackFrame {
  /// The frame's number when inlined calls before it are put in or taken out. Reports hold any number:
  /// one that cannot grow stays, and none falls below 0.
  func index(movedBy shift: Int) -> Int {
    let (moved, overflow) = index.addingReportingOverflow(shift)
    return overflow ? index : max(0, moved)
  }
}
