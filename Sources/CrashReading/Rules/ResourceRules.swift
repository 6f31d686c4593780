import CrashLogParser
import Wording

/// Guarded resources and limits of the kernel.
enum ResourceRules {
  /// `EXC_GUARD`: the process did to a resource what the owner of its guard forbids.
  ///
  /// Source: XNU, osfmk/kern/exc_guard.h: the kind in bits 61 to 63 of the first code, what was
  /// done (the flavor) in bits 32 to 60, the target in the rest; bsd/sys/guarded.h.
  static func guardedResource(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.facts.exception
    guard exception.type == "EXC_GUARD" else { return nil }
    guard let text = guardText(exception.codes, exception.details) else { return nil }
    return CauseFinding(
      .guardedResource, text + simulation(exception), .certain,
      [scene.exceptionDetails, scene.exceptionField])
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
      guard let doing, let descriptor else { return nil }
      let owner = isOfDatabase ? " as part of an SQLite database" : ""
      return "\(doing.text) file descriptor \(descriptor), which is guarded\(owner)"
    }
    if words.hasBytes(of: "GUARD_TYPE_MACH_PORT") || code.map({ $0 >> 61 == 1 }) ?? false {
      return "misuse of a guarded Mach port\(words.isEmpty ? "" : ": \(words)")"
    }
    if words.hasBytes(of: "GUARD_TYPE_VN") || code.map({ $0 >> 61 == 4 }) ?? false {
      return "misuse of a guarded file\(words.isEmpty ? "" : ": \(words)")"
    }
    return nil
  }

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

  /// `EXC_RESOURCE`: the process used more than the kernel allows.
  ///
  /// Source: developer.apple.com/documentation/xcode/exc_resource; XNU, osfmk/kern/exc_resource.h.
  static func limit(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.facts.exception
    guard exception.type == "EXC_RESOURCE" else { return nil }
    let code = exception.codes.first.map { $0 >> 61 }
    let subtype = exception.subtype ?? ""
    guard
      let words = limits.first(where: { subtype.hasPrefix($0.subtype) || $0.code == code })?.text
    else { return nil }
    let details = exception.message.map { ": \($0)" } ?? ""
    return CauseFinding(
      subtype.hasPrefix("MEMORY") || code == 3 ? .memoryLimit : .resourceLimit,
      "\(words)\(details)\(simulation(exception))", .certain,
      [scene.exceptionDetails, scene.exceptionField])
  }

  private static let limits: [(subtype: String, code: UInt64, text: String)] = [
    ("CPU", 1, "too much processor time"), ("WAKEUPS", 2, "too many wake-ups of the processor"),
    ("MEMORY", 3, "more memory than the limit"), ("IO", 4, "too much written to the disk"),
    ("THREADS", 5, "too many threads"), ("PORTS", 6, "too many Mach ports"),
  ]
}
