/// The kinds of reasons for a crash. The raw values are their names in JSON.
package enum CauseKind: String, Hashable, CaseIterable {
  // What the program, its libraries or the compiler wrote
  case trapMessage, uncaughtException, applicationMessage

  // Runtimes that stop the program
  case swiftRuntimeFailure, swiftConcurrency, exclusivity, objectiveCRuntime, rustPanic
  case managedException, javaScriptError, nativeModuleException, cxxException

  // Exceptions of Objective-C, by who throws them
  case assertion, unrecognizedSelector, indexOutOfRange, nilArgument, keyValueObserving
  case keyValueCoding, layout, listUpdate, wrongThread

  // Memory
  case nullPointer, callThroughNullPointer, callThroughBadPointer, stackOverflow
  case pointerIsText, freedObject, readOnlyMemory, memoryProtection, fileGone
  case codeSignature, pointerAuthentication, heapDamage, bufferOverflow
  case invalidAddress, misalignedAddress, uninitializedMemory

  // Checks
  case dispatchQueue, lock, privacy, failedCheck, trapInstruction, abort
  case sentSignal, graphicsDriver

  // The system
  case watchdog, termination, launch, memoryLimit, guardedResource, resourceLimit
  case kernelPanic

  /// Only the kind of the exception is known.
  case exceptionType

  /// Whether the reason names the runtime or framework whose frames are innermost.
  package var namesRuntime: Bool {
    switch self {
    case .rustPanic, .managedException, .javaScriptError, .nativeModuleException: true
    default: false
    }
  }
}
