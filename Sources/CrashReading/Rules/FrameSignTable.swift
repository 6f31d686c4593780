import CodeOwnership

/// Functions that say why a process ended: what their frames mean, and what else puts them on a
/// stack. Of several that fit a stack the first in this table counts, so what says more stands
/// further up.
///
/// To teach another runtime, add a row to its group, or a group with its source, and a stack to
/// `FrameSignTests`. A row says in this order: the kind in JSON, the reason in words, and the
/// functions (`name` the whole name, `name*` how it begins, `*part*` what it contains).
/// `elsewhere` says when else the frame is seen; without it the reason is certain.
enum FrameSignTable {
  /// What stops an allocator comes first, because it stops whatever runs above it. Groups are not
  /// added with `+`, which would copy the first ones again and again at each start.
  static let runtimes: [FrameSign] = [
    allocators, xzone, newHandlers, kotlin, dotNet, reactNative, rust, go, javaScript,
    otherRuntimes,
  ].flatMap { $0 }

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
      "_nano_vet_and_size_of_free", "__nano_vet_and_size", beside: "abort"),
    // It looks at the canary of the free block that it is about to give away (src/nano_malloc.c).
    FrameSign(
      .heapDamage,
      "malloc found a damaged heap: a free block was overwritten, often by other code than this",
      "_nano_malloc_check_clear", beside: "abort"),
    // `mem_error()` prints what the slice allocator of GLib found, and ends the process. Whoever
    // asks for memory ends there too, if there is none. Source: GNOME/glib, glib/gslice.c, up to
    // version 2.74.
    FrameSign(
      .heapDamage,
      "g_slice_free() (GLib) found a damaged heap or a bad pointer, such as a block freed twice",
      "mem_error",
      callers: [
        "slab_allocator_free_chunk", "magazine_cache_push_magazine", "magazine_chain_*",
        "thread_memory_magazine2_*", "smc_notify_free", "g_slice_free*",
      ], condition: .any),
    FrameSign(
      .memoryLimit, "the process asked for more memory than there is (bad_alloc)",
      "*std::__throw_bad_alloc*", "*std::bad_alloc*",
      elsewhere: "a program may catch the exception, and end for another reason"),
  ]

  /// What stops the allocator of iOS 17, macOS 14 and later, which traps where it finds damage and
  /// leaves its words to the report, which may be missing. The part of a function that hardly ever
  /// runs is one of its own: `xzm_malloc_zone_free_slow.cold.1`. In these functions it is the trap.
  ///
  /// Source: github.com/apple-oss-distributions/libmalloc, src/xzone/xzone_malloc.c and
  /// xzone_inline_internal.h (`xzm_client_abort_with_reason`); for the names of the parts, the
  /// lists of symbols in github.com/blacktop/ipsw-diffs.
  private static let xzone = [
    FrameSign(
      .heapDamage,
      "free() stopped the process: the block was freed before, was never allocated, or the heap is"
        + " damaged",
      "_xzm_free_abort", "xzm_*free*.cold.*", "_xzm_*free_*.cold.*", "xzm_*realloc*.cold.*",
      reach: .innermost, condition: .trap),
    FrameSign(
      .heapDamage,
      "malloc found a damaged heap: a free block was overwritten, often by other code than this",
      "_xzm_xzone_malloc*.cold.*", reach: .innermost, condition: .trap,
      elsewhere: "the allocator may find a mistake of its own"),
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

  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime/src/main/cpp; for hooks of
  /// exceptions, rickclephas/NSExceptionKt, nsexception-kt-core (`UnhandledExceptionHook.kt`), and
  /// touchlab/CrashKiOS.
  private static let kotlin = [
    // Its last resort is the hook of the rows below. Source: github.com/Kotlin/kotlinx.coroutines,
    // kotlinx-coroutines-core/common/src/internal/CoroutineExceptionHandlerImpl.common.kt.
    FrameSign(
      .managedException,
      "uncaught Kotlin exception in a coroutine; its class and message are not on the stack",
      "*kotlinx.coroutines*handleUncaughtCoroutineException*", reach: .deep,
      elsewhere: "a handler of such exceptions may fail itself"),
    FrameSign(
      .managedException, "unhandled Kotlin exception", "konan::abort*",
      "*kotlin::ProcessUnhandledException*", "*Kotlin_processUnhandledException*",
      "*Kotlin_terminateWithUnhandledException*", "*kotlin::TerminateWithUnhandledException*",
      "*::terminateWithUnhandledException*", "*kotlin::*TerminateHandler*",
      "*(anonymous namespace)::TerminateHandler*", reach: .deep),
    FrameSign(
      .managedException,
      "unhandled Kotlin exception, recorded by a hook; its class and message are not on the stack",
      "*com.rickclephas.kmp.nsexceptionkt.*", "*NSExceptionKtReporter.reportException*",
      "*co.touchlab.crashkios.*", "*unUnhandledExceptionHook*", reach: .deep,
      elsewhere: "an app may have caught the exception, and reports it"),
    FrameSign(
      .managedException, "unhandled Kotlin exception", "*KonanTerminateHandler*", reach: .deep,
      elsewhere: "until Kotlin 1.4, exceptions of C++ that nobody caught came here, too"),
    // Source: github.com/touchlab/SQLiter, sqliter-driver/src/nativeInterop/cpp.
    FrameSign(
      .managedException,
      "Kotlin exception SQLiteException for an error of SQLite, without its message",
      "ThrowSql_SQLiteException*", "android::throw_sqlite3_exception*", reach: .deep,
      elsewhere: "a program may catch the exception, and end for another reason",
      detail: KotlinThrowable.databaseCall),
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
    FrameSign(
      .javaScriptError,
      "a fatal JavaScript error or exception, raised again by expo-updates, which could not recover from it (ErrorRecovery.crash)",
      "ErrorRecovery.crash(*", reach: .deep, condition: .any),
  ]

  /// `std::panicking::try`, `catch_unwind` and `__rust_begin_short_backtrace` are at the root of
  /// every Rust thread and say nothing.
  ///
  /// Source: github.com/rust-lang/rust, panicking.rs in library/core/src and library/std/src; for
  /// memory, library/alloc/src/alloc.rs and library/std/src/alloc.rs.
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
    // Also in the middle of a character: the function is called for both.
    FrameSign(
      .rustPanic,
      "Rust panic: a string was sliced at an index out of range, or not on a character boundary",
      "core::str::slice_error_fail*", "str::slice_error_fail*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: unwrap() or expect() of an Err", "core::result::unwrap_failed*",
      "result::unwrap_failed*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: unwrap() or expect() of None", "core::option::unwrap_failed*",
      "core::option::expect_failed*", "option::expect_failed*", reach: .deep),
    // Without the standard library, and with it if so told, a failed allocation is a panic.
    FrameSign(
      .rustPanic, "Rust panic: memory could not be allocated",
      "alloc::alloc::handle_alloc_error*", "__rdl_oom*", "__rg_oom*", "__rdl_alloc_error_handler*",
      beside: "core::panicking::panic*", reach: .deep),
    FrameSign(
      .rustPanic, "Rust panic: memory could not be allocated",
      "alloc::alloc::handle_alloc_error*", "std::alloc::rust_oom*", beside: "*rust_panic*",
      reach: .deep),
    // The hook prints how much memory was asked for, and the process aborts.
    FrameSign(
      .memoryLimit,
      "memory could not be allocated, or too much was asked for (Rust's library ended the process)",
      "alloc::alloc::handle_alloc_error*", "std::alloc::rust_oom*",
      "rust_oom*", "std::alloc::default_alloc_error_hook*", "__rust_alloc_error_handler*",
      reach: .deep),
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
      .abort, "abort() in C code that Go called (cgo)", "runtime.cgocall", reach: .deep,
      condition: .abort, elsewhere: "C code that calls back into Go has it below"),
    FrameSign(
      .runtimePanic, "a fault in C code that Go called (cgo)", "runtime.cgocall", reach: .deep,
      condition: .any, elsewhere: "C code that calls back into Go has it below"),
  ]

  /// Source: github.com/v8/v8, src/api/api.cc, src/base/logging.cc and
  /// src/base/platform/platform-posix.cc (`OS::Abort`); github.com/nodejs/node,
  /// src/node_errors.cc; github.com/chromium/chromium, base/logging.cc and base/check.cc.
  private static let javaScript = [
    // Node.js' way for add-ons to end the process. What it calls is `node::OnFatalError()`, too.
    // Source: github.com/nodejs/node, src/node_api.cc; its message goes to stderr.
    FrameSign(
      .failedCheck,
      "a native add-on ended the process on purpose (napi_fatal_error), whose message is in the"
        + " output only", "napi_fatal_error*", reach: .deep, condition: .any),
    FrameSign(
      .memoryLimit, "V8 ran out of memory for JavaScript",
      "v8::internal::V8::FatalProcessOutOfMemory*", "node::OOMErrorHandler*",
      "v8::Utils::ReportOOMFailure*", "*FatalProcessOutOfMemory*", reach: .deep, condition: .any),
    FrameSign(
      .failedCheck, "a fatal check of V8 failed", "V8_Fatal*", "v8::base::FatalImpl*",
      "node::OnFatalError*", reach: .deep, condition: .any),
    FrameSign(
      .failedCheck, "V8's API was used wrongly, and V8 stopped the process",
      "v8::Utils::ReportApiFailure*", "v8::V8::ToLocalEmpty*", "v8::V8::FromJustIsNothing*",
      "v8::api_internal::ToLocalEmpty*", "v8::api_internal::FromJustIsNothing*", reach: .deep,
      condition: .any),
    // Nothing else calls it: `FATAL`, failed checks, and who is out of memory.
    FrameSign(
      .failedCheck, "V8 stopped the process on purpose, for a fatal check or for want of memory",
      "v8::base::OS::Abort*", condition: .any),
    FrameSign(
      .failedCheck, "Node.js stopped the process on purpose", "node::Abort(*", reach: .deep),
    FrameSign(
      .failedCheck, "a failed check in Node.js", "node::Assert*", reach: .deep),
    FrameSign(
      .failedCheck, "a fatal check of Chromium failed: CHECK or LOG(FATAL)",
      "logging::LogMessage::~LogMessage*", "logging::LogMessageFatal::*",
      "logging::CheckError::*", "logging::*CheckFail*", reach: .deep),
  ]

  /// Source: OpenJDK, src/hotspot/share/utilities/vmError.cpp; CPython, Python/pylifecycle.c; Dart
  /// SDK, runtime/platform/assert.cc; Flutter, engine/src/flutter/fml/logging.cc; Qt,
  /// qtbase/src/corelib/global/qlogging.cpp; GLib, glib/gtestutils.c; LLVM,
  /// llvm/lib/Support/ErrorHandling.cpp; Tcl, generic/tclPanic.c; OpenSSL, crypto/armcap.c.
  private static let otherRuntimes = [
    // Each runs one instruction. `OPENSSL_cpuid_setup()` calls them with a handler of the signal.
    FrameSign(
      .trapInstruction,
      "OpenSSL tried an instruction that this processor does not have: it handles the SIGILL"
        + " itself, and goes on unless a debugger stops it",
      "_armv*_probe", "__armv*_probe", reach: .deep, condition: .trap),
    FrameSign(
      .runtimePanic, "the Java VM gave up (its hs_err file says more)", "VMError::*",
      "report_vm_error*", "report_fatal*", "os::abort(*", reach: .deep, condition: .any),
    FrameSign(
      .runtimePanic, "Python gave up: functions called each other too deeply to recover",
      "_Py_CheckRecursiveCall*", beside: "*Py_FatalError*", reach: .deep),
    FrameSign(
      .runtimePanic, "Python gave up with a fatal error", "Py_FatalError*",
      "_Py_FatalError*", "fatal_error", "fatal_error_exit", reach: .deep,
      detail: PythonFailure.function),
    FrameSign(
      .runtimePanic, "Tcl gave up (Tcl_Panic), whose message is in the output only", "Tcl_Panic*",
      reach: .deep),
    FrameSign(
      .failedCheck, "an assertion of the Dart VM failed", "dart::Assert::Fail*",
      "dart::DartAssert::Fail*", "dart::*Abort*", "dart::OS::Abort*", reach: .deep),
    FrameSign(
      .failedCheck, "a fatal check of Flutter's engine failed", "fml::LogMessage::~LogMessage*",
      reach: .deep),
    // It calls `qFatal()`. Source: the package PyQt6 (PyQt5), qpy/QtCore/qpycore_public_api.cpp.
    FrameSign(
      .managedException, "unhandled Python exception in a slot or other code that Qt called (PyQt)",
      "pyqt5_err_print*", "pyqt6_err_print*", reach: .deep),
    FrameSign(
      .applicationMessage, "qFatal() was called (Qt)", "qt_message_fatal*",
      "QMessageLogger::fatal*", "qFatal*", reach: .deep, detail: FatalMessage.caller),
    FrameSign(
      .assertion, "a failed assertion (GLib), whose text is in the output only",
      "g_assertion_message*", reach: .deep),
    // Source: github.com/ggml-org/ggml, src/ggml.c, include/ggml.h.
    FrameSign(
      .assertion, "ggml gave up (GGML_ASSERT or GGML_ABORT), whose text is in the output only",
      "ggml_abort", reach: .deep),
    FrameSign(
      .failedCheck, "fatal error of LLVM", "llvm::report_fatal_error*", "llvm::reportFatal*",
      reach: .deep),
  ]
}
