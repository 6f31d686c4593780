package import CodeOwnership
import CrashLogParser
import FunctionNames
package import ReportSymbolication
import SymbolicationModel
import Wording

/// What happened and where, as far as the report and the symbol files say: the headline of a crash.
package struct CrashCause {
  /// Why it crashed; nil if nothing says so.
  package let reason: Reason?
  /// The index of the crash's backtrace among those shown, and where in it the crash happened. Nil
  /// if there is no such backtrace, or no frame outside the operating system in it.
  package let site: (backtrace: Int, place: CrashSite)?
  /// What the thread did when somebody else ended the process for being late: `the main thread was
  /// in`, which the place follows, or `the main thread was waiting in its run loop` without a
  /// place. Nil if the place is that of a failure.
  package let activity: String?
  /// The innermost function that is not machinery, if no other place is known.
  package let systemFrame: ShownFrame?
  /// The system's innermost function, which the place called, directly or not. Nil if a reason is
  /// known, which says more.
  package let calledFrame: ShownFrame?
  /// What `calledFrame` says in place of a reason: `crashed in memmove`.
  package var calledText: String? {
    calledFrame.map { frame in
      "crashed in \(frame.ownFunction.map { FittedText.function($0, columns: 100) } ?? frame.imageFileName)"
    }
  }

  package struct Reason: Hashable {
    package let finding: CauseFinding
    package let source: ReasonSource
    /// Weaker evidence in the report that speaks against it. Mostly empty.
    package let contradicts: [CauseEvidence]

    init(_ finding: CauseFinding, _ source: ReasonSource, contradicts: [CauseEvidence]) {
      self.finding = finding
      self.source = source
      self.contradicts = contradicts
    }

    package var text: String { finding.text }
    /// Whether the reason has the kind of the exception and its codes.
    package var saysExceptionType: Bool { finding.kind == .exceptionType }
    /// Whether the reason is the kind of the exception and nothing more.
    package var isOnlyExceptionType: Bool {
      saysExceptionType && !finding.isCompleted
    }
    /// Whether an exception was thrown: then a crash SDK that recorded it did not fail.
    fileprivate var isException: Bool {
      [.uncaughtException, .cxxException, .managedException].contains(finding.kind)
    }
    /// Whether the exception is one that React Native makes of an error in a script.
    fileprivate var isErrorOfJavaScript: Bool {
      finding.kind == .javaScriptError && source == .thrownException
    }
    /// Whether the process was ended because it took too long: the frames are what it did then, and
    /// not what failed.
    fileprivate var isLateness: Bool { finding.kind == .watchdog }
    /// Whether somebody asked the process to end: then the frames are only where it was.
    fileprivate var isRequestToEnd: Bool {
      finding.kind == .sentSignal && source == .exceptionType
        && ["SIGTERM", "SIGTRM", "SIGQUIT"].contains { finding.text.hasPrefix($0) }
    }
  }

  init(_ report: SymbolicatedReport, _ reading: CrashReading) {
    // Stacks of memory that leaked, or of a hang, are not of a crash. Reports without stacks have a
    // reason at most.
    guard
      report.source.facts.event == .crash || !report.source.format.hasStacks
        || report.source.facts.memory != nil || report.source.facts.panic != nil
    else {
      reason = nil
      site = nil
      activity = nil
      systemFrame = nil
      calledFrame = nil
      return
    }
    let owners = reading.owners
    guard let (index, selectedIndex) = report.crashBacktrace() else {
      reason = CauseRules.reason(
        of: CrashScene(report.source, frames: [], owners: owners, site: nil))
      site = nil
      activity = nil
      systemFrame = nil
      calledFrame = nil
      return
    }
    let frames = reading.frames(ofBacktrace: index)
    let outer = report.outerPiece(ofException: index)
    let own = CrashSite(among: frames, owners)
    // The runtime of managed code is no place of what that code called.
    let managed = own != nil && own?.library == nil ? nil : report.managedPiece(ofException: index)
    let caller = managed.flatMap { index in
      CrashSite(
        among: reading.frames(ofBacktrace: index).filter { frame in
          frame.function?.hasPrefix("(wrapper ") != true
        }, owners)
    }
    let place =
      caller ?? own ?? outer.flatMap { CrashSite(among: reading.frames(ofBacktrace: $0), owners) }
    let placeIndex =
      (caller == nil ? own == nil ? outer : nil : managed) ?? selectedIndex
    let trap = report.backtraces[index].trapMessage(frames)
    let scene = CrashScene(
      report.source, frames: frames, owners: owners, site: place, trap: trap)
    reason = CauseRules.reason(of: scene)
    let thread = report.backtraces[index].source
    let isTail = thread.hasOnlyOuterFrames && reason?.finding.kind != .stackOverflow
    let isAnywhere =
      isTail || scene.facts.endsWhereverItIs || reason?.isRequestToEnd == true
      // Code without a name says nothing about an error of JavaScript.
      || reason?.isErrorOfJavaScript == true && place?.frame.function == nil
      // A lambda in code that React calls, without its file, neither.
      || reason?.finding.kind == .javaScriptError && place?.frame.file == nil
        && place?.frame.function?.hasPrefix("operator()") == true
      // The watchdog watches the main thread.
      || reason?.isLateness == true && thread.number ?? 0 != 0 && !thread.isOfMainQueue
      || reason?.isException == true
        && place?.library.map { LibraryCode.isCrashHandler($0) } == true
        // Unless what it called threw.
        && !frames.prefix(12).contains { $0.function == "objc_exception_throw" }
      || place.map { Self.isOfHandler($0, thread, frames, scene) } == true
    // What started an endless recursion is no place of it.
    let isOutside =
      reason?.finding.kind == .stackOverflow
      && Recursion(frames).map { recursion in
        !frames.prefix(recursion.end).contains { $0.index == place?.frame.index }
      } == true
    site = isAnywhere || isOutside ? nil : place.map { (backtrace: placeIndex, place: $0) }
    // Who shows a thread that waits, and says nothing else, shows what the process hung in.
    let isLate = reason?.isLateness ?? WaitingFunctions.areBlocked(frames.first?.function)
    activity = isAnywhere || !isLate ? nil : Self.activity(of: thread, frames, at: place)
    systemFrame =
      site == nil && !isOutside && !isTail
      ? Self.systemFrame(scene, reason?.finding, reason?.source, isCrashed: thread.isCrashed) : nil
    calledFrame =
      reason == nil && thread.isCrashed && !isTail
      ? place.flatMap { Self.called(by: $0, scene) } : nil
  }

  /// The innermost function if it is the system's and may have failed: it does not wait, end the
  /// process or call the kernel. Without a name it counts if its library is one of those that check
  /// what the place does.
  private static func called(by place: CrashSite, _ scene: CrashScene) -> ShownFrame? {
    guard let frame = scene.innermostFrames.first, frame.index == 0,
      frame.index != place.frame.index, !scene.lacksInnermostFrames,
      frame.ownFunction != nil || checkingLibraries.contains(frame.imageFileName),
      frame.traits?.machinery == nil, frame.imageFileName != "libsystem_kernel.dylib",
      frame.imageName != unknownImageName,
      !WaitingFunctions.areBlocked(scene.frames.first?.function),
      scene.owners.owner(of: frame) == .system
    else { return nil }
    return frame
  }

  /// Runtimes that stop the program for an error of their caller, or touch its objects.
  private static let checkingLibraries: Set = [
    "libswiftCore.dylib", "libswift_Concurrency.dylib", "libc++abi.dylib", "libobjc.A.dylib",
  ]

  /// Whether the place is code that only records crashes: a function without a name on the queue of
  /// Crashlytics, if no runtime called it, and the handler of Mono that prints stacks.
  ///
  /// Source: github.com/firebase/firebase-ios-sdk, FIRCLSException.mm; mono/mono,
  /// mono/mini/mini-exceptions.c.
  private static func isOfHandler(
    _ place: CrashSite, _ thread: Backtrace, _ frames: [ShownFrame], _ scene: CrashScene
  ) -> Bool {
    if let function = place.function {
      return function.hasPrefix("mono_") && function.hasBytes(of: "_native_crash")
    }
    let runtimes = ["libc++abi.dylib", "libobjc.A.dylib", "CoreFoundation"]
    return WrittenRules.isQueueOfCrashlytics(thread)
      && !frames.prefix { $0.index != place.frame.index }.contains { frame in
        runtimes.contains(frame.imageFileName)
      }
  }

  /// Where it happened, if a fault or a signal is the reason, or if nothing is known.
  private static func systemFrame(
    _ scene: CrashScene, _ finding: CauseFinding?, _ source: ReasonSource?, isCrashed: Bool
  ) -> ShownFrame? {
    let first = scene.frames.first?.function ?? ""
    guard !["mach_msg", "__workq"].contains(where: { first.hasPrefix($0) }) else { return nil }
    let isObject = finding?.kind == .freedObject
    let isHandled = finding?.kind == .sentSignal && source == .function
    let isFault =
      isObject || isHandled
      || scene.memoryFault != nil && source == .exceptionType
    // AppKit caught an exception in what called this.
    let isCaught =
      finding?.kind == .uncaughtException && first.hasSuffix("[NSApplication _crashOnException:]")
    let inner = scene.frames[CrashSite.start(scene.frames, scene.owners)...]
    if source == .function, let kind = finding?.kind, [.swiftRuntimeFailure, .abort].contains(kind)
    {
      // Who called the function that ended the process. Without a name nobody is accused.
      let caller = inner.first { frame in
        SystemImage(frame.imageFileName).name != nil
          && frame.ownWords?.endsProcess != true
      }
      return caller?.ownFunction == nil || caller?.traits?.machinery != nil ? nil : caller
    }
    if source == .function, finding?.kind == .heapDamage { return releaser(inner, scene) }
    if source == .thrownException { return ThrownExceptionRules.place(scene) }
    if let kind = finding?.kind, [.callThroughBadPointer, .callThroughNullPointer].contains(kind),
      inner.first?.ownFunction == nil
    {
      return caller(inner)
    }
    // Who debugs the program put it there.
    if isFault, !isObject, let innermost = inner.first, innermost.ownFunction != nil,
      debuggingLibraries.contains(innermost.imageFileName)
    {
      return innermost
    }
    // A name further out says less about a fault than the image that it is in. Where a thread waits
    // for the kernel, or sends itself a signal, it reads no memory.
    if scene.memoryFault != nil, source == .exceptionType, !isObject, let innermost = inner.first,
      finding?.kind != .exceptionType, finding?.kind != .sentSignal,
      innermost.ownFunction == nil, innermost.imageName.known != nil,
      !innermost.imageName.hasPrefix("<"),
      innermost.imageFileName != "libsystem_kernel.dylib"
    {
      return innermost
    }
    // So does that of who called code without a name, where nothing else is known.
    if finding == nil, isCrashed, let innermost = inner.first,
      innermost.function?.hasPrefix(outlinedCode) == true,
      SystemImage(innermost.imageFileName).name != nil
    {
      return innermost
    }
    // And if no frame has a name, the image is all that is known.
    if finding == nil, isCrashed, let innermost = inner.first,
      SystemImage(innermost.imageFileName).name != nil,
      inner.prefix(8).allSatisfy({ $0.ownFunction == nil })
    {
      return innermost
    }
    // A list that somebody wrote begins with where it happened, and so does a sentence.
    if isCrashed, scene.report.isWrittenList || !isObject && scene.report.isToldPlace {
      let named = inner.filter { $0.ownFunction != nil && $0.traits?.machinery == nil }
      // What failed is below the function that says so.
      let isCheck = source == .function && [.assertion, .failedCheck].contains(finding?.kind)
      let failed = isCheck ? named.first { $0.ownWords?.endsProcess != true } : nil
      return failed ?? named.first
    }
    // A part of a report may name no image, but the functions.
    let hasNoImages =
      isCrashed && (finding == nil || finding?.kind == .failedCheck && source == .exceptionType)
      && inner.allSatisfy { $0.imageName == unknownImageName }
    let isUnexplained = hasNoImages || finding == nil && isCrashed
    guard isFault || isCaught || isUnexplained, !first.isEmpty else { return nil }
    let named = inner[..<(RunLoop.start(inner) ?? inner.endIndex)].filter { frame in
      frame.ownFunction.map { !$0.hasSuffix("OnException:]") && !$0.hasSuffix("portException:]") }
        == true
        && frame.traits?.machinery == nil
    }
    return named.first { frame in
      SystemImage(frame.imageFileName).name != nil
        || hasNoImages
        || isObject && frame.imageName == unknownImageName && !ObjectFunctions.use(frame.function)
    }
      // A piece of a stack may have no more than a function of the C library. Where a thread waits
      // for the kernel, it reads no memory.
      ?? (isCaught || isHandled || scene.memoryFault != nil && !isObject
      ? named.first ?? (isFault ? inner.first : nil) : nil).flatMap { frame in
        frame.imageFileName == "libsystem_kernel.dylib"
          || frame.ownFunction == nil && frame.imageName.known == nil ? nil : frame
      }
  }

  /// Who called through a bad pointer, in the system: nobody is at the address but who was called.
  private static func caller(_ inner: ArraySlice<ShownFrame>) -> ShownFrame? {
    inner.dropFirst().first.flatMap { frame in
      frame.ownFunction != nil && frame.traits?.machinery == nil
        && SystemImage(frame.imageFileName).name != nil ? frame : nil
    }
  }

  /// The system's function that gave the allocator the block which it complained about: behind the
  /// allocator, and behind what counts references and destroys objects. It may be the victim of
  /// other code.
  ///
  /// Source: github.com/apple-oss-distributions/CF, CFRuntime.c (`CFRelease`).
  private static func releaser(
    _ inner: ArraySlice<ShownFrame>, _ scene: CrashScene
  ) -> ShownFrame? {
    guard
      let last = inner.prefix(24).lastIndex(where: { $0.imageFileName == "libsystem_malloc.dylib" })
    else { return nil }
    let end = RunLoop.start(inner) ?? inner.endIndex
    let caller = inner[..<max(end, last + 1)][(last + 1)...].first { frame in
      frame.traits?.machinery == nil && !ObjectFunctions.use(frame.function)
        && frame.ownFunction.map { name in
          !["CFRelease", "_CFAutoreleasePoolPop"].contains(name) && !name.hasSuffix("Deallocate")
            && name.firstRange(of: "utoreleasePool") == nil
        } ?? true
    }
    // An event loop empties its pool of objects that anybody released too often.
    return caller.flatMap { frame in
      frame.ownFunction.map { !$0.hasSuffix(" _run]") && !$0.hasSuffix(" run]") } == true
        && SystemImage(frame.imageFileName).name != nil ? frame : nil
    }
  }

  /// Libraries that Xcode adds to a program that it runs, for its queue debugging, its view
  /// debugger and its checkers.
  ///
  /// Source: the folder usr/lib of Xcode's platforms and of its shared frameworks.
  private static let debuggingLibraries = [
    "libBacktraceRecording.dylib", "libMainThreadChecker.dylib", "libViewDebuggerSupport.dylib",
    "libMTLCapture.dylib", "libMTLToolsDiagnostics.dylib", "libRPAC.dylib", "libgmalloc.dylib",
  ]

  /// What the compiler calls code that it took out of several functions. Frames without a symbol of
  /// their own often have such a name. Source: llvm-project, llvm/lib/CodeGen/MachineOutliner.cpp.
  private static let outlinedCode = "OUTLINED_FUNCTION_"
}

