import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Reasons that stand in the report as words: of the exception, the app, a library or the kernel.
enum WrittenRules {
  /// Name and reason of the uncaught exception.
  static func thrownException(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.facts.exception
    // KSCrash also writes the last exception if a zombie was used.
    guard !exception.isMemoryFault, let text = exception.thrownText else { return nil }
    // A name alone says less than who threw it.
    let thrower = exception.reason == nil ? ThrownExceptionRules.thrower(scene) : nil
    let words = thrower.map { Self.words(of: $0) } ?? ""
    return CauseFinding(
      exception.name == "RCTFatalException" ? .javaScriptError : .uncaughtException,
      text + words + scene.facts.managedPlace + scene.facts.placeInXcode, .certain,
      [
        scene.field("Exception Reason", "exceptionReason", "nsexception", "cpp_exception")
          ?? information(text)
      ] + (words.isEmpty ? [] : thrower?.evidence ?? []))
  }

  /// `: index or range out of bounds: thrown by -[__NSArrayM objectAtIndex:]`; `, thrown by -[Board
  /// turn]` if the thrower says nothing else, and nothing if nobody is known to have thrown.
  private static func words(of thrower: CauseFinding) -> String {
    guard thrower.kind == .uncaughtException else { return ": \(thrower.text)" }
    let start = "uncaught Objective-C exception thrown by "
    guard thrower.text.hasPrefix(start) else { return "" }
    return ", thrown by \(thrower.text.dropFirst(start.utf8.count))"
  }

  /// The first line of the application's information that mentions a failure.
  static func failure(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.toldFailure.map { line in
      let kind = kind(of: line)
      let place = kind == .managedException ? scene.facts.managedPlace : scene.facts.placeInXcode
      return CauseFinding(
        kind, shown(line, scene.facts) + place + late(scene), .certain, [information(line)])
    }
  }

  /// `; then the watchdog ended it (scene-update took more than 10.00 s)`: who ends itself gets a
  /// signal for that, so a process that was killed instead hung on the way to its end. Empty if it
  /// did not.
  ///
  /// Source: abort(3); developer.apple.com/documentation/xcode/addressing-watchdog-terminations.
  private static func late(_ scene: CrashScene) -> String {
    guard scene.facts.termination.code == 0x8bad_f00d, scene.facts.exception.signal == "SIGKILL"
    else { return "" }
    let event = scene.facts.termination.overdueEvent.map { " (\($0))" } ?? ""
    return "; then the watchdog ended it\(event)"
  }

  /// What Android's allocators found out about a bad access: `[GWP-ASan]: Use After Free on a
  /// 32-byte allocation at 0x736ad4afe0`.
  ///
  /// Source: source.android.com/docs/security/test/gwp-asan and …/memory-safety/arm-mte.
  static func allocatorReport(_ scene: CrashScene) -> CauseFinding? {
    guard let words = scene.facts.exception.message,
      ["[GWP-ASan]: ", "[MTE]: "].contains(where: { words.hasPrefix($0) })
    else { return nil }
    let kind: CauseKind =
      words.hasBytes(of: "flow")
      ? .bufferOverflow
      : words.hasBytes(of: "Use After Free") ? .freedObject : .heapDamage
    return CauseFinding(kind, words, .certain, [information(words)])
  }

  /// The last words of a runtime say which one it was.
  private static func kind(of line: String) -> CauseKind {
    if line.hasPrefix("Unhandled exception. ") || line.hasPrefix("Uncaught Kotlin exception: ") {
      return .managedException
    }
    if line.hasPrefix("Go panic: ") || line.hasPrefix("fatal error of ") {
      return .runtimePanic
    }
    if line.hasBytes(of: ReportFacts.deallocated) { return .freedObject }
    if line.hasBytes(of: ReportFacts.endlessRecursion) || overflowsStack(line) {
      return .stackOverflow
    }
    return ["thread '", "The application panicked at "].contains { line.hasPrefix($0) }
      ? .rustPanic : .applicationMessage
  }

