import FunctionNames
import ReportTestSupport
import TestSupport
import Testing

@testable import CrashReading

/// What frames say about the end of a process, and what they do not say.
///
/// The functions and their meanings are from the sources that `FrameSignTable` names, and from
/// stacks that runtimes leave in public reports.
struct FrameSignTests {
  private typealias Report = TrapReportFixture

  /// The crash of a process with these functions on its stack, innermost first, above `own`.
  private func crash(
    _ functions: [String], head: String = "Exception Type:  EXC_CRASH (SIGABRT)",
    own: String = "-[Board draw] + 12 (Board.m:7)"
  ) throws -> JsonReport.Crash {
    let lines = functions.enumerated().map { Report.system($0.offset, "\($0.element) + 8") }
    return try JsonFixture.report(
      Report.report(lines + [Report.stated(functions.count, 0x1_0000_1000, own)], head: head),
      with: []
    ).crash
  }

  private static let abort = ["__pthread_kill", "pthread_kill", "abort"]

  /// The same frame says so whether the processor traps or the page is protected; below others it
  /// says nothing (pthread_jit_write_protect_np(3)).
  @Test(
    arguments: [
      ("Exception Type:  EXC_BREAKPOINT (SIGTRAP)", [], "memoryProtection"),
      (
        "Exception Type:  EXC_BAD_ACCESS (SIGBUS)\nException Codes: KERN_PROTECTION_FAILURE at 0x10f0000",
        [], "memoryProtection"
      ),
      ("Exception Type:  EXC_BREAKPOINT (SIGTRAP)", ["card_check"], "swiftRuntimeFailure"),
      ("Exception Type:  EXC_CRASH (SIGABRT)", [], "exceptionType"),
    ])
  func codeMadeAtRunTime(head: String, above: [String], kind: String) throws {
    let found = try crash(above + ["pthread_jit_write_protect_np", "turn"], head: head)
    expectEqual(found.kind, kind)
    expectEqual(
      found.reason?.contains("com.apple.security.cs.allow-jit") == true,
      kind == "memoryProtection")
  }

