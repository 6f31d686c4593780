import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// What version 2 of signatures says besides the app's frames: what happened, what was thrown, and
/// which frames do not count. The reports are written by hand, and so are the signatures, from the
/// rules in docs/signature.md.
struct SignatureRuleTests {
  private typealias Fixture = SignatureFixture

  // MARK: What happened

  /// Names and codes: xnu, bsd/sys/reason.h; Apple, "EXC_CRASH (SIGKILL)".
  @Test(arguments: [
    ("Namespace SIGNAL, Code 6 Abort trap: 6", "EXC_CRASH | f()"),
    ("Namespace FRONTBOARD, Code 0x8badf00d", "FRONTBOARD | 0x8badf00d | f()"),
    ("Namespace SPRINGBOARD, Code 0x8badf00d", "FRONTBOARD | 0x8badf00d | f()"),
    ("Namespace CAROUSEL, Code 0xc51bad01", "FRONTBOARD | 0xc51bad01 | f()"),
    ("Namespace ASSERTIOND, Code 0xdead10cc", "RUNNINGBOARD | 0xdead10cc | f()"),
    ("Namespace RUNNINGBOARD, Code 3735883980", "RUNNINGBOARD | 0xdead10cc | f()"),
    ("Namespace RUNNINGBOARD, Code 0x2182bad2", "RUNNINGBOARD | 0x2182bad2 | f()"),
    ("Namespace <0xF>, Code 0xdead10cc", "RUNNINGBOARD | 0xdead10cc | f()"),
    ("Namespace CODESIGNING, Code 2 Invalid Page", "CODESIGNING | code 2 | f()"),
    ("JETSAM 4 vm-pageshortage", "JETSAM | vm-pageshortage | f()"),
    ("Namespace JETSAM, Code 0x7", "JETSAM | code 7 | f()"),
    // The code has the number of a port or file.
    ("Namespace GUARD, Code 0x20000200000007", "GUARD | f()"),
    ("Namespace TCC, Code 0", "TCC | f()"),
  ])
  func whyTheSystemEndedIt(reason: String, expected: String) throws {
    try expectEqual(
      Fixture.text(
        [.app("f()")],
        head: "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason:  \(reason)"),
      expected)
  }

  private static let overdue =
    "\n\nApplication Specific Information:\nBoard[8] has active assertions beyond permitted time: "

  /// Reports of iOS 9 and earlier have the code in the place of the exception's. They highlight a
  /// thread, which counts only if it is the one that the watchdog watches.
  @Test(arguments: [
    ("0xc00010ff", "FRONTBOARD | 0xc00010ff | f()"),
    ("0x8badf00d", "FRONTBOARD | 0x8badf00d | f()"),
    ("0x8badf00d\(overdue)", "FRONTBOARD | 0x8badf00d"),
  ])
  func earlyCodesAreThoseOfFrontboard(codes: String, expected: String) throws {
    try expectEqual(
      Fixture.text([.app("f()")], head: "Exception Type:  00000020\nException Codes: \(codes)"),
      expected)
  }