  /// Whether a line is what a runtime says when a thread has no room left on its stack. A buffer
  /// there may overflow too (`stack buffer overflow`), and numbers do.
  ///
  /// Source: as those of `StatementMessage.overflows`.
  private static func overflowsStack(_ line: String) -> Bool {
    line.hasSuffix(ReportFacts.overflowedStack)
      || stackOverflows.contains { line.hasPrefix($0) }
  }

  private static let stackOverflows = [
    "fatal runtime error: stack overflow", "fatal error: stack overflow",
    "fatal error of Go: stack overflow", "Stack overflow",
    "Process is terminating due to StackOver",
    "Process is terminated due to StackOver", "Fatal error: exception Stack_overflow",
    "Fatal Python error: Cannot recover from stack overflow",
  ]

  /// The first line of the application's information that is more than a circumstance. If somebody
  /// else ended the process and says why, such a line is one too.
  static func information(_ scene: CrashScene) -> CauseFinding? {
    guard !scene.facts.termination.isByOthers, TerminationRules.earlyCode(scene) == nil else {
      return nil
    }
    return scene.facts.tellingInformation.map { line in
      CauseFinding(
        .applicationMessage, shown(line, scene.facts), .certain, [information(line)])
    }
  }

  /// What Python's faulthandler says when native code got a signal. No exception of Python is
  /// thrown then: what failed was called by the innermost function of Python.
  ///
  /// Source: github.com/python/cpython, Modules/faulthandler.c (`faulthandler_handlers`).
  static func nativeFaultInPython(_ scene: CrashScene) -> CauseFinding? {
    guard scene.report.format == .pythonFault,
      scene.report.backtraces.contains(where: \.isCrashed),
      let line = scene.facts.applicationInformation.first(where: { line in
        pythonSignals.contains { line == "Fatal Python error: \($0)" }
      }),
      let frame = scene.frames.first, let function = frame.function
    else { return nil }
    // Of a package, the file is called like that of any other.
    let parts = frame.path.map { $0.split(separator: "/").suffix(2) } ?? []
    let file =
      parts.last == "__init__.py" ? parts.joined(separator: "/") : frame.file
    let place = file.map { " (\($0)\(frame.line.map { ":\($0)" } ?? ""))" } ?? ""
    return CauseFinding(
      .applicationMessage, "\(line), in native code that \(function)\(place) called", .certain,
      [information(line), scene.evidence(frame)])
  }

  private static let pythonSignals = [
    "Segmentation fault", "Bus error", "Aborted", "Illegal instruction",
    "Floating point exception", "Floating-point exception",
  ]

  /// A line without what the runtime puts in front of its words, and with the next one if the text
  /// was wrapped behind a colon.
  private static func shown(_ stated: String, _ facts: ReportFacts) -> String {
    if let failure = ReportFacts.joinedFailure(stated) { return failure }
    let line = ReportFacts.withoutWriter(stated)
    if let type = ReportFacts.typeName(line) { return "uncaught C++ exception of type \(type)" }
    if line.hasPrefix(xcodeAssertion) {
      let file = line.dropFirst(xcodeAssertion.utf8.count)
      let title = "Details:"
      let details = facts.applicationInformation.first { $0.hasPrefix(title) }
        .map { $0.dropFirst(title.utf8.count).drop(while: { $0 == " " }) }
      return "failed assertion in \(String(file).lastPathComponent)"
        + (details.map { ": \($0)" } ?? "")
    }
    // The mark of a panic that was recovered from and thrown again.
    if line.hasPrefix("Go panic: "), line.hasSuffix("]"),
      let mark = line.firstRange(of: " [recovered")
    {
      return String(line[..<mark.lowerBound])
    }
    let prefix = "Swift runtime failure: "
    if line.hasPrefix(prefix + "Fatal error: ") { return String(line.dropFirst(prefix.count)) }
    let lines = facts.applicationInformation
    guard line.hasSuffix(":"), let index = lines.firstIndex(of: stated), index + 1 < lines.count
    else { return line }
    return "\(line) \(lines[index + 1].drop { $0.isWhitespace })"
  }

  /// What Xcode writes about an assertion of its own, with the details in the lines below.
  fileprivate static let xcodeAssertion = "ASSERTION FAILURE in "

