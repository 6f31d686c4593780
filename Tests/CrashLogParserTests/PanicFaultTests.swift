import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportFormats

/// What processors and the kernel say about the fault of a panic: osfmk/i386/trap.c, arm64/sleh.c,
/// arm/trap.c and ppc/trap.c of XNU.
struct PanicFaultTests {
  // MARK: Faults

  /// The text of `panic_trap` (osfmk/i386/trap.c).
  static func trap(_ type: String, errorCode: String, note: String = "") -> String {
    """
    panic(cpu 1 caller 0xffffff80188c20da): Kernel trap at 0xffffff801c5aca91, type \(type), registers:
    CR0: 0x000000008001003b, CR2: 0xffffff870cc02004, CR3: 0x0000000023158000, CR4: 0x00000000003626e0
    RAX: 0x000000000000000e, RBX: 0xffffff870cc01ffe, RCX: 0x0000000000000006, RDX: 0x0000000000000020
    RFL: 0x0000000000010293, RIP: 0xffffff801c5aca91, CS:  0x0000000000000008, SS:  0x0000000000000010
    Fault CR2: 0xffffff870cc02004, Error code: 0x\(errorCode), Fault CPU: 0x1\(note), PL: 0, VF: 10

    """
  }

  /// Bits of the error code: 0 protection, 1 write, 4 instruction (Intel SDM, volume 3).
  @Test(arguments: [
    ("0000000000000000", PanicFault.Access.read, true),
    ("0000000000000002", .write, true), ("0000000000000003", .write, false),
    ("0000000000000010", .execution, true), ("0000000000000011", .execution, false),
  ])
  func pageFault(errorCode: String, access: PanicFault.Access, isUnmapped: Bool) throws {
    for type in ["14=page fault", "= 14=page fault"] {
      let fault = try require(panic(Self.trap(type, errorCode: errorCode)).fault)
      expectEqual(fault.name, "page fault")
      expectEqual(fault.trap, 14)
      expectEqual(fault.programCounter, 0xffff_ff80_1c5a_ca91)
      expectTrue(fault.hasAddress)
      expectEqual(fault.address, 0xffff_ff87_0cc0_2004)
      expectEqual(fault.access, access)
      expectEqual(fault.isUnmapped, isUnmapped)
      expectNil(fault.note)
    }
    let noted = Self.trap("14=page fault", errorCode: errorCode, note: " VMM SMAP fault")
    try expectEqual(panic(noted).fault?.note, "SMAP fault")
  }

  /// The words of OS X 10.4, and a mail that broke them or those of later kernels behind `type`.
  @Test(arguments: [
    "Unresolved kernel trap (CPU 2, Type 14=page fault), registers:",
    "Unresolved kernel trap (CPU 2, Type\n14=page fault), registers:",
    "Kernel trap at 0x00136d02, type\n14=page fault, registers:",
  ])
  func trapsOfOldKernelsAndBrokenLines(words: String) throws {
    let text = """
      panic(cpu 2 caller 0x001A4E52): \(words)
      CR0: 0x8001003b, CR2: 0xffffffe0, CR3: 0x00fe0000, CR4: 0x000006e0
      EAX: 0x00000000, EBX: 0x360f4038, ECX: 0x360f4000, EDX: 0x3610e008
      Backtrace, Format - Frame : Return Address (4 potential args on stack)
      0x2b1c3d68 : 0x128a77 (0x3c9540 0x2b1c3d8c 0x131df4 0x0)

      """
    let fault = try require(panic(text).fault)
    expectEqual(fault.name, "page fault")
    expectEqual(fault.trap, 14)
    expectEqual(fault.address, 0xffff_ffe0)
  }

  /// The register has the address of another fault.
  @Test(arguments: ["13=general protection", "6=invalid opcode"])
  func trapWithoutAddress(type: String) throws {
    let fault = try require(panic(Self.trap(type, errorCode: "0")).fault)
    expectEqual("\(fault.trap ?? 0)=\(fault.name)", type)
    expectFalse(fault.hasAddress)
    expectNil(fault.access)
    expectNil(fault.isUnmapped)
  }

