import CodeOwnership
import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// Reasons that stand in the report as words: of the exception, the app, a library or the kernel.
enum WrittenRules {
  /// Name and reason of the uncaught exception.
  static func thrownException(_ scene: CrashScene) -> CauseFinding? {
    // KSCrash also writes the last exception if a zombie was used.
    guard !scene.exception.isMemoryFault, let text = scene.exception.thrownText else { return nil }
    // A name alone says less than who threw it.
    let thrower = scene.exception.reason == nil ? ThrownExceptionRules.thrower(scene) : nil
    let words = thrower.map { Self.words(of: $0) } ?? ""
    // Only the stack says so.
    let isOfKotlin =
      scene.report.format == .kotlinNative && scene.exception.name?.hasPrefix("kotlin") == false
    // A word that anybody may have chosen says not even that it is the name of an exception.
    let isWord = scene.exception.name.map { name in
      name.first?.isLowercase == true && name.allSatisfy { $0.isLetter || $0.isNumber }
    }
    let isPlain = isWord == true && scene.facts.event == .crash && !text.hasPrefix("uncaught ")
    let language = isOfKotlin ? "Kotlin exception " : isPlain ? "uncaught exception " : ""
    return CauseFinding(
      scene.exception.name == "RCTFatalException" ? .javaScriptError : .uncaughtException,
      language + text + words + scene.facts.managedPlace + scene.facts.placeInXcode, .certain,
      [
        scene.field("Exception Reason", "exceptionReason", "nsexception", "cpp_exception")
          ?? information(text)
      ] + (words.isEmpty ? [] : thrower?.evidence ?? []))
  }

  /// `: index or range out of bounds: thrown by -[__NSArrayM objectAtIndex:]`; `, thrown by -[Board
  /// turn]` if the thrower says nothing else, and nothing if nobody is known to have thrown.
  private static func words(of thrower: CauseFinding) -> String {
    guard thrower.kind == .uncaughtException else { return ": \(thrower.text)" }
    let start = "uncaught Objective-C exception "
    let told = ["thrown by ", "thrown in a block of "].contains {
      thrower.text.hasPrefix(start + $0)
    }
    return told ? ", \(thrower.text.dropFirst(start.utf8.count))" : ""
  }

  /// The first line of the application's information that mentions a failure.
  static func failure(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.toldFailure.map { line in
      let kind = kind(of: line)
      let place = kind == .managedException ? scene.facts.managedPlace : scene.facts.placeInXcode
      return CauseFinding(
        kind, shown(line, scene.facts) + place + overflown(line, scene) + late(scene), .certain,
        [information(line)])
    }
  }

  /// `, in board::Deck::path(char*)`, if the innermost frames say whose stack a buffer overflowed,
  /// and nothing says whose code that is: it is the function that called `__stack_chk_fail`.
  ///
  /// Source: apple-oss-distributions/Libc, sys/OpenBSD/stack_protector.c.
  private static func overflown(_ line: String, _ scene: CrashScene) -> String {
    guard line == "stack buffer overflow", scene.site == nil,
      let check = scene.frames.prefix(8).firstIndex(where: { $0.function == "__stack_chk_fail" }),
      check + 1 < scene.frames.count, let function = scene.frames[check + 1].ownFunction
    else { return "" }
    return ", in \(function)"
  }

  /// `; then the watchdog ended it (scene-update took more than 10.00 s)`: who ends itself gets a
  /// signal for that, so a process that was killed instead hung on the way to its end. Empty if it
  /// did not.
  ///
  /// Source: abort(3); developer.apple.com/documentation/xcode/addressing-watchdog-terminations.
  private static func late(_ scene: CrashScene) -> String {
    guard scene.facts.termination.code == 0x8bad_f00d, scene.exception.signal == "SIGKILL"
    else { return "" }
    let event = scene.facts.termination.overdueEvent.map { " (\($0))" } ?? ""
    return "; then the watchdog ended it\(event)"
  }

  /// What Android's allocators found out about a bad access: `[GWP-ASan]: Use After Free on a
  /// 32-byte allocation at 0x736ad4afe0`.
  ///
  /// Source: source.android.com/docs/security/test/gwp-asan and …/memory-safety/arm-mte.
  static func allocatorReport(_ scene: CrashScene) -> CauseFinding? {
    guard let words = scene.exception.message,
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
    return panics.contains { line.hasPrefix($0) } ? .rustPanic : .applicationMessage
  }

