import CodeOwnership
import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Signals that a process sends to itself, gets from others, or handles.
enum SignalRules {
  /// `EXC_CRASH` with a signal such as SIGSEGV is no bad access: a function asked for the signal.
  ///
  /// Source: raise(3), kill(2), pthread_kill(2);
  /// developer.apple.com/documentation/xcode/understanding-the-exception-types-in-a-crash-report.
  static func sentByItself(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == "EXC_CRASH", let signal = scene.exception.signal,
      let frame = scene.endingFrames.last(where: { frame in
        frame.function.map { senders.contains($0) } ?? false
      })
    else { return nil }
    return CauseFinding(
      .sentSignal, "\(signal), which the process sent to itself (\(frame.function ?? ""))",
      .likely, [scene.exceptionField, scene.evidence(frame)])
  }

  /// The same, where the registers of the thread are all that the text has.
  static func sentInSystemCall(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == nil, scene.exception.signal == nil, scene.exception.name == nil,
      scene.facts.termination.namespace == nil, scene.report.hasThreadState,
      let signal = scene.registers.sentSignal
    else { return nil }
    return CauseFinding(
      .sentSignal, "\(signal), which the process sent to itself (__pthread_kill)", .likely, [])
  }

  private static let senders: Set = ["raise", "kill", "killpg", "pthread_kill"]

  /// Signals that mean one thing, whoever sent them.
  ///
  /// Source: signal(3), sigaction(2).
  static func sentByOthers(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == nil || scene.exception.type == "EXC_CRASH",
      let signal = scene.exception.signal,
      !scene.facts.termination.saysWhy,
      let meaning = meanings[String(signal.prefix { $0 != " " })]
        ?? (scene.exception.type != nil && hardwareSignals.contains(signal) ? passedOn : nil)
    else { return nil }
    let by =
      meaning == passedOn ? "" : scene.facts.termination.process.name.map { " by \($0)" } ?? ""
    return CauseFinding(
      .sentSignal, "\(signal): \(meaning)\(by)", .likely,
      [scene.exceptionField, scene.terminationField])
  }

  /// The signal is all that is left of the reason, and only the termination has it: the type of the
  /// exception was cut off. `Namespace SIGNAL, Code 0xa`.
  ///
  /// Source: signal(3).
  static func toldByTermination(_ scene: CrashScene) -> CauseFinding? {
    let termination = scene.facts.termination
    guard scene.exception.type == nil, scene.exception.signal == nil, scene.exception.name == nil,
      scene.facts.event == .crash, termination.namespace == "SIGNAL",
      let signal = termination.code.flatMap({ MachNames.signal($0) })
    else { return nil }
    let words = meanings[signal] ?? names[signal]
    // What the place called says more of a bad access.
    let called = scene.innermostFrames.first.flatMap { frame in
      ["SIGSEGV", "SIGBUS"].contains(signal)
        && scene.site.map { $0.frame.index != frame.index } == true
        && frame.traits?.machinery == nil && frame.imageFileName != "libsystem_kernel.dylib"
        ? frame.ownFunction : nil
    }
    let place = called.map { ", in \(FittedText.function($0, columns: 100))" } ?? ""
    return CauseFinding(
      .sentSignal, "\(signal)\(words.map { ": \($0)" } ?? "")\(place)", .likely,
      [scene.terminationField])
  }

  private static let names = [
    "SIGSEGV": "a bad access to memory", "SIGBUS": "a bad access to memory (bus error)",
    "SIGILL": "an illegal instruction, or a trap", "SIGTRAP": "a trap",
    "SIGFPE": "an arithmetic error", "SIGABRT": "it ended itself (abort)",
  ]

  /// ReportCrash names the code signature in the place of the signal's name, where the reason for
  /// ending the process is another one, or was cut off: `EXC_CRASH (SIGKILL - CODESIGNING)`,
  /// `EXC_CRASH (SIGKILL (Code Signature Invalid))`.
  static func killedForSignature(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.isKillForSignature, !scene.facts.termination.tellsReason else {
      return nil
    }
    return CauseFinding(
      .codeSignature, "killed for its code signature, which is invalid", .certain,
      [scene.exceptionField])
  }

  /// The kernel reports what it finds itself as another exception.
  private static let hardwareSignals: Set = ["SIGILL", "SIGTRAP", "SIGSEGV", "SIGBUS", "SIGFPE"]
  private static let passedOn =
    "sent to it, or raised again by a handler: its frames need not be those of the fault"

  private static let meanings = [
    "SIGPIPE": "a write into a pipe or socket that nobody reads any more",
    "SIGSYS": "a system call that does not exist or is forbidden",
    "SIGTERM": "it was asked to end", "SIGTRM": "it was asked to end",
    "SIGQUIT": "it was asked to end, with a report", "SIGKILL": "it was ended",
    "SIGXCPU": "too much processor time",
  ]

