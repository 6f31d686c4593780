import CrashLogParser
import SymbolicationModel

extension ReportFacts {
  /// Why the process crashed, from the source that says most.
  ///
  /// - Parameter trap: what the innermost frame of the crash's backtrace says.
  /// - Parameter function: what the functions in that backtrace say.
  func reason(trap: TrapMessage? = nil, function: String? = nil) -> CrashCause.Reason? {
    let ended = termination.tellsReason ? termination.text : nil
    let candidates: [(text: String?, source: ReasonSource)] = [
      (trap?.text, .trapMessage),
      // KSCrash also writes the last exception if a zombie was used.
      (exception.isMemoryFault ? nil : exception.thrownText, .thrownException),
      (toldFailure, .applicationSpecificInformation),
      (termination.isExplained ? ended : nil, .termination),
      (tellingInformation, .applicationSpecificInformation), (function, .function),
      (ended, .termination), (abortNote, .applicationSpecificInformation),
      (exception.text(withCodes: false), .exceptionType),
    ]
    for candidate in candidates {
      if let text = candidate.text {
        return CrashCause.Reason(text: text, source: candidate.source)
      }
    }
    return nil
  }

  /// The first line of the application's information that mentions a failure.
  private var toldFailure: String? {
    applicationInformation.first { line in
      isTelling(line) && Self.failures.contains { line.contains($0) }
    }
  }

  private func isTelling(_ line: String) -> Bool {
    // It is about an exception that was thrown earlier, as in `reason`.
    if exception.isMemoryFault, line.hasPrefix("*** Terminating app due to uncaught exception") {
      return false
    }
    return !Self.circumstances.contains { line.hasPrefix($0) }
  }

  /// The line of the application's information that says most: the first that mentions a failure,
  /// else the first that is more than a circumstance.
  var tellingInformation: String? {
    toldFailure ?? applicationInformation.first { isTelling($0) }
  }

  /// What the C library leaves in the report of a process that ended itself. It says less than
  /// anything else.
  private var abortNote: String? { applicationInformation.first { $0 == "abort() called" } }

  /// The line of the application's information to show besides the reason.
  func information(beside reason: CrashCause.Reason?) -> String? {
    guard exception.name == nil, reason?.source != .applicationSpecificInformation else {
      return nil
    }
    // Up to macOS 11 dyld notes how it works.
    return tellingInformation
      ?? applicationInformation.first {
        !["dyld2 mode", "dyld3 mode", "abort() called"].contains($0)
      }
  }

  /// What runtimes, libraries and the kernel write when they end a process. The first letter is
  /// missing if both cases occur.
  private static let failures = [
    "atal error", "ssertion failed", "recondition failed", "BUG IN ", "ncaught exception",
    "unrecognized selector", "API MISUSE", "overflow",
  ]

  /// Lines that say what was going on, not what went wrong.
  private static let circumstances = [
    "dyld2 mode", "dyld3 mode", "dyld: ", "objc_msgSend() selector name:",
    "Selector name found in current argument registers:", "Performing @selector(",
    "CoreSimulator ", "*** multi-threaded process forked ***",
    "crashed on child side of fork pre-exec", "Topmost application", "abort() called", " ", "/",
  ]
}

extension ReportFacts.CrashException {
  /// Whether an invalid memory access caused the crash. Then no exception was thrown.
  var isMemoryFault: Bool {
    type == "EXC_BAD_ACCESS" || ["SIGSEGV", "SIGBUS"].contains(signal)
  }

  /// Whether a function may have ended the process on purpose, with `abort()` or a trap
  /// instruction.
  var canEndInFunction: Bool {
    let kinds = ["EXC_CRASH", "EXC_BREAKPOINT", "EXC_BAD_INSTRUCTION"]
    let signals = ["SIGABRT", "SIGTRAP", "SIGILL"]
    return type.map { kinds.contains($0) } ?? true && signal.map { signals.contains($0) } ?? true
  }

  /// `EXC_BAD_ACCESS (SIGSEGV): KERN_INVALID_ADDRESS at 0x1, codes 0x1 0x1`; nil if the report says
  /// none of it.
  ///
  /// - Parameter withCodes: whether to include the codes, which differ from crash to crash.
  func text(withCodes: Bool) -> String? {
    // KSCrash writes this if there was no exception.
    guard type != "0 (0)" else { return nil }
    let numbers = !withCodes || codes.allSatisfy { $0 == 0 } ? [] : codes
    let codes = numbers.map { $0.hexadecimal }.joined(separator: " ")
    let details = [subtype, message, endingCodeMeaning, codes.isEmpty ? nil : "codes \(codes)"]
      .compactMap(\.self)
    let kinds = if let type, let signal { "\(type) (\(signal))" } else { type ?? signal }
    let parts = [kinds, details.isEmpty ? nil : details.joined(separator: ", ")]
    let text = parts.compactMap(\.self).joined(separator: ": ")
    return text.isEmpty ? nil : text
  }

  /// Reports of iOS 7 and earlier have the termination code there, with a type of their own.
  private var endingCodeMeaning: String? {
    guard type == "00000020" else { return nil }
    return codes.first.flatMap { EndingCode.meaning(of: $0) }
  }

  /// `NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 3 beyond bounds`.
  var thrownText: String? {
    let parts = [name, reason].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }
}

extension ReportFacts.Termination {
  /// `SIGNAL 0x5, Trace/BPT trap: 5`, `SPRINGBOARD 0xdead10cc (held a file or database lock while
  /// suspended)`.
  var text: String? {
    let meaning = tellsReason ? code.flatMap { EndingCode.meaning(of: $0) } : nil
    let reason = [
      namespace, code.map { $0.hexadecimal }, meaning.map { "(\($0))" },
    ].compactMap(\.self).joined(separator: " ")
    let parts = [reason, indicator ?? "", details.first ?? ""]
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return text.isEmpty ? nil : text
  }

  /// Whether it says more than the signal, which the exception has too.
  var tellsReason: Bool { namespace.map { $0 != "SIGNAL" } ?? false }

  /// Whether there are words besides namespace and code.
  var isExplained: Bool {
    indicator != nil || !details.isEmpty || code.flatMap { EndingCode.meaning(of: $0) } != nil
  }
}

/// The codes that Apple's systems end processes with.
private enum EndingCode {
  /// What Apple says about the code ("Understanding the exception types in a crash report"); nil
  /// for others.
  static func meaning(of code: UInt64) -> String? {
    switch code {
    case 0x8bad_f00d: "watchdog: it took too long"
    case 0xc000_10ff: "the device was too hot"
    case 0xdead_10cc: "held a file or database lock while suspended"
    case 0xbaad_ca11: "reported no call for a VoIP notification"
    case 0xbad2_2222: "resumed too often as a VoIP app"
    case 0xdead_fa11: "the user ended it"
    case 0x2bad_45ec: "security violation"
    case 0xc51b_ad01: "background task: too much processor time"
    case 0xc51b_ad02: "background task: took too long"
    case 0xc51b_ad03: "background task: took too long on a busy system"
    default: nil
    }
  }
}
