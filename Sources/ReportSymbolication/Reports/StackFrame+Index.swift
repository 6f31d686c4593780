import CrashLogParser

extension StackFrame {
  /// The frame's number when inlined calls before it are put in or taken out.
  func index(movedBy shift: Int) -> Int { index.moved(by: shift) }
}

extension Int {
  /// A frame's number when inlined calls before it are put in or taken out. Reports hold any number:
  /// one that cannot grow stays, and none falls below 0.
  func moved(by shift: Int) -> Int {
    let (moved, overflow) = addingReportingOverflow(shift)
    return overflow ? self : Swift.max(0, moved)
  }
}