  /// The system writes the backtrace of the last exception only if nobody caught it. Its frames may
  /// have no names.
  ///
  /// Source: developer.apple.com/documentation/xcode/addressing-language-exception-crashes.
  static func unnamedException(_ scene: CrashScene) -> CauseFinding? {
    if let finding = unnamedManagedException(scene) { return finding }
    guard scene.facts.exception.type == "EXC_CRASH", scene.facts.exception.signal == "SIGABRT",
      scene.report.lastExceptionBacktrace != nil
    else { return nil }
    return CauseFinding(
      .uncaughtException, "uncaught exception, which the report does not name", .likely,
      [scene.exceptionField])
  }

  /// Stacks of .NET have the name of the exception above them, but for those that a program asks
  /// for, and those of Mono for a fault in native code.
  ///
  /// Source: github.com/dotnet/runtime, System.Environment.StackTrace; mono/mono,
  /// mono/mini/mini-exceptions.c (`mono_handle_native_crash`).
  private static func unnamedManagedException(_ scene: CrashScene) -> CauseFinding? {
    let facts = scene.facts
    guard scene.report.format == .dotNetTrace, facts.exception.name == nil,
      facts.exception.type == nil, facts.exception.signal == nil,
      facts.applicationInformation.isEmpty, let first = scene.frames.first,
      let function = first.function, !function.hasPrefix("(wrapper managed-to-native)"),
      !function.hasPrefix("System.Environment.")
    else { return nil }
    return CauseFinding(
      .managedException, "a .NET exception, whose name is not in this text", .likely,
      [scene.evidence(first)])
  }

  /// What the C library leaves in the report of a process that ended itself. It says less than
  /// anything else.
  static func abortNote(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.applicationInformation.first { $0 == "abort() called" }.map { line in
      CauseFinding(.abort, line, .likely, [information(line)])
    }
  }

  /// The kind of the exception: what is left if nothing else is known.
  static func exceptionType(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.exception.text(withCodes: false).map { text in
      CauseFinding(.exceptionType, text, .likely, [scene.exceptionField])
    }
  }

  private static func information(_ line: String) -> CauseEvidence {
    CauseEvidence(source: .information, text: line, byteRange: nil)
  }
}

extension ReportFacts {
  /// The first line of the application's information that mentions a failure.
  fileprivate var toldFailure: String? {
    applicationInformation.first { line in
      isTelling(line) && Self.failures.contains { line.hasBytes(of: $0) }
    }
  }

  /// Where an exception of .NET or Mono was thrown, whose frames have no addresses and are written
  /// below the exception (`  at Game.Board.Turn () [0x00007] in /src/Board.cs:12`), as ` (thrown in
  /// Game.Board.Turn, Board.cs:12)`: the first method that is not the framework's. Empty if there
  /// are no such frames.
  ///
  /// Source: github.com/dotnet/runtime, System.Diagnostics.StackTrace.ToString().
  fileprivate var managedPlace: String {
    var first: String?
    for line in applicationInformation {
      let text = line.drop { $0.isWhitespace }
      guard text.hasPrefix("at "), text.utf8.count < line.utf8.count else { continue }
      let name = text.dropFirst(3).prefix { $0 != "(" }
      let method = name.split(separator: " ").joined(separator: " ")
      guard method.contains(".") else { continue }
      let place = " (thrown in \(method)\(Self.managedFile(text).map { ", \($0)" } ?? ""))"
      guard Self.frameworks.contains(where: { method.hasPrefix($0) }) else { return place }
      first = first ?? place
    }
    return first ?? ""
  }

