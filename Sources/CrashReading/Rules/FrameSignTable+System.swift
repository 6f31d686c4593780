import FunctionNames

/// The rows for the system's own libraries, and for Swift, Objective-C and C++.
extension FrameSignTable {
  static let platform: [FrameSign] = [
    compilerChecks, objectiveCRuntime, swift, objectiveC, dispatch, systemChecks, windowServer, cxx,
    linker, formats, last,
  ].flatMap { $0 }

  /// Source: the names in Libc, and in compiler-rt's builtins.
  private static let compilerChecks = [
    FrameSign(.bufferOverflow, "stack buffer overflow", "__stack_chk_fail"),
    FrameSign(
      .bufferOverflow, "buffer overflow", "__chk_fail", "__chk_fail_overflow", "__fortify_fail"),
  ]

  /// Source: github.com/swiftlang/swift, stdlib/public/{core,runtime,Concurrency}; for the types
  /// of Foundation, stdlib/public/Darwin/Foundation of release/5.3 (`Date.swift`, `URL.swift`:
  /// `_forceBridgeFromObjectiveC(source!, …)`; `Data.swift`, `NSNumber.swift`: `guard let`).
  private static let swift = [
    // What code of Swift calls with each object that it gets from Objective-C and keeps as a type
    // of its own. Nil is an empty value for these types, as it was in Swift 2.
    FrameSign(
      .swiftRuntimeFailure, "a failed check as Swift made a value of an Objective-C object",
      "*String._unconditionallyBridgeFromObjectiveC*",
      "*Array._unconditionallyBridgeFromObjectiveC*",
      "*Dictionary._unconditionallyBridgeFromObjectiveC*",
      "*Set._unconditionallyBridgeFromObjectiveC*",
      "*Data._unconditionallyBridgeFromObjectiveC*", reach: .innermost, condition: .trap,
      detail: BridgedObject.type),
    // All others take it for an object. What is declared `nonnull` in a header may still be nil.
    FrameSign(
      .swiftRuntimeFailure, "Objective-C code gave nil where Swift has a value that cannot be nil",
      "*._unconditionallyBridgeFromObjectiveC*", condition: .trap,
      elsewhere: "a few types check more of the object in the same function",
      detail: BridgedObject.type),
    FrameSign(
      .swiftConcurrency, "actor-isolated code ran outside its actor's queue",
      "_swift_task_checkIsolatedSwift", "swift_task_checkIsolated", "_checkExpectedExecutor",
      "swift_task_isCurrentExecutorImpl", "swift_task_isCurrentExecutorWithFlagsImpl",
      "swift_task_reportUnexpectedExecutor"),
    FrameSign(
      .swiftConcurrency, "a continuation was resumed more than once",
      "*CheckedContinuation.resume(*", "*CheckedContinuationCanary*", condition: .trap,
      elsewhere: "the code that is resumed may run below it"),
    FrameSign(
      .dispatchQueue, "dispatch_assert_queue: code ran on another queue than its own",
      "_dispatch_assert_queue_fail", "dispatch_assert_queue_fail",
      "_dispatch_assert_queue_barrier_fail"),
    // Below the frame of a signal, the one of the failure may be missing.
    FrameSign(
      .dispatchQueue, "dispatch_assert_queue: code ran on another queue than its own",
      "dispatch_assert_queue", "dispatch_assert_queue_barrier",
      elsewhere: "a signal may arrive while it checks"),
    FrameSign(
      .dispatchQueue, "dispatch_sync called on the queue it waits for",
      // Markdown makes the underscores at both ends bold text.
      "__DISPATCH_WAIT_FOR_QUEUE__", "DISPATCH_WAIT_FOR_QUEUE",
      elsewhere: "every dispatch_sync that waits; it ends the process only in a deadlock"),
    // Of iOS 10 to 12 and macOS 10.12 to 10.14. What waits calls the kernel.
    FrameSign(
      .dispatchQueue, "dispatch_sync called on the queue it waits for",
      "_dispatch_sync_wait", "_dispatch_sync_f_slow", "_dispatch_barrier_sync_f_slow",
      reach: .innermost, condition: .trap,
      elsewhere: "every dispatch_sync that waits, which has frames of the wait above it"),
    FrameSign(
      .privacy, "private data used without its usage description in Info.plist",
      "*CRASHING_DUE_TO_PRIVACY_VIOLATION*"),
    FrameSign(
      .swiftRuntimeFailure, "try! of an expression that threw an error", "swift_unexpectedError"),
    FrameSign(
      .swiftRuntimeFailure, "a forced cast (as!) of a value of another type",
      "swift_dynamicCastFailure",
      "swift::swift_dynamicCastFailure"),
    FrameSign(
      .swiftRuntimeFailure, "unowned reference to an object that is gone",
      "swift_abortRetainUnowned", "swift::swift_abortRetainUnowned"),
    FrameSign(
      .swiftRuntimeFailure, "index out of range", "*._checkIndex(*", "*._checkSubscript(*",
      "_checkIndex", "_checkSubscript", "_checkValidSubscript", "_checkValidSubscriptMutating",
      "*_checkInoutAndNativeTypeCheckedBounds(*", condition: .trap,
      elsewhere: "optimised code may check another precondition in the same function"),
    FrameSign(
      .swiftRuntimeFailure, "two equal keys for Dictionary(uniqueKeysWithValues:)",
      "*Dictionary.init*(uniqueKeysWithValues:)",
      beside: "*_NativeDictionary.merge*(_:isUnique:uniquingKeysWith:)", condition: .trap,
      elsewhere: "the sequence of keys and values may fail itself"),
    FrameSign(
      .swiftRuntimeFailure, "unexpectedly found nil while unwrapping an Optional value",
      "_diagnoseUnexpectedNilOptional", "_getOptionalValue",
      "_getImplicitlyUnwrappedOptionalValue", condition: .trap,
      elsewhere: "in Swift 1, the value may be made in the same function"),
    FrameSign(
      .swiftRuntimeFailure, "Swift fatal error or failed precondition\(withoutMessage)",
      "_assertionFailure", "_assertionFailed", "_fatalErrorMessage", "assertionFailure",
      "preconditionFailure", "fatalError"),
    FrameSign(
      .exclusivity, "overlapping accesses to a variable (exclusivity)", "swift_beginAccess",
      "swift::runtime::AccessSet::insert"),
    FrameSign(
      .swiftRuntimeFailure, "fatal error of the Swift runtime", "swift::fatalError",
      "swift::fatalErrorv", detail: SwiftRuntimeCaller.name),
    FrameSign(
      .failedCheck, "a cycle or an endless update in SwiftUI's state (AttributeGraph)",
      "AG::precondition_failure"),
    FrameSign(
      .failedCheck, "a failed check in RenderBox, which draws for SwiftUI",
      "RB::precondition_failure"),
  ]

  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-errors.mm.
  private static let objectiveC = [
    FrameSign(.objectiveCRuntime, "fatal error of the Objective-C runtime", "_objc_trap"),
    // Xcode's handler of exceptions asserts in turn.
    FrameSign(
      .uncaughtException, "uncaught exception, which the report does not name",
      "*[IDEAssertionHandler handleUncaughtException:]", "IDEHandleUncaughtException",
      reach: .deep),
    FrameSign(
      .assertion, "a failed assertion", "*AssertionHandler _handleAssertion*", reach: .deep),
    FrameSign(
      .assertion, "Metal's validation of the API failed", "MTLReportFailure*", reach: .deep,
      detail: MetalValidation.call),
    FrameSign(
      .assertion, "a check of Metal failed", "MTLReleaseAssertionFailure*", reach: .deep,
      detail: MetalValidation.call),
    FrameSign(.assertion, "failed assert()", "__assert_rtn", "__assert_fail"),
    FrameSign(
      .unrecognizedSelector, "unrecognized selector sent to an object",
      "*doesNotRecognizeSelector:*"),
    FrameSign(
      .unrecognizedSelector, "unrecognized selector sent to an object", "___forwarding___",
      beside: "objc_exception_throw",
      elsewhere: "an object may forward a message to another, which throws"),
    FrameSign(
      .uncaughtException, "uncaught Objective-C exception, which the report does not name",
      "objc_exception_throw"),
    // PLCrashReporter's handler, which writes its report and ends the process. What threw is above
    // AppKit's frames, and gone. Source: github.com/microsoft/plcrashreporter,
    // Source/PLCrashReporter.m.
    FrameSign(
      .uncaughtException, "uncaught Objective-C exception, which the report does not name",
      "uncaught_exception_handler", beside: "abort", reach: .deep,
      elsewhere: "programs may have functions of that name, too"),
    // AppKit caught it, and does not go on.
    FrameSign(
      .uncaughtException, "uncaught exception, which the report does not name",
      "*[NSApplication _crashOnException:]", reach: .deep),
  ]