extension Report {
  /// Whether the stack is a list of functions in somebody's own text, which has neither images nor
  /// addresses.
  fileprivate var isWrittenList: Bool {
    guard format == .crashText, images.isEmpty,
      let stack = backtraces.first(where: \.isCrashed), stack.frames.count > 1
    else { return false }
    return stack.frames.allSatisfy { $0.imageName == nil && $0.address == nil }
  }
}

extension Report {
  /// Whether the only frame is one that somebody's own text names beside the exception.
  fileprivate var isToldPlace: Bool {
    guard format == .crashText, images.isEmpty, backtraces.count == 1,
      let frames = backtraces.first?.frames, frames.count == 1, let frame = frames.first
    else { return false }
    return frame.address == nil && frame.symbol?.offset == nil && frame.symbol != nil
  }
}

extension SymbolicatedReport {
  /// The index of the stack of managed code that a runtime printed for an exception which the
  /// native code under it threw: its frames have no addresses. Nil if the report has none.
  fileprivate func managedPiece(ofException index: Int) -> Int? {
    guard source.format == .callStack, backtraces.allSatisfy(\.isSelected),
      backtraces[index].source.kind == .lastException,
      let other = backtraces.indices.last, other != index,
      case let frames = backtraces[other].source.frames, !frames.isEmpty,
      frames.allSatisfy({ $0.address == nil && $0.symbol != nil })
    else { return nil }
    return other
  }