  /// Where Xcode threw an exception that nobody caught, or asserted: ` (called by -[Board turn],
  /// Board.m:12, in Plugin)`, the first function in the backtrace among its words that is neither
  /// the system's nor Xcode's. Empty if there is none.
  ///
  /// ```text
  /// Backtrace:
  ///   4  0x00007fff8e1d53ce -[NSArray objectAtIndex:] (in CoreFoundation)
  ///   5  0x0000000113bcf956 -[Board turn] at /src/Board.m:12 (in Plugin)
  /// ```
  fileprivate var placeInXcode: String {
    guard
      applicationInformation.contains(where: { line in
        line.hasPrefix("UNCAUGHT EXCEPTION (") || line.hasPrefix(WrittenRules.xcodeAssertion)
      }), let start = applicationInformation.firstIndex(of: "Backtrace:")
    else { return "" }
    for line in applicationInformation[(start + 1)...].prefix(64) {
      var text = line[...]
      for isPart in [\Character.isWhitespace, \.isNumber, \.isWhitespace] {
        text = text.drop { $0[keyPath: isPart] }
      }
      let mark = "(in "
      guard line.hasSuffix(")"), let end = text.ranges(of: mark).last else { continue }
      let image = text[end.upperBound...].dropLast()
      if AppleImages.isOne(String(image)) { continue }
      if Self.imagesOfXcode.contains(where: { image.hasPrefix($0) }) { continue }
      var name = text[..<end.lowerBound]
      if name.hasPrefix("0x") { name = name.drop(while: { $0 != " " }).drop(while: { $0 == " " }) }
      while name.last == " " { name = name.dropLast() }
      var place = ""
      if let at = name.firstRange(of: " at /") {
        place = ", \(String(name[at.upperBound...]).lastPathComponent)"
        name = name[..<at.lowerBound]
      }
      if !name.isEmpty { return " (called by \(name)\(place), in \(image))" }
    }
    return ""
  }

  /// How the names of Xcode's own frameworks and plug-ins begin, as its reports list them.
  private static let imagesOfXcode = [
    "DVT", "IDE", "IB", "DevTools", "Xcode", "SourceEditor", "SourceKit", "DebuggerUI", "GPU",
    "dyld", "lib",
  ]

  private static let frameworks = [
    "System.", "Microsoft.", "Xamarin.", "Mono.", "UIKit.", "Foundation.", "AppKit.",
    "ObjCRuntime.",
    "Android.", "Java.",
  ]

  /// `Board.cs:12` of `… in /src/Board.cs:12` or `… in C:\src\Board.cs:line 12`.
  private static func managedFile(_ frame: Substring) -> String? {
    guard
      let place = frame.firstRange(of: ") in ")?.upperBound
        ?? frame.firstRange(of: "] in ")?.upperBound
    else { return nil }
    let path = frame[place...].split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let parts = path.split(separator: ":")
    guard parts.count == 2, !parts[0].hasPrefix("<"),
      let number = parts[1].split(separator: " ").last, number.allSatisfy(\.isDecimalDigit)
    else { return nil }
    return "\(parts[0]):\(number)"
  }

  private func isTelling(_ line: String) -> Bool {
    // It is about an exception that was thrown earlier, as in `thrownException`.
    if exception.isMemoryFault, line.hasPrefix("*** Terminating app due to uncaught exception") {
      return false
    }
    return !Self.isBoilerplate(line) && !Self.isNoteOfSdk(line) && !isOfCommand(line)
      && !line.hasBytes(of: ": garbage collection is O")
      && !Self.circumstances.contains { line.hasPrefix($0) }
      && !Self.progress.contains { line.hasBytes(of: $0) }
  }

  /// Whether a line is the version of a tool (`ld64-278.4`) or its command line (`ld -demangle …`),
  /// which compilers and linkers leave when they start.
  private func isOfCommand(_ line: String) -> Bool {
    if line.hasPrefix("Program arguments: ") { return true }
    let words = line.split(separator: " ", maxSplits: 1)
    guard let first = words.first else { return false }
    if words.count > 1 {
      return words[1].hasPrefix("-") && words[1].dropFirst().first?.isLetter == true
        && (process.name ?? process.path?.lastPathComponent).map { first == $0 } == true
    }
    let version = first.split(separator: "-")
    return version.count == 2 && version[0].allSatisfy { $0.isLetter || $0.isDecimalDigit }
      && version[1].contains(".") && version[1].allSatisfy { $0.isDecimalDigit || $0 == "." }
  }

  /// KSCrash and Sentry put the words that registers point at in front of their own (`extra >`),
  /// and the exception's numbers in the place of words (`Signal 6, Code 0`).
  package static func isNoteOfSdk(_ line: String) -> Bool {
    line.hasSuffix(" >") && !line.hasPrefix(failureParts)
      || line.hasBytes(of: ", Code ")
        && ["Signal ", "Exception "].contains { line.hasPrefix($0) }
  }