  private static let vanished =
    "libdispatch found a file descriptor or Mach port closed under its dispatch source (EV_VANISHED)"

  /// What libdispatch says in words, if its words are not in the text.
  ///
  /// Source: github.com/apple-oss-distributions/libdispatch, src/semaphore.c, queue.c, object.c and
  /// once.c (`DISPATCH_CLIENT_CRASH`); source.c and init.c (`_dispatch_bug_kevent_vanished`).
  private static let dispatch = [
    FrameSign(
      .dispatchQueue, "dispatch_group_leave without a matching dispatch_group_enter",
      "dispatch_group_leave*", condition: .trap),
    FrameSign(
      .dispatchQueue, "a semaphore was released while it was in use",
      "_dispatch_semaphore_dispose*", condition: .trap),
    FrameSign(
      .dispatchQueue, "a dispatch group was released while it was in use",
      "_dispatch_group_dispose*", condition: .trap),
    FrameSign(
      .dispatchQueue, "a dispatch object was resumed more often than suspended",
      "dispatch_resume*", "_dispatch_lane_resume*", "dispatch_activate*", condition: .trap),
    FrameSign(
      .dispatchQueue, "a queue or source was released while it was suspended or not yet activated",
      "_dispatch_queue_xref_dispose*", "_dispatch_lane_class_dispose*",
      "_dispatch_queue_dispose*", "_dispatch_source_xref_dispose*", condition: .trap),
    FrameSign(
      .dispatchQueue, vanished, "_dispatch_source_merge_evt*", condition: .trap),
    FrameSign(.dispatchQueue, vanished, "_dispatch_bug_kevent_vanished*", condition: .any),
    FrameSign(
      .dispatchQueue, "dispatch_once called again from its own block", "_dispatch_once_wait*",
      condition: .trap),
  ]

