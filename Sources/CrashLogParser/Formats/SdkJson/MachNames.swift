internal import SymbolicationModel

/// What the numbers of the kernel are called in reports. Source: XNU, osfmk/mach/exception_types.h,
/// osfmk/mach/kern_return.h and bsd/sys/signal.h.
enum MachNames {
  /// `EXC_BAD_ACCESS` for 1; nil for a number without a name, and for 0, which is no exception.
  static func exception(_ number: UInt64) -> String? {
    number > 0 && number <= exceptions.count ? exceptions[Int(number) - 1] : nil
  }

  private static let exceptions = [
    "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "EXC_EMULATION", "EXC_SOFTWARE",
    "EXC_BREAKPOINT", "EXC_SYSCALL", "EXC_MACH_SYSCALL", "EXC_RPC_ALERT", "EXC_CRASH",
    "EXC_RESOURCE", "EXC_GUARD", "EXC_CORPSE_NOTIFY",
  ]

  /// The first code of a bad access: `KERN_INVALID_ADDRESS` for 1.
  static func badAccess(_ code: UInt64) -> String? {
    switch code {
    case 1: "KERN_INVALID_ADDRESS"
    case 2: "KERN_PROTECTION_FAILURE"
    case 10: "KERN_MEMORY_ERROR"
    case 50: "KERN_CODESIGN_ERROR"
    default: nil
    }
  }

  /// `SIGSEGV` for 11, by Darwin's numbers.
  static func signal(_ number: UInt64) -> String? {
    switch number {
    case 1: "SIGHUP"
    case 2: "SIGINT"
    case 3: "SIGQUIT"
    case 4: "SIGILL"
    case 5: "SIGTRAP"
    case 6: "SIGABRT"
    case 7: "SIGEMT"
    case 8: "SIGFPE"
    case 9: "SIGKILL"
    case 10: "SIGBUS"
    case 11: "SIGSEGV"
    case 12: "SIGSYS"
    case 13: "SIGPIPE"
    case 14: "SIGALRM"
    case 15: "SIGTERM"
    default: nil
    }
  }
}

extension ReportFacts.CrashException {
  /// Takes a Mach exception. The address of a bad access is its second code, and writers have it
  /// elsewhere too.
  mutating func take(mach type: String?, codes: [UInt64], codeName: String?, address: UInt64?) {
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
  var words: String? {
    var words = type ?? signal
    if let type, let signal { words = "\(type) (\(signal))" }
    let parts = [words, subtype].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