  @Test(
    arguments: [
      (
        ["konan::abort()", "(anonymous namespace)::TerminateHandler()"], "managedException",
        "unhandled Kotlin exception"
      ),
      (["Kotlin_processUnhandledException"], "managedException", "unhandled Kotlin exception"),
      (
        [
          "kfun:kotlinx.coroutines.internal#handleUncaughtCoroutineException(kotlin.coroutines.CoroutineContext;kotlin.Throwable){}",
          "kfun:kotlinx.coroutines.StandaloneCoroutine.handleJobException#internal",
        ], "managedException", "uncaught Kotlin exception in a coroutine"
      ),
      (
        ["kfun:com.rickclephas.kmp.nsexceptionkt.core.addReporter$1.invoke(kotlin.Throwable){}"],
        "managedException", "unhandled Kotlin exception, recorded by a hook"
      ),
      (
        ["os::abort(bool, void const*, void*)", "VMError::report_and_die(int)"], "runtimePanic",
        "the Java VM gave up"
      ),
      (
        ["objc_exception_throw", "ErrorRecovery.crash()", "ErrorRecovery.runNextTask()"],
        "javaScriptError", "a fatal JavaScript error or exception, raised again by expo-updates"
      ),
      (["fatal_error_exit", "Py_FatalError"], "runtimePanic", "Python gave up"),
      (
        ["_os_unfair_lock_recursive_abort", "_os_unfair_lock_lock_slow"], "lock",
        "the thread took an os_unfair_lock that it already holds"
      ),
      (
        ["_os_unfair_lock_unowned_abort", "_os_unfair_lock_unlock_slow"], "lock",
        "an os_unfair_lock was unlocked by a thread that does not own it"
      ),
      (
        ["_os_unfair_lock_corruption_abort", "_os_unfair_lock_lock_slow"], "lock",
        "an os_unfair_lock is damaged"
      ),
      (
        ["runtime.raise", "runtime.dieFromSignal", "runtime.fatalpanic", "runtime.gopanic"],
        "runtimePanic", "Go panic"
      ),
      (
        ["PROCAbort", "PROCEndProcess"], "managedException",
        "unhandled exception or fatal error of .NET"
      ),
      (["runtime.raise", "runtime.throw"], "runtimePanic", "fatal error of the Go runtime"),
      (
        ["node::Abort()", "node::OOMErrorHandler(char const*, v8::OOMDetails const&)"],
        "memoryLimit", "V8 ran out of memory"
      ),
      (
        ["v8::internal::V8::FatalProcessOutOfMemory(v8::internal::Isolate*, char const*)"],
        "memoryLimit", "V8 ran out of memory"
      ),
      (["V8_Fatal(char const*, ...)"], "failedCheck", "a fatal check of V8"),
      (["v8::base::OS::Abort()"], "failedCheck", "V8 stopped the process on purpose"),
      // It calls the function that V8's failed checks call, too.
      (
        ["abort", "node::OnFatalError(char const*, char const*)", "napi_fatal_error"],
        "failedCheck", "a native add-on ended the process on purpose"
      ),
      (
        ["abort", "node::OnFatalError(char const*, char const*)", "v8::Utils::Check()"],
        "failedCheck", "a fatal check of V8"
      ),
      (
        ["dyld_fatal_error", "dyld::halt(char const*)", "dyld::_main(macho_header const*)"],
        "launch", "dyld refused to launch the program"
      ),
      (
        ["dyld::halt(char const*)", "dyld::fastBindLazySymbol(ImageLoader**, unsigned long)"],
        "launch", "a symbol that is missing was called for the first time"
      ),
      (
        ["v8::base::OS::Abort()", "v8::Utils::ReportApiFailure(char const*, char const*)"],
        "failedCheck", "V8's API was used wrongly"
      ),
      (["node::Abort()"], "failedCheck", "Node.js stopped the process on purpose"),
      (
        ["il2cpp::vm::Exception::Raise(Il2CppException*, MethodInfo*)"], "managedException",
        "unhandled C# exception"
      ),
      (
        [
          "please_report_this_error_to_help_at_realm_dot_io", "realm::util::terminate(char const*)",
        ],
        "failedCheck", "a failed check in Realm's core"
      ),
      (["dart::Assert::Fail(char const*, ...)"], "failedCheck", "an assertion of the Dart VM"),
      (
        ["abort", "fml::KillProcess()", "fml::LogMessage::~LogMessage()"], "failedCheck",
        "a fatal check of Flutter's engine"
      ),
      (
        ["qt_message_fatal(QtMsgType)", "QMessageLogger::fatal(char const*, ...) const"],
        "applicationMessage", "qFatal()"
      ),
      (
        [
          "qt_message_fatal(QtMsgType)", "QMessageLogger::fatal(char const*, ...) const",
          "pyqt6_err_print()", "PyQtSlotProxy::unislot(void**)",
        ],
        "managedException", "unhandled Python exception in a slot"
      ),
      (
        ["_swift_task_checkIsolatedSwift", "swift_task_isCurrentExecutorImpl"], "swiftConcurrency",
        "actor-isolated"
      ),
      (
        ["_dispatch_assert_queue_fail", "dispatch_assert_queue"], "dispatchQueue",
        "dispatch_assert_queue"
      ),
      // Isolation is checked by dispatch too: the frames of the runtime say more.
      (
        [
          "_dispatch_assert_queue_fail", "dispatch_assert_queue",
          "swift_task_isCurrentExecutorImpl",
        ], "swiftConcurrency", "actor-isolated"
      ),
      (
        ["core::panicking::panic_fmt", "core::result::unwrap_failed"], "rustPanic",
        "Rust panic: unwrap() or expect() of an Err"
      ),
      // The hash is cut, or missing (rust-lang/rust, library/core/src/str/mod.rs).
      (
        ["core::panicking::panic_fmt", "core::str::slice_error_fail_rt::h224a7c2"], "rustPanic",
        "Rust panic: a string was sliced at an index out of range, or not on a character boundary"
      ),
      // Rust 1.35 and later without a panic, and what has no standard library.
      (
        ["std::sys::unix::abort_internal", "rust_oom", "alloc::alloc::handle_alloc_error"],
        "memoryLimit", "memory could not be allocated, or too much was asked for"
      ),
      (
        [
          "core::panicking::panic_nounwind_fmt", "__rustc::__rdl_alloc_error_handler",
          "alloc::alloc::handle_alloc_error",
        ], "rustPanic", "Rust panic: memory could not be allocated"
      ),
      (
        ["core::panicking::panic_nounwind_fmt", "core::panicking::panic_null_pointer_dereference"],
        "rustPanic", "Rust panic: null pointer dereference"
      ),
      (
        ["dyld::halt(char const*)", "dyld::fastBindLazySymbol(ImageLoader**, unsigned long)"],
        "launch", "a symbol that is missing"
      ),
      (["core::panicking::panic_cannot_unwind"], "rustPanic", "Rust panic where none may leave"),
      (["_xzm_xzone_malloc_freelist_outlined"], "heapDamage", "malloc found a damaged heap"),
      // The allocator stopped the process, whatever language runs around it.
      (
        ["malloc_report", "free", "std::panicking::try", "std::sys::thread_start"], "heapDamage",
        "malloc found a damaged heap"
      ),
      (
        ["malloc_vreport", "malloc_report", "rust_panic"], "heapDamage",
        "malloc found a damaged heap"
      ),
      (["xamarin_unhandled_exception_handler"], "managedException", "unhandled .NET exception"),
      (["__cxa_pure_virtual"], "cxxException", "a pure virtual function"),
      (["KonanTerminateHandler()"], "managedException", "unhandled Kotlin exception"),
      // Xcode's handler of exceptions asserts in turn.
      (
        [
          "+[IDEAssertionHandler _handleAssertionWithLogString:assertionSignature:]",
          "-[IDEAssertionHandler handleUncaughtException:]", "IDEHandleUncaughtException",
        ], "uncaughtException", "uncaught exception, which the report does not name"
      ),
      (["CLSTerminateHandler()", "std::__terminate(void (*)())"], "cxxException", "uncaught"),
      (
        ["_nano_vet_and_size_of_live", "nano_realloc", "malloc_zone_realloc"], "heapDamage",
        "realloc() ended the process"
      ),
      (
        ["_nano_malloc_check_clear", "nano_malloc", "malloc"], "heapDamage",
        "malloc found a damaged heap: a free block was overwritten, often by other code than this"
      ),
      // std::terminate, and no exception.
      (
        [
          "demangling_terminate_handler()", "std::__terminate(void (*)())", "std::terminate()",
          "std::__1::thread::~thread()",
        ], "cxxException", "a std::thread was destroyed before join()"
      ),
      (
        ["std::terminate()", "std::thread::operator=(std::thread&&)"], "cxxException",
        "a std::thread was assigned to before join()"
      ),
      (
        [
          "demangling_terminate_handler()", "std::__terminate(void (*)())", "std::terminate()",
          "__clang_call_terminate",
        ], "cxxException", "an exception left a function that must not throw"
      ),
      (
        ["std::terminate()", "__cxa_call_unexpected"], "cxxException",
        "an exception that the function's throw() does not allow"
      ),
      // Who caught the exception and threw it again is not who threw it first.
      (
        [
          "demangling_terminate_handler()", "std::__terminate(void (*)())", "std::terminate()",
          "__cxa_rethrow", "objc_exception_rethrow", "-[NSApplication run]",
        ], "cxxException",
        "uncaught exception, which the report does not name; in -[NSApplication run] it was caught"
      ),
      (
        ["std::terminate()", "__cxa_rethrow"], "cxxException",
        "uncaught exception, which the report does not name, caught and thrown again"
      ),
      (
        [
          "-[NSManagedObjectContext _thereIsNoSadnessLikeTheDeathOfOptimism]",
          "-[NSManagedObjectContext save:]",
        ], "failedCheck", "Core Data stopped the process on purpose as it saved"
      ),
      (
        ["+[NSManagedObjectContext __Multithreading_Violation_AllThatIsLeftToUsIsHonor__]"],
        "wrongThread", "Core Data was used on another thread"
      ),
      (
        ["RB::precondition_failure(char const*, ...)"], "failedCheck",
        "a failed check in RenderBox, which draws for SwiftUI"
      ),
      (
        ["AG::precondition_failure(char const*, ...)"], "failedCheck",
        "a cycle or an endless update"
      ),
    ] as [([String], String, String)])
  func frames(functions: [String], kind: String, reason: String) throws {
    let found = try crash(Self.abort + functions)
    expectEqual(found.kind, kind)
    expectPrefix(found.reason ?? "", reason)
    expectEqual(found.reasonFrom, "function")
    expectEqual(found.evidence.first?.from, "frame")
  }

