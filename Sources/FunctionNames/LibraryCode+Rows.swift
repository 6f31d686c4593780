extension LibraryCode {
  /// The rows that version 1 of signatures knows. They stay as they are, so that its groups do.
  static let firstRows: [Row] = [
    Row(
      title: "Hermes, the JavaScript engine", images: ["hermes", "hermesvm", "libhermes*"],
      functions: ["hermes::", "facebook::hermes::"],
      source: "https://github.com/facebook/hermes: lib/VM, API/hermes"),
    Row(
      title: "React Native",
      images: [
        "React", "React_*", "ReactCommon", "RCTDeprecation", "yoga", "cxxreact", "jsireact",
        "jsinspector", "reactperflogger",
      ],
      functions: [
        "facebook::react::", "facebook::jsi::", "facebook::yoga::", "RCTFatal", "RCTFormatError",
      ],
      classes: [
        "RCTExceptionsManager", "RCTBatchedBridge", "RCTModuleMethod", "RCTNativeModule",
        "RCTCxxBridge", "RCTBridge",
        "RCTMessageThread", "RCTJSThreadManager", "RCTTurboModuleManager", "RCTInstance",
        "RCTHost", "RCTObjcExecutor", "RCTUIManager", "RCTRootView", "RCTCxxMethod",
      ],
      source: "https://github.com/facebook/react-native: packages/react-native/React"),
    Row(
      title: "expo-updates", images: ["EXUpdates", "EXUpdatesInterface"],
      functions: ["StartupProcedure.", "ErrorRecovery.", "ErrorRecoveryDelegate."],
      source:
        "https://github.com/expo/expo: packages/expo-updates/ios/EXUpdates/ErrorRecovery.swift"),
    Row(
      title: "Expo", images: ["ExpoModulesCore", "ExpoModulesJSI"],
      source: "https://github.com/expo/expo: packages/expo-modules-core"),
    Row(
      title: "Flutter's engine", images: ["Flutter", "FlutterMacOS"],
      functions: ["flutter::", "dart::", "Dart_", "stub CallNative", "Precompiled_Stub_"],
      source: "https://github.com/flutter/flutter: engine/src/flutter; Dart SDK, runtime/vm"),
    Row(
      title: "Unity's runtime",
      functions: ["il2cpp::", "il2cpp_", "Il2Cpp", "UnityInitApplication", "UnitySendMessage"],
      classes: ["UnityAppController"],
      source: "Unity Manual, IL2CPP; the trampoline that Unity generates for Xcode"),
    Row(
      title: "the .NET runtime",
      images: [
        "libcoreclr.dylib", "libclrjit.dylib", "libclrgc.dylib", "libhostfxr.dylib",
        "libhostpolicy.dylib", "libSystem.Native.dylib", "libcoreclr.so", "libhostfxr.so",
        "libhostpolicy.so",
      ],
      functions: [
        "exe_start(", "IL_Throw", "IL_Rethrow", "DispatchManagedException", "CallDescrWorker",
        "coreclr_", "hostfxr_", "fx_muxer_t::",
      ],
      source: "https://github.com/dotnet/runtime: src/coreclr/vm, src/native/corehost"),
    Row(
      title: "Mono", images: ["libmono*", "libxamarin*", "Xamarin.Mac", "Mono.framework"],
      functions: [
        "mono_", "xamarin_", "wrapper_", "do_runtime_invoke", "do_exec_main_checked",
        "throw_exception", "rethrow_exception", "native_to_managed_trampoline_",
        "System_Runtime_", "System_Threading_", "UIKit_", "Foundation_NS", "AppKit_",
        "ObjCRuntime_",
      ],
      classes: ["__MonoMac_", "__Xamarin"],
      source: "https://github.com/mono/mono: mono/mini; https://github.com/dotnet/macios: runtime"),
    Row(
      title: "Rust's standard library",
      functions: [
        "core::", "alloc::", "std::panic", "std::sys::", "std::rt::", "std::process::",
        "std::backtrace", "__rustc", "rust_begin_unwind", "rust_panic", "rust_oom",
        "rust_eh_personality", "__rdl_", "__rg_",
        "__rust_", "<core::", "<alloc::", "<std::",
      ],
      hasNoParameters: true,
      source: "https://github.com/rust-lang/rust: library"),
    Row(
      title: "KSCrash", images: ["KSCrash*"],
      functions: ["kscrash", "kscm_", "ksmach_", "kssc_", "ksobjc_", "ksmem_"],
      classes: ["KSCrash"], isCrashHandler: true,
      source: "https://github.com/kstenerud/KSCrash: Sources"),
    Row(
      title: "PLCrashReporter", images: ["CrashReporter"],
      functions: ["plcrash_", "plframe_", "uncaught_exception_handler"],
      classes: ["PLCrashReporter"], isCrashHandler: true,
      source: "https://github.com/microsoft/plcrashreporter: Source"),
    Row(
      title: "Sentry", images: ["Sentry", "SentryPrivate"], functions: ["sentrycrash", "sentry_"],
      classes: ["Sentry"], isCrashHandler: true,
      source: "https://github.com/getsentry/sentry-cocoa: Sources"),
    Row(
      title: "Crashlytics", images: ["FirebaseCrashlytics"], functions: ["FIRCLS"],
      classes: ["FIRCLS", "FIRCrashlytics"], isCrashHandler: true,
      source: "https://github.com/firebase/firebase-ios-sdk: Crashlytics"),
    Row(
      title: "Firebase",
      images: ["FirebaseCore", "FirebaseCoreInternal", "FirebaseInstallations", "GoogleUtilities"],
      classes: ["FIRApp", "FIROptions", "FIRInstallations"],
      source: "https://github.com/firebase/firebase-ios-sdk: FirebaseCore"),
    Row(
      title: "Google Mobile Ads", images: ["GoogleMobileAds"],
      functions: ["GADApplicationVerify"], classes: ["GADMobileAds"],
      source: "https://developers.google.com/admob/ios/quick-start"),
    Row(
      title: "RevenueCat", images: ["RevenueCat", "RevenueCatUI"],
      functions: ["Configuration.APIKeyValidationResult."],
      source: "https://github.com/RevenueCat/purchases-ios: Sources/Purchasing/Configuration.swift"),
    Row(
      title: "Bugsnag", images: ["Bugsnag"], functions: ["bsg_"], classes: ["Bugsnag", "BSG"],
      isCrashHandler: true,
      source: "https://github.com/bugsnag/bugsnag-cocoa: Bugsnag"),
  ]

  static let laterRows: [Row] = [
    Row(
      title: "NSExceptionKt",
      functions: [
        "kfun:com.rickclephas.kmp.nsexceptionkt.", "CrashlyticsNSExceptionKtReporter.",
        "@objc CrashlyticsNSExceptionKtReporter.", "BugsnagNSExceptionKtReporter.",
        "@objc BugsnagNSExceptionKtReporter.", "SentryNSExceptionKtReporter.",
        "@objc SentryNSExceptionKtReporter.",
      ],
      isCrashHandler: true, source: "https://github.com/rickclephas/NSExceptionKt"),
    Row(
      title: "CrashKiOS", functions: ["kfun:co.touchlab.crashkios."], isCrashHandler: true,
      source: "https://github.com/touchlab/CrashKiOS"),
    Row(
      title: "SQLiter",
      functions: [
        "kfun:co.touchlab.sqliter", "SQLiter_", "ThrowSql_", "android::throw_sqlite3_exception(",
      ],
      source: "https://github.com/touchlab/SQLiter"),
    Row(
      title: "Rust's calls of Objective-C",
      functions: [
        "objc::message::", "objc::exception::", "objc_exception::", "objc2::", "RustObjCException",
        "<objc2::rc::", "<() as objc::message::", "<(A,) as objc::message::",
        "<(A,B) as objc::message::",
      ],
      hasNoParameters: true,
      source: "https://github.com/SSheldon/rust-objc; https://github.com/madsmtm/objc2"),
    Row(
      title: "SDL", images: ["libSDL2*", "libSDL3*", "SDL2", "SDL3"],
      source: "https://github.com/libsdl-org/SDL: CMakeLists.txt"),
    Row(
      title: "the Kotlin runtime",
      functions: [
        "konan::", "kotlin::", "Kotlin_", "kfun:kotlin.", "kfun:kotlinx.", "Konan_",
        "kfun:konan.",
        "KonanTerminateHandler", "(anonymous namespace)::TerminateHandler",
        "(anonymous namespace)::Kotlin_", "(anonymous namespace)::initRuntime()",
        "(anonymous namespace)::garbageCollect(MemoryState",
        "garbageCollect(MemoryState",
        "AllocInstance", "AllocArrayInstance", "(anonymous namespace)::terminateWithUnhandled",
        "(anonymous namespace)::processUnhandled",
        "(anonymous namespace)::$_0::operator()<(anonymous namespace)::terminateWithUnhandled",
        // Where the threads of its workers begin.
        "Worker::processQueueElement(", "(anonymous namespace)::workerRoutine(void*)",
        // What guards objects that threads share, and what Objective-C and Swift call.
        "(anonymous namespace)::throwIllegalSharing",
        "(anonymous namespace)::terminateWithIllegalSharing", "BackRefFromAssociatedObject::",
        "ObjHeader* BackRefFromAssociatedObject::",
        "-[KotlinBase toKotlin:]", "Kotlin_ObjCExport_", "objc2kotlin.",
      ],
      source: "https://github.com/JetBrains/kotlin: kotlin-native/runtime"),
    Row(
      title: "the Kotlin runtime",
      functions: [
        "ThrowException", "TerminateWithUnhandledException", "ThrowIllegal", "ThrowNullPointer",
        "ThrowClassCast", "ThrowTypeCast", "ThrowArrayIndexOutOfBounds", "ThrowArithmetic",
        "ThrowNumberFormat", "ThrowOutOfMemory", "ThrowNotImplemented", "ThrowUninitialized",
        "ThrowInvalid", "ThrowIncorrectDereference", "ThrowCharacterCoding", "ThrowFileFailed",
        "ThrowNoWhenBranch", "ThrowWorker", "ThrowFreezing", "WorkerLaunchpad",
      ],
      hasNoParameters: true,
      source: "https://github.com/JetBrains/kotlin: kotlin-native/runtime"),
    Row(
      title: "the Java VM",
      images: [
        "libjvm.dylib", "libjava.dylib", "libjli.dylib", "libverify.dylib", "libjvm.so",
        "libjava.so", "libjimage.dylib",
      ],
      functions: ["VMError::", "JavaThread::", "JavaCalls::", "JavaMain", "jni_invoke_"],
      source: "https://github.com/openjdk/jdk: src/hotspot, src/java.base"),
    Row(
      title: "the Go runtime", functions: ["runtime."], hasNoParameters: true,
      source: "https://github.com/golang/go: src/runtime"),
    Row(
      title: "Go's standard library",
      functions: [
        "reflect.", "net/", "net.", "testing.", "sync.", "sync/", "syscall.", "internal/", "os.",
        "os/", "fmt.", "encoding/", "io.", "bufio.", "bytes.", "strings.", "sort.", "slices.",
        "maps.", "context.", "crypto/", "database/sql.", "errors.", "regexp.", "strconv.",
        "text/template.", "html/template.", "log.", "math/", "golang.org/x/",
      ],
      hasNoParameters: true, source: "https://pkg.go.dev/std"),
    Row(
      title: "Electron",
      images: [
        "Electron Framework", "nwjs Framework", "com.github.Electron.framework",
        "com.github.electron.framework",
      ],
      source: "https://github.com/electron/electron: shell"),
    Row(
      title: "SQLite",
      images: ["SQLCipher", "FMDB", "GRDB", "libsqlcipher*"], functions: ["sqlite3"],
      classes: ["FMDatabase", "FMResultSet"],
      source:
        "https://sqlite.org/src; https://github.com/sqlcipher/sqlcipher, ccgus/fmdb, groue/GRDB.swift"
    ),
    Row(
      title: "V8", images: ["libnode*"],
      functions: ["v8::", "node::", "V8_Fatal", "Builtins_"],
      source: "https://github.com/v8/v8: src; https://github.com/nodejs/node: src"),
    Row(
      title: "Python", images: ["Python", "Python3", "libpython*", "org.python.python"],
      functions: ["Py_FatalError", "_Py_FatalError", "_PyEval_", "PyEval_", "_Py_CheckRecursive"],
      source: "https://github.com/python/cpython: Python"),
    Row(
      title: "Qt",
      images: [
        "QtCore", "QtGui", "QtWidgets", "QtQml", "QtQuick", "QtNetwork", "org.qt-project.Qt*",
        "libQt5*", "libQt6*", "libqcocoa.dylib", "libqoffscreen.dylib", "libqminimal.dylib",
      ],
      functions: ["QMessageLogger::", "qt_message_", "qt_assert"],
      source: "https://github.com/qt/qtbase: src/corelib, src/plugins/platforms/cocoa"),
    Row(
      title: "GLib",
      images: ["libglib-2.0*", "libgobject-2.0*", "libgio-2.0*", "libgmodule-2.0*"],
      source: "https://gitlab.gnome.org/GNOME/glib: glib, gobject, gio, gmodule"),
    Row(
      title: "Crashpad or Breakpad", images: ["chrome_crashpad_handler", "Breakpad"],
      functions: ["google_breakpad::", "crashpad::"], classes: ["Breakpad"], isCrashHandler: true,
      source: "https://chromium.googlesource.com/crashpad: client; …/breakpad: src/client/mac"),
    Row(
      title: "Sentry", images: ["SentrySwift"], isCrashHandler: true,
      source: "https://github.com/getsentry/sentry-cocoa: the module of its versions 1 and 2"),
    Row(
      title: "RevenueCat", images: ["PurchasesCoreSwift", "PurchasesHybridCommon"],
      source: "https://github.com/RevenueCat/purchases-ios: PurchasesCoreSwift, of version 3"),
    Row(
      title: "Measure", images: ["Measure", "MeasureSDK"], isCrashHandler: true,
      source: "https://github.com/measure-sh/measure: ios/Sources/MeasureSDK"),
    Row(
      title: "Mono's signal handlers",
      functions: [
        "sigabrt_signal_handler", "sigterm_signal_handler", "monoeg_", "mono_dump_native_crash",
        "mono_handle_native_crash", "mono_post_native_crash",
      ],
      isCrashHandler: true,
      source: "https://github.com/mono/mono: mono/mini/mini-posix.c"),
    Row(
      title: "Mono", images: ["mono", "mono64", "mono-sgen*", "mono-boehm*"],
      functions: [
        "start_wrapper", "llvm_throw_", "llvm_rethrow_", "llvm_resume_unwind",
        "throw_corlib_exception", "Xamarin_iOS_UIKit_", "Xamarin_iOS_ObjCRuntime_",
        "Xamarin_Mac_AppKit_", "Xamarin_Mac_ObjCRuntime_", "Microsoft_iOS_UIKit_",
      ],
      source: "https://github.com/mono/mono: mono/metadata/threads.c, mono/mini/mini-trampolines.c"),
    // Apple's copies are in a folder of the system, which a stack without paths does not say.
    Row(
      title: "Tk", images: ["Tk", "libtk8.*", "libtk9.*", "libtcl9tk9.*"],
      source: "https://github.com/tcltk/tk: macosx, generic"),
    Row(
      title: "Tcl", images: ["Tcl", "libtcl8.*", "libtcl9.*"],
      source: "https://github.com/tcltk/tcl: generic"),
    Row(
      title: "Qt's Python bindings",
      images: [
        "QtCore.abi3.so", "QtGui.abi3.so", "QtWidgets.abi3.so", "QtNetwork.abi3.so",
        "QtQml.abi3.so",
      ],
      functions: ["pyqt5_", "pyqt6_", "PyQtSlotProxy::", "PyQtSlot::"],
      source: "https://pypi.org/project/PyQt6: qpy/QtCore; https://pypi.org/project/PySide6"),
    // It looks for the runtime, and panics.
    Row(
      title: "Tokio",
      functions: [
        "tokio::runtime::handle::Handle::current", "tokio::runtime::scheduler::Handle::current",
      ],
      hasNoParameters: true,
      source: "https://github.com/tokio-rs/tokio: tokio/src/runtime"),
    Row(
      title: "Crashlytics",
      functions: [
        "CLSProcess", "CLSHandler", "CLSException", "CLSTerminate", "__CLSException",
        "__FIRCLS",
      ],
      isCrashHandler: true,
      source: "https://docs.fabric.io/apple/crashlytics: its frames up to version 3"),
    Row(
      title: "Crashlytics", classes: ["FLTFirebaseCrashlytics"], isCrashHandler: true,
      source: "https://github.com/firebase/flutterfire: packages/firebase_crashlytics"),
    Row(
      title: "NSExceptionKt",
      functions: [
        "CrashlyticsNSExceptionKtReporter", "kfun:com.rickclephas.kmp.nsexceptionkt.",
        "kfun:co.touchlab.crashkios.",
      ],
      isCrashHandler: true,
      source: "https://github.com/rickclephas/NSExceptionKt; https://github.com/touchlab/CrashKiOS"),
    Row(
      title: "Flutter's engine", images: ["libflutter.so"],
      source: "https://github.com/flutter/flutter: engine/src/flutter/shell/platform/android"),
    Row(
      title: "the libraries of .NET",
      functions: [
        "System.", "Microsoft.", "Xamarin.", "Mono.", "ObjCRuntime.", "UIKit.UI", "AppKit.NS",
        "Foundation.NS", "CoreFoundation.CF", "AVFoundation.AV", "CoreData.NS", "WebKit.WK",
        "CoreBluetooth.CB", "CoreLocation.CL", "MapKit.MK", "StoreKit.SK", "Java.Interop.",
        "Android.Runtime.", "UnityEngine.",
        "UnityEditor.",
      ],
      source: "https://learn.microsoft.com/dotnet/api; https://docs.unity3d.com/ScriptReference"),
    Row(
      title: "the class library of RoboVM",
      functions: [
        "[J]java.", "[J]javax.", "[J]libcore.", "[J]dalvik.", "[J]org.robovm.", "[J]sun.",
        // What it puts between two functions.
        "[j]", "Java_libcore_", "Java_java_", "Java_org_robovm_",
      ],
      source: "https://github.com/MobiVM/robovm: compiler/rt/libcore, compiler/cocoatouch"),
    Row(
      title: "React Native",
      functions: [
        "RCTExecuteOn", "__RCTExecuteOn", "RCTUnsafeExecuteOn", "__RCTUnsafeExecuteOn",
        // Neighbours of `RCTFatal`, whose names its frames may have.
        "RCTGetFatal", "RCTSetFatal",
      ],
      source: "https://github.com/facebook/react-native: React/Base, RCTUtils.mm and RCTAssert.m"),
    // Without an image, or linked into the program.
    Row(
      title: "GLib", functions: ["g_assertion_message"],
      source: "https://gitlab.gnome.org/GNOME/glib: glib/gtestutils.c"),
    Row(
      title: "Reanimated", functions: ["reanimated::", "worklets::"],
      source: "https://github.com/software-mansion/react-native-reanimated: Common/cpp"),
    Row(
      title: "Folly", functions: ["folly::"], source: "https://github.com/facebook/folly: folly"),
    Row(
      title: "Realm", images: ["Realm", "RealmSwift"],
      // The binding for Objective-C throws for the app that called it.
      functions: ["realm::", "please_report_this_issue_in_github_realm", "RLM"],
      classes: ["RLM"],
      source: "https://github.com/realm/realm-core: src/realm; realm/realm-swift: Realm"),
    Row(
      title: "gRPC", functions: ["grpc_core::", "grpc::", "absl::"],
      source: "https://github.com/grpc/grpc: src/core; third_party/abseil-cpp"),
    Row(
      title: "KSCrash", functions: ["CPPExceptionTerminate"], isCrashHandler: true,
      source: "https://github.com/kstenerud/KSCrash: Sources/KSCrashRecording/Monitors"),
    Row(
      title: "PLCrashReporter", images: ["HockeySDK", "net.hockeyapp.sdk.*", "AppCenterCrashes"],
      classes: ["BITCrash", "MSACCrashes"], isCrashHandler: true,
      source: "https://github.com/microsoft/appcenter-sdk-apple: AppCenterCrashes"),
  ]
}
