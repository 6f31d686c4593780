import CrashLogParser
import FunctionNames
import ReportSymbolication
import Wording

/// Failures of languages and frameworks that an app brings along, told by the functions that their
/// runtimes call on the way down.
enum RuntimeRules {
  /// Source: https://doc.rust-lang.org/nomicon/unwinding.html; library/core/src/panicking.rs.
  static func rustPanic(_ scene: CrashScene) -> CauseFinding? {
    let names = ["core::panicking::", "std::panicking::", "rust_panic", "__rustc::rust_panic"]
    guard let frame = firstFrame(scene, startingWith: names) else { return nil }
    let withoutUnwinding = firstFrame(
      scene,
      startingWith: [
        "core::panicking::panic_cannot_unwind", "core::panicking::panic_nounwind",
        "core::panicking::panic_in_cleanup",
      ])
    if let withoutUnwinding {
      return CauseFinding(
        .rustPanic, "Rust panic where none may leave the function (a callback from C, or a drop)",
        .certain, [scene.evidence(withoutUnwinding)])
    }
    return CauseFinding(.rustPanic, "Rust panic", .certain, [scene.evidence(frame)])
  }

  /// Source: https://github.com/dotnet/runtime, src/coreclr/vm/exceptionhandling.cpp;
  /// https://github.com/mono/mono, mono/metadata/exception.c; https://github.com/dotnet/macios,
  /// runtime/runtime.m.
  static func managedException(_ scene: CrashScene) -> CauseFinding? {
    guard scene.facts.exception.canEndInFunction else { return nil }
    let coreClr = ["DispatchManagedException", "IL_Throw", "IL_Rethrow"]
    if let frame = firstFrame(scene, startingWith: coreClr) {
      return CauseFinding(
        .managedException, "unhandled .NET exception", .certain, [scene.evidence(frame)])
    }
    let mono = [
      "mono_invoke_unhandled_exception_hook", "mono_unhandled_exception",
      "xamarin_unhandled_exception_handler", "xamarin_process_managed_exception",
    ]
    if let frame = firstFrame(scene, startingWith: mono) {
      return CauseFinding(
        .managedException, "unhandled .NET exception (Mono)", .certain, [scene.evidence(frame)])
    }
    return nil
  }

  /// Source: https://github.com/facebook/react-native,
  /// RCTTurboModule.mm.
  static func nativeModule(_ scene: CrashScene) -> CauseFinding? {
    if let frame = firstFrame(scene, containing: "::convertNSExceptionToJSError(") {
      return CauseFinding(
        .nativeModuleException,
        "a native module threw an exception, and React Native crashed as it made a JavaScript error of it",
        .certain, [scene.evidence(frame)])
    }
    guard scene.facts.exception.canEndInFunction,
      let frame = firstFrame(scene, containing: "ObjCTurboModule::performVoidMethodInvocation("),
      let rethrow = firstFrame(scene, startingWith: ["objc_exception_rethrow", "__cxa_rethrow"])
    else { return nil }
    return CauseFinding(
      .nativeModuleException, "a native module of React Native threw an exception", .certain,
      [scene.evidence(rethrow), scene.evidence(frame)])
  }

  /// Source: https://github.com/facebook/react-native,
  /// packages/react-native/React/Base/RCTAssert.m; https://github.com/expo/expo,
  /// packages/expo-updates/ios/EXUpdates/ErrorRecovery.swift.
  static func javaScriptError(_ scene: CrashScene) -> CauseFinding? {
    if let frame = firstFrame(
      scene, startingWith: ["RCTFatal", "-[RCTExceptionsManager reportFatal"])
    {
      return CauseFinding(
        .javaScriptError, "fatal JavaScript error (React Native)", .certain,
        [scene.evidence(frame)])
    }
    if let frame = firstFrame(scene, startingWith: ["StartupProcedure.throwException("]) {
      return CauseFinding(
        .javaScriptError,
        "an error at start, thrown again by expo-updates, which could not recover from it",
        .certain, [scene.evidence(frame)])
    }
    return nil
  }

  private static func firstFrame(
    _ scene: CrashScene, startingWith starts: [String]
  ) -> ShownFrame? {
    scene.frames.prefix(frameLimit).first { frame in
      guard let function = frame.traits?.readable else { return false }
      return starts.contains { function.hasPrefixBytes($0) }
    }
  }

  private static func firstFrame(_ scene: CrashScene, containing part: String) -> ShownFrame? {
    scene.frames.prefix(frameLimit).first { $0.function?.hasBytes(of: part) == true }
  }

  /// A runtime stops the program within a few frames of the failure.
  private static let frameLimit = 32
}
