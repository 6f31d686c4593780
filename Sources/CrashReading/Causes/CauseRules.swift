import CodeOwnership
import CrashLogParser
import FunctionNames
import ReportSymbolication
import Wording

/// How strong the evidence of a rule is, strongest first. Weaker evidence never displaces stronger.
enum EvidenceRank: Int, CaseIterable {
  /// What the process said about itself: the uncaught exception, the words of its runtime or of a
  /// library, the compiler's name for a trap.
  case statement
  /// Why somebody else ended it.
  case ending
  /// What the frames above the first frame of the user's own code say.
  case frames
  /// The exception's type and codes, the address, the registers, the memory regions.
  case exception

  /// The most that evidence of this rank can prove. Frames are certain only if nothing else puts
  /// them on a stack, which each rule says for itself.
  fileprivate func limited(_ confidence: CauseFinding.Confidence) -> CauseFinding.Confidence {
    self == .exception && confidence == .certain ? .likely : confidence
  }
}

/// The rules that find the reason of a crash. The first finding is shown.
///
/// The list is ordered by rank, and within a rank by how much a rule says. To add a rule, write a
/// function from a scene to a finding in the file of its kind in `Rules`, name a public source for
/// it there, and give it a place in this list. A function whose frame says why is not a rule but a
/// row of ``FrameSignTable``.
enum CauseRules {
  struct Rule: Sendable {
    let rank: EvidenceRank
    /// Where the reason comes from, if this rule finds one.
    let source: ReasonSource
    let find: @Sendable (CrashScene) -> CauseFinding?

    init(
      _ rank: EvidenceRank, _ source: ReasonSource,
      _ find: @escaping @Sendable (CrashScene) -> CauseFinding?
    ) {
      self.rank = rank
      self.source = source
      self.find = find
    }
  }

