/// A fault of the processor in the kernel, as the first lines of a panic have it.
///
/// Source: XNU, osfmk/i386/trap.c (`panic_trap`) and osfmk/i386/trap.h for Intel,
/// osfmk/arm64/sleh.c (`panic_with_thread_kernel_state`) for ARM, osfmk/arm/trap.c (`sleh_abort`)
/// and osfmk/arm/trap.h for ARM with 32 bits, and osfmk/ppc/trap.c (`trap_type`,
/// `unresolved_kernel_trap`) for PowerPC.
package struct PanicFault: Hashable, Sendable {
  /// What the kernel calls it: `page fault`, `general protection`, `Kernel data abort`.
  package let name: String
  /// The number of the trap, which only Intel has: 14.
  package let trap: Int?
  /// The instruction that failed.
  package private(set) var programCounter: UInt64?
  /// Whether the processor is a PowerPC.
  private let isPowerPC: Bool
  /// The address that was accessed: `CR2` on Intel, `far` on ARM, `DAR` on PowerPC.
  package private(set) var address: UInt64?
  /// Intel's error code of the fault, ARM's exception syndrome (`esr`), or PowerPC's `DSISR`.
  private var code: UInt64?
  /// How the memory was to be used, as ARM's kernel of 32 bits has it (`vm_prot_t`).
  private var rights: UInt64?
  /// The status of the fault of ARM with 32 bits (`fsr`).
  private var status: UInt64?
  /// Whether PowerPC sets the register with the address for this trap.
  private let hasDataAddress: Bool
  /// What Intel's kernel thinks it was: `SMAP fault`.
  package private(set) var note: String?

  /// The register with the address.
  package var addressRegister: String { isPowerPC ? "DAR" : trap == nil ? "far" : "CR2" }

  /// Nil if the words are not of a fault.
  ///
  /// - Parameter message: `Kernel trap at 0x…, type 14=page fault, registers:`, `Kernel data abort.
  ///   at pc 0x…, lr 0x… (saved state: 0x…)`, `0x300 - Data access DAR=0x… PC=0x…`.
  init?(message: String) {
    if message.hasPrefix("0x"), let dash = message.firstRange(of: " - "),
      let vector = UInt64(message[..<dash.lowerBound].dropFirst(2), radix: 16)
    {
      let rest = message[dash.upperBound...]
      let end = rest.firstRange(of: " DAR=")?.lowerBound ?? rest.endIndex
      guard end > rest.startIndex else { return nil }
      (trap, isPowerPC) = (nil, true)
      name = "\(rest[..<end]) (0x\(String(vector, radix: 16)))"
      programCounter = Self.hexadecimal(after: " PC=0x", in: message)
      // Others leave that of an earlier fault in the register.
      hasDataAddress = [0x300, 0x600].contains(vector)
      if hasDataAddress { address = Self.hexadecimal(after: " DAR=0x", in: message) }
      return
    }
    isPowerPC = false
    hasDataAddress = false
    if let name = Self.abort(message) {
      trap = nil
      self.name = name
      programCounter = Self.hexadecimal(after: " at pc 0x", in: message)
      address = Self.hexadecimal(after: "fault_addr=0x", in: message)
      rights = Self.hexadecimal(after: "fault_type=0x", in: message)
    } else if let type = Self.trapType(message) {
      // `14=page fault`; some texts have `type = 14=page fault`.
      let rest = message[type.upperBound...].drop { $0 == " " || $0 == "=" }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let name = rest[digits.endIndex...].drop { $0 == "=" || $0 == " " }
        .prefix { $0 != "," && $0 != ")" }
      guard let trap = Int(digits), !name.isEmpty else { return nil }
      self.trap = trap
      self.name = String(name)
      programCounter = Self.hexadecimal(after: "at 0x", in: message)
    } else if let end = Self.ends.lazy.compactMap({ message.firstRange(of: $0) }).first {
      // Exceptions of coprocessors have the state of another processor.
      let name = message[..<end.lowerBound].trimmingDots
      guard !name.isEmpty else { return nil }
      trap = nil
      self.name = name
      programCounter = Self.hexadecimal(after: "at pc 0x", in: message)
    } else {
      return nil
    }
  }

  /// Where the type of a trap is stated: `Kernel trap at 0x…, type 14=page fault`, and before OS X
  /// 10.5 `Unresolved kernel trap (CPU 2, Type 14=page fault)`.
  ///
  /// Source: XNU, osfmk/i386/trap.c (`panic_trap`).
  private static func trapType(_ message: String) -> Range<String.Index>? {
    if message.hasPrefix("Kernel trap at ") { return message.firstRange(of: ", type ") }
    guard message.hasPrefix("Unresolved kernel trap") else { return nil }
    return message.firstRange(of: "Type ")
  }

  private static let ends = [" at pc 0x", " (saved state: "]

  /// The abort whose registers ARM's kernel prints below the first line of a panic, if that is
  /// missing. Nil for other lines, and for registers of another exception.
  ///
  /// - Parameter registers: `pc:  0x… cpsr: 0x… esr: 0x0000000096000006  far: 0x…`.
  init?(registers: String) {
    guard let syndrome = Self.hexadecimal(after: "esr: 0x", in: registers),
      let address = Self.hexadecimal(after: "far: 0x", in: registers)
    else { return nil }
    // As in `access`.
    switch syndrome >> 26 & 0x3f {
    case 0x21: name = "instruction abort in the kernel"
    case 0x25: name = "data abort in the kernel"
    default: return nil
    }
    (trap, isPowerPC, hasDataAddress) = (nil, false, false)
    programCounter =
      Self.hexadecimal(after: "pc:  0x", in: registers)
      ?? Self.hexadecimal(after: "pc: 0x", in: registers)
    (self.address, code) = (address, syndrome)
  }

  /// `data abort (kernel abort type 4)` of `kernel abort type 4: fault_type=0x3, fault_addr=0x0`,
  /// as XNU writes it for ARM with 32 bits, in later versions with ` at pc 0x…, lr 0x…`
  /// before the colon; `prefetch abort in kernel mode` of `sleh_abort: prefetch abort in kernel
  /// mode: fault_addr=0x0`.
  private static func abort(_ message: String) -> String? {
    let start = "kernel abort type "
    if message.hasPrefix(start), let type = message.dropFirst(start.utf8.count).first {
      switch type {
      case "3": return "prefetch abort (kernel abort type 3)"
      case "4": return "data abort (kernel abort type 4)"
      default: return type.isASCII && type.isNumber ? "\(start)\(type)" : nil
      }
    }
    let handler = "sleh_abort: "
    guard message.hasPrefix(handler), let end = message.firstRange(of: ": fault_")?.lowerBound
    else { return nil }
    let name = message[..<end].dropFirst(handler.utf8.count)
    return name.isEmpty ? nil : String(name)
  }

  /// Takes a line below the first one.
  mutating func take(_ line: String) {
    if isPowerPC {
      // `PC=0x…; MSR=0x…; DAR=0x…; DSISR=0x…; …`: the first state is that of the trap.
      guard code == nil, line.hasPrefix("PC=0x") else { return }
      code = Self.hexadecimal(after: "; DSISR=0x", in: line)
      programCounter = programCounter ?? Self.hexadecimal(after: "PC=0x", in: line)
      if hasDataAddress { address = address ?? Self.hexadecimal(after: "; DAR=0x", in: line) }
    } else if trap != nil {
      // The line `CR0: 0x…, CR2: 0x…` has the register when the panic was written.
      if line.hasPrefix("Fault CR2: ") {
        address = Self.hexadecimal(after: "Fault CR2: 0x", in: line)
        code = Self.hexadecimal(after: "Error code: 0x", in: line)
        note = Self.notes.first { line.contains($0) }
      } else if address == nil, line.hasPrefix("CR0: ") {
        address = Self.hexadecimal(after: "CR2: 0x", in: line)
      }
    } else if line.hasPrefix("cpsr: "), line.contains("fsr: 0x") {
      guard status == nil else { return }
      status = Self.hexadecimal(after: "fsr: 0x", in: line)
      address = address ?? Self.hexadecimal(after: "far: 0x", in: line)
    } else if rights != nil || status != nil {
      // Of 32 bits: `12: 0x…  sp: 0x…  lr: 0x…  pc: 0x…`, above the line with the status.
      guard status == nil, programCounter == nil else { return }
      programCounter = Self.hexadecimal(after: " pc: 0x", in: line)
    } else if address == nil {
      address = Self.hexadecimal(after: "far: 0x", in: line)
      code = code ?? Self.hexadecimal(after: "esr: 0x", in: line)
    }
  }

  private static let notes = ["SMEP/User NX fault", "Kernel NX fault", "SMAP fault"]

  static func hexadecimal(after start: String, in text: String) -> UInt64? {
    guard let start = text.firstRange(of: start)?.upperBound else { return nil }
    return UInt64(text[start...].prefix { $0.isHexDigit }, radix: 16)
  }
}