  @Test(arguments: [
    ("Highlighted Thread:  0", "FRONTBOARD | 0x8badf00d | deal()"),
    ("Highlighted Thread:  3", "FRONTBOARD | 0x8badf00d"),
    ("Crashed Thread:  3", "FRONTBOARD | 0x8badf00d | work()"),
  ])
  func highlightedThreads(field: String, expected: String) throws {
    let text = """
      Process:             Inlines [1]
      Path:                \(TrapReportFixture.bundlePath)
      Exception Type:  00000020
      Exception Codes: 0x8badf00d
      \(field)

      Thread 0:
      0   Inlines                       \t0x0000000100001000 deal() + 8

      Thread 3:
      0   Inlines                       \t0x0000000100001100 work() + 8

      """
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.signature?.text, expected)
    let isHighlighted = field.hasPrefix("High")
    expectEqual(report.crashedThread, isHighlighted ? nil : 3)
    let number = field.hasSuffix("0") ? 0 : 3
    let heading = "\nthread \(number) \(isHighlighted ? "highlighted" : "crashed"):\n"
    expectContains(JsonFixture.output(text.utf8, as: .summary, with: []), heading)
  }

  // MARK: What was thrown

  @Test(arguments: [
    (
      "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'",
      "NSRangeException"
    ),
    (
      "libc++abi: terminating due to uncaught exception of type std::bad_alloc: std::bad_alloc",
      "std::bad_alloc"
    ),
    (
      "libc++abi.dylib: terminating with uncaught exception of type std::__1::system_error: busy",
      "std::system_error"
    ),
    ("terminate called after throwing an instance of 'kit::Error'", "kit::Error"),
    (
      "Uncaught Kotlin exception: kotlin.IllegalStateException: no database",
      "kotlin.IllegalStateException"
    ),
  ])
  func nameOfTheException(line: String, expected: String) throws {
    try expectEqual(
      Fixture.text(
        [.app("f()")],
        head: "Exception Type:  EXC_CRASH (SIGABRT)\nApplication Specific Information:\n\(line)"),
      "EXC_CRASH | \(expected) | f()")
  }

  /// Different names never share a signature, however long they are.
  @Test func differentNamesAreDifferentCrashes() throws {
    let long = String(repeating: "Unhandled JS Exception ", count: 20)
    let names = ["A", "B", "NSRangeException", "NSRangeException2", long + "a", long + "b"]
    let texts = try names.map { name in
      try Fixture.text(
        [.app("f()")],
        head: """
          Exception Type:  EXC_CRASH (SIGABRT)
          Application Specific Information:
          *** Terminating app due to uncaught exception '\(name)', reason: 'r'
          """)
    }
    expectEqual(Set(texts).count, names.count)
    for text in texts.compactMap(\.self) { expectTrue(text.utf8.count < 300) }
  }

  /// Functions that are called only if something was thrown; https://github.com/rust-lang/rust:
  /// library/std/src/panicking.rs; https://github.com/JetBrains/kotlin: Exceptions.cpp.
  @Test(arguments: [
    (["core::panicking::panic_fmt::hbccf1478dcdd0d51"], "Rust panic | "),
    (["rust_panic", "std::panicking::begin_panic_handler::{{closure}}"], "Rust panic | "),
    (["std::panicking::try::do_call", "std::panicking::catch_unwind"], ""),
    // library/std/src/alloc.rs: no panic.
    (["rust_oom", "alloc::alloc::handle_alloc_error::ha97ebff8f1c02847"], ""),
    (["konan::abort()", "kfun:kotlin.Throwable#<init>(){}"], "Kotlin exception | "),
    (["runtime.gopanic", "runtime.panicmem"], "Go panic | "),
    (["qt_message_fatal(QtMsgType)", "QMessageLogger::fatal(char const*) const"], "qFatal | "),
    (
      ["v8::internal::V8::FatalProcessOutOfMemory(v8::internal::Isolate*)"],
      "V8 out of memory | "
    ),
    (["xamarin_unhandled_exception_handler"], ".NET exception | "),
  ])
  func runtimesThatThrow(names: [String], expected: String) throws {
    try expectEqual(
      Fixture.text(
        names.map { .app($0) } + [.app("f()")], head: "Exception Type:  EXC_CRASH (SIGABRT)"),
      "EXC_CRASH | \(expected)f()")
    // Below a frame of the app, or after a bad access, they are how it came to the crash.
    try expectEqual(
      Fixture.text(
        [.app("f()")] + names.map { .app($0) }, head: "Exception Type:  EXC_CRASH (SIGABRT)"),
      "EXC_CRASH | f()")
    try expectEqual(
      Fixture.text(
        names.map { .app($0) } + [.app("f()")], head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)"),
      "EXC_BAD_ACCESS | f()")
  }

  // MARK: Frames that do not count

  @Test(arguments: [
    "FIRCLSTerminateHandler()", "CPPExceptionTerminate()", "bsg_handleSignal",
    "sentrycrashcm_handleException", "BITCrashUncaughtCXXTerminateHandler()",
    "google_breakpad::ExceptionHandler::HandleSignal(int)", "operator new(unsigned long)", "free",
    "_dispatch_client_callout", "_pthread_wqthread", "VMError::report_and_die(int)",
    "dart::Assert::Fail(char const*, ...)", "runtime.raise",
    "Kotlin_ObjCExport_trapOnUndeclaredException",
  ])
  func machineryOfRuntimes(name: String) throws {
    try expectEqual(Fixture.text([.app(name), .app("f()")]), "EXC_BREAKPOINT | f()")
  }

  /// What a signal handler called stands above the crash. The trampoline is known by its name or
  /// its image.
  @Test(arguments: ["_sigtramp", nil])
  func framesOfSignalHandlers(name: String?) throws {
    try expectEqual(
      Fixture.text([
        .image("libsystem_kernel.dylib", "__pthread_kill"), .app("Reporter.save()"),
        .image("libsystem_platform.dylib", name), .app("f()"), .app("g()"),
      ]), "EXC_BREAKPOINT | f() | g()")
  }

  @Test func leafOfThePlatformIsNoTrampoline() throws {
    try expectEqual(
      Fixture.text([.image("libsystem_platform.dylib", nil), .app("f()")]), "EXC_BREAKPOINT | f()")
    try expectEqual(
      Fixture.text([
        .image("libsystem_malloc.dylib", nil), .image("libsystem_platform.dylib", nil),
        .image("UIKitCore", nil), .image("libdyld.dylib", nil),
      ]), "EXC_BREAKPOINT | UIKitCore")
    // One library of a stack that was cut says nothing.
    try expectNil(
      Fixture.text([.image("libsystem_malloc.dylib", nil), .image("UIKitCore", nil)]))
  }

  /// A return address at the first byte of a function is that of a call at the end of the function
  /// before.
  @Test func nameOfTheNextFunction() throws {
    try expectEqual(
      Fixture.text([.app("f()"), .atStart("next()"), .app("g()")]), "EXC_BREAKPOINT | f() | g()")
    // The innermost frame has no return address.
    try expectEqual(
      Fixture.text([.atStart("f()"), .app("g()")]), "EXC_BREAKPOINT | f() | g()")
    // Better than nothing, and not another function.
    try expectEqual(
      Fixture.text([.system("abort"), .atStart("next()"), .system("worker")]),
      "EXC_BREAKPOINT | Inlines+0x1000")
  }

  /// The nearest symbol of a program without symbols is an exported function far away.
  @Test func nameOfADistantFunction() throws {
    let lines = [
      TrapReportFixture.stated(0, 0x1_0000_1000, "ares_library_init + 36000000"),
      TrapReportFixture.stated(1, 0x1_0000_1000, "f() + 65536"),
    ]
    try expectEqual(
      Fixture.signature(TrapReportFixture.report(lines))?.text,
      "EXC_BREAKPOINT | Inlines+0x1000 | f()")
  }

  @Test(arguments: [
    "tbb::rml::private_worker::thread_routine(void", "-[Window runMod",
    "notify(QObject*) + 262 51 QtCore 0x10dbe706f run(", "f() 1 Kit 0x10dbe706f g()",
    "hermes::vm::PropOpF...",
  ])
  func damagedNames(name: String) throws {
    try expectEqual(Fixture.text([.app(name), .app("f()")]), "EXC_BREAKPOINT | f()")
  }

  // MARK: Which thread

  private static let threads = """

    Thread 0:
    0   Inlines                       \t0x0000000100001000 idle() + 8

    Thread 3:
    0   Inlines                       \t0x0000000100001100 work() + 8

    """

  private static func cut(_ head: String, after: String = "") -> String {
    "Process:             Inlines [1]\nPath:                \(TrapReportFixture.bundlePath)\n"
      + "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\n\(head)\n\(threads)\n\(after)\n"
  }

  private static let unknown = "which thread crashed is not in this text"

  /// A text that was cut may not say it; then no frame is accused.
  @Test(
    arguments: [
      ("", "", nil, unknown),
      (
        "Crashed Thread:  30  Dispatch queue: q", "", nil,
        "thread 30 (q) crashed; its frames are not in this text"
      ),
      (
        "", "Thread 30 crashed with ARM Thread State (64-bit):\n  x0: 0x0", nil,
        "thread 30 crashed; its frames are not in this text"
      ),
      // The frames of another thread may break off.
      (
        "Crashed Thread:  30", "Thread 5:\n0   Inlines     0x0000000100001200 f() + 8\n1   Inl",
        nil,
        "thread 30 crashed; its frames are not in this text"
      ),
      ("Crashed Thread:  3  Dispatch queue: q", "", "EXC_BAD_ACCESS | work()", nil),
      (
        "", "Thread 3 crashed with ARM Thread State (64-bit):\n  x0: 0x0",
        "EXC_BAD_ACCESS | work()", nil
      ),
    ] as [(String, String, String?, String?)])
  func cutTexts(head: String, after: String, signature: String?, line: String?) throws {
    let report = try JsonFixture.report(Self.cut(head, after: after), with: [])
    expectEqual(report.signature?.text, signature)
    expectEqual(report.crash.frame?.function, signature == nil ? nil : "work()")
    let lines = JsonFixture.output(
      Self.cut(head, after: after).utf8, as: .summary, with: []
    ).split(separator: "\n").map(String.init)
    expectEqual(
      lines.first { $0.contains("not in this text") },
      line.map { "EXC_BAD_ACCESS (SIGSEGV) — \($0)" })
  }

  /// The thread with the handler of a signal got it, if no line says which thread crashed. Mono
  /// stops threads with a signal, too.
  @Test(
    arguments: [
      ("mono_sigsegv_signal_handler", "deal()"), ("suspend_signal_handler", nil),
    ] as [(String, String?)])
  func handledSignals(handler: String, function: String?) throws {
    let text = """
      Process:             Board [8]

      Thread 4:
      0   libsystem_kernel.dylib    \t0x00007fff71af4482 mach_msg_trap + 10
      1   Board                     \t0x0000000108047c4e wait() + 62

      Thread 5:
      0   libsystem_kernel.dylib    \t0x00007fff71af4492 __wait4 + 10
      1   libmonosgen-2.0.dylib     \t0x000000013beeb513 \(handler) + 380
      2   libsystem_platform.dylib  \t0x00007fff71ba65fd _sigtramp + 29
      3   ???                       \t000000000000000000 0 + 0
      4   Board                     \t0x000000010804ed32 deal() + 98 (Deck.m:66)
      5   libdispatch.dylib         \t0x00007fff719536c4 _dispatch_call_block_and_release + 12

      """
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.crash.frame?.function, function)
    expectEqual(report.signature == nil, function == nil)
  }

  /// Crashlytics says which thread crashed; one that only waits, and that its queue names, may be
  /// any.
  @Test(
    arguments: [
      ("com.apple.root.default-qos", "mach_msg2_trap", nil),
      ("Crashed: com.apple.root.default-qos", "mach_msg2_trap", "crash | Board.wait()"),
      ("com.apple.main-thread", "objc_release", "crash | Board.wait()"),
    ] as [(String, String, String?)])
  func stacksOfCrashlytics(heading: String, innermost: String, signature: String?) throws {
    let text = """
      \(heading)
      0  libsystem_kernel.dylib   0x1808 \(innermost) + 8
      1  CoreFoundation           0x53f5c __CFRunLoopServiceMachPort + 160
      2  Board                    0xe2b544 Board.wait() + 12 (Board.swift:12)

      """
    expectEqual(try JsonFixture.report(text, with: []).signature?.text, signature)
  }

  /// One numbered thread may be any; frames alone are the ones that somebody asks about.
  @Test func onlyStack() throws {
    let frames = [0x20, 0x40].enumerated().map {
      ReportFixture.frame($0.offset, 0x1_0000_1000 + $0.element, image: "App", base: 0x1_0000_0000)
    }.joined(separator: "\n")
    let head = "Process: App [1]\nIdentifier: b\nCode Type: ARM-64\nException Type: SIGSEGV\n\n"
    let places = "App+0x1020 | App+0x1040"
    try expectNil(Fixture.signature(head + "Thread 2:\n" + frames))
    try expectEqual(Fixture.signature(head + frames)?.text, "SIGSEGV | \(places)")
    try expectEqual(Fixture.signature(frames)?.text, "crash | \(places)")
    var first = SymbolicationOptions()
    first.signatureVersion = .first
    try expectEqual(
      Fixture.signature(head + "Thread 2:\n" + frames, first)?.text, "SIGSEGV | \(places)")
  }

  /// An answer that quotes the head of the report is no other report.
  @Test func quotedHead() throws {
    let report = Fixture.report([.app("f()")])
    let head = report.split(separator: "\n").prefix(4).joined(separator: "\n")
    let document = try JsonFixture.document("\(report)\nThanks.\n\n\(head)\n".utf8)
    expectEqual(document.reports.map { $0.signature?.text }, ["EXC_BREAKPOINT | f()"])
    let other = head.replacing("[1]", with: "[2]")
    try expectEqual(JsonFixture.document("\(report)\n\n\(other)\n".utf8).reports.count, 2)
  }
}
