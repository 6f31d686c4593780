/// Functions that say why a process ended: what their frames mean, and what else puts them on a
/// stack. Of several that fit a stack the first in this table counts, so what says more stands
/// further up.
///
/// To teach another runtime, add a row to its group, or a group with its source, and a stack to
/// `FrameSignTests`. A row says in this order: the kind in JSON, the reason in words, and the
/// functions (`name` the whole name, `name*` how it begins, `*part*` what it contains).
/// `elsewhere` says when else the frame is seen; without it the reason is certain.
enum FrameSignTable {
  /// What stops an allocator comes first, because it stops whatever runs above it.
  static let runtimes: [FrameSign] =
    allocators + xzone + newHandlers + kotlin + dotNet + reactNative + rust + go + javaScript
    + otherRuntimes

  static let platform: [FrameSign] =
    compilerChecks + swift + objectiveC + dispatch + systemChecks + windowServer + cxx + linker
    + last

  /// Source: github.com/apple-oss-distributions/libmalloc, src/malloc_printf.c, src/malloc.c,
  /// src/xzone.
  private static let allocators = [
    FrameSign(
      .heapDamage, "pointer being freed was not allocated",
      "___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED"),
    // `free()` looks for the zone of every block; it reports only that no zone has it.
    FrameSign(
      .heapDamage, "pointer being freed was not allocated", "find_zone_and_free",
      beside: "malloc_*report"),
    FrameSign(
      .heapDamage,
      "malloc found a damaged heap: a free block was overwritten, often by other code than this",
      "_xzm_xzone_malloc_freelist_outlined", "free_list_checksum_botch",
      "nanov2_guard_corruption_detected", "small_free_list_remove_ptr_no_clear_checksum_botch"),
    FrameSign(
      .heapDamage, "malloc found a damaged heap or a bad pointer", "malloc_vreport",
      "malloc_report", "malloc_zone_error", "malloc_error_break", "szone_error",
      "___malloc_printerr", "malloc_printerr"),
    // Older versions of `free()` end the process themselves if no zone has the block. Functions of
    // zones that find damage have frames of their own.
    FrameSign(
      .heapDamage,
      "free() ended the process: the pointer was not allocated, or the heap is damaged",
      "free", beside: "abort"),
    // `realloc()` asks the zone for the size of the block, and ends the process if it has none.
    FrameSign(
      .heapDamage,
      "realloc() ended the process: the pointer was not allocated, or the heap is damaged",
      "realloc", "malloc_zone_realloc", "nano_realloc", "nanov2_realloc", "szone_realloc",
      beside: "abort"),
    // They look at a block that is freed or resized, and only damage makes them stop.
    FrameSign(
      .heapDamage, "malloc found a damaged heap or a bad pointer", "_nano_vet_and_size_of_live",
      "_nano_vet_and_size_of_free", "__nano_vet_and_size", "_nano_malloc_check_clear",
      beside: "abort"),
    FrameSign(
      .memoryLimit, "the process asked for more memory than there is (bad_alloc)",
      "*std::__throw_bad_alloc*", "*std::bad_alloc*",
      elsewhere: "a program may catch the exception, and end for another reason"),
  ]

  /// What `operator new` calls if `malloc()` has no memory for it, and what others call then. A
  /// process has one new-handler. The library that set it last may be any, such as the LLVM in a
  /// graphics driver. The size that its caller asked for may be a wrong number.
  ///
  /// Source: ISO C++, [new.delete.single] and [new.handler]; github.com/llvm/llvm-project,
  /// llvm/lib/Support/ErrorHandling.cpp (`install_out_of_memory_new_handler`); chromium/chromium,
  /// base/process/memory.cc; mozilla/gecko-dev, memory/mozalloc/mozalloc_oom.cpp and
  /// xpcom/base/nsDebugImpl.cpp; qt/qtbase, src/corelib/global/qglobal.cpp.
  private static let newHandlers = [
    FrameSign(
      .memoryLimit,
      "operator new got no memory, or was asked for too much, and the new-handler (LLVM's) ended the process",
      "*out_of_memory_new_handler*", reach: .deep),
    FrameSign(
      .memoryLimit,
      "memory could not be allocated, or too much was asked for (LLVM ended the process)",
      "llvm::report_bad_alloc_error*", reach: .deep),
    FrameSign(
      .memoryLimit, "memory could not be allocated, or too much was asked for",
      "base::TerminateBecauseOutOfMemory*", "*base::internal::OnNoMemory*",
      "*partition_alloc::*OnNoMemory*", "*::OnNoMemoryInternal(*", "*::OnNoMemorySize(*",
      "mozalloc_handle_oom*", "NS_ABORT_OOM*", "qBadAlloc*", reach: .deep, condition: .any),
  ]

