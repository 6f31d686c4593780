import CrashLogParser
import ReportSymbolication

/// Signals that a process sends to itself.
enum SignalRules {
  /// `EXC_CRASH` with a signal such as SIGSEGV is no bad access: a function asked for the signal.
  ///
  /// Source: raise(3), kill(2), pthread_kill(2);
  /// developer.apple.com/documentation/xcode/understanding-the-exception-types-in-a-crash-report.
  static func sentByItself(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.facts.exception
    guard exception.type == "EXC_CRASH", let signal = exception.signal,
      let frame = scene.endingFrames.last(where: { frame in
        frame.function.map { senders.contains($0) } ?? false
      })
    else { return nil }
    return CauseFinding(
      .sentSignal, "\(signal), which the process sent to itself (\(frame.function ?? ""))",
      .certain, [scene.exceptionField, scene.evidence(frame)])
  }

  private static let senders: Set = ["raise", "kill", "killpg", "pthread_kill"]

  /// The library that called `abort()`, from its image alone: its functions may have no names.
  ///
  /// Source: github.com/apple-oss-distributions, libmalloc: src/malloc_printf.c; llvm-project,
  /// libcxxabi/src/abort_message.cpp.
  static func abortingLibrary(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.facts.exception
    guard exception.signal == "SIGABRT" || exception.type == "SIGABRT" else { return nil }
    let callers = scene.endingFrames.drop { abortImages.contains($0.imageFileName) }
    guard let caller = callers.first, caller.index > 0 else { return nil }
    switch caller.imageFileName {
    case "libsystem_malloc.dylib":
      return CauseFinding(
        .heapDamage, "malloc found a damaged heap or a bad pointer", .likely,
        [scene.evidence(caller)])
    case "libc++abi.dylib":
      return CauseFinding(
        .cxxException, "uncaught exception, which the report does not name", .likely,
        [scene.evidence(caller)])
    default: return nil
    }
  }

  private static let abortImages: Set = [
    "libsystem_kernel.dylib", "libsystem_pthread.dylib", "libsystem_c.dylib",
  ]
}
