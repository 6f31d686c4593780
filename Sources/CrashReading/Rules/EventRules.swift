package import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Reports about the whole system: memory that ran out, and panics of the kernel.
enum EventRules {
  /// Source: Apple, "Identifying high-memory use with jetsam event reports".
  package static func memory(_ scene: CrashScene) -> CauseFinding? {
    guard let memory = scene.facts.memory else { return nil }
    let killed = memory.killed
    guard let first = killed.first else {
      return CauseFinding(
        .memoryLimit,
        "the system was short of memory; the report does not say which process it ended",
        .certain, [scene.field("largestProcess")])
    }
    let reasons = killed.compactMap(\.reason).withoutRepetitions
    let words = reasons.map { reason in
      EndingCode.meaning(ofMemoryWord: reason).map { "\(reason): \($0)" } ?? reason
    }
    let text = memory.text(of: first)
    let who = killed.count == 1 ? text : "\(killed.count) processes, the largest \(text)"
    var evidence: [CauseEvidence?] = killed.prefix(evidenceLimit).map { process in
      CauseEvidence(
        source: .field("reason"), text: "\(process.reason ?? ""): \(memory.text(of: process))",
        byteRange: process.byteRange)
    }
    evidence.append(scene.field("largestProcess"))
    return CauseFinding(
      .memoryLimit, "JETSAM ended \(who) (\(words.joined(separator: "; ")))", .certain, evidence)
  }

  /// Source: XNU, osfmk/kern/debug.c, and what `PanicFault` names.
  static func panic(_ scene: CrashScene) -> CauseFinding? {
    guard let panic = scene.facts.panic else { return nil }
    let message = scene.field("panicString", "string").map { field in
      CauseEvidence(source: field.source, text: panic.message, byteRange: field.byteRange)
    }
    var evidence = [message ?? (panic.message.isEmpty ? nil : part("panic", panic.message))]
    if let fault = panic.fault, fault.hasAddress {
      evidence.append(scene.register(fault.addressRegister, fault.address))
    }
    evidence.append(panic.kernelVersion.map { part("Kernel version", $0) })
    for one in panic.extensions.prefix(evidenceLimit) {
      evidence.append(part("Kernel Extensions in backtrace", one.text))
    }
    return CauseFinding(.kernelPanic, "kernel panic\(words(of: panic))", .certain, evidence)
  }

  /// Frames of the kernel alone, without what it says: its innermost ones only run in a panic.
  ///
  /// Source: XNU, osfmk/kern/debug.c, osfmk/i386/trap.c, osfmk/arm64/sleh.c.
  static func kernelFrames(_ scene: CrashScene) -> CauseFinding? {
    let ending = scene.frames.prefix { ["mach_kernel", "kernel"].contains($0.imageName) }
    guard
      let frame = ending.first(where: { frame in
        frame.function.map { panicFunctions.contains($0) } == true
      })
    else { return nil }
    let isFault = ending.contains { $0.function.map { faultFunctions.contains($0) } == true }
    return CauseFinding(
      .kernelPanic, "kernel panic\(isFault ? ": a fault in the kernel (kernel_trap)" : "")",
      .certain, [scene.evidence(frame)])
  }

  private static let panicFunctions = faultFunctions.union([
    "panic", "panic_trap_to_debugger", "handle_debugger_trap", "DebuggerTrapWithState", "Debugger",
    "_panic",
  ])
  private static let faultFunctions: Set = [
    "kernel_trap", "panic_trap", "sleh_synchronous", "handle_kernel_abort",
    "panic_with_thread_kernel_state",
  ]

  private static func words(of panic: PanicDescription) -> String {
    if let fault = panic.fault { return ": \(fault.text)\(place(of: panic))" }
    guard !panic.message.isEmpty else {
      let other = panic.extensions.first { !$0.name.hasPrefix("com.apple.") }
      return ", whose words are not in this text"
        + (other.map { "; \($0.text) is in its backtrace" } ?? "")
    }
    return
      ": \(panic.message)\(endOfFirstProcess(panic.message))\(panic.source.map { " (\($0))" } ?? "")"
  }

