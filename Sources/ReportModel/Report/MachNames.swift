import SymbolicationModel

/// What the numbers of the kernel are called in reports.
///
/// Source: github.com/apple-oss-distributions/xnu, osfmk/mach/exception_types.h, bsd/sys/signal.h,
/// osfmk/mach/kern_return.h, bsd/sys/reason.h.
package enum MachNames {
  /// `EXC_BAD_ACCESS` for 1; nil for a number without a name, and for 0, which is no exception.
  package static func exception(_ number: UInt64) -> String? { name(number, in: exceptions[...]) }

  /// `SIGSEGV` for 11, by Darwin's numbers.
  package static func signal(_ number: UInt64) -> String? { name(number, in: signals[...]) }

  /// `SIGSEGV` for 11; nil above `SIGTERM` (15). Reports of SDKs show those signals as numbers, and
  /// programs may rely on that.
  package static func signalOfSdk(_ number: UInt64) -> String? { name(number, in: signals[..<15]) }

  package static func isSignal(_ name: String) -> Bool { signals.contains(name) }

  /// `EXC_BAD_ACCESS (Code Signature Invalid)` of `EXC_BAD_ACCESS (Code Signature I`, in which a
  /// text breaks off, if only one of the words that stand there begins so.
  package static func withWholeNote(_ text: String) -> String {
    guard text.utf8.last != UInt8(ascii: ")"), let open = text.firstRange(of: " (") else {
      return text
    }
    let word = text[open.upperBound...]
    let notes = (signals + otherNotes).filter { $0.hasPrefix(word) }
    return notes.count == 1 ? "\(text[..<open.upperBound])\(notes[0]))" : text
  }

  /// What ReportCrash writes in the place of a signal.
  private static let otherNotes = ["Code Signature Invalid", "SIGKILL (Code Signature Invalid)"]

  /// The first code of a bad access: `KERN_INVALID_ADDRESS` for 1.
  package static func badAccess(_ code: UInt64) -> String? {
    switch code {
    case 1: "KERN_INVALID_ADDRESS"
    case 2: "KERN_PROTECTION_FAILURE"
    case 10: "KERN_MEMORY_ERROR"
    case 50: "KERN_CODESIGN_ERROR"
    default: nil
    }
  }

  /// The namespace of a reason for ending a process, as crash reports print it.
  package static func terminationNamespace(_ number: UInt64) -> String? {
    switch number {
    case 1: "JETSAM"
    case 2: "SIGNAL"
    case 3: "CODESIGNING"
    case 6: "DYLD"
    case 7: "LIBXPC"
    case 8: "OBJC"
    case 9: "EXEC"
    // `OS_REASON_SPRINGBOARD`.
    case 10: "FRONTBOARD"
    case 11: "TCC"
    case 15: "RUNNINGBOARD"
    case 18: "LIBSYSTEM"
    case 20: "WATCHDOG"
    case 23: "GUARD"
    case 30: "PORT_SPACE"
    case 35: "LIBIGNITION"
    case 36: "BOOTMOUNT"
    case 38: "REALITYKIT"
    case 39: "AUDIO"
    case 40: "WAKEBOARD"
    case 41: "CORERC"
    case 42: "SELF_RESTRICT"
    case 43: "ARKIT"
    default: nil
    }
  }

  private static func name(_ number: UInt64, in names: ArraySlice<String>) -> String? {
    guard let index = Int(exactly: number), index > 0, index <= names.count else { return nil }
    return names[index - 1]
  }

  private static let exceptions = [
    "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "EXC_EMULATION", "EXC_SOFTWARE",
    "EXC_BREAKPOINT", "EXC_SYSCALL", "EXC_MACH_SYSCALL", "EXC_RPC_ALERT", "EXC_CRASH",
    "EXC_RESOURCE", "EXC_GUARD", "EXC_CORPSE_NOTIFY",
  ]
  private static let signals = [
    "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT", "SIGFPE", "SIGKILL",
    "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGURG", "SIGSTOP", "SIGTSTP",
    "SIGCONT", "SIGCHLD", "SIGTTIN", "SIGTTOU", "SIGIO", "SIGXCPU", "SIGXFSZ", "SIGVTALRM",
    "SIGPROF", "SIGWINCH", "SIGINFO", "SIGUSR1", "SIGUSR2",
  ]
}

extension ReportFacts.CrashException {
  /// Takes a Mach exception. The address of a bad access is its second code, and writers have it
  /// elsewhere too.
  package mutating func take(
    mach type: String?, codes: [UInt64], codeName: String?, address: UInt64?
  ) {
    self.type = type
    self.codes = codes
    guard type == "EXC_BAD_ACCESS", let code = codes.first else { return }
    var fault = codes.dropFirst().first ?? 0
    if fault == 0, let address { fault = address }
    self.codes = [code, fault]
    guard let name = MachNames.badAccess(code) ?? codeName else { return }
    subtype = "\(name) at 0x\(fault.hexadecimalDigits(count: 16))"
  }

  /// `EXC_BAD_ACCESS (SIGSEGV), KERN_INVALID_ADDRESS at 0x0000000000000010`.
  package var words: String? {
    var words = type ?? signal
    if let type, let signal { words = "\(type) (\(signal))" }
    let parts = [words, subtype].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