  static let all: [Rule] = [
    Rule(.statement, .termination, EventRules.memory),
    Rule(.statement, .panic, EventRules.panic),
    Rule(.statement, .trapMessage, TrapRules.compilerMessage),
    Rule(.statement, .thrownException, WrittenRules.thrownException),
    Rule(.statement, .exceptionType, WrittenRules.allocatorReport),
    Rule(.statement, .applicationSpecificInformation, WrittenRules.nativeFaultInPython),
    Rule(.statement, .applicationSpecificInformation, WrittenRules.failure),
    Rule(.statement, .applicationSpecificInformation, WrittenRules.information),
    Rule(.statement, .applicationSpecificInformation, AssertedCondition.find),
    Rule(.ending, .exceptionType, MemoryRules.fetchWithoutCode),
    Rule(.ending, .termination, TerminationRules.codeSignature),
    Rule(.ending, .termination, TerminationRules.explained),
    Rule(.ending, .termination, TerminationRules.earlyCode),
    Rule(.ending, .exceptionType, SignalRules.killedForSignature),
    Rule(.frames, .function, EventRules.kernelFrames),
    Rule(.frames, .function, FrameSigns.runtime),
    Rule(.frames, .function, KotlinThrowable.reason),
    Rule(.frames, .function, ThrownExceptionRules.queue),
    Rule(.frames, .function, ThrownExceptionRules.thrower),
    Rule(.frames, .function, ThrownExceptionRules.rethrown),
    Rule(.frames, .function, SignalRules.pureVirtualCall),
    Rule(.frames, .function, FrameSigns.platform),
    Rule(.frames, .function, SignalRules.endedWithReason),
    Rule(.frames, .function, SignalRules.handledSignal),
    Rule(.exception, .exceptionType, MemoryRules.codeSignature),
    Rule(.exception, .exceptionType, MemoryTagging.fault),
    Rule(.exception, .exceptionType, MemoryRules.pointerAuthentication),
    Rule(.exception, .exceptionType, MemoryRules.noStack),
    Rule(.exception, .exceptionType, MemoryRules.guardOfOtherStack),
    Rule(.exception, .exceptionType, MemoryRules.stackOverflow),
    Rule(.exception, .exceptionType, AddressRules.standIn),
    Rule(.exception, .exceptionType, AddressRules.scribbledMemory),
    Rule(.exception, .function, AddressRules.faultInThrow),
    Rule(.exception, .exceptionType, MemoryRules.callThroughBadPointer),
    Rule(.exception, .exceptionType, MemoryRules.jumpToHeader),
    Rule(.exception, .exceptionType, MemoryRules.fileGone),
    Rule(.exception, .exceptionType, MemoryRules.pointerIsText),
    Rule(.exception, .exceptionType, MemoryRules.freedObject),
    Rule(.exception, .exceptionType, AddressRules.misalignedNull),
    Rule(.exception, .exceptionType, MemoryRules.nullPointer),
    Rule(.exception, .exceptionType, AddressRules.nullArgument),
    Rule(.exception, .exceptionType, AddressRules.misaligned),
    Rule(.exception, .exceptionType, MemoryRules.overwrittenPointer),
    Rule(.exception, .exceptionType, AddressRules.generalProtection),
    Rule(.exception, .exceptionType, MemoryRules.protection),
    Rule(.exception, .exceptionType, AddressRules.unmapped),
    Rule(.exception, .exceptionType, ResourceRules.guardedResource),
    Rule(.exception, .exceptionType, ResourceRules.limit),
    Rule(.exception, .exceptionType, TrapRules.division),
    Rule(.exception, .exceptionType, TrapRules.failedCheck),
    // Codes without words say less than what the exception shows.
    Rule(.exception, .termination, TerminationRules.unexplained),
    Rule(.exception, .applicationSpecificInformation, WrittenRules.signature),
    Rule(.exception, .exceptionType, SignalRules.stoppedByDebugger),
    Rule(.exception, .function, SignalRules.sentByItself),
    Rule(.exception, .exceptionType, SignalRules.sentInSystemCall),
    Rule(.exception, .exceptionType, SignalRules.sentByOthers),
    Rule(.exception, .exceptionType, SignalRules.reportedByMono),
    Rule(.exception, .exceptionType, WrittenRules.unnamedException),
    Rule(.exception, .function, AddressRules.inAllocator),
    Rule(.exception, .applicationSpecificInformation, WrittenRules.abortNote),
    Rule(.exception, .applicationSpecificInformation, WrittenRules.mention),
    Rule(.exception, .exceptionType, WrittenRules.exceptionType),
    Rule(.exception, .exceptionType, SignalRules.toldByTermination),
    Rule(.exception, .applicationSpecificInformation, WrittenRules.mentionBesideReport),
  ]

  static func reason(of scene: CrashScene) -> CrashCause.Reason? {
    for rule in all {
      guard var finding = rule.find(scene) else { continue }
      finding.confidence = rule.rank.limited(finding.confidence)
      finding = finding.completed(by: scene.facts)
      if let fault = scene.allocatorFault(finding) { finding = fault }
      if let frame = scene.faultingFrame(of: finding),
        let name = frame.ownFunction.map({ FittedText.function($0, columns: functionLimit) })
          ?? (finding.kind == .freedObject ? nil : frame.fileWithoutNames)
      {
        finding = CauseFinding(
          finding.kind, "\(finding.text), in \(name)", finding.confidence,
          finding.evidence + [scene.evidence(frame)])
      }
      if let frame = scene.untranslatedFrame(of: finding) {
        finding = CauseFinding(
          finding.kind, "\(finding.text), in code for which Rosetta has no translation info",
          finding.confidence, finding.evidence + [scene.evidence(frame)])
      }
      if let thread = scene.threadWithNativeException(finding) {
        finding = CauseFinding(
          finding.kind,
          "\(finding.text); meanwhile\(thread) was making a JavaScript error of a native module's"
            + " NSException, which only the JavaScript thread may do", finding.confidence,
          finding.evidence)
      }
      if scene.site?.frame.function == nil, let origin = scene.diagnosedOrigin,
        !finding.text.hasBytes(of: origin.function)
      {
        finding = CauseFinding(
          finding.kind, "\(finding.text), in or below \(origin.function)", finding.confidence,
          finding.evidence + [origin.evidence])
      }
      return CrashCause.Reason(
        finding, rule.source, contradicts: Contradictions.of(finding, rule.rank, scene))
    }
    return nil
  }