  /// ` (SIGBUS)` behind the reason for which the first process (launchd) exited, in numbers:
  /// `initproc exited -- exit reason namespace 2 subcode 0xa description: none`.
  ///
  /// Source: XNU, bsd/kern/kern_exit.c (`launchd_exit_reason_…`), bsd/sys/reason.h.
  private static func endOfFirstProcess(_ message: String) -> String {
    guard message.hasPrefix("initproc "),
      let namespace = message.word(after: "exit reason namespace ", of: \.isDecimalDigit)
        .flatMap({ UInt64($0) }),
      let code = message.word(after: " subcode 0x", of: \.isHexDigit)
        .flatMap({ UInt64($0, radix: 16) })
    else { return "" }
    let name = namespace == 2 ? MachNames.signal(code) : MachNames.terminationNamespace(namespace)
    return name.map { " (\($0))" } ?? ""
  }

  /// `, in Board::start(IOService*)`, the innermost function that the processor's fault was in, if
  /// the kernel wrote names (boot argument `keepsyms=1`). Above it are those that handle the fault.
  /// Without names, the extension whose code has the instruction: `, in org.example.Board (1.2)`.
  private static func place(of panic: PanicDescription) -> String {
    let function = panic.functions.first { name in
      let word = name.drop { $0 == "_" }
      return !handlers.contains { word == $0 }
    }
    if let function { return ", in \(ReadableName.readable(function))" }
    guard let counter = panic.fault?.programCounter else { return "" }
    let owner = panic.extensions.first { $0.addresses?.contains(counter) == true }
    return owner.map { ", in \($0.text)" } ?? ""
  }

  /// Source: XNU, osfmk/kern/debug.c, osfmk/i386/trap.c, idt64.s and osfmk/kdp/kdp_udp.c,
  /// osfmk/arm64/sleh.c.
  private static let handlers: Set<Substring> = [
    "panic", "panic_trap_to_debugger", "panic_with_thread_kernel_state", "panic_trap",
    "handle_debugger_trap", "kdp_i386_trap", "kdp_raise_exception", "kdp_call_kdb",
    "kernel_trap", "trap_from_kernel", "return_from_trap", "hndl_alltraps", "hndl_double_fault",
    "DebuggerWithContext", "DebuggerTrapWithState", "Debugger", "debugger_collect_diagnostics",
    "sleh_synchronous", "handle_kernel_abort", "fleh_synchronous", "lo_alltraps", "hi64_sysenter",
  ]

  /// A part of the text of a panic.
  private static func part(_ name: String, _ text: String) -> CauseEvidence {
    CauseEvidence(source: .field(name), text: text, byteRange: nil)
  }

  private static let evidenceLimit = 16
}

extension MemoryEvent {
  /// `Facebook (pid 1518), 256.3 MB`.
  package func text(of process: Process) -> String {
    let name = process.name ?? "a process without a name"
    let identifier = process.identifier.map { " (pid \($0))" } ?? ""
    return "\(name)\(identifier)\(size(pages: process.pages).map { ", \($0)" } ?? "")"
  }

  /// `256.3 MB`, of 1,048,576 bytes each; `2050 pages` if the size of a page is not known.
  package func size(pages: UInt64?) -> String? {
    guard let pages else { return nil }
    guard let bytes = byteCount(pages: pages) else { return "\(pages) pages" }
    let tenths = (((bytes & 0xf_ffff) * 10) + 0x8_0000) >> 20
    return tenths == 10 ? "\((bytes >> 20) + 1).0 MB" : "\(bytes >> 20).\(tenths) MB"
  }
}

extension PanicFault {
  /// `page fault (kernel trap 14), read of 0xffffff870cc02004 (CR2), where nothing is mapped, at pc
  /// 0xffffff801c5aca91`; `Kernel data abort, read of 0x58 (far), a null pointer with an offset, at
  /// pc 0xfffffe002774c468`.
  fileprivate var text: String {
    var parts = ["\(name)\(trap.map { " (kernel trap \($0))" } ?? "")"]
    if hasAddress, let address {
      let verb =
        access.map { $0 == .execution ? "execution at" : "\($0.rawValue) of" } ?? "access to"
      parts.append("\(verb) \(address.hexadecimal) (\(addressRegister))")
      if address < Self.nullLimit {
        parts.append(address == 0 ? "a null pointer" : "a null pointer with an offset")
      } else if let isUnmapped {
        parts.append(isUnmapped ? "where nothing is mapped" : "which the protection forbids")
      }
    }
    parts += [note, programCounter.map { "at pc \($0.hexadecimal)" }].compactMap(\.self)
    return parts.joined(separator: ", ")
  }

  /// The first page of ARM's kernel, and a few of Intel's: nothing is ever mapped there.
  private static let nullLimit: UInt64 = 0x4000
}

extension PanicDescription.Extension {
  package var text: String { "\(name)\(version.map { " (\($0))" } ?? "")" }
}
