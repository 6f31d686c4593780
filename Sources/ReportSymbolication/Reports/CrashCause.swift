import CrashLogParser

/// What happened and where, as far as report and symbol files tell: the headline of a crash.
struct CrashCause {
  /// Why, in the words of whoever tells it; nil where nobody does.
  let reason: Reason?
  /// Where the backtrace of the crash is among those that are shown, and the innermost frame of the user's own
  /// code in it that is of use (`CrashPlace`). Nil where the backtrace is not there, or has no such frame.
  let place: (backtrace: Int, frame: ShownFrame)?

  struct Reason: Hashable {
    let text: String
    let source: ReasonSource
  }

  init(_ report: SymbolicatedReport, _ facts: ReportFacts, _ options: SymbolicationOptions) {
    guard let (place, backtrace) = report.crashBacktrace() else {
      reason = facts.reason()
      self.place = nil
      return
    }
    var options = options
    // Which frames are looked at does not depend on which are shown.
    options.onlyUserCode = false
    let frames = backtrace.shownFrames(options)
    let userCode = UserCode(of: facts.process)
    reason = facts.reason(
      trap: backtrace.trapMessage(frames),
      function: facts.exception.canEndInFunction
        ? FatalFunction.reason(among: frames, before: userCode) : nil)
    self.place = CrashPlace.frame(among: frames, in: userCode).map { (backtrace: place, frame: $0) }
  }
}

/// Who tells the reason of a crash.
enum ReasonSource: String, CaseIterable {
  /// A function that the compiler made up where the code trapped.
  case trapMessage
  /// Name and reason of the exception that nobody caught.
  case thrownException
  /// A line that the app or a library left in the report.
  case applicationSpecificInformation
  /// What the system says of why it ended the process.
  case termination
  /// A function of the system that does nothing but end the process.
  case function
  /// The kind of the exception, which says least.
  case exceptionType
}

extension SymbolicatedBacktrace {
  /// Why the innermost frame traps, from the report's own inlined frames or from those found, whether they are
  /// shown or not.
  fileprivate func trapMessage(_ shown: [ShownFrame]) -> TrapMessage? {
    for frame in shown {
      if let message = frame.function.flatMap({ TrapMessage(function: $0) }) { return message }
      guard frame.isInlined else { break }
    }
    return frames.first { !$0.isSuperseded && $0.stated?.isInlined != true }?.answer?.trapMessage
  }
}