  /// The greatest length of a function behind a reason.
  private static let functionLimit = 60
}

extension ShownFrame {
  /// The library or framework of a frame that has no name, or the name of another function.
  fileprivate var fileWithoutNames: String? {
    imageName == unknownImageName || imageName.hasPrefix("<") || imageFileName.isEmpty
      ? nil : imageFileName
  }
}

extension CrashScene {
  /// The frame of the system or of a library whose access to memory failed, if somebody else's
  /// frame is the place: `memcpy` and `sqlite3_finalize` say more of what went wrong than the
  /// address. Nil if the finding rests on a frame, or the function's name says nothing: it ends
  /// processes, calls the kernel, or starts code.
  ///
  /// Source: developer.apple.com/documentation/xcode/investigating-memory-access-crashes, which
  /// begins with the function that was called.
  fileprivate func faultingFrame(of finding: CauseFinding) -> ShownFrame? {
    guard Self.faultKinds.contains(finding.kind), let site,
      let frame = innermostFrames.first, frame.index != site.frame.index,
      frame.traits?.machinery == nil, owners.owner(of: frame) != .user,
      // System calls, in older versions too.
      frame.imageFileName != "libsystem_kernel.dylib", frame.function?.hasSuffix("_trap") != true
    else { return nil }
    let restsOnFrame = finding.evidence.contains { evidence in
      if case .frame = evidence.source { true } else { false }
    }
    return restsOnFrame ? nil : frame
  }

  /// A bad access or a failed check in an allocator, whoever wrote it: it reads and writes lists in
  /// the heap, so who damaged the heap, or gave it a pointer that is none of its blocks, is at
  /// fault. A stack without room may end there, too. Nil for other findings.
  ///
  /// Source: github.com/apple-oss-distributions/libmalloc, src; github.com/mattconte/tlsf, tlsf.c.
  fileprivate func allocatorFault(_ finding: CauseFinding) -> CauseFinding? {
    let isOnPurpose =
      finding.kind == .abort
      || finding.kind == .failedCheck && finding.text.hasPrefix("stopped by a trap instruction")
    guard isOnPurpose || Self.heapKinds.contains(finding.kind), frames.count < 512,
      !lacksInnermostFrames, let index = AllocatorCall.index(frames, owners),
      case let call = frames[index], let name = AllocatorCall.name(of: call),
      // Without memory an allocator stops the process, too.
      !isOnPurpose || AllocatorCall.takesBlock(name) && owners.owner(of: call) != .system
    else { return nil }
    let inner = innermostFrames.first.flatMap { $0.index == call.index ? nil : $0.ownFunction }
    let place = inner.map { "\(FittedText.function($0, columns: 60)) below \(name)" } ?? "\(name)"
    let words =
      AllocatorCall.takesBlock(name)
      ? "the heap is damaged, or the pointer is none of its blocks" : "the heap was damaged before"
    return CauseFinding(
      .heapDamage, "\(finding.text), in \(place): \(words), most likely", finding.confidence,
      finding.evidence + [evidence(call)])
  }

  private static let heapKinds: Set<CauseKind> = [
    .nullPointer, .invalidAddress, .pointerIsText, .overwrittenPointer, .memoryProtection,
    .uninitializedMemory, .misalignedAddress,
  ]

  /// The innermost frame if a translated process failed in code that Rosetta does not know the
  /// original of: its own, or what another translator wrote. The report says so in the place of the
  /// image, and the address is one of ARM.
  ///
  /// Source: ReportCrash's words, as in github.com/dotnet/runtime, issue 48877.
  fileprivate func untranslatedFrame(of finding: CauseFinding) -> ShownFrame? {
    guard Self.faultKinds.contains(finding.kind), let frame = innermostFrames.first,
      frame.function == nil, frame.imageName == "<translation info unavailable>"
    else { return nil }
    return frame
  }

