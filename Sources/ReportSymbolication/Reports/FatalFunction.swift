/// System functions that exist to end the process, or that end it for one reason only. If the
/// report does not say why it crashed, a call to one of them does.
enum FatalFunction {
  /// The reason that the innermost system frames give, up to the first frame of the user's own
  /// code. Nil if none of these functions is among them.
  ///
  /// - Parameter frames: innermost first.
  static func reason(among frames: [ShownFrame], before userCode: UserCode) -> String? {
    var best: Int?
    for frame in frames.prefix(frameLimit) {
      if userCode.holds(frame) { break }
      guard let function = frame.function else { continue }
      // The list is ordered: the first match says most.
      if let index = reasons.firstIndex(where: { $0.isFitting(function) }) {
        best = min(best ?? index, index)
      }
    }
    return best.map { reasons[$0].text }
  }

  /// A function that ends the process is within a few frames of the innermost one.
  private static let frameLimit = 32

  private struct Reason {
    let text: String
    let names: [String]

    init(_ text: String, _ names: String...) {
      self.text = text
      self.names = names
    }

    /// Compares names with the last words before the parameters, because compilers and demanglers
    /// add to both ends (`closure #1 in _assertionFailure(_:_:file:line:flags:)`,
    /// `abort$VARIANT$mp`) and some writers insert the offset
    /// (`_assertionFailure+ 201624 (_:_:…)`).
    func isFitting(_ function: String) -> Bool {
      let end = function.firstIndex { $0 == "(" || $0 == "$" || $0 == "+" } ?? function.endIndex
      let last = function[..<end].split(separator: " ").last ?? ""
      return names.contains { name in
        name.hasSuffix(":") ? function.contains(name) : last == name
      }
    }
  }

  private static let reasons = [
    Reason(
      "actor-isolated code ran outside its actor's queue", "_swift_task_checkIsolatedSwift",
      "swift_task_checkIsolated", "_checkExpectedExecutor", "swift_task_isCurrentExecutorImpl",
      "swift_task_isCurrentExecutorWithFlagsImpl"),
    Reason(
      "dispatch_assert_queue: code ran on another queue than its own",
      "_dispatch_assert_queue_fail", "dispatch_assert_queue_fail",
      "_dispatch_assert_queue_barrier_fail"),
    Reason("dispatch_sync called on the queue it waits for", "__DISPATCH_WAIT_FOR_QUEUE__"),
    Reason(
      "private data used without its usage description in Info.plist",
      "__TCC_CRASHING_DUE_TO_PRIVACY_VIOLATION__"),
    Reason("try! of an expression that threw an error", "swift_unexpectedError"),
    Reason("as! of a value of another type", "swift_dynamicCastFailure"),
    Reason(
      "unowned reference to an object that is gone", "swift_abortRetainUnowned",
      "swift::swift_abortRetainUnowned"),
    Reason(
      "Swift fatal error or failed precondition, without its message", "_assertionFailure",
      "_fatalErrorMessage", "assertionFailure", "preconditionFailure", "fatalError"),
    Reason(
      "overlapping accesses to a variable (exclusivity)", "swift_beginAccess",
      "swift::runtime::AccessSet::insert"),
    Reason("fatal error of the Swift runtime", "swift::fatalError", "swift::fatalErrorv"),
    Reason("fatal error of the Objective-C runtime", "_objc_fatal", "_objc_fatalv"),
    Reason("stack buffer overflow", "__stack_chk_fail"),
    Reason("buffer overflow", "__chk_fail", "__chk_fail_overflow", "__fortify_fail"),
    Reason("failed assert()", "__assert_rtn", "__assert_fail"),
    Reason(
      "pointer being freed was not allocated",
      "___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED"),
    Reason(
      "malloc found a damaged heap or a bad pointer", "malloc_vreport", "malloc_report",
      "malloc_zone_error", "szone_error", "free_list_checksum_botch"),
    Reason(
      "misuse of os_unfair_lock", "_os_unfair_lock_recursive_abort",
      "_os_unfair_lock_unowned_abort", "_os_unfair_lock_corruption_abort"),
    Reason("unrecognized selector sent to an object", "doesNotRecognizeSelector:"),
    Reason(
      "uncaught Objective-C exception, which the report does not name", "objc_exception_throw"),
    Reason("uncaught C++ exception", "__cxa_throw"),
    Reason("uncaught exception, which the report does not name", "demangling_terminate_handler"),
    Reason("abort() called", "abort"),
  ]
}
