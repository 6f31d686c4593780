import CrashLogParser
import ReportSymbolication
import Wording

/// System functions that exist to end the process, or that end it for one reason only. If the
/// report does not say why it crashed, a call to one of them does.
///
/// Source: the names in Swift's stdlib/public, objc4, libdispatch, libmalloc, Libc, libplatform and
/// libc++abi, all at github.com/apple-oss-distributions or github.com/swiftlang.
enum FatalFunction {
  /// The reason that the innermost frames give, up to the first frame of the user's own code. Nil
  /// if none of these functions is among them.
  static func called(_ scene: CrashScene) -> CauseFinding? {
    guard scene.facts.exception.canEndInFunction else { return nil }
    var best: (index: Int, frame: ShownFrame)?
    for frame in scene.endingFrames {
      guard let function = frame.function else { continue }
      // The list is ordered: the first match says most.
      let last = lastWord(of: function)
      if let index = reasons.firstIndex(where: { $0.isFitting(function, last: last) }),
        index < best?.index ?? reasons.count
      {
        best = (index, frame)
      }
    }
    guard let best else { return SignalRules.abortingLibrary(scene) }
    let reason = reasons[best.index]
    if reason.kind == .abort, let caller = SignalRules.abortingLibrary(scene) { return caller }
    if reason.names.contains("_assertionFailure"), let line = scene.swiftFailureInSource {
      return line
    }
    return CauseFinding(reason.kind, reason.text, .certain, [scene.evidence(best.frame)])
  }

  private struct Reason {
    package let kind: CauseKind
    package let text: String
    let names: [String]

    init(_ kind: CauseKind, _ text: String, _ names: String...) {
      self.kind = kind
      self.text = text
      self.names = names
    }

    /// Compares names with the last words before the parameters, because compilers and demanglers
    /// add to both ends (`closure #1 in _assertionFailure(_:_:file:line:flags:)`,
    /// `abort$VARIANT$mp`) and some writers insert the offset
    /// (`_assertionFailure+ 201624 (_:_:…)`).
    ///
    /// - Parameter last: the last word of `function` before its parameters.
    func isFitting(_ function: String, last: String) -> Bool {
      names.contains { name in
        name.utf8.last == UInt8(ascii: ":") ? function.hasBytes(of: name) : last == name
      }
    }
  }

  private static func lastWord(of function: String) -> String {
    let bytes = function.utf8
    let parameters = bytes.firstIndex {
      $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "+")
    }
    let word = bytes[..<(parameters ?? bytes.endIndex)].split(separator: UInt8(ascii: " ")).last
    return word.map { String(Substring($0)) } ?? ""
  }

  private static let reasons = [
    Reason(
      .swiftConcurrency, "actor-isolated code ran outside its actor's queue",
      "_swift_task_checkIsolatedSwift",
      "swift_task_checkIsolated", "_checkExpectedExecutor", "swift_task_isCurrentExecutorImpl",
      "swift_task_isCurrentExecutorWithFlagsImpl"),
    Reason(
      .dispatchQueue, "dispatch_assert_queue: code ran on another queue than its own",
      "_dispatch_assert_queue_fail", "dispatch_assert_queue_fail",
      "_dispatch_assert_queue_barrier_fail"),
    Reason(
      .dispatchQueue, "dispatch_sync called on the queue it waits for",
      "__DISPATCH_WAIT_FOR_QUEUE__"),
    Reason(
      .privacy, "private data used without its usage description in Info.plist",
      "__TCC_CRASHING_DUE_TO_PRIVACY_VIOLATION__"),
    Reason(
      .swiftRuntimeFailure, "try! of an expression that threw an error", "swift_unexpectedError"),
    Reason(.swiftRuntimeFailure, "as! of a value of another type", "swift_dynamicCastFailure"),
    Reason(
      .swiftRuntimeFailure, "unowned reference to an object that is gone",
      "swift_abortRetainUnowned",
      "swift::swift_abortRetainUnowned"),
    Reason(
      .swiftRuntimeFailure, "Swift fatal error or failed precondition, without its message",
      "_assertionFailure",
      "_fatalErrorMessage", "assertionFailure", "preconditionFailure", "fatalError"),
    Reason(
      .exclusivity, "overlapping accesses to a variable (exclusivity)", "swift_beginAccess",
      "swift::runtime::AccessSet::insert"),
    Reason(
      .swiftRuntimeFailure, "fatal error of the Swift runtime", "swift::fatalError",
      "swift::fatalErrorv"),
    Reason(
      .objectiveCRuntime, "fatal error of the Objective-C runtime", "_objc_fatal", "_objc_fatalv"),
    Reason(.bufferOverflow, "stack buffer overflow", "__stack_chk_fail"),
    Reason(
      .bufferOverflow, "buffer overflow", "__chk_fail", "__chk_fail_overflow", "__fortify_fail"),
    Reason(.assertion, "failed assert()", "__assert_rtn", "__assert_fail"),
    Reason(
      .heapDamage, "pointer being freed was not allocated",
      "___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED"),
    Reason(
      .heapDamage, "malloc found a damaged heap or a bad pointer", "malloc_vreport",
      "malloc_report",
      "malloc_zone_error", "szone_error", "free_list_checksum_botch"),
    Reason(
      .lock, "misuse of os_unfair_lock", "_os_unfair_lock_recursive_abort",
      "_os_unfair_lock_unowned_abort", "_os_unfair_lock_corruption_abort"),
    Reason(
      .unrecognizedSelector, "unrecognized selector sent to an object", "doesNotRecognizeSelector:"),
    Reason(
      .uncaughtException, "uncaught Objective-C exception, which the report does not name",
      "objc_exception_throw"),
    Reason(.cxxException, "uncaught C++ exception", "__cxa_throw"),
    Reason(
      .cxxException, "uncaught exception, which the report does not name",
      "demangling_terminate_handler", "default_terminate_handler", "default_terminate",
      "_objc_terminate"),
    Reason(
      .graphicsDriver, "the graphics driver stopped the process after an error of the GPU",
      "gpusGenerateCrashLog", "gpusKillClientExt", "gpusKillClient"),
    Reason(.abort, "abort() called", "abort"),
  ]
}