extension PanicFault {
  package enum Access: String, Hashable, Sendable {
    case read, write, execution
  }

  /// What Intel's error code or ARM's syndrome says about an access to memory.
  ///
  /// Source: Intel SDM, volume 3, "Page-Fault Exception"; Arm Architecture Reference Manual,
  /// ESR_EL1, and of the architecture with 32 bits, DFSR; IBM, PowerPC Microprocessor Family: The
  /// Programming Environments, "DSI Exception" (`DSISR`).
  package var access: Access? {
    if let rights { return rights & 4 != 0 ? .execution : rights & 2 != 0 ? .write : .read }
    guard let code else { return nil }
    if isPowerPC { return hasDataAddress ? code & 0x0200_0000 != 0 ? .write : .read : nil }
    if trap == 14 { return code & 0x10 != 0 ? .execution : code & 2 != 0 ? .write : .read }
    guard trap == nil else { return nil }
    // An abort from the same exception level: of an instruction (0x21), or of data (0x25).
    switch code >> 26 & 0x3f {
    case 0x21: return .execution
    case 0x25: return code & 0x40 != 0 ? .write : .read
    default: return nil
    }
  }

  /// Whether nothing is mapped at the address; false if something is that forbids the access. Nil
  /// if the fault is about something else.
  package var isUnmapped: Bool? {
    // Faults of translation and of permission, in sections and in pages.
    if let status {
      return switch status & 0x40f {
      case 0x5, 0x7: true
      case 0xd, 0xf: false
      default: nil
      }
    }
    guard let code, access != nil else { return nil }
    if trap == 14 { return code & 1 == 0 }
    if isPowerPC {
      return code & 0x4000_0000 != 0 ? true : code & 0x0800_0000 != 0 ? false : nil
    }
    return switch code & 0x3f {
    case 0x04...0x07: true
    case 0x0c...0x0f: false
    default: nil
    }
  }

  /// Whether the address is one: general protection and invalid opcodes leave that of an earlier
  /// fault in the register.
  package var hasAddress: Bool { address != nil && (trap == nil || trap == 14) }
}

extension Substring {
  /// Without a full stop and spaces at the end.
  fileprivate var trimmingDots: String {
    var text = self
    while text.last == "." || text.last == " " { text.removeLast() }
    return String(text)
  }
}