  /// Source: github.com/apple-oss-distributions/libplatform, src/os/lock.c;
  /// oleb.net/blog/2014/06/core-data-concurrency-debugging for Core Data's check of threads, and
  /// github.com/magicalpanda/MagicalRecord/issues/671, karelia/BSManagedDocument/issues/27 and
  /// exponea/exponea-ios-sdk/issues/93 for that of `save:`;
  /// developer.apple.com/library/archive/qa/qa1766 and rdar://34858598 (openradar.appspot.com) for
  /// the GPU's; github.com/realm/realm-core, src/realm/util/terminate.cpp;
  /// developer.apple.com/documentation/watchkit/wkrefreshbackgroundtask and
  /// github.com/Automattic/pocket-casts-ios, issue 1340, for WatchKit's;
  /// swiftlang/swift-corelibs-foundation, Sources/CoreFoundation/CFRuntime.c (`CFAutorelease`).
  private static let systemChecks = [
    runtimeCode,
    FrameSign(
      .lock, "the thread took an os_unfair_lock that it already holds (a deadlock with itself)",
      "_os_unfair_lock_recursive_abort"),
    FrameSign(
      .lock, "an os_unfair_lock was unlocked by a thread that does not own it",
      "_os_unfair_lock_unowned_abort"),
    FrameSign(
      .lock, "an os_unfair_lock is damaged: its memory was overwritten or freed",
      "_os_unfair_lock_corruption_abort"),
    FrameSign(
      .wrongThread,
      "Core Data was used on another thread than that of its context (its concurrency debugging stops the process then)",
      "*ultithreading_Violation_AllThatIsLeftToUsIsHonor*",
      "*[NSManagedObjectContext _youcreatedanNSManagedObjectContext*"),
    FrameSign(
      .failedCheck,
      "Core Data stopped the process on purpose as it saved a context, whose state was not consistent; often it was used on another thread than its own",
      "*[NSManagedObjectContext _thereIsNoSadnessLikeTheDeathOfOptimism]*"),
    FrameSign(
      .failedCheck,
      "WatchKit ended the process on purpose: a background task was released before it was completed (-[WKRefreshBackgroundTask dealloc])",
      "*[WKRefreshBackgroundTask dealloc]", beside: "abort_with_reason",
      elsewhere: "WatchKit may check something else as it releases a task"),
    FrameSign(
      .failedCheck, "a failed check in Realm's core (realm::util::terminate)",
      "realm::util::terminate*", "*realm::util::terminate_with_info*",
      "please_report_this_issue_in_github_realm*",
      // Of older versions; Bugly keeps the underscore of the symbol.
      "please_report_this_error_to_help_at_realm*", "_please_report_this_error_to_help_at_realm*",
      reach: .deep),
    FrameSign(
      .failedCheck, "NULL was passed to", "CFRetain", "CFRelease", "CFAutorelease",
      "CFRetain.cold.*", "CFRelease.cold.*", "CFAutorelease.cold.*", reach: .innermost,
      condition: .trap, elsewhere: "they may check the object, too",
      detail: { $0.called.map { " \($0.readable.prefix { $0 != "." })()" } }),
    FrameSign(
      .failedCheck, "a failed check in WebKit (its CRASH())", "WTFCrash*", "WTF::crash*",
      condition: .any),
    FrameSign(
      .graphicsDriver,
      "the app used the GPU in the background, which is not permitted (OpenGL): the system's library stopped it on purpose",
      "gpus_ReturnNotPermittedKillClient", "_gpus_ReturnNotPermittedKillClient", condition: .any),
    // They write to a small address.
    FrameSign(
      .graphicsDriver, "the graphics driver stopped the process after an error of the GPU",
      "gpusGenerateCrashLog*", "gpusKillClientExt", "gpusKillClient", "gpus_KillClient",
      "gpus_ReturnGuiltyForHardwareRestart", "gpus_ReturnInnocentForHardwareRestart",
      "gpus_ReturnUnknownForHardwareRestart", "gpus_ReturnObjectErrorKillClient",
      condition: .any, detail: GraphicsDriver.name),
  ]

