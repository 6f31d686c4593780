import CrashLogParser
import Wording

/// Guarded resources and limits of the kernel.
enum ResourceRules {
  /// `EXC_GUARD`: the process did to a resource what the owner of its guard forbids.
  ///
  /// Source: XNU, osfmk/kern/exc_guard.h: the kind in bits 61 to 63 of the first code, what was
  /// done (the flavor) in bits 32 to 60, the target in the rest; bsd/sys/guarded.h.
  static func guardedResource(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == "EXC_GUARD" else { return nil }
    guard let text = guardText(scene.exception.codes, scene.exception.details) else { return nil }
    return CauseFinding(
      .guardedResource, text + violation(scene) + simulation(scene.exception), .likely,
      [scene.exceptionDetails, scene.exceptionField])
  }

  /// What was done, where macOS 12 says it on a line of its own.
  private static func violation(_ scene: CrashScene) -> String {
    scene.field("Violation").map { ", \($0.text)" } ?? ""
  }

  private static func guardText(_ codes: [UInt64], _ words: String) -> String? {
    let code = codes.first
    let isOfDatabase =
      codes.dropFirst().first == databaseGuard || words.hasBytes(of: "8fd4dbfade2dead")
    // iOS 6 does not write the kind.
    let isFile =
      words.hasBytes(of: "GUARD_TYPE_FD") || code.map { $0 >> 61 == 2 } ?? false
      || isOfDatabase && code.map { $0 >> 61 == 0 } ?? false
    if isFile {
      let doing =
        fileActions.first { words.hasBytes(of: $0.word) }
        ?? code.flatMap { code in fileActions.first { code >> 32 & 0x1fff_ffff == $0.flavor } }
      let descriptor =
        words.word(after: "fd=", of: \.isDecimalDigit)
        ?? words.word(after: "file descriptor ", of: \.isDecimalDigit)
        ?? code.map { String($0 & 0xffff_ffff) }
      guard let doing, let descriptor else {
        return words.isEmpty
          ? "misuse of a guarded resource (by the code, a file descriptor)"
          : "misuse of a guarded file descriptor: \(words)"
      }
      let owner = isOfDatabase ? " as part of an SQLite database" : ""
      return "\(doing.text) file descriptor \(descriptor), which is guarded\(owner)"
    }
    let kind = code.map { $0 >> 61 }
    let misuse = misuses.first { words.hasBytes(of: $0.word) || kind == $0.kind }
    return misuse.map { "\($0.text)\(words.isEmpty ? "" : ": \(words)")" }
  }

  private static let misuses: [(word: String, kind: UInt64, text: String)] = [
    ("GUARD_TYPE_MACH_PORT", 1, "misuse of a guarded Mach port"),
    ("GUARD_TYPE_USER", 3, "misuse that a library of the system reports (the process goes on)"),
    ("GUARD_TYPE_VN", 4, "misuse of a guarded file"),
    ("GUARD_TYPE_VIRT_MEMORY", 5, "misuse of guarded memory"),
    ("GUARD_TYPE_REJECTED_SC", 6, "a system call that is forbidden to the process"),
  ]

  /// The guard of files that the system's SQLite has opened ("ate FD for DB").
  ///
  /// Source: stackoverflow.com/questions/32429431, with Apple's explanation of the codes.
  private static let databaseGuard: UInt64 = 0x08fd_4dbf_ade2_dead

  private static let fileActions: [(word: String, flavor: UInt64, text: String)] = [
    ("CLOSE", 1, "closed"), ("DUP", 2, "duplicated"),
    ("NOCLOEXEC", 4, "removed the close-on-exec flag of"), ("SOCKET_IPC", 8, "sent"),
    ("FILEPORT", 0x10, "made a port of"), ("WRITE", 0x40, "wrote to"),
  ]

  /// The system also writes reports of processes that it lets go on: `Exception Note:  SIMULATED
  /// (this is NOT a crash)`.
  private static func simulation(_ exception: ReportFacts.CrashException) -> String {
    exception.note?.hasBytes(of: "SIMULATED") == true ? " (simulated: this is not a crash)" : ""
  }

  /// Only a limit on processor time that is marked so, or a termination record, ends a process.
  private static func outcome(_ facts: ReportFacts) -> String {
    let simulation = simulation(facts.exception)
    // A debugger stops a process that the limit may end.
    let isStopped =
      facts.exception.codes.isEmpty
      && (facts.exception.subtype == "MEMORY"
        || facts.exception.message?.hasPrefix("limit ") == true)
    guard simulation.isEmpty, !facts.wasEnded, !isStopped else { return simulation }
    return wentOn
  }

