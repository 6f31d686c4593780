import CrashLogParser

/// What happened and where, as far as the report and the symbol files say: the headline of a crash.
struct CrashCause {
  /// Why it crashed, in the words of the source; nil if nothing says so.
  let reason: Reason?
  /// The index of the crash's backtrace among those shown, and the innermost useful frame of the
  /// user's own code in it (`CrashSite`). Nil if there is no such backtrace or frame.
  let site: (backtrace: Int, frame: ShownFrame)?

  struct Reason: Hashable {
    let text: String
    let source: ReasonSource
  }

  init(_ report: SymbolicatedReport, _ options: SymbolicationOptions) {
    let facts = report.source.facts
    guard let (index, backtrace) = report.crashBacktrace() else {
      reason = facts.reason()
      self.site = nil
      return
    }
    var options = options
    // Frames that are not shown count too.
    options.onlyUserCode = false
    let frames = backtrace.shownFrames(options)
    let userCode = UserCode(of: facts.process)
    reason = facts.reason(
      trap: backtrace.trapMessage(frames),
      function: facts.exception.canEndInFunction
        ? FatalFunction.reason(among: frames, before: userCode) : nil)
    site = CrashSite.frame(among: frames, in: userCode).map { (backtrace: index, frame: $0) }
  }
}

/// Where the reason of a crash comes from.
enum ReasonSource: Hashable, CaseIterable {
  /// The name of a function that the compiler made up at the trap.
  case trapMessage
  /// Name and reason of the uncaught exception.
  case thrownException
  /// A line that the app or a library left in the report.
  case applicationSpecificInformation
  /// Why the system says it ended the process.
  case termination
  /// A system function whose only purpose is to end the process.
  case function
  /// The type of the exception, which says least.
  case exceptionType
}

extension SymbolicatedBacktrace {
  /// Why the innermost frame traps, from the inlined calls that the report shows or that were
  /// found, even if they are not shown.
  fileprivate func trapMessage(_ shown: [ShownFrame]) -> TrapMessage? {
    for frame in shown {
      if let message = frame.function.flatMap({ TrapMessage(function: $0) }) { return message }
      guard frame.isInlined else { break }
    }
    return frames.first { !$0.isSuperseded && $0.stated?.isInlined != true }?.answer?.trapMessage
  }
}
