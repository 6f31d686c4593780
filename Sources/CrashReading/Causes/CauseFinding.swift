import CrashLogParser
import SymbolicationModel

/// What a rule found out about the reason of a crash.
package struct CauseFinding: Hashable {
  package let kind: CauseKind
  /// The reason in words: one line, without the place.
  package let text: String
  package internal(set) var confidence: Confidence
  /// What the finding rests on, the most telling first. May be empty.
  package let evidence: [CauseEvidence]
  /// Whether the text has more than the report, as somebody's sentences around it mention it.
  package internal(set) var isCompleted = false

  /// How sure a finding is.
  package enum Confidence: String, Hashable {
    /// The system, the program or the compiler says so.
    case certain
    /// What the report shows has this reason nearly always.
    case likely
    /// What the report shows often has this reason, and may have another.
    case possible
  }

  init(
    _ kind: CauseKind, _ text: String, _ confidence: Confidence, _ evidence: [CauseEvidence?]
  ) {
    self.kind = kind
    self.text = text
    self.confidence = confidence
    self.evidence = evidence.compactMap(\.self)
  }
}

/// A part of the report that a finding rests on.
package struct CauseEvidence: Hashable {
  package let source: Source
  /// What the report has there: a value, a line or the name of a function.
  package let text: String
  /// Where it is: a half-open range of offsets in the input. Nil for what the report has in several
  /// places, or inside a text of its own.
  package let byteRange: Range<Int>?

  package enum Source: Hashable {
    /// The field of the head with this name.
    case field(String)
    /// The frame with this number in the backtrace of the crash.
    case frame(Int)
    /// The register with this name.
    case register(String)
    /// What the app or a library wrote into the report.
    case information
    /// A line of a source file.
    case sourceLine
  }
}

/// The kinds of reasons for a crash. The raw values are their names in JSON.
package enum CauseKind: String, Hashable, CaseIterable {
  // What the program, its libraries or the compiler wrote
  case trapMessage, uncaughtException, applicationMessage

  // Runtimes that stop the program
  case swiftRuntimeFailure, swiftConcurrency, exclusivity, objectiveCRuntime, rustPanic
  case managedException, javaScriptError, nativeModuleException, cxxException, runtimePanic

  // Exceptions of Objective-C, by who throws them
  case assertion, unrecognizedSelector, indexOutOfRange, nilArgument, keyValueObserving
  case keyValueCoding, layout, listUpdate, wrongThread

  // Memory
  case nullPointer, callThroughNullPointer, callThroughBadPointer, stackOverflow
  case pointerIsText, freedObject, readOnlyMemory, memoryProtection, fileGone
  case codeSignature, pointerAuthentication, heapDamage, bufferOverflow
  case invalidAddress, misalignedAddress, uninitializedMemory, overwrittenPointer, memoryTagging

  // Checks
  case dispatchQueue, lock, privacy, failedCheck, trapInstruction, abort, division
  case sentSignal, graphicsDriver

  // The system
  case watchdog, termination, launch, memoryLimit, guardedResource, resourceLimit
  case kernelPanic, hang

  /// Only the kind of the exception is known.
  case exceptionType

  /// Whether the reason names the runtime or framework whose frames are innermost.
  package var namesRuntime: Bool {
    switch self {
    case .rustPanic, .managedException, .javaScriptError, .nativeModuleException, .runtimePanic:
      true
    default: false
    }
  }
}