  /// Why and where it crashed.
  package func cause(_ options: SymbolicationOptions) -> CrashCause {
    cause(CrashReading(self, options))
  }

  package func cause(_ reading: CrashReading) -> CrashCause { CrashCause(self, reading) }
}

/// Where the reason of a crash comes from.
package enum ReasonSource: String, Hashable, CaseIterable {
  /// The name of a function that the compiler made up at the trap.
  case trapMessage
  /// Name and reason of the uncaught exception.
  case thrownException
  /// A line that the app or a library left in the report.
  case applicationSpecificInformation
  /// Why the system says it ended the process.
  case termination
  /// What the kernel wrote when it could not go on.
  case panic
  /// Functions that end the process, throw, or stand for a failure.
  case function
  /// The type of the exception, its address and registers.
  case exceptionType
  /// What the system measured, in a report that is not about a crash.
  case event
}

extension SymbolicatedBacktrace {
  /// Why the innermost frame traps, from the inlined calls that the report shows or that were
  /// found, even if they are not shown.
  fileprivate func trapMessage(_ shown: [ShownFrame]) -> TrapMessage? {
    for frame in shown {
      if let message = frame.function.flatMap({ TrapMessage(function: $0) }) { return message }
      guard frame.isInlined else { break }
    }
    return frames.first { !$0.isSuperseded && $0.stated?.isInlined != true }?.answer?.trapMessage
  }
}