  /// How Sentry joins what the Swift runtime said: `Fatal error > Board.swift > no cards >`.
  private static let failureParts = "Fatal error > "

  /// `Fatal error: no cards` of such a line.
  fileprivate static func joinedFailure(_ line: String) -> String? {
    guard line.hasPrefix(failureParts) else { return nil }
    let parts = line.dropFirst(failureParts.utf8.count).split(separator: ">").map { part in
      part.split(separator: " ").joined(separator: " ")
    }
    return parts.last { !$0.isEmpty && !$0.hasSuffix(".swift") }.map { "Fatal error: \($0)" }
  }

  /// The line of the application's information that says most: the first that mentions a failure,
  /// else the first that is more than a circumstance.
  var tellingInformation: String? {
    toldFailure ?? applicationInformation.first { isTelling($0) }
  }

  /// What runtimes, libraries and the kernel write when they end a process. The first letter is
  /// missing if both cases occur.
  private static let failures = [
    "fatal error of V8: ", "UNCAUGHT EXCEPTION (", "ASSERTION FAILURE in ",
    "Main Thread Checker: ", "failed assertion `", "Could not cast value of type '",
    "Crashing on exception: ",
    "atal error", "ssertion failed", "ssertion failure", "recondition failed", "BUG IN ",
    "ncaught exception", "unrecognized selector", "API MISUSE", "overflow",
    "Unhandled exception. ", "Uncaught Kotlin exception: ", " panicked at ", "Go panic: ",
    "*** error for object 0x", ReportFacts.deallocated, ReportFacts.endlessRecursion,
    "due to StackOverflowException", "exception Stack_overflow",
  ]

  /// `facebook::jsi::JSError` of `N8facebook3jsi7JSErrorE`: crash SDKs write the type of an
  /// exception of C++ as its `type_info` has it. Nil for other lines.
  static func typeName(_ line: String) -> String? {
    guard line.hasPrefix("N") && line.hasSuffix("E") || line.hasPrefix("St"),
      line.utf8.count > 4,
      line.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }),
      line.contains(where: \.isNumber)
    else { return nil }
    let start = "typeinfo name for "
    let name = ReadableName.readable("_ZTS" + line)
    return name.hasPrefix(start) ? String(name.dropFirst(start.utf8.count)) : nil
  }

  /// Whether a line of the application's information says nothing about a crash: what every process
  /// or simulator has there, or the text that the report was pasted into.
  package static func isBoilerplate(_ line: String) -> Bool {
    line.allSatisfy { !$0.isLetter } || boilerplate.contains { line.hasPrefix($0) }
      // A link of Markdown.
      || line.hasPrefix("[") && line.hasBytes(of: "](http")
  }

  /// A line without the process that libraries write in front of their words, and what they tell
  /// users of debuggers behind them: `objc[42]: …; break on objc_error to debug`,
  /// `Game(42,0x16d913000) malloc: *** error for object 0x10: …`.
  package static func withoutWriter(_ line: String) -> String {
    var text = Substring(line)
    if text.hasPrefix("objc["), let end = text.firstRange(of: "]: ")?.upperBound {
      text = text[end...]
    } else if let end = text.firstRange(of: ") malloc: ")?.upperBound {
      text = text[end...]
    }
    if let advice = text.firstRange(of: "; break on ")?.lowerBound { text = text[..<advice] }
    return text.utf8.count == line.utf8.count ? line : String(text)
  }

  /// Source: libsystem_c's `abort`; dyld; CoreSimulator; Xcode.
  private static let boilerplate = [
    "abort() called", "dyld2 mode", "dyld3 mode", "dyld4 config: ", "dyld: launch, ", "DYLD_",
    "CoreSimulator ",
    "Configuration: ", "Analytics", "ProductBuildVersion: ", "UserInfo: (null)", "Hints: None",
    "```", "~~~", "> ", "<details", "</", "<summary", "<pre", "<code",
  ]

  /// Lines that say what was going on, not what went wrong.
  private static let circumstances = [
    "dyld: in dl", "dyld: launch", "objc_msgSend() selector name:",
    "Selector name found in current argument registers:", "Performing @selector(",
    "*** multi-threaded process forked ***", "crashed on child side of fork pre-exec",
    "Topmost application", " ", "/",
    // What the signal says too.
    "fatal error of Go: unexpected signal", "fatal error of Go: fault",
  ]

  /// Parts of lines that say how far something had got: ReportCrash's
  /// `Pid 33594 'Game' CORPSE: Extracting`; which file Spotlight's worker read, and with what
  /// (`import fstype:hfs fsflag:480D000 … plugin:/Library/Spotlight/Board.mdimporter - find suspect
  /// file using: sudo mdutil -t 812`).
  ///
  /// Source: for Spotlight, github.com/eugenemel/maven, issue 47.
  private static let progress = [
    "' CORPSE", " - find suspect file using: ", " fstype:",
  ]
}