  /// ` thread 3`, if another one than that which failed in React Native's engine was making an
  /// error of JavaScript of an exception of Objective-C. A module's methods that return nothing run
  /// on a queue of their own, where the engine may not be used: it is not made for two threads.
  ///
  /// Source: github.com/facebook/react-native, RCTTurboModule.mm (`performVoidMethodInvocation`).
  fileprivate func threadWithNativeException(_ finding: CauseFinding) -> String? {
    guard Self.faultKinds.contains(finding.kind),
      innermostFrames.first?.ownFunction?.hasPrefix("hermes::vm::") == true
    else { return nil }
    let other = report.backtraces.first { thread in
      !thread.isCrashed
        && thread.frames.prefix(16).contains { frame in
          frame.symbol.map { $0.name.hasBytes(of: "::convertNSExceptionToJSError(") } == true
        }
    }
    return other.map { $0.number.map { " thread \($0)" } ?? " another thread" }
  }

  /// Bad accesses that the innermost function made. Those to code, and those whose place the
  /// hardware reports late, are not its own.
  private static let faultKinds: Set<CauseKind> = [
    .nullPointer, .invalidAddress, .pointerIsText, .overwrittenPointer, .freedObject,
    .readOnlyMemory, .memoryProtection, .uninitializedMemory, .misalignedAddress, .fileGone,
    .pointerAuthentication, .bufferOverflow,
  ]

  /// The app's innermost function in the words of KSCrash, which looks it up on the device: its
  /// report alone has no names.
  ///
  /// Source: github.com/kstenerud/KSCrash, KSCrashDoctor.m (`appendOriginatingCall`).
  fileprivate var diagnosedOrigin: (function: String, evidence: CauseEvidence)? {
    guard let diagnosis = field("diagnosis"),
      let start = diagnosis.text.firstRange(of: "Originated at or in a subcall of ")?.upperBound
    else { return nil }
    let function = diagnosis.text[start...].prefix { !$0.isNewline }
    return function.isEmpty || function == "(null)" ? nil : (String(function), diagnosis)
  }
}

/// Weaker evidence that speaks against a reason.
enum Contradictions {
  static func of(
    _ finding: CauseFinding, _ rank: EvidenceRank, _ scene: CrashScene
  ) -> [CauseEvidence] {
    var found: [CauseEvidence?] = []
    // Who throws, or fails a check, ends with `abort()` or a trap and not with a bad access.
    if rank == .statement || rank == .frames, scene.exception.isMemoryFault,
      finding.kind.endsOnPurpose
    {
      found.append(scene.exceptionField)
    }
    // ReportCrash guesses from the address alone.
    if scene.exception.details.hasBytes(of: MemoryRules.authenticationGuess),
      finding.kind != .pointerAuthentication
    {
      found.append(scene.exceptionDetails)
    }
    return found.compactMap(\.self)
  }
}

extension CauseKind {
  /// Whether the process ends itself in this way, with `abort()` or a trap instruction.
  fileprivate var endsOnPurpose: Bool {
    switch self {
    case .uncaughtException, .swiftRuntimeFailure, .swiftConcurrency, .exclusivity,
      .objectiveCRuntime, .rustPanic, .runtimePanic, .managedException, .cxxException, .assertion,
      .unrecognizedSelector, .abort:
      true
    default: false
    }
  }
}

extension KotlinThrowable {
  /// A stack that an exception of Kotlin kept, without the line that says which it was.
  static func reason(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.canEndInFunction, let type = type(scene.frames)
    else { return nil }
    return CauseFinding(
      .managedException, "Kotlin exception \(type), whose message is not on the stack", .likely,
      [scene.frames.first.map(scene.evidence)])
  }

  /// `, in co.touchlab.sqliter.NativeDatabaseConnection.createStatement`, the call of SQLiter that
  /// failed; nil if the text does not have it.
  static func databaseCall(_ callers: FrameSign.Callers) -> String? {
    callers.names.prefix(6).lazy.compactMap { $0?.readable }
      .first { $0.hasBytes(of: "sqliter.") }.map { name in ", in \(name.prefix { $0 != "(" })" }
  }
}
