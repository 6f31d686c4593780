import SymbolicationModel
import Wording

/// Runtimes and libraries that apps bring along. Their frames are not the user's code, although
/// they are in the app's bundle, or in its executable.
///
/// A frame belongs to a library if its image or its function does. Add a row for another library to
/// the later ones; name a public source for its names.
package enum LibraryCode {
  package struct Row {
    /// What a reader calls it.
    package let title: String
    /// Names of images, without folders. `*` at the end stands for any rest.
    package var images: [String] = []
    /// How names of functions begin; for Objective-C the class, which fits `+[Class`, `-[Class` and
    /// blocks in its methods.
    var functions: [String] = []
    var classes: [String] = []
    /// Whether the names have no parameters. C++ may have namespaces called `core` too, but its
    /// names end with parameters.
    var hasNoParameters = false
    /// Whether it reports crashes, so that its frames are on the way down from every crash.
    var isCrashHandler = false
    /// Where the names are from.
    package let source: String
  }

  package static let rows: [Row] = firstRows + laterRows

  /// The index of the first row that version 1 of signatures does not know.
  package static var laterStart: Int { firstRows.count }

  /// The rows that version 1 of signatures knows. They stay as they are, so that its groups do.
  private static let firstRows: [Row] = [
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
        "std::backtrace", "__rustc", "rust_begin_unwind", "rust_panic", "rust_eh_personality",
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

  private static let laterRows: [Row] = [
    Row(
      title: "Rust's calls of Objective-C",
      functions: [
        "objc::message::", "objc::exception::", "objc_exception::", "objc2::", "RustObjCException",
        "<() as objc::message::", "<(A,) as objc::message::", "<(A,B) as objc::message::",
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
        "KonanTerminateHandler", "(anonymous namespace)::TerminateHandler",
        "(anonymous namespace)::Kotlin_", "(anonymous namespace)::initRuntime()",
        "(anonymous namespace)::garbageCollect(MemoryState",
        "garbageCollect(MemoryState",
        "AllocInstance", "AllocArrayInstance", "(anonymous namespace)::terminateWithUnhandled",
        "(anonymous namespace)::processUnhandled",
        "(anonymous namespace)::$_0::operator()<(anonymous namespace)::terminateWithUnhandled",
      ],
      source: "https://github.com/JetBrains/kotlin: kotlin-native/runtime"),
    Row(
      title: "the Kotlin runtime",
      functions: [
        "ThrowException", "TerminateWithUnhandledException", "ThrowIllegal", "ThrowNullPointer",
        "ThrowClassCast", "ThrowTypeCast", "ThrowArrayIndexOutOfBounds", "ThrowArithmetic",
        "ThrowNumberFormat", "ThrowOutOfMemory", "ThrowNotImplemented", "ThrowUninitialized",
        "ThrowInvalid", "ThrowIncorrectDereference", "ThrowCharacterCoding", "ThrowFileFailed",
        "ThrowNoWhenBranch",
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
      title: "Python", images: ["Python", "Python3", "libpython*"],
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
      title: "Crashpad or Breakpad", images: ["chrome_crashpad_handler", "Breakpad"],
      functions: ["google_breakpad::", "crashpad::"], classes: ["Breakpad"], isCrashHandler: true,
      source: "https://chromium.googlesource.com/crashpad: client; …/breakpad: src/client/mac"),
    Row(
      title: "Sentry", images: ["SentrySwift"], isCrashHandler: true,
      source: "https://github.com/getsentry/sentry-cocoa: the module of its versions 1 and 2"),
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
      title: "Mono", functions: ["start_wrapper"],
      source: "https://github.com/mono/mono: mono/metadata/threads.c"),
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
        "Foundation.NS", "CoreFoundation.CF", "Java.Interop.", "Android.Runtime.", "UnityEngine.",
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
    Row(
      title: "Reanimated", functions: ["reanimated::", "worklets::"],
      source: "https://github.com/software-mansion/react-native-reanimated: Common/cpp"),
    Row(
      title: "Folly", functions: ["folly::"], source: "https://github.com/facebook/folly: folly"),
    Row(
      title: "Realm", functions: ["realm::", "please_report_this_issue_in_github_realm"],
      source: "https://github.com/realm/realm-core: src/realm"),
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

  /// Whether a title of a row is that of a crash SDK.
  package static func isCrashHandler(_ title: String) -> Bool {
    rows.contains { $0.isCrashHandler && $0.title == title }
  }

  /// The title of the library that a function or an image belongs to; nil if it is none of these.
  package static func title(function: String?, image: String) -> String? {
    title(functionRow: function.flatMap { row(function: $0) }, imageRow: row(image: image))
  }

  /// The title of the first of two rows.
  package static func title(functionRow: Int?, imageRow: Int?) -> String? {
    switch (functionRow, imageRow) {
    case (let one?, let other?): rows[min(one, other)].title
    case (let only?, nil), (nil, let only?): rows[only].title
    case (nil, nil): nil
    }
  }

  /// The index of the first row with the function.
  ///
  /// - Parameter function: demangled.
  package static func row(function: String) -> Int? {
    let name = FunctionName(function)
    let first = name.name.utf8.first
    // A closure would get a copy of each row.
    for index in rows.indices {
      if rows[index].hasNoParameters, name.hasParameters { continue }
      for start in rows[index].functions
      where start.utf8.first == first && name.name.hasPrefixBytes(start) {
        return index
      }
      guard let className = name.className else { continue }
      for start in rows[index].classes where className.hasPrefixBytes(start) { return index }
    }
    return nil
  }

  /// The index of the first row with the image.
  package static func row(image: String) -> Int? {
    guard let first = image.utf8.first else { return nil }
    // A closure would get a copy of each.
    for index in imageNames.indices where imageNames[index].first == first {
      if fits(imageNames[index].name, image) { return imageNames[index].row }
    }
    return nil
  }

  /// The names of the rows' images, in their order, with what rules nearly all of them out.
  private static let imageNames: [(first: UInt8, row: Int, name: String)] = {
    var names: [(first: UInt8, row: Int, name: String)] = []
    for row in rows.indices {
      for name in rows[row].images { names.append((name.utf8.first ?? 0, row, name)) }
    }
    return names
  }()

  private static func fits(_ pattern: String, _ name: String) -> Bool {
    pattern.withBytes { wanted in
      name.withBytes { text in
        let isStart = wanted.count > 0 && wanted[wanted.count - 1] == UInt8(ascii: "*")
        let length = isStart ? wanted.count - 1 : wanted.count
        guard isStart ? text.count >= length : text.count == length else { return false }
        for index in 0..<length where text[index] != wanted[index] { return false }
        return true
      }
    }
  }
}

/// The name of a function as all rows look at it.
struct FunctionName {
  /// Without what demanglers and compilers put in front of it.
  let name: String
  let hasParameters: Bool
  /// `Class` of `-[Class(Category) method]` and of `__31-[Class method]_block_invoke`.
  let className: String?

  init(_ function: String) {
    var name = Substring(function)
    for start in Self.decorations where name.utf8.starts(with: start.utf8) {
      name = name[name.utf8.index(name.startIndex, offsetBy: start.utf8.count)...]
    }
    self.name = name.startIndex == function.startIndex ? function : String(name)
    hasParameters = Self.hasParameters(name)
    className = Self.className(in: name).map { String($0) }
  }

  /// Whether a parenthesis is behind a name. Go has receivers in some (`main.(*Page).load`), and
  /// Rust tuples (`FnOnce<(A,)>`).
  private static func hasParameters(_ name: Substring) -> Bool {
    var last: UInt8 = 0
    for byte in name.utf8 {
      if byte == UInt8(ascii: "("), last != UInt8(ascii: "."), last != UInt8(ascii: "<") {
        return true
      }
      last = byte
    }
    return false
  }

  /// What stands in front of the name of a function that belongs to another.
  private static let decorations = [
    "invocation function for block in ", "protocol witness for ", "closure #1 in ",
    "specialized ", "partial apply for ", "void ", "static ",
  ]

  static func className(in name: Substring) -> Substring? {
    guard let bracket = name.utf8.firstIndex(of: UInt8(ascii: "[")), bracket > name.startIndex
    else { return nil }
    let sign = name.utf8[name.utf8.index(before: bracket)]
    guard sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else { return nil }
    let rest = name[name.utf8.index(after: bracket)...]
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "(") }
    return rest[..<(end ?? rest.endIndex)]
  }
}

extension LibraryCode {
  /// Whether a library of that name belongs to Swift or Clang, whatever its path: programs may
  /// bring their own copy.
  package static func isOfToolchain(_ name: String) -> Bool {
    toolchainNames.contains { beginning, end in
      name.hasPrefix(beginning) && name.hasSuffix(end)
    }
  }

  /// Prefixes and suffixes of the names of the compilers' libraries on Apple's systems, Linux and
  /// Windows.
  private static let toolchainNames = [
    ("libclang_rt.", ""), ("libswift", ".dylib"), ("libswift", ".so"), ("libFoundation", ".so"),
    ("lib_Foundation", ".so"), ("libdispatch", ".so"), ("libBlocksRuntime", ".so"),
    ("swift", ".dll"), ("Foundation", ".dll"), ("_Foundation", ".dll"), ("dispatch", ".dll"),
    ("BlocksRuntime", ".dll"),
  ]
}