extension ReportFacts.CrashException {
  /// Whether an invalid memory access caused the crash. Then no exception was thrown.
  var isMemoryFault: Bool {
    type == "EXC_BAD_ACCESS" || ["SIGSEGV", "SIGBUS"].contains(signal)
      // Swift's runtime, if the line with the signal is not in the text.
      || type == nil && signal == nil && subtype?.hasPrefix("Bad pointer dereference at ") == true
  }

  /// Whether a function may have ended the process on purpose, with `abort()` or a trap
  /// instruction.
  var canEndInFunction: Bool {
    let kinds = ["EXC_CRASH", "EXC_BREAKPOINT", "EXC_BAD_INSTRUCTION"]
    let signals = ["SIGABRT", "SIGTRAP", "SIGILL"]
    return type.map { kinds.contains($0) } ?? true && signal.map { signals.contains($0) } ?? true
  }

  /// `EXC_BAD_ACCESS (SIGSEGV): KERN_INVALID_ADDRESS at 0x1, codes 0x1 0x1`, and that the process
  /// went on, if it did; nil if the report says none of it.
  ///
  /// - Parameter withCodes: whether to include the codes, which differ from crash to crash.
  package func text(withCodes: Bool) -> String? {
    // KSCrash writes this if there was no exception.
    guard type != "0 (0)" else { return nil }
    let numbers = !withCodes || codes.allSatisfy { $0 == 0 } ? [] : codes
    let codes = numbers.map { $0.hexadecimal }.joined(separator: " ")
    let details = [
      subtype?.withoutGuess.withReadableFunction, message, codes.isEmpty ? nil : "codes \(codes)",
    ].compactMap(\.self)
    let kinds = if let type, let signal { "\(type) (\(signal))" } else { type ?? signal }
    let parts = [kinds, details.isEmpty ? nil : details.joined(separator: ", ")]
    let text = parts.compactMap(\.self).joined(separator: ": ")
    return text.isEmpty ? nil : text + (isWarning ? ResourceRules.wentOn : "")
  }

  /// `NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 3 beyond bounds`.
  package var thrownText: String? {
    // Managed exceptions begin with their name.
    if let name, let reason, reason.hasPrefix(name + ":") { return reason }
    // React Native adds the stack of the script.
    let stack = name == "RCTFatalException" ? reason?.firstRange(of: ", stack:") : nil
    let words = reason.map { $0[..<(stack?.lowerBound ?? $0.endIndex)] }
    let parts = [name, words.map { String($0) }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }
}

extension String {
  /// Without the system's guess about signed pointers, which the reason repeats if it can be true:
  /// `KERN_INVALID_ADDRESS at 0x2000… -> 0x…10 (possible pointer authentication failure)`.
  fileprivate var withoutGuess: String {
    guard hasBytes(of: MemoryRules.authenticationGuess), let arrow = firstRange(of: " -> 0x")
    else { return self }
    return String(self[..<arrow.lowerBound])
  }

  /// With the last word demangled if it is the function in which a sanitizer found something:
  /// `heap-buffer-overflow (Game:arm64+0x5030) in $s4Game4drawyyF`.
  fileprivate var withReadableFunction: String {
    guard let space = lastIndex(of: " "), self[..<space].hasSuffix(" in") else { return self }
    return self[...space] + ReadableName.readable(String(self[index(after: space)...]))
  }
}