  static let wentOn = " (this is not a crash: the process went on)"

  /// `EXC_RESOURCE`: the process used more than the kernel allows.
  ///
  /// Source: developer.apple.com/documentation/xcode/exc_resource; XNU, osfmk/kern/exc_resource.h.
  static func limit(_ scene: CrashScene) -> CauseFinding? {
    guard scene.exception.type == "EXC_RESOURCE" else { return nil }
    let code = scene.exception.codes.first.map { $0 >> 61 }
    let subtype = scene.exception.subtype ?? ""
    guard
      let words = limits.first(where: { subtype.hasPrefix($0.subtype) || $0.code == code })?.text
    else { return nil }
    let told =
      scene.exception.message
      ?? scene.exception.subtype.flatMap { text in
        text.firstIndex(of: "(").map { String(text[$0...]) }
      }
    let details = told.map { ": \($0)" } ?? ""
    return CauseFinding(
      subtype.hasPrefix("MEMORY") || code == 3 ? .memoryLimit : .resourceLimit,
      "\(words)\(details)\(outcome(scene.facts))", .likely,
      [scene.exceptionDetails, scene.exceptionField])
  }

  private static let limits: [(subtype: String, code: UInt64, text: String)] = [
    ("CPU", 1, "exceeded its limit of processor time"),
    ("WAKEUPS", 2, "exceeded its limit of wake-ups of the processor"),
    ("MEMORY", 3, "exceeded its limit of memory"),
    ("IO", 4, "exceeded its limit of writing to the disk"),
    ("THREADS", 5, "exceeded its limit of threads"),
    ("PORTS", 6, "exceeded its limit of Mach ports"),
  ]
}

extension ReportFacts {
  /// Whether the kernel ended the process that exceeded a limit or misused a guarded resource. All
  /// limits but those of fatal kinds only make a report, and so do simulated exceptions.
  ///
  /// Source: XNU, osfmk/kern/exc_resource.h; bsd/sys/reason.h.
  package var wasEnded: Bool {
    if exception.note?.hasBytes(of: "SIMULATED") == true { return false }
    guard exception.type == "EXC_RESOURCE" else {
      return !exception.isWarning && !exception.isFault
    }
    return termination.namespace != nil || termination.indicator != nil
      || exception.subtype?.hasBytes(of: "FATAL") == true
        && exception.subtype?.hasBytes(of: "NON-FATAL") != true
      || exception.signal == "SIGKILL"
  }
}

extension ReportFacts.CrashException {
  /// Whether a library of the system reports a fault, such as LIBXPC's `XPC_EXIT_REASON_FAULT`: the
  /// kernel makes a report of the process as if it ended, and lets it go on.
  ///
  /// Source: XNU, osfmk/kern/exc_guard.h (`GUARD_TYPE_USER`), bsd/kern/sys_reason.c
  /// (`os_fault_with_payload`).
  var isFault: Bool {
    guard type == "EXC_GUARD" else { return false }
    return codes.first.map { $0 >> 61 == 3 } ?? details.hasBytes(of: "GUARD_TYPE_USER")
  }

  /// Whether it is a warning of ThreadSanitizer, after which the process goes on.
  /// A signal ends the process.
  ///
  /// Source: llvm-project, compiler-rt/lib/tsan/rtl/tsan_flags.inc (`halt_on_error`) and
  /// lib/sanitizer_common/sanitizer_posix.cpp for the signals.
  var isWarning: Bool {
    type == "ThreadSanitizer"
      && !["SEGV", "BUS", "FPE", "ILL", "ABRT", "TRAP", "stack-overflow"].contains {
        subtype?.hasPrefix($0) == true
      }
  }
}

extension ReportFacts {
  /// Which background task took longer than it may, as iOS up to version 9 says it: `… has active
  /// assertions beyond permitted time`, and below it each with its name.
  var overdueAssertion: String? {
    let text = applicationInformation.joined(separator: "\n")
    guard text.hasBytes(of: "has active assertions beyond permitted time") else { return nil }
    let name = text.firstRange(of: "> id: ").flatMap { start in
      text[start.upperBound...].firstRange(of: " name: ").map { name in
        let end = text[name.upperBound...].firstRange(of: " process: ")?.lowerBound
        return ", \(text[name.upperBound..<(end ?? name.upperBound)]),"
      }
    }
    let seconds = text.word(after: "permittedBackgroundDuration: ") {
      $0.isDecimalDigit || $0 == "."
    }
    let whole = seconds.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded(.down)) }
    let limit = whole.map { " than \($0) s" } ?? " than it may"
    return "a background task\(name == ", ," ? "" : name ?? "") ran longer\(limit)"
  }
}
