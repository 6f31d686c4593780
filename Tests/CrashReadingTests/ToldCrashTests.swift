import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What Swift's library, formats, crash SDKs and the dynamic linker say about a crash, in frames
/// and on consoles.
struct ToldCrashTests {
  private typealias Report = TrapReportFixture

  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  /// The crash of a process with these functions of the system on its stack, innermost first.
  private func crash(_ functions: [String], head: String) throws -> JsonReport.Crash {
    let lines = functions.enumerated().map { Report.system($0.offset, "\($0.element) + 8") }
    return try read(
      Report.report(lines + [Report.stated(functions.count, 0x1_0000_1000, Report.own)], head: head)
    ).crash
  }

  private static let trap = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)"
  private static let fault =
    "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\n"
    + "Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000007"

  // MARK: Frames

  /// Source: github.com/swiftlang/swift, release/5.3, stdlib/public/Darwin/Foundation: `URL.swift`
  /// and `Date.swift` take nil for an object, `Data.swift` and stdlib/public/core for an empty
  /// value.
  @Test(
    arguments: [
      ("static URL._unconditionallyBridgeFromObjectiveC(_:)", "gave nil", " (URL)"),
      ("static Date._unconditionallyBridgeFromObjectiveC", "gave nil", " (Date)"),
      (
        "$s10Foundation4UUIDV36_unconditionallyBridgeFromObjectiveCyACSo6NSUUIDCSgFZ", "gave nil",
        ""
      ),
      (
        "protocol witness for static _ObjectiveCBridgeable._unconditionallyBridgeFromObjectiveC(_:)"
          + " in conformance IndexPath", "gave nil", " (IndexPath)"
      ),
      ("static Array._unconditionallyBridgeFromObjectiveC(_:)", "a failed check", " (Array)"),
      ("static String._unconditionallyBridgeFromObjectiveC(_:)", "a failed check", " (String)"),
    ])
  func bridges(function: String, words: String, type: String) throws {
    let found = try crash([function], head: Self.trap)
    expectEqual(found.kind, "swiftRuntimeFailure")
    expectTrue(found.reason?.contains(words) == true && found.reason?.contains(type) == true)
    expectEqual(found.frame?.function, "-[Board draw]")
    // An object that is no longer there is another reason.
    expectTrue(try crash([function], head: Self.fault).kind != "swiftRuntimeFailure")
  }

  /// Source: CF, CFString.c (`__CFStringAppendFormatCore`); Libc, stdio/FreeBSD/vfprintf.c.
  @Test(
    arguments: [
      ("_platform_strlen", "__CFStringAppendFormatCore", "invalidAddress"),
      ("_platform_strlen$VARIANT$Haswell", "__CFStringAppendFormatCore", "invalidAddress"),
      ("strlen", "__vfprintf", "invalidAddress"),
      ("__strlen_avx2", "__vfprintf_internal", "invalidAddress"),
      ("objc_msgSend", "__CFStringAppendFormatCore", "freedObject"),
    ])
  func formats(function: String, caller: String, kind: String) throws {
    let found = try crash([function, caller, "_NSLogv"], head: Self.fault)
    expectEqual(found.kind, kind)
    expectTrue(found.reason?.contains("format") == true)
    // Any code may call it for a text of its own.
    let other = try crash([function, "-[Deck description]", caller], head: Self.fault)
    expectTrue(other.reason?.contains("format") == false)
  }

  /// The queue on which Crashlytics records an exception, while the thread that threw waits.
  ///
  /// Source: firebase/firebase-ios-sdk, FIRCLSException.mm. The distances to the functions count
  /// from below the image, as on the pages of Fabric.
  @Test(arguments: ["com.twitter.crashlytics.ios", "com.google.firebase.crashlytics.ios"])
  func recordedException(label: String) throws {
    let found = try read(
      """
      #0. Crashed: \(label).exception
      0  Board     0x53b9e5 CLSProcessRecordAllThreads + 6023653
      1  Board     0x53b8dd CLSProcessRecordAllThreads + 6023389
      2  Board     0x52fdaf CLSHandler + 5975471

      """)
    expectPrefix(found.crash.reason ?? "", "uncaught exception, which Crashlytics recorded")
    expectEqual(found.crash.kind, "uncaughtException")
    expectEqual(found.crash.frame?.function, nil)
    expectEqual(found.signature, nil)
  }

  /// The innermost code on that queue is Crashlytics', also without its name.
  @Test func namelessRecorder() throws {
    try expectReason(
      """
      Fatal Exception: std::bad_alloc
      std::bad_alloc

      Crashed: com.google.firebase.crashlytics.ios.exception
      0  Board     0x1054
      1  Board     0x1864

      """, "std::bad_alloc: std::bad_alloc")
  }

  /// Functions of a framework end the process for whoever called them. Source: abort(3).
  @Test func whoCalledAbort() throws {
    let found = try read(
      """
      Crashed: com.apple.main-thread
      0  libsystem_kernel.dylib  0x184bb92e0 __pthread_kill + 8
      1  libsystem_c.dylib       0x184b27d0c abort + 140
      2  CoreGraphics            0x186c78da8 CGPathCreateWithRoundedRect + 452
      3  Board                   0x103771e3c Deck.draw() + 582

      """
    ).crash
    expectEqual(found.reason, "abort() was called by CGPathCreateWithRoundedRect")
    expectEqual(found.frame?.function, "Deck.draw()")
  }

  /// Source: Tcl, generic/tclPanic.c.
  @Test func panicOfTcl() throws {
    let found = try crash(
      ["abort", "Tcl_PanicVA", "Tcl_Panic", "DeleteInterpProc"],
      head: "Exception Type:  EXC_CRASH (SIGABRT)")
    expectPrefix(found.reason ?? "", "Tcl gave up (Tcl_Panic)")
  }

  /// What a handler of signals interrupted is the place, even in the runtime.
  @Test func placeBelowAHandler() throws {
    let text = """
      Crashed: com.apple.main-thread
      0  libsystem_platform.dylib  0x1b54bf184 _os_unfair_lock_lock_slow + 36
      1  Board                     0x1022545a8 HandleSignal + 182 (Handler.m:182)
      2  libsystem_platform.dylib  0x1b54bf404 _sigtramp + 44
      3  libobjc.A.dylib           0x1b54d6188 lookUpMethod(objc_class*) + 8

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectTrue(
      summary.contains(
        "lookUpMethod(objc_class*) in libobjc.A.dylib — a signal arrived here, which HandleSignal"))
  }

  /// Constructors only make the exception; the text may end in them.
  @Test func constructorsAreNoPlace() throws {
    try expectReason(
      """
      Uncaught Kotlin exception: app.BoardException: Error code: 7
          at 0   Game    0x1045a1b34        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 99
          at 1   Game    0x1045a1c94        kfun:app.BoardException#<init>(kotlin.String?){} + 99

      """, "Kotlin exception app.BoardException: Error code: 7")
  }

  // MARK: Swift on a console

  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/Errors.cpp and
  /// stdlib/public/core.
  @Test(
    arguments: [
      "Attempted to read an unowned reference but the object was already deallocated",
      "Attempted to read an unowned reference but object 0x6000 was already destroyed",
      "Object 0x6000 of class Card deallocated with non-zero retain count 2.",
      "Index out of range", "Call of deleted method", "Division by zero",
      "Duplicate keys of type 'Card' were found in a Dictionary.",
    ])
  func messagesWithoutPlace(message: String) throws {
    for line in [
      "Fatal error: \(message)", "`Fatal error: \(message)`", "**Fatal error: \(message)**",
      "# Fatal error: \(message)",
    ] {
      try expectReason("It stops:\n\n\(line)\n", "Fatal error: \(message)")
    }
    let logged = try read("2026-01-02 10:00:00.1+0100 Board[12:34] Fatal error: \(message)\n")
    expectEqual(logged.crash.reason, "Fatal error: \(message)")
    expectEqual(logged.process.name, "Board")
  }

  /// Others print the same words, and go on.
  @Test(
    arguments: [
      "Fatal error: Call to undefined function deal() in /srv/index.php on line 3",
      "Fatal error: file not found",
    ])
  func messagesOfOthers(line: String) { expectNoReport("It stops:\n\n\(line)\n") }

  /// The runtime of some versions ends its words without a line break.
  @Test func nextLineBehindTheWords() throws {
    let words = "Fatal error: Attempted to read an unowned reference but the object was already"
    let found = try read(
      "\(words) deallocated2026-01-02 10:00:00.1+0100 Board[12:34] \n\(words) deallocated\n")
    expectEqual(found.crash.reason, "\(words) deallocated")
    expectEqual(found.process.name, "Board")
    expectEqual(found.process.pid, 12)
  }

  /// The place of what is inlined. Source: github.com/ChartsOrg/Charts, issue 4876.
  @Test func placeInAnInterface() throws {
    let words =
      "Swift/arm64-apple-ios.swiftinterface:5760: Fatal error: Range requires lowerBound <="
      + " upperBound"
    try expectReason("Hello\n\n\(words)\n", words)
  }

  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/Exclusivity.cpp.
  @Test func conflictingAccesses() throws {
    let words = "Simultaneous accesses to 0x6000, but modification requires exclusive access"
    try expectReason("It stops:\n\n\(words).\n", words)
  }

  // MARK: Exceptions around frames

  private static let stack = """
    (lldb) bt
    * thread #3, queue = 'Board.queue', stop reason = signal SIGABRT
      * frame #0: 0x00000001f13f6254 libsystem_kernel.dylib`__pthread_kill + 8
        frame #1: 0x00000001a909fad8 libsystem_c.dylib`abort + 128
        frame #2: 0x000000019e6b6e04 libobjc.A.dylib`_objc_terminate() + 156
        frame #3: 0x000000010549e730 Board`-[Deck deal] + 40

    """

  private static let missing = "-[Deck turn:]: unrecognized selector sent to instance 0x300a9cd80"

  /// What Xcode shows about the thread, and what people write about it.
  @Test(
    arguments: [
      "Thread 3: \"\(missing)\"", "`Thread 3: \"\(missing)\"`", "Board.queue (3): \"\(missing)\"",
      "`Board.queue (QOS: UTILITY) (3): \"\(missing)\"`", missing,
      "Now I get \(missing) each time.",
    ])
  func exceptionsInWords(line: String) throws {
    try expectReason("It stops.\n\n\(line)\n\n\(Self.stack)", Self.missing, in: "-[Deck deal]")
    try expectReason("It stops.\n\n\(line)\n", Self.missing)
  }

  @Test func otherReasonsOfAThread() throws {
    let line = "Thread 1: \"Invalid parameter not satisfying: card != nil\""
    let reason = "Invalid parameter not satisfying: card != nil"
    try expectReason("It stops.\n\n\(line)\n\n\(Self.stack)", reason, in: "-[Deck deal]")
    try expectReason("It stops.\n\n\(line)\n", reason)
    // The name of a thread.
    expectNoReport("It has these:\n\nThread 4: \"com.example.board\"\n")
  }

  /// Examples, and exceptions that were caught.
  @Test(
    arguments: [
      "If you see \(missing), link with -ObjC.", "It caught \(missing) and goes on",
      "2026-01-02 10:00:00.1+0100 Board[12:34] we had \(missing) today",
    ])
  func otherSentences(line: String) { expectNoReport("Hello.\n\n\(line)\n") }

  /// The title of an issue on Crashlytics' pages, as people copy it below the exception.
  ///
  /// Source: github.com/stripe/stripe-ios, issue 999.
  @Test(
    arguments: [
      ("-[Deck turn:]\n```\nat:\n```\nDeck.m line 12-[Deck turn:]\n", 12),
      ("\nDeck.m - Line 12\n-[Deck turn:]\n", 12), ("-[Deck turn:]\n", nil),
    ] as [(String, Int?)])
  func titlesOfCrashlytics(below: String, line: Int?) throws {
    let found = try read("Hello.\n\nFatal Exception: NSRangeException\nno card\n\(below)").crash
    expectEqual(found.reason, "NSRangeException: no card")
    expectEqual(found.frame?.function, "-[Deck turn:]")
    expectEqual(found.frame?.line, line)
  }

  /// The title may be above the exception, which somebody wrote without a colon, in Markdown that
  /// escapes asterisks.
  @Test(
    arguments: [
      (
        "Deck.m line 12\n-[Deck turn:]\n\nFatal Exception NSRangeException\n**\\* no card\n",
        "NSRangeException: no card", 12
      ),
      (
        "Deck.m - Zeile 12\n-[Deck turn:]\nFatal Exception: NSRangeException\nno card\n",
        "NSRangeException: no card", 12
      ),
      (
        "Deck.m - Line 12\n-[Deck turn:]\nEXC_BAD_ACCESS KERN_PROTECTION_FAILURE 0x0000000000a0b0c8\n",
        "access to 0xa0b0c8 that the memory's protection forbids", 12
      ),
      (
        "-[Deck turn:]\n\nFatal Exception NSRangeException\nno card\n",
        "NSRangeException: no card", nil
      ),
    ] as [(String, String, Int?)])
  func titlesAboveExceptions(text: String, reason: String, line: Int?) throws {
    let found = try read("# Crash\n\n\(text)").crash
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, line == nil ? nil : "-[Deck turn:]")
    expectEqual(found.frame?.line, line)
  }

  /// A sentence with such a title, and the signals that Crashlytics has for it.
  @Test(
    arguments: [
      ("\"SIGABRT ABORT\"", "SIGABRT"),
      (
        "either \"SIGABRT ABORT\" or \"EXC_BAD_ACCESS KERN_INVALID_ADDRESS\"",
        "SIGABRT: in other reports EXC_BAD_ACCESS KERN_INVALID_ADDRESS"
      ),
    ])
  func titlesInSentences(signals: String, reason: String) throws {
    for word in ["Line", "Zeile"] {
      let found = try read(
        "It crashes (\(signals)), reporting `Deck.m - \(word) 12 __9-[Deck turn]_block_invoke + 12` as the cause.\n"
      ).crash
      expectEqual(found.reason, reason)
      expectEqual(found.frame?.function, "__9-[Deck turn]_block_invoke")
      expectEqual(found.frame?.line, 12)
    }
  }

  /// Lines of logs and examples have places, too.
  @Test(
    arguments: [
      "Deck.m - Line 12 -[Deck turn:] + 12", "The log says `Deck.m - Line 12 -[Deck turn:]` often.",
      "If it says \"SIGABRT ABORT\" for `Deck.m - Line 12 -[Deck turn:]`, tell me.",
      "Fatal Exception NSRangeException is thrown by a page.",
    ])
  func otherTitles(line: String) { expectNoReport("Hello.\n\n\(line)\n") }

  /// An issue of Sentry that somebody copied as Markdown. Source: getsentry/sentry-cocoa,
  /// SentryWatchdogTerminationTracker, for the first type.
  @Test(
    arguments: [
      ("WatchdogTermination", "The OS ended it.", "WatchdogTermination: The OS ended it."),
      ("NSRangeException", "no card", "NSRangeException: no card"),
      (
        "EXC_BAD_ACCESS", "Exception 1, Code 1, Subcode 8 > KERN_INVALID_ADDRESS at 0x1a0b0c8d0.",
        "access to 0x1a0b0c8d0, where no memory is mapped"
      ),
    ])
  func issuesOfSentry(type: String, value: String, reason: String) throws {
    func text(_ handled: String, _ heading: String) -> String {
      """
      # Board issue

      ## Tags

      - **handled:** \(handled)
      - **os:** iOS 18.7.7
      - **release:** com.example.board@1.2+54

      \(heading)
      **Type:** \(type)
      **Value:** \(value)

      """
    }
    let found = try read(text("no", "### Exception 1"))
    expectEqual(found.crash.reason, reason)
    expectEqual(found.process.name, "com.example.board")
    expectEqual(found.process.version, "1.2+54")
    // What was caught, and other fields.
    if !type.hasPrefix("EXC_") { expectNoReport(text("yes", "### Exception 1")) }
    if !type.hasPrefix("EXC_") { expectNoReport(text("no", "### Ticket")) }
  }

  /// Kotlin leaves out frames, and prints the cause of an exception below its stack, as the README
  /// of NSExceptionKt shows.
  @Test func causesOfKotlin() throws {
    let found = try read(
      """
      Program will be terminated.
      Uncaught Kotlin exception: app.DeckException: no card 2
          at 0   Board       0x1020e88e7        kfun:kotlin.Exception#<init>(kotlin.String?;kotlin.Throwable?){} + 119
          at 1   Board       0x1020e8b1b        kfun:app.DeckException#<init>(kotlin.String?;kotlin.Throwable?){} + 119
          ... and 38 more stack frames
      Caused by: kotlin.IllegalStateException: no card 1
          at 0   Board       0x1020ee457        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 95
          at 1   Board       0x1020e884b        kfun:kotlin.Exception#<init>(kotlin.String?){} + 91
          ... and 39 more stack frames

      """)
    expectEqual(
      found.crash.reason,
      "Kotlin exception app.DeckException: no card 2, caused by kotlin.IllegalStateException: no card 1"
    )
    expectEqual(found.backtraces.map(\.frames.count), [2, 2])
  }

  /// What Sentry writes into issues and mails.
  ///
  /// Source: getsentry/sentry, src/sentry/interfaces/stacktrace.py; getsentry/sentry-cocoa, issue
  /// 177.
  @Test(
    arguments: [
      "EXC_BAD_ACCESS: Attempted to dereference garbage pointer 0x200000038.",
      "EXC_BAD_ACCESS: name > version >\nAttempted to dereference garbage pointer 0x200000038.",
      "EXC_BAD_ACCESS: KERN_INVALID_ADDRESS at 0x200000038",
    ])
  func mailsOfSentry(title: String) throws {
    let found = try read(
      """
      \(title)
        ?, in radr://12
        File "App/Deck.swift", in Deck.draw()
        File "App/Deck.swift", line 118, in specialized Deck.turn(Card?) -> ()
      ...
      (39 additional frame(s) were not displayed)

      """)
    expectEqual(found.exception.type, "EXC_BAD_ACCESS")
    expectTrue(found.crash.reason?.contains("0x200000038") == true)
    expectEqual(
      found.backtraces.first?.frames.map(\.function),
      ["radr://12", "Deck.draw()", "specialized Deck.turn(Card?) -> ()"])
    expectEqual(found.backtraces.first?.frames.last?.line, 118)
  }

  /// The tracebacks of Python look alike, and begin with the outermost frame.
  @Test func tracebacksOfPython() {
    expectNoReport(
      """
      Traceback (most recent call last):
        File "/app/deck.py", line 3, in deal
        File "/app/deck.py", line 9, in turn
      ZeroDivisionError: division by zero

      """)
  }

  /// Python's own words begin with the name of the function that gave up. Source: CPython,
  /// Include/cpython/pyerrors.h.
  @Test func functionThatGaveUp() throws {
    let found = try crash(
      ["abort", "fatal_error_exit", "fatal_error", "_Py_FatalErrorFormat", "PyGILState_Release"],
      head: "Exception Type:  EXC_CRASH (SIGABRT)")
    expectEqual(found.reason, "Python gave up with a fatal error in PyGILState_Release")
  }

  // MARK: Libraries

  /// Source: dlopen(3); apple-oss-distributions/dyld, dyld/DyldAPIs.cpp.
  @Test(
    arguments: [
      ("Error loading /a/Board.app/Frameworks/Game (137):  ", "0x0109", "Board"),
      ("ImportError: ", "6", "Board"), ("`", "0x2", "Board"),
    ])
  func librariesOfALibrary(before: String, mode: String, process: String) throws {
    let missing = "Library not loaded: @rpath/Kit.framework/Kit"
    let found = try read(
      """
      It stops:

      \(before)dlopen(/a/Board.app/Frameworks/Game, \(mode)): \(missing)
        Referenced from: <A37584CD-2FE2-3342-89A6-E89573C543CE> /a/Board.app/Frameworks/Game
        Reason: tried: '/usr/lib/swift/Kit.framework/Kit' (no such file, not in dyld cache)

      """)
    expectEqual(found.crash.reason, "dlopen() could not load Game: \(missing)")
    expectEqual(found.process.name, process)
  }

  /// Who asks for a library that is not there may have another.
  @Test func libraryThatIsNotThere() {
    expectNoReport("warning: dlopen(libkit.dylib, 6): image not found\n")
  }
}
