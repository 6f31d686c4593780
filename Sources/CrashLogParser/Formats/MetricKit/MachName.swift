/// The names of numbers that MetricKit writes where other reports have words.
///
/// Source: github.com/apple-oss-distributions/xnu, osfmk/mach/exception_types.h, bsd/sys/signal.h,
/// osfmk/mach/kern_return.h, bsd/sys/reason.h.
enum MachName {
  /// `EXC_BAD_ACCESS` for 1; the number if it has no name.
  static func exception(_ number: UInt64) -> String { name(number, in: exceptions) ?? "\(number)" }

  /// `SIGSEGV` for 11.
  static func signal(_ number: UInt64) -> String {
    name(number, in: signals) ?? "signal \(number)"
  }

  /// What the first code of a bad access means.
  static func kernelCode(_ number: UInt64) -> String? {
    switch number {
    case 1: "KERN_INVALID_ADDRESS"
    case 2: "KERN_PROTECTION_FAILURE"
    case 10: "KERN_MEMORY_ERROR"
    case 50: "KERN_CODESIGN_ERROR"
    default: nil
    }
  }

  /// The namespace of a reason for ending a process, as crash reports print it.
  static func terminationNamespace(_ number: UInt64) -> String? {
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
    default: nil
    }
  }

  private static func name(_ number: UInt64, in names: [String]) -> String? {
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