  private static let panics = ["thread '", "The application panicked at ", "Rust panic at "]

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
      // The frames may say who called it.
      if bareEnds.contains(line), let finding = FrameSigns.platform(scene),
        finding.text.hasSuffix(FrameSignTable.withoutException)
      {
        return CauseFinding(
          finding.kind, finding.text, finding.confidence, finding.evidence + [information(line)])
      }
      return CauseFinding(
        .applicationMessage, shown(line, scene.facts), .certain, [information(line)])
    }
  }

  /// What libc++abi says if `std::terminate()` was called and no exception is being handled. With
  /// one, it names its type.
  ///
  /// Source: llvm-project, libcxxabi/src/cxa_default_handlers.cpp (`demangling_terminate_handler`).
  private static let bareEnds: Set = [
    "terminating", "libc++abi: terminating", "libc++abi.dylib: terminating",
  ]

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
      // How modules are imported says nothing.
      let frame = scene.frames.first(where: { $0.file?.hasPrefix("<frozen ") != true }),
      let function = frame.function
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
    if bareEnds.contains(line) {
      return "std::terminate() was called with no exception in flight (libc++abi: terminating)"
    }
    if let type = ReportFacts.typeName(line) { return "uncaught C++ exception of type \(type)" }
    if line.hasPrefix(LastWords.xcodeAssertion) {
      let file = line.dropFirst(LastWords.xcodeAssertion.utf8.count)
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
    if let line = ReportFacts.withPlaceKept(line) { return line }
    if line.hasBytes(of: "bad_alloc"), let size = facts.refusedSize { return "\(line); \(size)" }
    let lines = facts.applicationInformation
    // Metal says what it checked, and in the next line what it found.
    let isTitle = line.hasSuffix(" Validation") && line.hasBytes(of: ": failed assertion `")
    guard line.hasSuffix(":") || isTitle, let index = lines.firstIndex(of: stated),
      index + 1 < lines.count
    else { return facts.withQuotationClosed(withoutColon(line), stated) }
    // An exception without a message, above what `abort()` leaves.
    if ReportFacts.isBoilerplate(lines[index + 1]) { return withoutColon(line) }
    return "\(line) \(lines[index + 1].drop { $0.isWhitespace })"
  }

  /// What libc++abi prints of an exception whose message is empty: `… of type board::DeckError: `.
  private static func withoutColon(_ line: String) -> String {
    line.hasSuffix(":") && line.hasBytes(of: " exception of type ") ? String(line.dropLast()) : line
  }

  /// The system writes the backtrace of the last exception only if nobody caught it. Its frames may
  /// have no names. A text may have no more of a report than its backtraces.
  ///
  /// Source: developer.apple.com/documentation/xcode/addressing-language-exception-crashes.
  static func unnamedException(_ scene: CrashScene) -> CauseFinding? {
    if let finding = unnamedManagedException(scene) ?? recordedException(scene) { return finding }
    let isAbort = scene.exception.type == "EXC_CRASH" && scene.exception.signal == "SIGABRT"
    guard isAbort || scene.report.format == .crashText && scene.owners.isUnexplained,
      scene.report.lastExceptionBacktrace != nil
    else { return nil }
    return CauseFinding(
      .uncaughtException, "uncaught exception, which the report does not name", .likely,
      [scene.exceptionField])
  }

  /// The handler of Crashlytics runs on the thread that threw, and waits for a queue of its own:
  /// the thread has the name of that queue. Who threw is further out, and may be cut off.
  ///
  /// Source: github.com/firebase/firebase-ios-sdk, Crashlytics/Crashlytics/Handlers,
  /// FIRCLSException.mm (`FIRCLSExceptionRecord`); before, docs.fabric.io/apple/crashlytics.
  private static func recordedException(_ scene: CrashScene) -> CauseFinding? {
    guard let thread = scene.report.crashedThread, scene.exception.type == nil,
      let queue = thread.dispatchQueue ?? thread.name, isQueueOfCrashlytics(thread)
    else { return nil }
    return CauseFinding(
      .uncaughtException,
      "uncaught exception, which Crashlytics recorded; neither it nor who threw it is in this text",
      .likely, [CauseEvidence(source: .field("queue"), text: queue, byteRange: nil)])
  }

  static func isQueueOfCrashlytics(_ thread: Backtrace) -> Bool {
    (thread.dispatchQueue ?? thread.name)?.hasSuffix(".crashlytics.ios.exception") == true
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
    // The title of an issue, or a sentence, may have it.
    let mentioned = facts.mention.flatMap { mention in
      let name = mention.words.prefix { $0 != " " && $0 != ":" }
      return name.hasSuffix("Exception") && name.contains(".")
        ? "; the text mentions: \(mention.words)" : nil
    }
    return CauseFinding(
      .managedException,
      "a .NET exception\(mentioned ?? ", whose name is not in this text")", .likely,
      [scene.evidence(first)])
  }

  /// What tells an assertion, or an error of the graphics driver, from others, if nothing else says
  /// why the process ended itself: `Graphics kernel error: 0x00000003`.
  ///
  /// Source: the words of libGPUSupport, as people show them
  /// (github.com/monero-project/monero-gui, issue 3250).
  static func signature(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.canEndInFunction, let signature = AssertedCondition.signature(scene)
    else { return nil }
    return CauseFinding(.applicationMessage, signature.text, .likely, [signature])
  }

  /// What the C library leaves in the report of a process that ended itself. It says less than
  /// anything else.
  static func abortNote(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.applicationInformation.first { $0 == "abort() called" }.map { line in
      CauseFinding(.abort, line, .likely, [information(line)])
    }
  }

  /// The kind of the exception, or what a crash SDK says about the address: what is left if nothing
  /// else is known.
  static func exceptionType(_ scene: CrashScene) -> CauseFinding? {
    let words = scene.facts.applicationInformation.first { $0.hasPrefix(ReportFacts.dereference) }
    if let words { return CauseFinding(.applicationMessage, words, .likely, [information(words)]) }
    return scene.exception.text(withCodes: false).map { text in
      CauseFinding(.exceptionType, text, .likely, [scene.exceptionField])
    }
  }

  /// What a text mentions in which no report was found, and the functions that it names.
  static func mention(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.mention.flatMap { mention in
      guard !mention.isBesideReport else { return nil }
      // What the process did just then is not why somebody else ended it.
      let isEnded = endings.contains { mention.words.firstRange(of: $0) != nil }
      return finding(mention, mention.words + (isEnded ? "" : mention.named(notIn: "")))
    }
  }

  /// Words of those who end a process from outside. The first letter of the first may be a capital.
  private static let endings = [
    "atchdog", "0x8badf00d", "0xdead10cc", "exhausted real (wall clock)", "exhausted CPU time",
  ]

  /// What the text around a report mentions that says nothing itself.
  static func mentionBesideReport(_ scene: CrashScene) -> CauseFinding? {
    scene.facts.mention.flatMap { mention in
      mention.isBesideReport && !mention.words.isEmpty && scene.frames.isEmpty
        ? finding(mention, "the text mentions: \(mention.words)") : nil
    }
  }

  private static func finding(
    _ mention: ReportFacts.Mention, _ text: String
  ) -> CauseFinding {
    CauseFinding(.applicationMessage, text, .possible, [information(mention.words)])
  }

  private static func information(_ line: String) -> CauseEvidence {
    CauseEvidence(source: .information, text: line, byteRange: nil)
  }
}

extension ReportFacts {
  /// `malloc could not get 1800945664 bytes (1.8 GB)`, from its words: `*** mach_vm_map(
  /// size=1800945664) failed (error code=3)`. Nil if they are not among the information.
  ///
  /// A size of half of all addresses or more is the number that a negative one becomes.
  ///
  /// Source: github.com/apple-oss-distributions/libmalloc, src/malloc.c.
  fileprivate var refusedSize: String? {
    for line in applicationInformation where line.hasBytes(of: ") failed (error code=") {
      guard let digits = line.word(after: "(size=", of: \.isDecimalDigit), let size = UInt64(digits)
      else { continue }
      let isLarge = size >= 1_000_000_000
      let tenths = size / (isLarge ? 100_000_000 : 100_000)
      let meaning =
        size > Int64.max
        ? "\(Int64(bitPattern: size)) as a number with a sign"
        : "\(tenths / 10).\(tenths % 10) \(isLarge ? "GB" : "MB")"
      return "malloc could not get \(size) bytes (\(meaning))"
    }
    return nil
  }
}