  /// What a process does first that has windows or asks about other programs. Without a session at
  /// the screen, as over ssh or as a daemon of the system, the window server does not take it.
  ///
  /// Source: the words that the function logs before it ends the process, as people show them
  /// (`_RegisterApplication(), FAILED TO establish the default connection to the WindowServer`;
  /// github.com/Shufflepuck/cdef, issue 9).
  private static let windowServer = [
    FrameSign(
      .failedCheck,
      "the process could not register with the window server: no session at the screen, most"
        + " likely", "_RegisterApplication", beside: "abort",
      elsewhere: "the function may end the process for another reason")
  ]

  static let withoutMessage = ", without its message"
  static let withoutException = "(std::terminate, without an exception)"

  /// Source: github.com/llvm/llvm-project, libcxxabi/src, and clang, CodeGen/CGException.cpp for
  /// `__clang_call_terminate`; ISO C++, [thread.thread.destr], [thread.thread.assign] and
  /// [except.terminate]; apple-oss-distributions/libdispatch, src/object.m.
  private static let cxx = [
    FrameSign(
      .cxxException, "a pure virtual function was called", "__cxa_pure_virtual"),
    FrameSign(
      .cxxException,
      "a std::thread was destroyed before join() or detach() \(withoutException)",
      "std::*thread::~thread*", beside: "*terminate*", reach: .deep),
    FrameSign(
      .cxxException,
      "a std::thread was assigned to before join() or detach() \(withoutException)",
      "std::*thread::operator=*", beside: "*terminate*", reach: .deep),
    FrameSign(
      .cxxException, "an exception that the function's throw() does not allow",
      "__cxa_call_unexpected"),
    FrameSign(
      .cxxException,
      "an exception left a function that must not throw (noexcept, or a destructor)",
      "__clang_call_terminate", "__cxa_call_terminate", reach: .deep),
    FrameSign(
      .cxxException, "uncaught C++ exception", "*::throw_func(*", "*::throw_exception(*",
      reach: .deep, elsewhere: "a program may catch the exception, and end for another reason",
      detail: { $0.called?.thrownType.map { ": \($0)" } }),
    FrameSign(.cxxException, "uncaught", "__cxa_throw", detail: ThrowCaller.exception),
    FrameSign(
      .cxxException, "uncaught exception, which the report does not name",
      "demangling_terminate_handler", "default_terminate_handler", "default_terminate"),
    // Below the handler of a crash SDK, which may be in the app's own image.
    FrameSign(
      .cxxException, "uncaught exception, which the report does not name", "_objc_terminate",
      "__handleUncaughtException", "CLSTerminateHandler", "FIRCLSTerminateHandler",
      "CLSExceptionRecord*", "FIRCLSExceptionRecord*", reach: .deep),
    FrameSign(
      .cxxException, "an exception left a block of dispatch; it is not named in this text",
      "std::terminate*", "std::__terminate*", callers: ["_dispatch_client_callout*"]),
  ]