  /// Mono makes exceptions of signals that arrive in managed code, and prints a stack for others.
  /// Of the managed stack, the innermost method is a wrapper around the function that was called.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c (`mono_handle_native_crash`).
  static func reportedByMono(_ scene: CrashScene) -> CauseFinding? {
    guard let signal = scene.exception.signal else { return nil }
    let wrapper = "(wrapper managed-to-native) "
    var called = ""
    if scene.report.format == .dotNetTrace {
      guard let method = scene.frames.first?.function, method.hasPrefix(wrapper) else { return nil }
      called = " below \(method.dropFirst(wrapper.utf8.count).prefix { $0 != "(" && $0 != " " })"
    } else if scene.report.format != .monoBacktrace {
      // In a log of Apple's systems it is a list of frames as they write it.
      guard scene.report.format == .callStack,
        scene.frames.prefix(4).contains(where: { $0.ownFunction?.hasPrefixBytes("mono_") == true })
      else { return nil }
    }
    return CauseFinding(
      .sentSignal, "\(signal) in native code\(called), which Mono's crash handler reported",
      .likely,
      [scene.exceptionField])
  }

  /// A signal handler ran, which then ended the process. What failed is below it.
  ///
  /// Source: sigaction(2); `_sigtramp` calls the handler.
  static func handledSignal(_ scene: CrashScene) -> CauseFinding? {
    let start = scene.innermostFrames.startIndex
    // The handler of swift-backtrace says which signal it was.
    guard start > 0, scene.canEndInFunction, !SignalHandler.isOfSwiftServer(scene.frames)
    else { return nil }
    let isSlot =
      SignalHandler.isEmptySlot(at: start, scene.frames) && scene.memoryFault?.isNull != true
      && scene.registers.programCounter != 0
    // No image is there: behind the name of one, 0 is what is left of an address that was cut.
    if !isSlot, scene.frames[start].address?.value == 0,
      scene.frames[start].imageName.known == nil
    {
      let called = scene.caller(of: scene.frames[start...])
      return CauseFinding(
        .callThroughNullPointer, "call through a null pointer\(called)", .likely,
        [scene.evidence(scene.frames[start])])
    }
    // It fails at what it finds in the heap. A stack without room may end in it, too.
    let known = isSlot && start + 1 < scene.frames.count ? start + 1 : start
    if scene.frames[known].imageFileName == SignalHandler.allocator,
      scene.frames.count < 512
    {
      let name = scene.frames[known].ownFunction.map { " (\($0))" } ?? ""
      return CauseFinding(
        .heapDamage, "a signal arrived in malloc\(name): a damaged heap or a bad pointer",
        .likely, [scene.evidence(scene.frames[known])])
    }
    // What the handler interrupted is missing if the text breaks off.
    let isCut = SignalHandler.isTrampoline(at: start, scene.frames)
    let above = scene.frames[..<(isCut ? start : start - 1)]
    // LLVM's are in the program itself.
    let printer = above.first { $0.ownFunction?.hasPrefix("llvm::sys::PrintStackTrace") == true }
    let handler = printer ?? above.last { scene.owners.owner(of: $0) != .system }
    let name = handler.map { frame in
      if case .library(let title) = scene.owners.owner(of: frame) { return title }
      return printer == nil ? frame.ownFunction ?? frame.imageFileName : "LLVM"
    }
    // A runtime's own words about the signal are not in the text, but that it gave up.
    let end = handler.flatMap { frame in
      scene.owners.owner(of: frame) != .user && frame.ownWords?.endsProcess == true
        ? frame.ownFunction.flatMap { $0.hasBytes(of: "signal") ? nil : $0 } : nil
    }
    let ending = end.map { ": \($0.prefix { $0 != "(" })() ended the process" } ?? ""
    let words =
      name.map { ", which \($0) handled\(ending)" } ?? ", and its handler ended the process"
    let signal = above.lazy.compactMap { signalOfMono($0.ownFunction) }.last ?? "a signal"
    var place = isCut ? "" : " here"
    if known > start {
      let frame = scene.frames[known]
      let function = frame.index == scene.site?.frame.index ? nil : frame.ownFunction
      place =
        function.map { " in \(FittedText.function($0, columns: 100)) or what it called" }
        ?? " here or in what it called"
    }
    return CauseFinding(
      .sentSignal, "\(signal) arrived\(place)\(words)", .likely,
      [scene.evidence(scene.frames[isCut ? start : start - 1])] + [handler.map(scene.evidence)])
  }

  /// `SIGSEGV` of `mono_sigsegv_signal_handler`; nil for other functions.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-runtime.c and mini-posix.c
  /// (`MONO_SIG_HANDLER_FUNC`).
  private static func signalOfMono(_ function: String?) -> String? {
    guard let function, function.hasPrefixBytes("mono_sig"),
      let end = function.firstRange(of: "_signal_handler")
    else { return nil }
    let name = function[..<end.lowerBound].dropFirst("mono_".utf8.count)
    return ["sigsegv", "sigill", "sigfpe", "sigbus"].contains(name) ? name.uppercased() : nil
  }

  /// A debugger stops what it launches, or attaches to, with SIGSTOP.
  ///
  /// Source: llvm-project, lldb/tools/debugserver; ptrace(2), `PT_ATTACHEXC`.
  static func stoppedByDebugger(_ scene: CrashScene) -> CauseFinding? {
    guard scene.report.format == .lldbBacktrace, scene.exception.signal == "SIGSTOP" else {
      return nil
    }
    let launched = scene.frames.first?.function?.hasSuffix("_dyld_start") == true
    return CauseFinding(
      .sentSignal,
      launched
        ? "stopped by a debugger before it began to run (SIGSTOP): no crash"
        : "stopped by a debugger (SIGSTOP): no crash", .likely, [scene.exceptionField])
  }

  /// The library that called `abort()`, from its image alone: its functions may have no names.
  ///
  /// Source: github.com/apple-oss-distributions, libmalloc: src/malloc_printf.c; llvm-project,
  /// libcxxabi/src/abort_message.cpp; developer.apple.com/documentation/xcode/sigkill (TCC).
  static func abortingLibrary(_ scene: CrashScene) -> CauseFinding? {
    let isSaid =
      scene.exception.signal == "SIGABRT" || scene.exception.type == "SIGABRT"
      || scene.canEndInFunction && !scene.exception.canEndInFunction
    guard isSaid || scene.exception.signal == nil && scene.exception.type == nil else { return nil }
    let callers = scene.endingFrames.drop { abortImages.contains($0.imageFileName) }
    guard let caller = callers.first, caller.index > 0 else { return nil }
    let ends = scene.endingFrames[..<callers.startIndex]
    let callsAbort = ends.contains { $0.ownFunction == "abort" }
    let endsItself = ends.contains { $0.ownFunction.map { aborting.contains($0) } ?? false }
    if case .library(let title) = scene.owners.owner(of: caller),
      !LibraryCode.isCrashHandler(title), callsAbort
    {
      let failed = failedFunction(callers, of: title, scene)
      let words = failed.map { ", in \(FittedText.function($0.ownFunction ?? "", columns: 140))" }
      return CauseFinding(
        .runtimePanic, "\(title) ended the process with abort()\(words ?? "")", .likely,
        [scene.evidence(caller)] + [failed.map(scene.evidence)])
    }
    switch caller.imageFileName {
    case "libsystem_malloc.dylib" where isSaid || endsItself:
      return CauseFinding(
        .heapDamage, "malloc found a damaged heap or a bad pointer", .likely,
        [scene.evidence(caller)])
    case "libc++abi.dylib" where isSaid || endsItself:
      return CauseFinding(
        .cxxException, "uncaught exception, which the report does not name", .likely,
        [scene.evidence(caller)])
    // It ends a process for nothing else. Below a handler of the signal, which may be all that says
    // so, the kernel is called by it directly.
    case "TCC" where isSaid || endsItself || scene.innermostFrames.startIndex > 0 && !ends.isEmpty:
      return CauseFinding(
        .privacy, "private data used without its usage description in Info.plist, most likely",
        .likely, [scene.evidence(caller)])
    default: return nil
    }
  }

  /// The function of a library that called the one with which the library ends a process, which is
  /// the same for all of its failed checks. Nil if that is not on the stack, or the text ends.
  private static func failedFunction(
    _ callers: ArraySlice<ShownFrame>, of library: String, _ scene: CrashScene
  ) -> ShownFrame? {
    func endsProcess(_ frame: ShownFrame) -> Bool {
      frame.traits?.machinery != nil || frame.ownWords?.endsProcess == true
    }
    guard let first = callers.first, first.ownFunction != nil, endsProcess(first),
      let failed = callers.prefix(8).first(where: { !endsProcess($0) }), failed.ownFunction != nil,
      case .library(library) = scene.owners.owner(of: failed)
    else { return nil }
    return failed
  }

  /// Of libc++abi, the return address of a call that never returns may be the start of the function
  /// behind it: `__cxa_deleted_virtual` stands behind `__cxa_pure_virtual`.
  ///
  /// Source: github.com/llvm/llvm-project, libcxxabi/src/cxa_virtual.cpp.
  static func pureVirtualCall(_ scene: CrashScene) -> CauseFinding? {
    guard
      let frame = scene.innermostFrames.prefix(8).first(where: { frame in
        frame.function == "__cxa_deleted_virtual" && frame.isNamedAfterNextFunction
      })
    else { return nil }
    return CauseFinding(
      .cxxException, "a pure virtual function was called", .likely, [scene.evidence(frame)])
  }

  /// Who ended the process with a reason for its report, which may not be in this text: any library
  /// of the system may, such as WatchKit for a background task that was never completed.
  ///
  /// Source: XNU, libsyscall/wrappers/terminate_with_reason.c and bsd/sys/reason.h.
  static func endedWithReason(_ scene: CrashScene) -> CauseFinding? {
    guard scene.canEndInFunction || scene.exception.signal == "SIGKILL" else { return nil }
    let ends = scene.endingFrames.prefix { frame in
      frame.ownFunction.map { endingWithReason.contains($0) } ?? false
        || frame.imageFileName == "libsystem_kernel.dylib"
    }
    // Who says more begins with the name of that function.
    let names = ends.compactMap(\.ownFunction).filter { endingWithReason.contains($0) }
    guard let last = ends.last,
      var name = names.last(where: { !$0.hasPrefix("__") }) ?? names.last
    else { return nil }
    // Nobody calls it by that name.
    if name.hasBytes(of: "_wrapper_") { name = "abort_with_payload" }
    // Only these may be about another process.
    let confidence: CauseFinding.Confidence =
      name.hasBytes(of: "terminate_with_") ? .likely : .certain
    let callers = scene.endingFrames[ends.endIndex...].drop { frame in
      frame.ownFunction.map { $0.hasBytes(of: "abort_with_") || $0.hasPrefix("_os_crash") } ?? false
    }
    // It calls these for nothing else. Source: apple-oss-distributions/libpthread,
    // src/inline_internal.h (`_pthread_validate_signature`).
    if let caller = callers.first, caller.imageFileName == "libsystem_pthread.dylib" {
      return CauseFinding(
        .heapDamage, "pthread_t was corrupted (the data of the threads library are damaged)",
        .likely,
        [scene.evidence(caller), scene.evidence(last)])
    }
    guard let caller = callers.first,
      SystemImage(caller.imageFileName).name != nil
        || caller.ownFunction != nil && caller.imageName != unknownImageName
    else {
      return CauseFinding(
        .abort, "the process ended itself with \(name)()", confidence, [scene.evidence(last)])
    }
    let function = caller.ownFunction.map { ", in \(FittedText.function($0, columns: 100))" } ?? ""
    return CauseFinding(
      .failedCheck,
      "\(caller.imageFileName) ended the process on purpose\(function) (\(name))", confidence,
      [scene.evidence(caller), scene.evidence(last)])
  }

  /// Those with two underscores are the system calls.
  private static let endingWithReason: Set = [
    "abort_with_reason", "abort_with_payload", "__abort_with_payload",
    "abort_with_payload_wrapper_internal", "terminate_with_reason", "terminate_with_payload",
    "__terminate_with_payload",
  ]

  private static let aborting: Set = [
    "abort", "abort_with_payload", "__abort_with_payload", "abort_with_reason",
    "__terminate_with_payload",
  ]

  private static let abortImages: Set = [
    "libsystem_kernel.dylib", "libsystem_pthread.dylib", "libsystem_c.dylib",
  ]
}

/// The system's function that called `abort()`, as failed checks of its libraries do.
enum AbortCaller {
  /// ` by CGPathCreateWithRoundedRect`; nil if other code called it, or the name says nothing.
  ///
  /// Something always calls `abort()`, so a stack that ends there was cut.
  static func name(_ callers: FrameSign.Callers) -> String? {
    if callers.frames.isEmpty { return "; its caller is not in this text" }
    let caller = zip(callers.frames, callers.names).first { frame, _ in
      SystemImage(frame.imageFileName).name != nil
    }
    guard let (frame, name) = caller, let name, frame.traits?.machinery == nil,
      AppleImages.isOne(frame.imageFileName), name.readable.utf8.count < 100
    else { return nil }
    return " by \(name.readable)"
  }

  /// The C library's words are shown only if the report has them.
  static func inOwnWords(_ finding: CauseFinding, _ scene: CrashScene) -> CauseFinding {
    let words = "abort() called"
    guard finding.text.hasPrefix(words), !scene.facts.applicationInformation.contains(words) else {
      return finding
    }
    return CauseFinding(
      finding.kind, "abort() was called\(finding.text.dropFirst(words.utf8.count))",
      finding.confidence, finding.evidence)
  }
}

extension ReportFacts.CrashException {
  /// Whether the kernel killed the process for its code signature, as ReportCrash says it in the
  /// type of the exception.
  var isKillForSignature: Bool {
    guard type?.hasPrefix("EXC_CRASH") == true else { return false }
    return [type, signal].contains { words in
      words?.hasBytes(of: "SIGKILL") == true
        && ["CODESIGNING", "Code Signature Invalid"].contains { words?.hasBytes(of: $0) == true }
    }
  }
}
