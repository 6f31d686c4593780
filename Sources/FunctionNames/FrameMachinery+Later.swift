extension FrameMachinery {
  /// What version 2 of signatures leaves out besides ``groups``. Each group names a source of its
  /// names.
  static let laterGroups: [Group] = [
    // https://github.com/rust-lang/rust: src/panicking.rs in library/core and library/std.
    // `std::panicking::try` is at the root of every thread of Rust.
    Group(
      title: "Rust panic", reason: "a panic takes the same way to its end, whoever panicked",
      thrown: "Rust panic",
      names: [
        "rust_panic*", "rust_begin_unwind", "__rustc::rust_begin_unwind", "__rustc::rust_panic*",
        "core::panicking::*", "std::panicking::begin_panic*", "std::panicking::panic*",
        "std::panicking::rust_panic*", "std::panicking::default_hook*",
        "core::result::unwrap_failed", "core::option::unwrap_failed",
        "core::option::expect_failed", "core::option::expect_none_failed", "core::cell::panic_*",
        "core::slice::index::*_fail*", "core::slice::*_fail*", "core::str::slice_error_fail*",
        "core::str::*_fail*",
        "alloc::raw_vec::capacity_overflow",
        // Until version 1.9, without the crate.
        "sys::backtrace::*", "sys_common::unwind::begin_unwind*", "panicking::panic*",
        "panicking::default_handler*", "result::unwrap_failed*", "option::expect_failed*",
      ]),
    // https://github.com/rust-lang/rust: library/alloc/src/alloc.rs, library/std/src/alloc.rs
    Group(
      title: "Rust allocation",
      reason: "every allocation that fails ends in them, whoever asked for the memory",
      names: [
        "alloc::alloc::handle_alloc_error*", "std::alloc::rust_oom*", "rust_oom*",
        "std::alloc::default_alloc_error_hook*", "__rust_alloc_error_handler*", "__rdl_oom*",
        "__rg_oom*", "__rdl_alloc_error_handler*",
        // Of a capacity that is too large, a panic is above it.
        "alloc::raw_vec::handle_error",
      ]),
    Group(
      title: "Rust roots", reason: "every thread of Rust begins here, and every call that catches",
      names: ["__rust_try*", "__rust_begin_short_backtrace*", "__rust_end_short_backtrace*"]),
    // https://github.com/swiftlang/swift: stdlib/public/core, with all the modules in the names
    Group(
      title: FrameMachinery.swiftLibraryTitle,
      reason: "it serves every caller, and how much of it has a frame depends on the optimiser",
      names: ["Swift.*"]),
    // https://github.com/JetBrains/kotlin: kotlin-native/runtime/src/main/cpp/Exceptions.cpp
    Group(
      title: "Kotlin exception", reason: "what an exception that nobody catches ends in",
      thrown: "Kotlin exception",
      names: [
        "konan::abort*", "kotlin::*erminate*", "kotlin::ProcessUnhandledException*",
        "Kotlin_*nhandledException*", "*processUnhandledException*",
        "*konanTerminateHandler*", "*TerminateWithUnhandledException*",
        "*terminateWithUnhandledException*",
        // https://github.com/touchlab/SQLiter: sqliter-driver/src/nativeInterop/cpp.
        "ThrowSql_SQLiteException", "android::throw_sqlite3_exception",
      ]),
    Group(
      title: "Kotlin runtime", reason: "the runtime and the standard library serve every caller",
      names: [
        "konan::*", "kotlin::*", "Konan_*", "Kotlin_*", "kfun:kotlin.*", "kfun:kotlin#*",
        "kfun:kotlinx.*",
        // The standard library of Kotlin 1.2.
        "kfun:konan.*",
        // What the runtime throws with: Exceptions.h and Worker.cpp in runtime/src/main/cpp, and
        // their bodies in runtime/src/main/kotlin/kotlin/native/internal/RuntimeUtils.kt.
        "ThrowException", "ThrowNullPointerException", "ThrowIndexOutOfBoundsException",
        "ThrowArrayIndexOutOfBoundsException", "ThrowClassCastException",
        "ThrowTypeCastException", "ThrowKotlinNothingValueException",
        "ThrowInvalidReceiverTypeException", "ThrowArithmeticException",
        "ThrowNumberFormatException", "ThrowOutOfMemoryError", "ThrowNoWhenBranchMatchedException",
        "ThrowNotImplementedError", "ThrowCharacterCodingException",
        "ThrowFileFailedToInitializeException", "ThrowIllegalArgumentException*",
        "ThrowIllegalStateException*", "ThrowRuntimeException", "ThrowWorker*",
        "ThrowFreezingException", "ThrowInvalidMutabilityException",
        "ThrowIncorrectDereferenceException", "ThrowIllegalObjectSharingException",
        // Every worker begins here: runtime/src/main/cpp/Worker.cpp.
        "WorkerLaunchpad", "Worker::processQueueElement", "(anonymous namespace)::workerRoutine",
      ]),
    // https://developer.apple.com: the debug dylib of Xcode 16, and what SwiftUI runs apps with.
    Group(
      title: FrameMachinery.startTitle, reason: "it runs for every event of the program",
      names: [
        "__debug_main_executable_dylib_entry_point", "runApp*", "specialized runApp*",
        "Xamarin_iOS_UIKit_UIApplication_Main_*", "Microsoft_iOS_UIKit_UIApplication_Main_*",
      ]),
    // https://github.com/golang/go: src/runtime/panic.go, proc.go, signal_unix.go
    Group(
      title: "Go panic", reason: "a panic takes the same way to its end, whoever panicked",
      thrown: "Go panic",
      names: [
        "runtime.gopanic*", "runtime.fatalpanic*", "runtime.sigpanic*", "runtime.panic*",
        "runtime.goPanic*",
      ]),
    Group(
      title: "Go fatal error", reason: "the runtime ends the process for whoever called it",
      thrown: "Go fatal error", names: ["runtime.throw*", "runtime.fatalthrow*", "runtime.fatal"]),
    Group(
      title: "Go runtime", reason: "every thread of Go begins here, and every signal ends here",
      names: [
        "runtime.raise*", "runtime.dieFromSignal*", "runtime.crash", "runtime.sigfwd*",
        "runtime.sighandler*", "runtime.sigtramp*", "runtime.cgoSigtramp*", "runtime.goexit*",
        "runtime.main*", "runtime.mstart*", "runtime.systemstack*", "runtime.asmcgocall*",
        "runtime.cgocall*", "runtime.mcall*", "crosscall*", "x_cgo_*", "_cgo_*",
      ]),
    // https://github.com/openjdk/jdk: src/hotspot/share/utilities/vmError.cpp, debug.cpp
    Group(
      title: "JVM", reason: "the JVM gives up in the same functions, whatever it found",
      names: [
        "VMError::*", "report_vm_error*", "report_fatal", "report_should_not_*", "os::abort*",
        "os::die*", "JVM_handle_*", "javaSignalHandler*",
      ]),
    // https://github.com/nodejs/node: src/node_errors.cc; https://github.com/v8/v8: src/api/api.cc
    Group(
      title: "V8 out of memory", reason: "every allocation may be the last one",
      thrown: "V8 out of memory",
      names: [
        "v8::internal::V8::FatalProcessOutOfMemory*", "v8::Utils::ReportOOMFailure*",
        "v8::internal::Heap::FatalProcessOutOfMemory*", "node::OOMErrorHandler*",
      ]),
    Group(
      title: "V8", reason: "a failed check is reported by the same functions",
      names: [
        "V8_Fatal*", "v8::base::FatalOOM*", "v8::base::OS::Abort*", "v8::Utils::ReportApiFailure*",
        "node::Abort*", "node::Assert*", "node::FatalError*", "node::OnFatalError*",
        "node::FatalException*", "napi_fatal_error*", "Napi::Error::Fatal*",
        "node::NodePlatform::GetStackTracePrinter*",
        "logging::LogMessage::*LogMessage*",
        "logging::LogMessageFatal::*", "logging::CheckError::*", "logging::*CheckFail*",
        "base::ImmediateCrash*", "base::debug::BreakDebugger*",
      ]),
    // https://github.com/dart-lang/sdk: runtime/platform/assert.cc
    Group(
      title: "Dart", reason: "a failed check is reported by the same functions",
      names: [
        "dart::Assert::*", "dart::*Abort*", "dart::Expect::*", "dart::DynamicAssertionHelper*",
        "dart::Profiler::DumpStackTrace*",
      ]),
    // https://github.com/qt/qtbase: src/corelib/global/qlogging.cpp
    Group(
      title: "qFatal", reason: "the caller of qFatal() is what differs", thrown: "qFatal",
      names: ["qt_message_fatal*", "QMessageLogger::fatal*", "qFatal*"]),
    // https://pypi.org/project/PyQt6: qpy/QtCore/qpycore_public_api.cpp
    Group(
      title: "PyQt", reason: "an exception of Python that nobody catches ends here",
      thrown: "Python exception", names: ["pyqt5_err_print*", "pyqt6_err_print*"]),
    // https://github.com/tokio-rs/tokio: tokio/src/runtime/scheduler/mod.rs, runtime/handle.rs
    Group(
      title: "Tokio", reason: "it panics for its caller if no runtime is there",
      names: [
        "tokio::runtime::handle::Handle::current", "tokio::runtime::scheduler::Handle::current",
      ]),
    // https://github.com/ggml-org/ggml: src/ggml.c
    Group(
      title: "ggml", reason: "a failed assertion is reported by the same functions",
      names: ["ggml_abort", "ggml_print_backtrace*"]),
    Group(
      title: "Qt", reason: "a failed check is reported by the same functions",
      names: ["qt_assert*", "qt_check_pointer*", "qBadAlloc*", "qTerminate*", "qt_message_output*"]),
    // https://github.com/dotnet/runtime: src/coreclr/vm/exceptionhandling.cpp;
    // https://github.com/dotnet/macios: runtime/runtime.m; https://github.com/mono/mono
    Group(
      title: ".NET exception", reason: "what an exception that nobody catches ends in",
      thrown: ".NET exception",
      names: [
        "xamarin_unhandled_exception_handler*", "xamarin_process_*exception*",
        "mono_*unhandled*", "DispatchManagedException*", "IL_Throw*", "IL_Rethrow*",
        "UnwindManagedExceptionPass*",
      ]),
    Group(
      title: ".NET runtime", reason: "it ends the process and calls managed code for everybody",
      names: [
        "PROCAbort*", "PROCCreateCrashDump*", "TerminateProcess*", "CrashDumpAndTerminate*",
        "EEPolicy::*", "SfiNext*", "SfiInit*", "ThrowNew", "CallDescrWorker*",
        "DispatchCallSimple*", "MethodDescCallSite::*", "RunMain*", "RunMainInternal*",
        "Assembly::ExecuteMainMethod*", "CorHost2::*", "coreclr_*", "corehost_main*",
        "run_app_for_context*", "run_app", "fx_muxer_t::*", "hostfxr_*", "exe_start*",
        "mono_handle_exception*", "mono_raise_exception*", "mono_jit_runtime_invoke*",
        "mono_runtime_invoke*", "xamarin_printf*", "xamarin_vprintf*", "xamarin_throw_*",
        "mono_*_throw_exception*", "throw_exception", "rethrow_exception",
        "throw_corlib_exception", "llvm_throw_*", "llvm_rethrow_*", "llvm_resume_unwind*",
        "mono_resume_unwind*", "mono_*_resume_unwind*", "mono_llvm_*exception*",
        "System_Runtime_ExceptionServices_ExceptionDispatchInfo_Throw*",
      ]),
    // Unity's il2cpp: libil2cpp/vm/Exception.cpp
    Group(
      title: "C# exception", reason: "every exception is thrown by the same functions",
      thrown: "C# exception",
      names: [
        "il2cpp::vm::Exception::Raise*", "il2cpp::vm::Exception::*Unhandled*",
        "il2cpp_codegen_raise_exception*", "il2cpp::os::*CrashHelpers*", "il2cpp_raise_exception*",
      ]),
    // https://github.com/facebook/react-native: packages/react-native/React/Base/RCTAssert.m
    Group(
      title: "JavaScript error", reason: "every fatal error of JavaScript ends here",
      thrown: "JavaScript error",
      names: ["RCTFatal", "RCTFormatError", "-[RCTExceptionsManager reportFatal*"]),
    Group(
      title: "crash reporter",
      reason: "it runs after the crash, on the same thread, on the way to its end",
      names: [
        "sigabrt_signal_handler*", "mono_dump_native_crash*", "mono_handle_native_*",
        "mono_post_native_crash*", "mono_*_signal_handler*", "FIRCLSProcess*",
        "-[FIRCLS*", "-[FIRCrashlytics *", "-[FLTFirebaseCrashlytics*", "FIRCLSTerminateHandler*",
        "FIRCLSHandle*", "FIRCLSExceptionRecord*", "__FIRCLSException*", "CLSProcess*",
        "CLSHandler*", "CLSException*", "__CLSException*", "CLSTerminateHandler*",
        "*CPPExceptionTerminate*", "kscrash*handle*", "kscrash*_onCrash*", "kscm*_handle*",
        "kscrashcm*", "*ksmachexc*", "sentrycrash*", "BITCrash*", "-[BITCrash*", "+[BITCrash*",
        "plcrash_*", "uncaught_exception_handler", "bsg_*", "-[BSG*", "crashpad::*",
        "google_breakpad::*", "*handleUncaughtException*", "CrashlyticsNSExceptionKtReporter*",
        "kfun:com.rickclephas.kmp.nsexceptionkt.*", "kfun:co.touchlab.crashkios.*",
      ]),
    // https://github.com/llvm/llvm-project: compiler-rt/lib/interception/interception.h, whose
    // `WRAP` puts `wrap_` before a name on Apple's systems; the names of lib/asan.
    Group(
      title: "sanitizer", reason: "it looks at the arguments of every caller",
      names: [
        "wrap_malloc", "wrap_calloc", "wrap_realloc", "wrap_free", "wrap_valloc",
        "wrap_posix_memalign", "wrap_malloc_*", "wrap_strdup", "wrap___strdup", "wrap_strndup",
        "wrap_mem*", "wrap_str*", "wrap__Zn*", "wrap__Zd*", "wrap_bcopy", "wrap_bzero",
        "wrap_printf", "wrap_*printf", "wrap_*scanf", "wrap_read", "wrap_write", "wrap_pread",
        "wrap_pwrite", "wrap_fread", "wrap_fwrite", "wrap_pthread_*", "wrap_dispatch_*",
        "wrap_longjmp", "wrap_siglongjmp", "wrap___cxa_*", "wrap_qsort", "wrap_atol", "wrap_atoi",
      ]),
    Group(
      title: "allocator",
      reason: "memory that was damaged before is found by whoever allocates or frees next",
      names: [
        "malloc", "calloc", "realloc", "free", "malloc_*", "_malloc_*", "szone_*", "nanov2_*",
        "_xzm_*", "xzm_*", "free_list_checksum_botch*", "_int_free", "_int_malloc",
        "operator new", "operator new[]", "operator delete", "operator delete[]", "je_*", "_mi_*",
        "mi_malloc*", "mi_free*", "mi_realloc*", "mi_heap_*", "tcmalloc::*", "bmalloc::*",
        "pas_*", "WTF::fastMalloc*", "WTF::fastFree*", "partition_alloc::*",
        "base::TerminateBecauseOutOfMemory*", "base::internal::OnNoMemory*", "__rust_alloc*",
        "__rust_dealloc*", "__rust_realloc*", "__rdl_*", "__rg_*", "alloc::alloc::*",
        "std::alloc::*", "*PyObject_Malloc", "*PyObject_Realloc", "*PyObject_Free", "*PyMem_Malloc",
        "*PyMem_Realloc", "*PyMem_Free", "_PyObject_GC_Alloc", "PyType_GenericAlloc",
      ]),
    Group(
      title: "dispatch", reason: "every block begins here",
      names: [
        "_dispatch_*", "dispatch_async", "dispatch_async_f", "dispatch_sync", "dispatch_sync_f",
        "dispatch_barrier_async", "dispatch_barrier_sync", "dispatch_once", "dispatch_once_f",
        "dispatch_apply", "dispatch_apply_f", "_pthread_*",
      ]),
    Group(
      title: "run loop",
      reason: "what waits, and what calls or releases the objects of others, whatever they are",
      names: [
        "__CFRUNLOOP_IS_*", "CFRUNLOOP_IS_*", "__CFRunLoop*", "CFRunLoopRun*", "__ulock_wait*",
        "__psynch_*", "_CFAutoreleasePoolPop*", "common_removeAllObjects",
        "__CFNOTIFICATIONCENTER_IS_*", "__NSFireTimer",
      ]),
    // https://github.com/grpc/grpc: src/core/util/crash.cc, src/core/util/log.cc
    Group(
      title: "gRPC", reason: "a failed check is reported by the same functions",
      names: ["grpc_core::Crash", "grpc_core::CrashWithStdio", "gpr_assertion_failed"]),
    // https://github.com/realm/realm-core: src/realm/util/terminate.cpp
    Group(
      title: "Realm", reason: "a failed check is reported by the same functions",
      names: [
        "realm::util::terminate*", "*realm::util::terminate_with_info*",
        "please_report_this_issue_in_github_realm*",
        "please_report_this_error_to_help_at_realm*",
        "_please_report_this_error_to_help_at_realm*",
      ]),
    // Foundation's functions as reports show them (react-native-webview, issue 3025).
    Group(
      title: "key-value observing",
      reason: "it looks at whoever observes an object, for whoever changes the object",
      names: [
        "KVO_IS_RETAINING_ALL_OBSERVERS_OF_THIS_OBJECT_IF_IT_CRASHES_*", "NSKeyValueWillChange*",
        "NSKeyValueDidChange*", "NSKeyValueNotifyObserver*", "_NSSet*ValueAndNotify*",
        "-[NSObject(NSKeyValueObserverNotification) *", "-[NSObject(NSKeyValueObservingPrivate) *",
      ]),
  ]
}