  /// OpenSSL's probes of the processor; a function of somebody else's may be called alike.
  @Test func probesOfOpenSSL() throws {
    let head = "Exception Type:  EXC_BAD_INSTRUCTION (SIGILL)"
    let found = try crash(["_armv8_rng_probe", "OPENSSL_cpuid_setup"], head: head)
    expectEqual(found.kind, "trapInstruction")
    expectPrefix(found.reason ?? "", "OpenSSL tried an instruction that this processor does not")
    let other = try crash(["_armv8_board_draw"], head: head)
    expectEqual(other.reason?.hasPrefix("OpenSSL"), false)
    let fault = try crash(["_armv8_rng_probe"], head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)")
    expectEqual(fault.reason?.hasPrefix("OpenSSL"), false)
  }

  /// The functions of the GPU's library write to a small address on purpose.
  ///
  /// Source: developer.apple.com/library/archive/qa/qa1766; openradar.appspot.com/34858598.
  @Test(
    arguments: [
      ("gpus_ReturnNotPermittedKillClient", "the app used the GPU in the background"),
      ("gpus_ReturnGuiltyForHardwareRestart", "the graphics driver stopped the process"),
      ("gpus_ReturnObjectErrorKillClient", "the graphics driver stopped the process"),
    ])
  func endsOfTheGraphicsLibrary(function: String, reason: String) throws {
    let found = try crash(
      [function, "gpusSubmitDataBuffers"],
      head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\n"
        + "Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000001")
    expectEqual(found.kind, "graphicsDriver")
    expectPrefix(found.reason ?? "", reason)
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  /// Mac OS X 10.4, whose runtime traps.
  @Test(
    arguments: [
      (["_objc_trap", "_objc_error", "__objc_error"], "about an object"),
      (["_objc_trap", "_objc_fatal"], ""), (["_objc_trap"], ""),
    ])
  func earlyErrorsOfObjectiveC(functions: [String], words: String) throws {
    let found = try crash(functions, head: "Exception:  EXC_BREAKPOINT (0x0006)")
    expectEqual(found.kind, "objectiveCRuntime")
    expectEqual(found.reason?.contains("about an object"), !words.isEmpty)
  }

  /// Until Kotlin 1.4, an exception of C++ ended there, too.
  @Test func handlersOfSeveralRuntimesAreNotCertain() throws {
    expectEqual(try crash(Self.abort + ["KonanTerminateHandler()"]).confidence, "likely")
    expectEqual(try crash(Self.abort + ["konan::abort()"]).confidence, "certain")
  }

  /// The handler of a crash SDK may be in the app's own image, under any name.
  @Test func exceptionsBelowTheAppsOwnHandler() throws {
    let lines = [
      Report.system(0, "abort + 8"), Report.stated(1, 0x1_0000_1000, "-[Crashes handle] + 12"),
      Report.system(2, "__handleUncaughtException + 8"), Report.system(3, "_objc_terminate() + 8"),
    ]
    let found = try JsonFixture.report(
      Report.report(lines, head: "Exception Type:  EXC_CRASH (SIGABRT)"), with: []
    ).crash
    expectEqual(found.kind, "cxxException")
    expectEqual(found.reason, "uncaught exception, which the report does not name")
  }

  /// What recorded an exception did not throw it.
  @Test func crashSdksAreNoPlaceOfAnException() throws {
    let text = """
      Crashed: com.google.firebase.crashlytics.ios.exception
      0  Game                           0x2eb18fc FIRCLSProcessRecordAllThreads + 392 (FIRCLSProcess.c:392)
      1  Game                           0x2ea96b4 FIRCLSHandler + 34 (FIRCLSHandler.m:34)
      2  Game                           0x2ea4000 __FIRCLSExceptionRecord_block_invoke + 232 (FIRCLSException.mm:232)
      3  Game                           0x2ea4100 FIRCLSTerminateHandler() + 259 (FIRCLSException.mm:259)

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.kind, "cxxException")
    expectNil(found.frame)
  }

  /// A name alone says less than who threw it.
  @Test(
    arguments: [
      (
        ["_userInfoForFileAndLine", "-[UICollectionView layoutSubviews]"],
        "NSInternalInconsistencyException: failed assertion (NSAssert) in -[UICollectionView layoutSubviews]"
      ),
      (
        ["-[NSOrderedSet initWithSet:copyItems:]", "___forwarding___", "_CF_forwarding_prep_0"],
        "NSInternalInconsistencyException: unrecognized selector sent to an object"
      ),
      (
        ["-[NSOrderedSet initWithSet:copyItems:]", "CFArrayApply"],
        "NSInternalInconsistencyException, thrown by -[NSOrderedSet initWithSet:copyItems:]"
      ),
    ])
  func throwersOfNamedExceptions(functions: [String], reason: String) throws {
    let names = ["__exceptionPreprocess", "objc_exception_throw"] + functions
    let lines = names.enumerated().map { index, name in
      "\(index)  CoreFoundation                 0x\(index)3296c \(name)"
    }
    let text =
      "Fatal Exception: NSInternalInconsistencyException\n\(lines.joined(separator: "\n"))\n"
    expectEqual(try JsonFixture.report(text, with: []).crash.reason, reason)
  }

  /// Frames that healthy stacks of the runtime have as well.
  @Test(
    arguments: [
      ["std::panicking::try", "std::panicking::catch_unwind", "__rust_try"],
      ["std::sys::backtrace::__rust_begin_short_backtrace"],
      ["JVM_DoPrivileged", "JavaCalls::call_helper(JavaValue*)"],
      ["Py_InitializeFromConfig", "_PyErr_SetObject"],
      ["runtime.mcall", "runtime.goexit"],
      ["kfun:com.example.Board#draw(){}"],
    ])
  func framesThatSayNothing(functions: [String]) throws {
    let found = try crash(Self.abort + functions)
    expectEqual(found.kind, "abort")
    let bad = try crash(
      functions, head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8")
    expectEqual(bad.kind, "nullPointer")
  }

  /// A function that ends the process says nothing if a bad access did.
  @Test func aBadAccessIsNoPanic() throws {
    let found = try crash(
      ["core::panicking::panic_fmt"],
      head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8")
    expectEqual(found.kind, "nullPointer")
  }

  /// A row that other code can put on a stack is not certain.
  @Test func onlyUniqueFramesAreCertain() {
    for sign in FrameSignTable.runtimes + FrameSignTable.platform {
      expectEqual(sign.confidence == .certain, sign.elsewhere == nil)
      expectTrue(
        !sign.patterns.isEmpty && sign.patterns.allSatisfy { $0.text != "*" && !$0.text.isEmpty })
    }
  }

  @Test(
    arguments: [
      ("abort", "abort$VARIANT$mp", true), ("abort", "node::abort", false),
      ("_assertionFailure", "closure #1 in _assertionFailure(_:_:file:line:flags:)", true),
      ("_assertionFailure", "_assertionFailure+ 201624 (_:_:file:line:flags:)", true),
      ("konan::abort*", "konan::abort()", true), ("konan::abort*", "x konan::abort()", false),
      ("*::terminate*", "kotlin::mm::terminateNow()", true),
      ("dart::*Abort*", "dart::OS::Abort()", true),
    ])
  func patterns(pattern: String, function: String, fits: Bool) {
    expectEqual(FrameSign.Pattern(pattern).fits(FunctionWords(function)), fits)
  }

  // MARK: Handlers of signals

  /// A paste that begins with the frames of the thread that crashed.
  @Test func objectsWithoutAnException() throws {
    let freed = try crash(["objc_release", "objc_autoreleasePoolPop"], head: "")
    expectEqual(freed.kind, "freedObject")
    expectEqual(freed.confidence, "possible")
    try expectEqual(crash(["CFRunLoopRun", "objc_release"], head: "").kind == "freedObject", false)
  }

  /// A handler that aborts hides what failed: it is below the frame of `_sigtramp`.
  @Test func whatFailedIsBelowTheHandler() throws {
    let found = try crash(Self.abort + ["-[Handler save]", "_sigtramp"])
    expectEqual(found.frame?.function, "-[Board draw]")
    expectEqual(found.kind, "sentSignal")
    expectPrefix(found.reason ?? "", "a signal arrived here")
    let queue = try crash(Self.abort + ["_sigtramp", "dispatch_assert_queue"])
    expectEqual(queue.kind, "dispatchQueue")
    expectEqual(queue.confidence, "likely")
    let panic = try crash(Self.abort + ["_sigtramp", "__cxa_pure_virtual"])
    expectEqual(panic.kind, "cxxException")
  }

  /// libc++abi leaves the word alone if no exception is being handled (cxa_default_handlers.cpp).
  /// Who called `std::terminate()` says more; words about something else stay as they are.
  @Test(
    arguments: [
      (["std::terminate()", "-[Deck deal]"], nil), ([], nil),
      (
        ["demangling_terminate_handler()", "std::terminate()", "std::__1::thread::~thread()"],
        "a std::thread was destroyed before join()"
      ),
    ] as [([String], String?)])
  func endsWithoutAnException(functions: [String], reason: String?) throws {
    let head = "Exception Type:  EXC_CRASH (SIGABRT)\n\n"
    let information = "Application Specific Information:\nabort() called\nterminating\n"
    let found = try crash(Self.abort + functions, head: head + information)
    expectPrefix(
      found.reason ?? "", reason ?? "std::terminate() was called with no exception in flight")
    let fault = try crash(
      functions,
      head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\n"
        + "Exception Codes: KERN_INVALID_ADDRESS at 0x0000000104f24000\n\n\(information)")
    expectEqual(fault.kind, "invalidAddress")
  }

  /// CFRuntime.c stops the process if it gets NULL; a freed object is a bad access.
  @Test(arguments: ["CFAutorelease", "CFRelease", "CFRetain"])
  func nullForCoreFoundation(function: String) throws {
    let head = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)"
    let reason = "NULL was passed to \(function)()"
    for functions in [[function], ["\(function).cold.1", function]] {
      expectEqual(try crash(functions, head: head).reason, reason)
    }
    expectNotEqual(try crash(["objc_release", function], head: head).reason, reason)
    let fault = try crash([function], head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)")
    expectNotEqual(fault.reason, reason)
  }

  /// libdispatch of iOS 10 to 12 checks in what waits (queue.c, `_dispatch_sync_wait`); a wait
  /// itself is in the kernel.
  @Test(arguments: [
    "_dispatch_sync_wait", "_dispatch_sync_f_slow", "_dispatch_barrier_sync_f_slow",
    "_dispatch_sync_wait$VARIANT$mp",
  ])
  func deadlocksOfOlderSystems(function: String) throws {
    let head = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)"
    let found = try crash([function], head: head)
    expectEqual(found.kind, "dispatchQueue")
    expectEqual(found.reason, "dispatch_sync called on the queue it waits for")
    expectEqual(found.confidence, "likely")
    let waits = try crash(
      ["__ulock_wait", "_dispatch_thread_event_wait_slow", function], head: head)
    expectNotEqual(waits.kind, "dispatchQueue")
    let other = try crash([function], head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)")
    expectNotEqual(other.kind, "dispatchQueue")
  }
}