  /// Source: the names in Libc, and in compiler-rt's builtins.
  private static let compilerChecks = [
    FrameSign(.bufferOverflow, "stack buffer overflow", "__stack_chk_fail"),
    FrameSign(
      .bufferOverflow, "buffer overflow", "__chk_fail", "__chk_fail_overflow", "__fortify_fail"),
  ]

  /// Source: github.com/swiftlang/swift, stdlib/public/{core,runtime,Concurrency}.
  private static let swift = [
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
      .swiftRuntimeFailure, "as! of a value of another type", "swift_dynamicCastFailure",
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
      .swiftRuntimeFailure, "Swift fatal error or failed precondition, without its message",
      "_assertionFailure", "_assertionFailed", "_fatalErrorMessage", "assertionFailure",
      "preconditionFailure", "fatalError"),
    FrameSign(
      .exclusivity, "overlapping accesses to a variable (exclusivity)", "swift_beginAccess",
      "swift::runtime::AccessSet::insert"),
    FrameSign(
      .swiftRuntimeFailure, "fatal error of the Swift runtime", "swift::fatalError",
      "swift::fatalErrorv"),
    FrameSign(
      .failedCheck, "a cycle or an endless update in SwiftUI's state (AttributeGraph)",
      "AG::precondition_failure"),
  ]

  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime/src/main/cpp.
  private static let kotlin = [
    FrameSign(
      .managedException, "unhandled Kotlin exception", "konan::abort*",
      "*kotlin::ProcessUnhandledException*", "*Kotlin_processUnhandledException*",
      "*Kotlin_terminateWithUnhandledException*", "*kotlin::TerminateWithUnhandledException*",
      "*::terminateWithUnhandledException*", "*kotlin::*TerminateHandler*",
      "*(anonymous namespace)::TerminateHandler*", reach: .deep),
    FrameSign(
      .managedException, "unhandled Kotlin exception", "*KonanTerminateHandler*", reach: .deep,
      elsewhere: "until Kotlin 1.4, exceptions of C++ that nobody caught came here, too"),
  ]

  /// Source: github.com/dotnet/runtime, src/coreclr/vm/exceptionhandling.cpp; github.com/mono/mono,
  /// mono/metadata/exception.c and mono/eglib/goutput.c; github.com/dotnet/macios,
  /// runtime/runtime.m.
  private static let dotNet = [
    FrameSign(
      .managedException, "unhandled .NET exception", "DispatchManagedException*", "IL_Throw*",
      "IL_Rethrow*", "RhThrowEx*", "RhpThrowEx*", reach: .deep),
    FrameSign(
      .managedException, "unhandled exception or fatal error of .NET (its runtime gave up)",
      "PROCAbort*", "PROCEndProcess*", "EEPolicy::HandleFatalError*",
      "CrashDumpAndTerminateProcess*", reach: .deep),
    FrameSign(
      .managedException, "unhandled .NET exception (Mono)",
      "mono_invoke_unhandled_exception_hook*", "mono_unhandled_exception*",
      "xamarin_unhandled_exception_handler*", "xamarin_process_managed_exception*",
      "xamarin_process_nsexception*", "mono_threads_exit_no_unhandled*", reach: .deep),
    // The message of a failed check is logged by the functions of the second row.
    FrameSign(
      .failedCheck, "failed check in .NET's runtime (an assertion of Mono)",
      "monoeg_assertion_message*", "mono_assertion_message*", reach: .deep),
    FrameSign(
      .failedCheck, "fatal error of .NET's runtime (Mono), whose message is in the log only",
      "monoeg_g_log*", reach: .deep),
    FrameSign(
      .managedException, "unhandled C# exception (Unity's IL2CPP)",
      "il2cpp::vm::Exception::Raise*", "il2cpp_raise_exception*", "*il2cpp*RaiseException*",
      "il2cpp::vm::Runtime::UnhandledException*", "il2cpp::os::*CrashHelpers*", reach: .deep,
      elsewhere: "exceptions that are caught are raised by the same functions"),
  ]

  /// Source: github.com/facebook/react-native, RCTTurboModule.mm, React/Base/RCTAssert.m and
  /// React/CxxBridge/RCTCxxBridge.mm;
  /// github.com/expo/expo, packages/expo-updates/ios/EXUpdates/ErrorRecovery.swift.
  private static let reactNative = [
    FrameSign(
      .applicationMessage, "an error that the app itself recorded with Crashlytics, and no crash",
      "FIRCLSExceptionRecordOnDemand*", reach: .deep, condition: .any),
    FrameSign(
      .nativeModuleException,
      "a native module threw an exception, and React Native crashed as it made a JavaScript error of it",
      "*::convertNSExceptionToJSError(*", reach: .deep, condition: .any),
    FrameSign(
      .nativeModuleException, "a native module of React Native threw an exception",
      "*ObjCTurboModule::performVoidMethodInvocation(*", beside: "*_rethrow", reach: .deep),
    FrameSign(
      .javaScriptError, "fatal JavaScript error (React Native)", "RCTFatal*",
      "-[RCTExceptionsManager reportFatal*", reach: .deep, condition: .any),
    // It throws the error that a bridge gives it, and its frame may have the name of a neighbour.
    FrameSign(
      .javaScriptError,
      "fatal error of JavaScript, or of React Native's bridge, which RCTFatal made an exception of",
      "*[RCTCxxBridge handleError:]", "*[RCTBatchedBridge stopLoadingWithError:]",
      beside: "objc_exception_throw", reach: .deep,
      elsewhere: "the app's own handler of fatal errors may throw something else"),
    FrameSign(
      .javaScriptError,
      "an error at start, thrown again by expo-updates, which could not recover from it",
      "StartupProcedure.throwException(*", reach: .deep, condition: .any),
  ]

  /// `std::panicking::try`, `catch_unwind` and `__rust_begin_short_backtrace` are at the root of
  /// every Rust thread and say nothing.
  ///
  /// Source: github.com/rust-lang/rust, panicking.rs in library/core/src and library/std/src.
  private static let rust = [
    FrameSign(
      .stackOverflow, "stack overflow, which Rust's handler of signals found",
      "std::sys::*stack_overflow::*signal_handler*", reach: .deep, condition: .any,
      elsewhere: "other faults pass through the handler, and end with their own signal"),
    FrameSign(
      .rustPanic, "Rust panic: null pointer dereference (debug check)",
      "core::panicking::panic_null_pointer_dereference*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: misaligned pointer dereference (debug check)",
      "core::panicking::panic_misaligned_pointer_dereference*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: index out of bounds", "core::panicking::panic_bounds_check*",
      "core::slice::index::slice_*", "core::slice::index::*_fail*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: unwrap() or expect() of an Err", "core::result::unwrap_failed*",
      "result::unwrap_failed*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: unwrap() or expect() of None", "core::option::unwrap_failed*",
      "core::option::expect_failed*", "option::expect_failed*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: memory could not be allocated",
      "alloc::alloc::handle_alloc_error*", "std::alloc::rust_oom*", reach: .deep),
    // It does nothing but look for the runtime.
    FrameSign(
      .rustPanic, "Rust panic: code that needs Tokio's runtime ran outside it",
      "tokio::runtime::*Handle::current*", reach: .deep,
      elsewhere: "the memory of the thread that it looks in may be damaged"),
    FrameSign(
      .rustPanic, "Rust panic where none may leave the function (a callback from C, or a drop)",
      "core::panicking::panic_cannot_unwind*", "core::panicking::panic_in_cleanup*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic that may not unwind", "core::panicking::panic_nounwind*",
      reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic", "core::panicking::panic*", "core::panicking::assert_failed*",
      "core::panicking::unreachable*", "std::panicking::begin_panic*",
      "std::panicking::rust_panic*", "std::panicking::panic_with_hook*",
      "std::panicking::panic_handler*", "std::panicking::default_hook*", "rust_panic*",
      "rust_begin_unwind*", "__rustc::rust_begin_unwind*", "__rustc::rust_panic*",
      "__rust_start_panic*", "sys_common::unwind::begin_unwind*", "panicking::panic_fmt*",
      reach: .deep),
  ]

  /// Source: github.com/golang/go, src/runtime/panic.go and signal_unix.go.
  private static let go = [
    FrameSign(
      .runtimePanic, "Go panic after a memory fault", "runtime.sigpanic", "runtime.panicmem",
      "runtime.panicmemAddr", reach: .deep),
    FrameSign(
      .runtimePanic, "Go panic", "runtime.gopanic", "runtime.fatalpanic", "runtime.goPanicIndex",
      reach: .deep),
    FrameSign(
      .runtimePanic, "fatal error of the Go runtime", "runtime.throw", "runtime.fatalthrow",
      "runtime.fatal", reach: .deep),
    FrameSign(
      .runtimePanic, "a fault in C code that Go called (cgo)", "runtime.cgocall", reach: .deep,
      condition: .any, elsewhere: "C code that calls back into Go has it below"),
  ]

  /// Source: github.com/v8/v8, src/api/api.cc and src/base/logging.cc; github.com/nodejs/node,
  /// src/node_errors.cc; github.com/chromium/chromium, base/logging.cc and base/check.cc.
  private static let javaScript = [
    FrameSign(
      .memoryLimit, "V8 ran out of memory for JavaScript",
      "v8::internal::V8::FatalProcessOutOfMemory*", "node::OOMErrorHandler*",
      "v8::Utils::ReportOOMFailure*", "*FatalProcessOutOfMemory*", reach: .deep, condition: .any),
    FrameSign(
      .failedCheck, "a fatal check of V8 failed", "V8_Fatal*", "v8::base::FatalImpl*",
      "node::OnFatalError*", reach: .deep, condition: .any),
    FrameSign(
      .failedCheck, "a failed check in Node.js", "node::Assert*", reach: .deep),
    FrameSign(
      .failedCheck, "a fatal check of Chromium failed: CHECK or LOG(FATAL)",
      "logging::LogMessage::~LogMessage*", "logging::LogMessageFatal::*",
      "logging::CheckError::*", "logging::*CheckFail*", reach: .deep),
  ]

  /// Source: OpenJDK, src/hotspot/share/utilities/vmError.cpp; CPython, Python/pylifecycle.c; Dart
  /// SDK, runtime/platform/assert.cc; Flutter, engine/src/flutter/fml/logging.cc; Qt,
  /// qtbase/src/corelib/global/qlogging.cpp; LLVM, llvm/lib/Support/ErrorHandling.cpp.
  private static let otherRuntimes = [
    FrameSign(
      .runtimePanic, "the Java VM gave up (its hs_err file says more)", "VMError::*",
      "report_vm_error*", "report_fatal*", "os::abort(*", reach: .deep, condition: .any),
    FrameSign(
      .runtimePanic, "Python gave up: functions called each other too deeply to recover",
      "_Py_CheckRecursiveCall*", beside: "*Py_FatalError*", reach: .deep),
    FrameSign(
      .runtimePanic, "Python gave up with a fatal error", "Py_FatalError*",
      "_Py_FatalError*", "fatal_error", "fatal_error_exit", reach: .deep),
    FrameSign(
      .failedCheck, "an assertion of the Dart VM failed", "dart::Assert::Fail*",
      "dart::DartAssert::Fail*", "dart::*Abort*", "dart::OS::Abort*", reach: .deep),
    FrameSign(
      .failedCheck, "a fatal check of Flutter's engine failed", "fml::LogMessage::~LogMessage*",
      reach: .deep),
    FrameSign(
      .applicationMessage, "qFatal() was called (Qt)", "qt_message_fatal*",
      "QMessageLogger::fatal*", "qFatal*", reach: .deep),
    FrameSign(
      .failedCheck, "fatal error of LLVM", "llvm::report_fatal_error*", "llvm::reportFatal*",
      reach: .deep),
  ]

  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-errors.mm; of Mac OS X 10.6 and
  /// earlier runtime/objc-errors.m, and runtime/objc-class.m for `_freedHandler()`.
  private static let objectiveC = [
    // Its words are only in the system's log. `_objc_fatal()` calls `_objc_trap()`, too.
    FrameSign(
      .objectiveCRuntime,
      "fatal error of the Objective-C runtime about an object, such as a message to one that was freed",
      "__objc_error", "_objc_error"),
    FrameSign(
      .objectiveCRuntime, "fatal error of the Objective-C runtime", "_objc_fatal", "_objc_fatalv",
      "_objc_trap"),
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
    // AppKit caught it, and does not go on.
    FrameSign(
      .uncaughtException, "uncaught exception, which the report does not name",
      "*[NSApplication _crashOnException:]", reach: .deep),
  ]

  /// What libdispatch says in words, if its words are not in the text.
  ///
  /// Source: github.com/apple-oss-distributions/libdispatch, src/semaphore.c, queue.c, object.c and
  /// once.c (`DISPATCH_CLIENT_CRASH`).
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
  /// github.com/Automattic/pocket-casts-ios, issue 1340, for WatchKit's.
  private static let systemChecks = [
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
      .failedCheck, "a failed check in WebKit (its CRASH())", "WTFCrash*", "WTF::crash*",
      condition: .any),
    FrameSign(
      .graphicsDriver,
      "the app used the GPU in the background, which is not permitted (OpenGL): the system's library stopped it on purpose",
      "gpus_ReturnNotPermittedKillClient", condition: .any),
    // They write to a small address.
    FrameSign(
      .graphicsDriver, "the graphics driver stopped the process after an error of the GPU",
      "gpusGenerateCrashLog*", "gpusKillClientExt", "gpusKillClient", "gpus_KillClient",
      "gpus_ReturnGuiltyForHardwareRestart", "gpus_ReturnInnocentForHardwareRestart",
      "gpus_ReturnUnknownForHardwareRestart", "gpus_ReturnObjectErrorKillClient",
      condition: .any, detail: GraphicsDriver.name),
  ]

  /// Source: github.com/llvm/llvm-project, libcxxabi/src, and clang, CodeGen/CGException.cpp for
  /// `__clang_call_terminate`; ISO C++, [thread.thread.destr], [thread.thread.assign] and
  /// [except.terminate].
  private static let cxx = [
    FrameSign(
      .cxxException, "a pure virtual function was called", "__cxa_pure_virtual"),
    FrameSign(
      .cxxException,
      "a std::thread was destroyed before join() or detach() (std::terminate, without an exception)",
      "std::*thread::~thread*", beside: "*terminate*", reach: .deep),
    FrameSign(
      .cxxException,
      "a std::thread was assigned to before join() or detach() (std::terminate, without an exception)",
      "std::*thread::operator=*", beside: "*terminate*", reach: .deep),
    FrameSign(
      .cxxException, "an exception that the function's throw() does not allow",
      "__cxa_call_unexpected"),
    FrameSign(
      .cxxException,
      "an exception left a function that must not throw (noexcept, or a destructor)",
      "__clang_call_terminate", "__cxa_call_terminate", reach: .deep),
    FrameSign(.cxxException, "uncaught C++ exception", "__cxa_throw"),
    FrameSign(
      .cxxException, "uncaught exception, which the report does not name",
      "demangling_terminate_handler", "default_terminate_handler", "default_terminate"),
    // Below the handler of a crash SDK, which may be in the app's own image.
    FrameSign(
      .cxxException, "uncaught exception, which the report does not name", "_objc_terminate",
      "__handleUncaughtException", "CLSTerminateHandler", "FIRCLSTerminateHandler",
      "CLSExceptionRecord*", "FIRCLSExceptionRecord*", reach: .deep),
  ]

  /// Source: github.com/apple-oss-distributions/dyld, version 852: src/dyld2.cpp.
  private static let linker = [
    FrameSign(
      .launch, "a symbol that is missing was called for the first time (lazy binding)",
      "dyld::fastBindLazySymbol*", "dyld::bindLazySymbol*", beside: "dyld::halt*", condition: .any)
  ]

  private static let last = [FrameSign(.abort, "abort() called", "abort")]
}