  /// The text of `panic_with_thread_kernel_state` (osfmk/arm64/sleh.c). The syndrome has the class
  /// in bits 26 to 31: 0x25 is a data abort, 0x21 one of an instruction; bit 6 is a write, and the
  /// low bits 6 a translation fault, 0xf one of permission.
  @Test(arguments: [
    ("96000006", PanicFault.Access.read, true), ("96000046", .write, true),
    ("9600004f", .write, false), ("86000006", .execution, true),
  ])
  func dataAbort(syndrome: String, access: PanicFault.Access, isUnmapped: Bool) throws {
    let text = """
      panic(cpu 5 caller 0xfffffe0027c2c0f8): Kernel data abort. at pc 0xfffffe002774c468, lr 0xcaa8fe002775e8c4 (saved state: 0xfffffe646afc7490)
      \t  x0:  0x0000000000000000 x1:  0x0000000000000000  x2:  0x0000000000000000  x3:  0x0000000000000000
      \t  pc:  0xfffffe002774c468 cpsr: 0x60401208         esr: 0x00000000\(syndrome)  far: 0x0000000000000058

      OS version: 25A354
      """
    let fault = try require(panic(text).fault)
    expectEqual(fault.name, "Kernel data abort")
    expectNil(fault.trap)
    expectEqual(fault.programCounter, 0xffff_fe00_2774_c468)
    expectEqual(fault.address, 0x58)
    expectEqual(fault.access, access)
    expectEqual(fault.isUnmapped, isUnmapped)
    // iOS 10 and earlier have no program counter there.
    let early = text.replacing(" at pc 0xfffffe002774c468, lr 0xcaa8fe002775e8c4", with: "")
    expectEqual(try panic(early).fault?.name, "Kernel data abort")
    try expectNil(panic(early).fault?.programCounter)
    // Cut below the first line.
    let cut = try panic(String(text.prefix { $0 != "\n" }))
    expectEqual(cut.fault?.name, "Kernel data abort")
    expectEqual(cut.fault?.hasAddress, false)
  }

  /// The text of `sleh_abort` (osfmk/arm/trap.c) in its first and its later form. Types of aborts
  /// are those of osfmk/arm/trap.h, `fault_type` is a `vm_prot_t` (osfmk/mach/vm_prot.h), and `fsr`
  /// that of the Arm Architecture Reference Manual: 5 and 7 translation, 0xd and 0xf permission.
  @Test(
    arguments: [
      ("kernel abort type 4: fault_type=0x3,", "0x00000805", PanicFault.Access.write, true),
      ("kernel abort type 4: fault_type=0x1,", "0x0000000f", .read, false),
      ("kernel abort type 4: fault_type=0x3,", "0x00000808", .write, nil),
      (
        "kernel abort type 4 at pc 0xc0412344, lr 0xc0412000: fault_type=0x1,", "0x00000007", .read,
        true
      ),
      ("kernel abort type 3: fault_type=0x5,", "0x00000005", .execution, true),
    ] as [(String, String, PanicFault.Access, Bool?)])
  func abortOfEarlyPhones(
    start: String, status: String, access: PanicFault.Access, isUnmapped: Bool?
  ) throws {
    let text = """
      \(start) fault_addr=0xe1234010
      r0: 0xc0db0000  r1: 0x00000000  r2: 0xe1234000  r3: 0xffffffff
      12: 0xc018b000  sp: 0xc0d83000  lr: 0xc0412000  pc: 0xc0412344
      cpsr: 0x60000113 fsr: \(status) far: 0xe1234010

      Debugger message: Fatal Exception
      OS version: 5A345
      Kernel version: Darwin Kernel Version 9.3.1: root:xnu-1228.6.76~45/RELEASE_ARM_S5L8900X
      Task 0xc09d0000: 1994 pages, 62 threads: pid 31: springd
      \tthread 0xe03ad000
      \t  lr: 0xc00670b5  fp: 0xea5fbdc8
      """
    for first in ["", "panic(cpu 0 caller 0xC00628CC): "] {
      let report = try ParsedText("The log:\n```\n\(first)\(text)\n```\n").report
      expectEqual(report.format, .kernelPanic)
      let panic = try require(report.facts.panic)
      expectPrefix(panic.message, "kernel abort type ")
      expectEqual(panic.task, "springd")
      expectEqual(panic.taskIdentifier, 31)
      expectEqual(panic.systemBuild, "5A345")
      expectEqual(panic.addresses, [0xc006_70b5])
      let fault = try require(panic.fault)
      expectEqual(fault.address, 0xe123_4010)
      expectEqual(fault.programCounter, 0xc041_2344)
      expectEqual(fault.access, access)
      expectEqual(fault.isUnmapped, isUnmapped)
    }
    // Without the registers.
    let cut = try panic("\(start) fault_addr=0x0")
    expectEqual(cut.fault?.address, 0)
    expectEqual(cut.fault?.access, access)
  }

