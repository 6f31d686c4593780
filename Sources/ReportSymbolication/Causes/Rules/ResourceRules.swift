import CrashLogParser

/// Guarded resources and limits of the kernel.
enum ResourceRules {
  /// `EXC_GUARD`: the process did to a resource what the owner of its guard forbids.
  ///
  /// Source: XNU, osfmk/kern/exc_guard.h: the kind in bits 61 to 63 of the first code, what was
  /// done (the flavor) in bits 32 to 60, the target in the rest; bsd/sys/guarded.h.
  static func guardedResource(_ scene: CrashScene) -> CauseFinding? {
    let exception = scene.facts.exception
    guard exception.type == "EXC_GUARD" else { return nil }
    let words = exception.subtype ?? exception.message ?? ""
    guard let text = guardText(exception.codes.first, words) else { return nil }
    return CauseFinding(
      .guardedResource, text, .certain, [scene.exceptionDetails, scene.exceptionField])
  }

  private static func guardText(_ code: UInt64?, _ words: String) -> String? {
    let isFile = words.contains("GUARD_TYPE_FD") || code.map { $0 >> 61 == 2 } ?? false
    if isFile {
      let doing = fileActions.first { word, flavor, _ in
        words.contains(word)
          || words.isEmpty && code.map { $0 >> 32 & 0x1fff_ffff == flavor } ?? false
      }
      let descriptor =
        number(after: "fd=", words) ?? number(after: "file descriptor ", words)
        ?? code.map { String($0 & 0xffff_ffff) }
      guard let doing, let descriptor else { return nil }
      return "\(doing.text) file descriptor \(descriptor), which is guarded"
    }
    if words.contains("GUARD_TYPE_MACH_PORT") || code.map({ $0 >> 61 == 1 }) ?? false {
      return "misuse of a guarded Mach port\(words.isEmpty ? "" : ": \(words)")"
    }
    if words.contains("GUARD_TYPE_VN") || code.map({ $0 >> 61 == 4 }) ?? false {
      return "misuse of a guarded file\(words.isEmpty ? "" : ": \(words)")"
    }
    return nil
  }

  private static let fileActions: [(word: String, flavor: UInt64, text: String)] = [
    ("CLOSE", 1, "closed"), ("DUP", 2, "duplicated"),
    ("NOCLOEXEC", 4, "removed the close-on-exec flag of"), ("SOCKET_IPC", 8, "sent"),
    ("FILEPORT", 0x10, "made a port of"), ("WRITE", 0x40, "wrote to"),
  ]

  private static func number(after marker: String, _ text: String) -> String? {
    guard let start = text.firstRange(of: marker)?.upperBound else { return nil }
    let digits = text[start...].prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : String(digits)
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
      "\(words)\(details)", .certain, [scene.exceptionDetails, scene.exceptionField])
  }

  private static let limits: [(subtype: String, code: UInt64, text: String)] = [
    ("CPU", 1, "too much processor time"), ("WAKEUPS", 2, "too many wake-ups of the processor"),
    ("MEMORY", 3, "more memory than the limit"), ("IO", 4, "too much written to the disk"),
    ("THREADS", 5, "too many threads"), ("PORTS", 6, "too many Mach ports"),
  ]
}
