/// What the runtime of Objective-C prints before it ends a process.
extension StatementMessage {
  /// On any console: of a device, of a terminal, or of a tool that runs several programs and puts
  /// the name of each in front of its lines (`web    | objc[42]: …`). Most of what the runtime
  /// prints are warnings, such as that two images have a class of one name; these are its fatal
  /// errors.
  ///
  /// Source: github.com/apple-oss-distributions/objc4, runtime/objc-initialize.mm, objc-weak.mm,
  /// objc-cache.mm, objc-runtime-new.mm and NSObject.mm; of older versions objc-class.m. For the
  /// lines' heads: github.com/ddollar/foreman, lib/foreman/engine.rb; docker/compose.
  static let objectiveC = [
    Self(
      "objc[",
      ofObjectiveC + "{skip} may have been in progress in another thread when fork() was called"
        + "{?.?}{? {skip}?}",
      ofObjectiveC + "Cannot form weak reference to instance {skip}",
      ofObjectiveC + "Method cache corrupted. {skip}",
      ofObjectiveC + "Attempt to use unknown class {skip}",
      ofObjectiveC + "autorelease pool page {skip} corrupted{?{skip}?}",
      ofObjectiveC + "Invalid or prematurely-freed autorelease pool {skip}",
      ofObjectiveC + "Memory corruption in class list{?{skip}?}",
      ofObjectiveC + "realized class {skip} has corrupt data pointer{?{skip}?}",
      ofObjectiveC + "Swift class extensions and categories on Swift classes are not allowed to"
        + " have +load methods{?{skip}?}",
      ofObjectiveC + "{skip} message {skip} sent to freed object{?{skip}?}",
      means: .wordsFromSign)
  ]

  private static let ofObjectiveC = head + "objc[{pid}]: "

  /// That a process was ended for its code signature, in somebody's own sentences. They count if it
  /// was killed, as another line says.
  ///
  /// Source: github.com/apple-oss-distributions/xnu, bsd/sys/reason.h
  /// (`CODESIGNING_EXIT_REASON_…`), in ReportCrash's words: `Namespace CODESIGNING, Code 1,
  /// Taskgated Invalid Signature`.
  static let signatureWords = [
    Self("askgated Invalid Signature", "{skip}", means: .signature(code: 1)),
    Self("aunch Constraint Violation", "{skip}", means: .signature(code: 4)),
    Self("CODESIGNING", "{skip}", means: .signature(code: nil)),
  ]
}
