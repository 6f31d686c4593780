package import SymbolicationModel

/// Functions that end a process, throw, check, or start code. Their frames lie around every crash
/// of their kind and say nothing about which crash it is, so a signature leaves them out.
///
/// Names are as ``SignatureName`` writes them, without parameters of C++. `*` stands for any text.
/// A closure in one of these functions counts as the function.
package enum FrameMachinery {
  struct Group: Sendable {
    /// What `--explain` calls it.
    package let title: String
    /// Why its frames say nothing.
    package let reason: String
    /// What was thrown, if one of these is called only then: `Rust panic`.
    var thrown: String?
    let names: [String]
  }

  /// The title of the group of functions that only start the program. A crash in nothing but these
  /// is a crash in `main`.
  package static let startTitle = "start of the program"

  /// The titles of the groups of functions of Swift's runtime and standard library.
  package static let swiftRuntimeTitle = "Swift runtime"
  package static let swiftLibraryTitle = "Swift's standard library"
  /// The title of the group of functions that report a failed check.
  package static let assertionTitle = "assertion"

  /// What both versions of signatures leave out. Changed only with another version.
  static let groups: [Group] = [
    Group(
      title: "throw",
      reason: "every exception is thrown by the same functions; the caller is what differs",
      names: [
        "__exceptionPreprocess", "objc_exception_throw", "objc_exception_rethrow",
        "-[NSException raise]", "+[NSException raise:format:]",
        "+[NSException raise:format:arguments:]", "*[NSObject(NSObject) doesNotRecognizeSelector:]",
        "*[NSObject doesNotRecognizeSelector:]", "___forwarding___", "_CF_forwarding_prep_0",
        "_CF_forwarding_prep_1", "__forwarding_prep_0___", "__forwarding_prep_1___",
        "_NSInvokeForwarding*", "_CFThrowFormattedException", "__cxa_throw", "__cxa_rethrow",
        "__cxa_bad_cast", "__cxa_bad_typeid", "_Unwind_*", "unwind_phase2*", "std::__throw_*",
        "std::__1::__throw_*", "std::rethrow_exception", "RCTFatal",
      ]),
    Group(
      title: "abort",
      reason: "how a process ends itself is the same whatever made it do so",
      names: [
        "__pthread_kill", "pthread_kill", "__pthread_kill_implementation",
        "__pthread_kill_internal", "pthread_kill@*", "raise", "__raise", "gsignal", "kill",
        "__kill",
        "abort", "__abort", "abort_message", "abort_report_np", "__abort_with_payload",
        "abort_with_payload", "abort_with_payload_wrapper_internal", "abort_with_reason",
        "_os_crash*", "_os_fatal*", "_os_assert*", "__libc_message*", "exit", "_exit", "__exit",
        "err", "errx", "verr", "verrx", "__stack_chk_fail", "__chk_fail*", "__fortify_fail*",
        "gpusGenerateCrashLog*", "gpusKillClient*", "malloc_vreport", "malloc_report",
        "malloc_zone_error", "__malloc_assert", "malloc_printerr", "szone_error",
        "___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED",
      ]),
    Group(
      title: FrameMachinery.assertionTitle,
      reason: "a failed check is reported by the same functions; the caller is what differs",
      names: [
        "__assert_rtn", "__assert_fail", "__assert_fail_base", "__assert", "__assert_perror_fail",
        "_assertionFailure", "_assertionFailure(*", "assertionFailure(*", "preconditionFailure(*",
        "_preconditionFailure(*", "precondition(*", "_precondition(*", "_debugPrecondition(*",
        "assert(*", "fatalError(*", "_fatalErrorMessage(*", "_diagnoseUnexpectedNilOptional(*",
        "_diagnoseUnexpectedEnumCase*", "_unimplementedInitializer*",
        "*[NSAssertionHandler handleFailureIn*", "_userInfoForFileAndLine",
        "dispatch_assert_queue", "dispatch_assert_queue_not", "dispatch_assert_queue_barrier",
        "_dispatch_assert_queue_fail", "_dispatch_assert_queue_barrier_fail",
        "_dispatch_assert_queue_not_fail", "_checkExpectedExecutor", "_checkExpectedExecutor(*",
        "_swift_task_checkIsolatedSwift", "swift_task_checkIsolated*",
        "swift_task_isCurrentExecutor*", "__ubsan_*", "__asan_*", "__asan::*", "__tsan_*",
        "__tsan::*", "__sanitizer::*", "__interceptor_*",
      ]),
    Group(
      title: FrameMachinery.swiftRuntimeTitle,
      reason: "the runtime and the standard library stop the program for whoever called them",
      names: [
        "swift_unexpectedError", "swift_errorInMain", "swift_dynamicCastFailure*",
        "swift_conformsToProtocolFailure*", "swift_reportError*", "swift_abort*",
        "swift::swift_abort*", "swift::fatalError*", "swift::swift_dynamicCastFailure*",
        "swift_beginAccess", "swift::runtime::AccessSet::insert", "swift_runtime_*",
        "_swift_stdlib_reportFatalError*", "_swift_runtime_on_report",
        "Array._checkSubscript*", "Array._checkIndex*", "Array.subscript.*", "Array._getElement*",
        "ArraySlice.subscript.*", "ArraySlice._checkSubscript*", "ContiguousArray.subscript.*",
        "ContiguousArray._checkSubscript*", "_ArrayBuffer.*", "_ContiguousArrayBuffer.*",
        "_SliceBuffer.*", "Dictionary.subscript.*", "String.subscript.*", "Substring.subscript.*",
        "Optional.unsafelyUnwrapped.*", "UnsafeBufferPointer.subscript.*",
        "UnsafeMutableBufferPointer.subscript.*", "_StringGuts.*",
      ]),
    Group(
      title: "Objective-C runtime",
      reason: "the runtime ends the process for whoever called it",
      names: [
        "_objc_terminate", "_objc_fatal*", "_objc_error", "__objc_error", "_objc_trap",
        "objc_terminate",
      ]),
    Group(
      title: "C++ runtime",
      reason:
        "what an exception that nobody catches, or a misused template of the library, ends in",
      names: [
        "std::*", "terminate", "default_terminate", "default_terminate_handler",
        "demangling_terminate_handler*", "demangling_unexpected_handler*", "default_unexpected*",
        "safe_handler_caller*", "failed_throw*", "__cxa_pure_virtual", "__cxa_deleted_virtual",
        "__cxa_call_unexpected", "__cxa_call_terminate", "__clang_call_terminate",
        "__gxx_personality_*", "__cxxabiv1::*", "__gnu_cxx::__verbose_terminate_handler",
        "__gnu_cxx::*", "__verbose_abort", "_CPPExceptionTerminate",
      ]),
    Group(
      title: "Rust runtime",
      reason: "a panic takes the same way to its end, whoever panicked",
      names: [
        "rust_panic*", "rust_begin_unwind", "__rust_start_panic", "__rust_begin_short_backtrace",
        "__rust_end_short_backtrace", "__rustc::*", "core::panicking::*", "std::panicking::*",
        "core::result::unwrap_failed", "core::option::unwrap_failed",
        "core::option::expect_failed", "core::option::expect_none_failed", "core::cell::panic_*",
        "core::slice::index::*_fail*", "core::str::slice_error_fail*", "panic_abort::*",
        "panic_unwind::*", "alloc::alloc::handle_alloc_error", "alloc::raw_vec::capacity_overflow",
        "alloc::raw_vec::handle_error", "core::ops::function::FnOnce::call_once*",
      ]),
    Group(
      title: "dyld",
      reason: "how the dynamic linker gives up is the same for every image that is missing",
      names: ["dyld4::halt", "dyld3::halt", "dyld::halt", "dyld::throwf"]),
    Group(
      title: "signals and threads",
      reason: "every thread begins here, and every signal handler",
      names: [
        "_sigtramp", "__restore_rt", "__sigtramp", "_pthread_start", "_pthread_body",
        "pthread_body", "thread_start", "start_wqthread", "_pthread_wqthread", "start_thread",
        "clone", "clone3", "__clone", "__clone3", "thread_proxy", "BaseThreadInitThunk",
        "RtlUserThreadStart",
      ]),
    Group(
      title: "made by the compiler",
      reason: "builds differ in which of these they have, and nobody wrote them",
      names: [
        "OUTLINED_FUNCTION_*", "<deduplicated_symbol>", "thunk for *", "reabstraction thunk *",
        "outlined *", "type metadata *", "lazy protocol witness table *", "value witness *",
        "default argument * of *", "__swift_*", "_swift_*", "__copy_helper_block_*",
        "__destroy_helper_block_*", "__copy_constructor_*", "__destructor_*", "block_copy_helper*",
        "block_destroy_helper*", "DYLD-STUB*", "__cxx_global_*", "_GLOBAL__sub_I_*",
      ]),
    Group(
      title: startTitle,
      reason: "it runs for every event of the program; whether it has a frame depends on the build",
      names: [
        "main", "_main", "start", "_start", "_dyld_start", "static *.main()", "static *.$main()",
        "*_Main_string__",
        "UIApplicationMain", "NSApplicationMain", "NSExtensionMain", "EXExtensionMain",
        "__libc_start_main*", "__libc_start_call_main", "__scrt_common_main_seh",
        "invoke_main", "async_Main", "async_MainTY*",
      ]),
  ]

  /// Apple's modules whose functions the compiler puts into programs, where they look like the
  /// user's own. How many of them have a frame depends on the optimiser.
  package static let swiftModules = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Foundation",
    "FoundationEssentials", "Combine", "Dispatch", "ObjectiveC", "SwiftUI", "SwiftUICore", "UIKit",
    "AppKit", "CoreGraphics", "os",
  ]

  /// What a name fits.
  package struct Match: Sendable {
    /// The title of the group.
    package let title: String
    package let pattern: String
    /// What was thrown, if the function is called only then.
    package let thrown: String?
  }

  /// The group and the pattern that a name fits: a name without `*`, else a pattern that begins as
  /// the name does, else one that begins with `*`; of several the first. Nil for all other
  /// functions.
  ///
  /// - Parameter name: as ``SignatureName`` writes it.
  package static func match(
    _ name: String, _ version: SignatureVersion = .current
  ) -> Match? {
    var rest = Substring(name)
    while rest.utf8.starts(with: SignatureName.closureStart.utf8) {
      rest = rest.dropFirst(SignatureName.closureStart.count)
    }
    // C has no parentheses, and demanglers write them for C++.
    let isCall = rest.hasSuffix("()") && !rest.utf8.contains(UInt8(ascii: "."))
    let text = String(isCall ? rest.dropLast(2) : rest)
    return text.withBytes { match($0, version) }
  }

  private static func match(_ bytes: Span<UInt8>, _ version: SignatureVersion) -> Match? {
    guard !bytes.isEmpty else { return nil }
    let first = bytes[0]
    let table = version == .first ? firstTable : table
    var found: Match?
    var isOpen = false
    for index in table.firstBytes.indices {
      let byte = table.firstBytes[index]
      guard byte == first || byte == star && found == nil else { continue }
      let name = table.names[index]
      guard name.withBytes({ fits($0, bytes) }) else { continue }
      let group = table.group(ofPattern: index)
      let match = Match(title: group.title, pattern: name, thrown: group.thrown)
      if !name.withBytes({ $0.holds(star) }) { return match }
      if found == nil || isOpen && byte != star { (found, isOpen) = (match, byte == star) }
    }
    return found
  }

  /// The patterns of several groups in their order. It is made at every start, so quickly.
  private struct Table {
    let groups: [Group]
    var names: [String] = []
    /// Nearly all patterns are ruled out by it, so it stands apart from them.
    var firstBytes: [UInt8] = []
    private var groupIndices: [Int] = []

    init(_ groups: [Group]) {
      self.groups = groups
      let count = groups.reduce(0) { $0 + $1.names.count }
      names.reserveCapacity(count)
      firstBytes.reserveCapacity(count)
      groupIndices.reserveCapacity(count)
      for index in groups.indices {
        for name in groups[index].names {
          names.append(name)
          firstBytes.append(name.utf8.first ?? 0)
          groupIndices.append(index)
        }
      }
    }

    func group(ofPattern index: Int) -> Group { groups[groupIndices[index]] }
  }

  private static let firstTable = Table(groups(.first))
  private static let table = Table(groups(.current))

  /// What a version of signatures leaves out. The later groups come first: of two patterns that
  /// fit, theirs says more.
  static func groups(_ version: SignatureVersion) -> [Group] {
    version == .first ? groups : laterGroups + groups
  }

  private static let star = UInt8(ascii: "*")

  /// Whether a whole name fits a pattern.
  package static func fits(_ pattern: Span<UInt8>, _ name: Span<UInt8>) -> Bool {
    guard !pattern.isEmpty else { return name.isEmpty }
    // Most patterns that begin as the name does, or with a star, end in another way.
    let end = pattern[pattern.count - 1]
    guard end == star || !name.isEmpty && name[name.count - 1] == end else { return false }
    var (next, offset) = (0, 0)
    /// The last star, and where the text that it stands for ends so far.
    var last: (star: Int, end: Int)?
    while offset < name.count {
      if next < pattern.count, pattern[next] == star {
        last = (next, offset)
        next += 1
      } else if next < pattern.count, pattern[next] == name[offset] {
        next += 1
        offset += 1
      } else if let (star, end) = last {
        last = (star, end + 1)
        (next, offset) = (star + 1, end + 1)
      } else {
        return false
      }
    }
    while next < pattern.count, pattern[next] == star { next += 1 }
    return next == pattern.count
  }
}