  /// Source: github.com/apple-oss-distributions/dyld, version 852: src/dyld2.cpp; for the function
  /// that debuggers stop in to learn which images are loaded, dyld/DyldProcessConfig.cpp, and
  /// llvm-project, lldb: DynamicLoaderMacOS.cpp (`NotifyBreakpointHit`).
  private static let linker = [
    FrameSign(
      .sentSignal, "a debugger's breakpoint in dyld, which no debugger handled any more",
      "lldb_image_notifier", reach: .innermost, condition: .trap),
    FrameSign(
      .launch, "a symbol that is missing was called for the first time (lazy binding)",
      "dyld::fastBindLazySymbol*", "dyld::bindLazySymbol*", beside: "dyld::halt*", condition: .any),
    // Source: github.com/apple-oss-distributions/dyld, dyld2.cpp (`_main`) and dyldMain.cpp.
    FrameSign(
      .launch, "dyld refused to launch the program: a library or a symbol is missing or damaged",
      "dyld::halt*", "dyld3::halt*", "dyld4::halt*",
      callers: ["dyld::_main(*", "dyld4::prepare(*", "dyld4::start(*"], reach: .deep,
      condition: .any),
  ]

  /// What formats a text calls `strlen()` for a `%s`, and asks what a `%@` names for its
  /// description. Either is what the caller gave, or what lies where an argument is missing: the
  /// format may be a text from elsewhere that has a `%` in it. Nil is written as `(null)`.
  ///
  /// Source: opensource.apple.com, CF, CFString.c (`__CFStringAppendFormatCore`); Libc,
  /// stdio/FreeBSD/vfprintf.c; glibc, stdio-common/vfprintf-internal.c; developer.apple.com,
  /// "String Format Specifiers".
  private static let formats = [
    FrameSign(
      .invalidAddress,
      "a format's %s (as of NSLog or printf) was given no valid C string, or a text with a % in it"
        + " is the format",
      "_platform_strlen", "strlen", "_platform_strnlen", "strnlen", "_platform_memchr",
      "__strlen_*", "__strnlen_*", "wrap_strlen", callers: formatters, reach: .innermost,
      condition: .any, elsewhere: "the text of an object's description may be damaged"),
    FrameSign(
      .freedObject,
      "an object was used that was freed or overwritten before, or is none: for a %@ of a format"
        + " (as of NSLog)",
      "objc_msgSend", "objc_opt_respondsToSelector", "objc_opt_isKindOfClass", "object_getClass",
      "objc_retain", callers: ["__CFStringAppendFormatCore", "_CFStringAppendFormatCore"],
      reach: .innermost, condition: .any, elsewhere: "the objects of the format may be damaged"),
  ]

  private static let formatters = [
    "__CFStringAppendFormatCore", "_CFStringAppendFormatCore", "__vfprintf", "vfprintf",
    "vfprintf_l", "__vfprintf_internal", "_IO_vfprintf", "_IO_vfprintf_internal",
    "__printf_buffer", "printf_positional",
  ]

  private static let last = [
    FrameSign(.abort, "abort() called", "abort", detail: AbortCaller.name)
  ]
}

/// What C++'s library throws, by functions that do nothing else, and for whom.
///
/// Source: github.com/llvm/llvm-project, libcxx/include/stdexcept and libcxx/src/system_error.cpp,
/// mutex.cpp, thread.cpp and condition_variable.cpp; gcc, libstdc++-v3/include/bits/functexcept.h.
enum LibraryException {
  /// `: std::system_error, thrown by std::mutex::lock()`.
  ///
  static func detail(_ callers: FrameSign.Callers) -> String? {
    var thrown: String?
    for case let name? in callers.names.prefix(4) {
      let function = shortened(name.readable)
      if let start = name.lastWord.firstRange(of: throwing)?.upperBound {
        let word = name.lastWord[start...].prefix { $0.isLetter || $0 == "_" }
        thrown = thrown ?? ": std::\(word)"
        continue
      }
      guard let thrown else { return nil }
      guard function.hasPrefix("std::") else { return thrown }
      let gone = destroyed.contains { function.hasPrefix($0) }
      return "\(thrown), thrown by \(function)"
        + (gone ? ": it was destroyed or overwritten, most likely" : "")
    }
    return thrown
  }

  private static let throwing = "__throw_"

  /// Darwin's mutexes have a signature, without which they cannot be locked.
  ///
  /// Source: github.com/apple-oss-distributions/libpthread, src/pthread_mutex.c.
  private static let destroyed = [
    "std::mutex::lock(", "std::recursive_mutex::lock(", "std::recursive_mutex::try_lock(",
    "std::shared_mutex::lock(",
  ]

  /// Without the inline namespaces that versions of the library have.
  private static func shortened(_ function: String) -> String {
    for name in ["std::__1::", "std::__cxx11::"] {
      guard function.hasPrefix(name) else { continue }
      return "std::" + function.dropFirst(name.utf8.count)
    }
    return function
  }
}