  @Test func handlerOfAborts() throws {
    let fault = try panic(
      "panic(cpu 0 caller 0x8006a5b5): sleh_abort: prefetch abort in kernel mode: fault_addr=0x10"
    ).fault
    expectEqual(fault?.name, "prefetch abort in kernel mode")
    expectEqual(fault?.address, 0x10)
  }

  /// Prose mentions the words, too.
  @Test(arguments: [
    "kernel abort type 4 far=0x10c right after it", "a kernel abort type 4: fault_type=0x1",
    "kernel abort type 4:",
  ])
  func noAbort(text: String) {
    #expect((try? ParsedText("\(text)\n").report) == nil)
  }

  // MARK: PowerPC

  /// The lines of osfmk/ppc/trap.c and osfmk/ppc/model_dep.c, as Technical Note TN2063 shows them.
  /// The kernel then calls `panic()` with the name of the trap.
  private static func trapOfPowerPC(_ trap: String, dsisr: String) -> String {
    """
    Unresolved kernel trap(cpu 0): \(trap) DAR=0x00000000DEADBEE4 PC=0x0000000000A31B24
    Latest crash info for cpu 0:
       Exception state (sv=0x3C191500)
          PC=0x00A31B24; MSR=0x00009030; DAR=0xDEADBEE4; DSISR=0x\(dsisr); LR=0x00A31C20; R1=0x17443B60; XCP=0x0000000C (\(trap))
          Backtrace:
    0x00A31C20 0x00A187DC\u{20}
             0x005BBE6C
          Kernel loadable modules in backtrace (with dependencies):
             com.example.Cards(4.0.6)@0xa12000
                dependency: com.apple.iokit.IOPCIFamily(1.2)@0x457000
    Proceeding back via exception chain:
       Exception state (sv=0x3C191500)
          previously dumped as "Latest" state. skipping...
       Exception state (sv=0x31F13A00)
          PC=0x00000000; MSR=0x0000D030; DAR=0x00000000; DSISR=0x00000000; LR=0x00000000; R1=0x00000000; XCP=0x00000000 (Unknown)

    Kernel version:
    Darwin Kernel Version 8.8.0: Fri Sep  8 17:18:57 PDT 2006; root:xnu-792.12.6.obj~1/RELEASE_PPC
    panic(cpu 0 caller 0xFFFF0003): \(trap)
    Latest stack backtrace for cpu 0:
          Backtrace:
             0x000954F8 0x00095A10

    """
  }

  /// PowerPC's manual numbers the bits of `DSISR` from the highest: 1 is that nothing is mapped, 4
  /// that the protection forbids it, 6 a store.
  @Test(arguments: [
    ("40000000", PanicFault.Access.read, true), ("42000000", .write, true),
    ("0A000000", .write, false),
  ])
  func dataAccessOfPowerPC(dsisr: String, access: PanicFault.Access, isUnmapped: Bool) throws {
    let text = Self.trapOfPowerPC("0x300 - Data access", dsisr: dsisr)
    let reports = try CrashLogParser.parse(Array("Look:\n\n\(text)".utf8))
    expectEqual(reports.count, 1)
    let panic = try require(reports.first?.facts.panic)
    expectEqual(panic.fault?.name, "Data access (0x300)")
    expectEqual(panic.fault?.address, 0xdead_bee4)
    expectEqual(panic.fault?.addressRegister, "DAR")
    expectEqual(panic.fault?.programCounter, 0xa3_1b24)
    expectEqual(panic.fault?.access, access)
    expectEqual(panic.fault?.isUnmapped, isUnmapped)
    expectEqual(panic.extensions.map(\.name), ["com.example.Cards"])
    expectEqual(Array(panic.addresses.prefix(3)), [0xa3_1c20, 0xa1_87dc, 0x5b_be6c])
    // Cut behind the name, and without the first line.
    let end = try require(text.firstRange(of: " DAR=")?.lowerBound)
    let rest = try require(text.firstRange(of: "\n")?.lowerBound)
    let cut = try CrashLogParserTests.panic(text[..<end] + " ..." + text[rest...])
    expectEqual(cut.fault?.address, 0xdead_bee4)
    let second = try require(text.firstRange(of: "panic(cpu")?.lowerBound)
    expectEqual(
      try CrashLogParserTests.panic(String(text[second...])).fault?.name, "Data access (0x300)")
  }

  /// The register has the address of an earlier fault then.
  @Test func otherTrapOfPowerPC() throws {
    let panic = try panic(Self.trapOfPowerPC("0x700 - Program", dsisr: "40000000"))
    expectEqual(panic.fault?.name, "Program (0x700)")
    expectEqual(panic.fault?.hasAddress, false)
    expectNil(panic.fault?.access)
  }
}
