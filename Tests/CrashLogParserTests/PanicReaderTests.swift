import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportFormats

/// Kernel panics, with the lines of XNU's osfmk/kern/debug.c and OSKext.cpp.
struct PanicReaderTests {
  /// The lines of a panic are those that Swift's library has, at each place in a word.
  @Test func linesOfAText() {
    let ends = ["\n", "\r", "\r\n", "\n\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"]
    let others = ["", "\t", "\u{e}", "é", "\u{84}", "\u{2027}", "\u{202a}", "…", "a\u{301}"]
    for end in ends {
      for other in others {
        for count in 0..<12 {
          let run = String(repeating: "x", count: count)
          for text in [run, end, run + end, run + other + end + run + end + end + other] {
            let expected = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            expectEqual(PanicReader.lines(of: text), expected)
          }
        }
      }
    }
  }

  static let text = """
    panic(cpu 1 caller 0xfffffff014aae984): x86 CPU CATERR detected
    Debugger message: panic
    OS version: 15P5064
    Kernel version: Darwin Kernel Version 17.6.0: Sat May  5 19:46:24 PDT 2018
    Kernel slide:     0x000000000e200000
    Kernel text base: 0xfffffff015204000

    Panicked task 0xffffffe0007c85c8: 2461 pages, 166 threads: pid 17: kernel_task
    Panicked thread: 0xffffffe000b72370, backtrace: 0xffffffe01738b530, tid: 337
    \t\t  lr: 0xfffffff0153f96bc  fp: 0xffffffe01738b670
    \t\t  lr: 0xfffffff0152e15f4  fp: 0xffffffe01738b680
    """

  static let intel = """
    Anonymous UUID:       6C1D2091

    Sat Jun 16 14:12:49 2018

    *** Panic Report ***
    panic(cpu 1 caller 0xffffff7f8903c9cf): "GPU Panic: mux-regs 2 \"a\""@/Users/Source/Mux.cpp:127
    Backtrace (CPU 1), Frame : Return Address
    0xffffff92250a31d0 : 0xffffff800786e166
    0xffffff92250a3220 : 0xffffff8007996714
          Kernel Extensions in backtrace:
             com.apple.iokit.IOGraphicsFamily(519.15)[D5F2A20D-CAB0-33B2-91B9-E8755DFC34CB]@0xffffff7f88404000->0xffffff7f8844cfff
                dependency: com.apple.iokit.IOPCIFamily(2.9)[1850E7DA-E707-3027-A3AA-637C80B57219]@0xffffff7f88094000
             com.apple.driver.AppleMuxControl(3.18.48)[09DFEF11-0A5B-369B-91C5-FD32B3E62DD3]@0xffffff7f8902e000->0xffffff7f89040fff

    BSD process name corresponding to current thread: kernel_task

    Mac OS version:
    17E199

    Kernel version:
    Darwin Kernel Version 17.5.0: Fri Apr 13 19:32:32 PDT 2018; root:xnu-4570.51.2~1/RELEASE_X86_64
    System model name: MacBookPro11,3 (Mac-2BD1B31983FE1663)
    """

  @Test(arguments: ["panicString", "string"])
  func json(key: String) throws {
    let escaped = Self.text.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    let type = key == "string" ? "151" : "210"
    let input = """
      {"bug_type":"\(type)","timestamp":"2018-06-10 19:29:54.48 +0000"}
      {
        "build" : "Bridge OS 2.3.1 (15P5064)",
        "product" : "iBridge2,1",
        "\(key)" : "\(escaped)",
        "otherString" : "x"
      }
      """
    let parsed = try ParsedText(input)
    let report = try parsed.report
    expectEqual(report.format, .ipsPanic)
    expectEmpty(report.faults)
    expectEqual(parsed[report.byteRange], input)
    expectEqual(report.facts.system.name, "Bridge OS")
    expectEqual(report.facts.system.build, "15P5064")
    expectEqual(report.facts.date, "2018-06-10 19:29:54.48 +0000")
    expectEqual(report.facts.process.name, "kernel_task")
    expectEqual(report.facts.process.identifier, 17)
    let panic = try require(report.facts.panic)
    expectEqual(panic.message, "x86 CPU CATERR detected")
    expectEqual(panic.kernelVersion, "Darwin Kernel Version 17.6.0: Sat May  5 19:46:24 PDT 2018")
    expectEqual(panic.kernelSlide, "0x000000000e200000")
    expectEmpty(panic.extensions)
    expectEqual(panic.addresses, [0xffff_fff0_153f_96bc, 0xffff_fff0_152e_15f4])
  }

  @Test func text() throws {
    let parsed = try ParsedText(Self.intel + "\n")
    let report = try parsed.report
    expectEqual(report.format, .kernelPanic)
    expectEqual(parsed[report.byteRange], Self.intel)
    let panic = try require(report.facts.panic)
    expectEqual(panic.message, #"GPU Panic: mux-regs 2 "a""#)
    expectEqual(panic.task, "kernel_task")
    expectEqual(panic.systemBuild, "17E199")
    expectEqual(panic.kernelVersion?.hasPrefix("Darwin Kernel Version 17.5.0"), true)
    expectEqual(panic.model, "MacBookPro11,3 (Mac-2BD1B31983FE1663)")
    expectEqual(panic.addresses, [0xffff_ff80_0786_e166, 0xffff_ff80_0799_6714])
    expectEqual(
      panic.extensions.map(\.name),
      [
        "com.apple.iokit.IOGraphicsFamily", "com.apple.driver.AppleMuxControl",
      ])
    expectEqual(panic.extensions.last?.version, "3.18.48")
    expectEqual(
      panic.extensions.last?.addresses, 0xffff_ff7f_8902_e000...0xffff_ff7f_8904_0fff)
  }

  /// A page may have blank lines between all lines, and write the arrow as HTML does.
  @Test(arguments: ["->", "-&gt;", "-> "])
  func blankLinesBetweenExtensions(arrow: String) throws {
    let text = Self.intel.replacing("\n", with: "\n\n").replacing("->", with: arrow)
    let panic = try require(ParsedText("\(text)\n").report.facts.panic)
    expectEqual(
      panic.extensions.map(\.addresses),
      [
        0xffff_ff7f_8840_4000...0xffff_ff7f_8844_cfff,
        0xffff_ff7f_8902_e000...0xffff_ff7f_8904_0fff,
      ])
    expectEqual(panic.task, "kernel_task")
  }

  /// Another processor reset the machine: nothing called `panic()`.
  @Test func resetOfAnotherProcessor() throws {
    let report = try ParsedText(
      """
      {"bug_type":"210","os_version":"Bridge OS 6.2 (19P744)"}
      {
        "build" : "Bridge OS 6.2 (19P744)",
        "kernel" : "Darwin Kernel Version 21.3.0",
        "panicString" : "Unexpected reset (by the SoC):asleep\\nmore"
      }
      """
    ).report
    expectEqual(report.format, .ipsPanic)
    expectEqual(report.facts.panic?.message, "Unexpected reset (by the SoC):asleep")
    expectEqual(report.facts.panic?.kernelVersion, "Darwin Kernel Version 21.3.0")
    let empty = #"{"bug_type":"210"}\#n{"build" : "A", "panicString" : " "}"#
    expectEqual((try? ParsedText(empty).report.facts.panic) ?? nil, nil)
  }

  private func panic(_ text: String) throws -> PanicDescription {
    try require(ParsedText(text).report.facts.panic)
  }

  /// A driver puts its name in front of the quotation mark.
  @Test(arguments: [
    ("nvme: \"Fatal error. A=1\n. B=2\n\"@/Sources/Nvme.cpp:53", "nvme: Fatal error. A=1"),
    ("nvme: \"Fatal error\"@/Sources/Nvme.cpp:53", "nvme: Fatal error"),
    ("the key: \"a\" is bad", "the key: \"a\" is bad"),
  ])
  func quotationsBehindAName(text: String, message: String) throws {
    let panic = try panic("panic(cpu 0 caller 0xffffff7f83e24231): \(text)\nBacktrace:\n")
    expectEqual(panic.message, message)
    expectEqual(panic.source, text.contains("@") ? "Nvme.cpp:53" : nil)
  }

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

  // MARK: Other lines

  @Test func sourceOfAMessage() throws {
    let start = "panic(cpu 9 caller 0xfffffe00529e4738): "
    for (text, message, source) in [
      (
        #""not found in fPendingMemorySet" @IOGPUGroupMemory.cpp:219"#,
        "not found in fPendingMemorySet", "IOGPUGroupMemory.cpp:219"
      ),
      (#""GPU Panic\n"@/BuildRoot/Sources/GPU/GPUPanic.cpp:162"#, "GPU Panic", "GPUPanic.cpp:162"),
      (
        "\"assertion failed: a > 0\nmore words\n\"@/Library/osfmk/vm_map.c:812",
        "assertion failed: a > 0", "vm_map.c:812"
      ),
      ("\"cut in the middle", "cut in the middle", nil), ("btn_rst", "btn_rst", nil),
    ] {
      let panic = try panic(start + text + "\nOS version: 25A354\n")
      expectEqual(panic.message, message)
      expectEqual(panic.source, source, "\(text)")
      expectEqual(panic.systemBuild, "25A354")
    }
  }

  /// What one processor writes about another, and what stands before and behind the words.
  @Test(arguments: [
    (
      "> `Panic(CPU 0, time 31943595888269): NMIPI for spinlock acquisition timeout, spinlock: 0x8\nRAX: 0x1\n",
      "NMIPI for spinlock acquisition timeout, spinlock: 0x8"
    ),
    ("`panic(cpu 0 caller 0xfffffff0): watchdog timeout`\n", "watchdog timeout"),
    (
      "panic(cpu 0 caller 0xfffffff0): Double fault at 0x1, registers:\nCR0: 0x8001003b\nOS version: Not set yet\n",
      "Double fault at 0x1"
    ),
    // A kernel that panics early in the start may spell it so.
    (
      "panic(cpu 0 caller 0xfffffff0): no cards\n\nMac OS version:\nNot yet set\n", "no cards"
    ),
  ])
  func formsOfTheFirstLine(text: String, message: String) throws {
    let panic = try panic(text)
    expectEqual(panic.message, message)
    expectNil(panic.systemBuild)
  }

  @Test func functionsAndExtensions() throws {
    let panic = try panic(
      """
      panic(cpu 1 caller 0xffffff80188c20da): words
      Backtrace (CPU 1), panicked thread: 0xffffff9a378370c8, Frame : Return Address
      0xffffffeebbacb220 : 0xffffff80187573a1 mach_kernel : _handle_debugger_trap + 0x431
      0xffffffeebbacb270 : 0xffffff80188d2876 com.example.driver : __ZN6Driver5startEv + 0x126
      0xffffffeebbacb2b0 : 0xffffff80188c1a7c
      Epoch Time:        sec       usec
        Boot    : 0x687c41b8 0x00039ef8
        Calendar: 0x687c4218 0x000b1c99
      last started kext at 1624147826: com.example.serial\t6.0.0 (addr 0xffffff7fb1cb5000, size 28672)
      loaded kexts:
      com.example.serial\t6.0.0

      """)
    expectEqual(panic.functions, ["_handle_debugger_trap", "__ZN6Driver5startEv"])
    // Those of Apple's and the kernel's are not named.
    expectEqual(panic.owners, [1: "com.example.driver"])
    expectEqual(panic.addresses.count, 3)
    expectEqual(panic.lastExtension?.name, "com.example.serial")
    expectEqual(panic.lastExtension?.version, "6.0.0")
    expectEmpty(panic.extensions)
    // `date -u -d @$((0x687c4218))`
    expectEqual(panic.time, 0x687c_4218)
    let report = try ParsedText("panic(cpu 0 caller 0x1): a\n  Calendar: 0x687c4218 0x1\n").report
    expectEqual(report.facts.date, "2025-07-20 01:10:48 +0000")
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
    let cut = try self.panic(text[..<end] + " ..." + text[rest...])
    expectEqual(cut.fault?.address, 0xdead_bee4)
    let second = try require(text.firstRange(of: "panic(cpu")?.lowerBound)
    expectEqual(try self.panic(String(text[second...])).fault?.name, "Data access (0x300)")
  }

  /// The register has the address of an earlier fault then.
  @Test func otherTrapOfPowerPC() throws {
    let panic = try panic(Self.trapOfPowerPC("0x700 - Program", dsisr: "40000000"))
    expectEqual(panic.fault?.name, "Program (0x700)")
    expectEqual(panic.fault?.hasAddress, false)
    expectNil(panic.fault?.access)
  }

  // MARK: Pasted and cut

  /// A word may be stuck to the first line, and prose may mention `panic()`.
  @Test func wordsAroundTheFirstLine() throws {
    for start in ["mac", "kernel[0]:", "Here: "] {
      let panic = try panic("```\n\(start)\(Self.text)\n```\n")
      expectEqual(panic.message, "x86 CPU CATERR detected", "\(start)")
    }
    for prose in ["It calls `panic()`. One of", "what panic(cpu means", "the panic(\"a\") of"] {
      let panic = try panic("\(prose) them\n\n\(Self.intel)")
      expectEqual(panic.message, "GPU Panic: mux-regs 2 \"a\"")
      expectEqual(panic.source, "Mux.cpp:127")
    }
    // No kernel that names the task, and a word at the first line.
    let lines = Self.intel.replacing("*** Panic Report ***\npanic", with: "ohpanic")
    expectEqual(try panic(lines).extensions.count, 2)
  }

  /// What the watchdog of services says in a line of its own is no part of the sentence above.
  @Test func watchdogOfServices() throws {
    let panic = try panic(
      """
      panic(cpu 1 caller 0x1): userspace watchdog timeout: no successful checkins from cardsd in 120 seconds
      service returned not alive with context : unresponsive dispatch queue(s): com.example.cards
      cardsd has not exited since first loaded
      service: cardsd, total successful checkins in 300 seconds: 30, last successful checkin: 120 seconds ago

      """)
    expectEqual(
      panic.message,
      "userspace watchdog timeout: no successful checkins from cardsd in 120 seconds; service returned not alive with context : unresponsive dispatch queue(s): com.example.cards"
    )
  }

  /// A mail program broke the sentence; the watchdog's panic is none of `panic()`.
  @Test func brokenSentence() throws {
    let text =
      "panic(cpu 8 caller 0x1): watchdog timeout: no checkins from\nwatchdogd in 93 seconds\n"
    expectEqual(
      try panic(text + "Debugger message: panic\nMemory ID: 0xff\n").message,
      "watchdog timeout: no checkins from watchdogd in 93 seconds")
    let report = try ParsedText(
      #"{"bug_type":"210"}\#n{"panicString" : "Debugger message: WDT timeout\n94s ago: 3100m0"}"#
    ).report
    expectEqual(report.facts.panic?.message, "WDT timeout")
  }

  /// The kernel's own memory ran out: without its caller, with a letter for the processor, broken,
  /// or in prose. The words are those of XNU, osfmk/kern/zalloc.c.
  @Test(arguments: [
    "panic(cpu N): @ [data.kalloc.1024],\nlikely due to memory leak in zone [data.kalloc.1024] (20G, 21188208 elements allocated)\n",
    "panic(cpu 8): @\n[data.kalloc.1024], likely due to memory leak in zone [data.kalloc.1024]\n(20G, 21188208 elements allocated)\n",
    "panic(cpu X caller 0xfffffe00288c9d54): @ [data.kalloc.1024], likely due to memory leak in zone [data.kalloc.1024] (20G, 21188208 elements allocated)\n",
    "Both say:\n\n> @ [data.kalloc.1024],\nlikely due to memory leak in zone [data.kalloc.1024]\n(20G, 21188208 elements allocated)\n",
  ])
  func exhaustedZones(text: String) throws {
    let words = "zalloc[3]: zone map exhausted while allocating from zone"
    expectEqual(
      try panic(text.replacing("@", with: words)).message,
      "\(words) [data.kalloc.1024], likely due to memory leak in zone [data.kalloc.1024] (20G, 21188208 elements allocated)"
    )
  }

  @Test(arguments: [
    "panic(cpu N caller 0x…): \"…\"\n", "panic(cpu N) means\n",
    "panic(\"zalloc: zone map exhausted while allocating from zone %s, likely\", a)\n",
    "the zone map exhausted while allocating from zone a\n",
  ])
  func noPanics(text: String) {
    expectEmpty((try? ParsedText(text).reports) ?? [])
  }

  /// The lines of a backtrace without addresses, behind the marks of comments.
  @Test(arguments: ["    #   ", "// ", " * ", "-- ", "; ", ""])
  func functionsWithoutAddresses(mark: String) throws {
    let lines = [
      "panic(cpu 6 caller 0xffffff8012345678): Kernel trap at 0xffffff8012345680, type 0=divide error, registers:",
      "CR0: 0x1, CR2: 0x2, CR3: 0x3, CR4: 0x4", "Panicked task 0x1: pid 149: WindowServer",
      "mach_kernel : _panic + 0x1", "com.example.driver.Board :",
      "  BoardController::setup(Timing const*, ...) + 0x19b",
      "com.example.driver.Board : BoardController::start() + 0x2b", "Kernel slide: 0x200000",
    ]
    let text = lines.map { mark + $0 + "\n" }.joined()
    let panic = try panic(text)
    expectEqual(
      panic.functions,
      ["_panic", "BoardController::setup(Timing const*, ...)", "BoardController::start()"])
    expectEqual(panic.extensions.map(\.name), ["com.example.driver.Board"])
    expectEqual(panic.task, "WindowServer")
  }

  /// What stands around a panic, or is missing of it.
  @Test func pasted() throws {
    func lines(_ start: String) -> String {
      Self.text.split(separator: "\n", omittingEmptySubsequences: false).map { start + $0 }
        .joined(separator: "\n")
    }
    for text in [
      "My Mac:\n\n```\n\(Self.text)\n```\n", "My Mac:\n```\(Self.text)\n```\n",
      "<pre><code>\(Self.text)</code></pre>", lines("> "), lines("    "),
      lines("2018-06-10 19:29:54 kernel: "),
    ] {
      let panic = try panic(text)
      expectEqual(panic.message, "x86 CPU CATERR detected", "\(text.prefix(40))")
      expectEqual(panic.task, "kernel_task")
    }
  }

  /// The first line of a panic may be cut off, and nothing else is then known of its words.
  @Test func cutAbove() throws {
    let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false)
    for first in 1..<4 {
      let panic = try panic(lines[first...].joined(separator: "\n"))
      expectEqual(panic.message, "")
      expectEqual(panic.task, "kernel_task")
      expectEqual(panic.addresses.count, 2)
    }
    #expect(throws: (any Error).self) { try ParsedText("Debugger message: panic\n") }
  }

  /// On Intel, what follows the return addresses begins with the process. Source: XNU,
  /// osfmk/i386/AT386/model_dep.c (`panic_display_process_name`).
  @Test func cutAboveTheProcess() throws {
    let panic = try panic(
      """
      BSD process name corresponding to current thread: deckd

      Mac OS version:
      16C67

      Kernel version:
      Darwin Kernel Version 16.3.0
      last loaded kext at 4614784064: com.example.deck\t6.0.1 (addr 0xffffff7f97ffd000, size 126976)

      """)
    expectEqual(panic.message, "")
    expectEqual(panic.task, "deckd")
    expectEqual(panic.systemBuild, "16C67")
    expectEqual(panic.lastExtension?.name, "com.example.deck")
  }

  /// Only the frames and the list of extensions are left. Source: XNU, libkern/c++/OSKext.cpp
  /// (`OSKext::printKextsInBacktrace`).
  @Test func cutAboveTheExtensions() throws {
    let panic = try panic(
      """
      My Mac restarts:
      ```
      \t\t  lr: 0xfffffe004976da98  fp: 0xfffffe5b037e3a20
      \t\t  lr: 0xfffffe004976c178  fp: 0x0000000000000000
            Kernel Extensions in backtrace:
               org.example.deck(2.3)[F8287B3A-8CA2-3DB7-B123-2A3218172C76]@0xfffffe004f224000->0xfffffe004f45e5af
                  dependency: com.apple.iokit.IOStorageFamily(2.1)[3CC20805-6E02-3C35-9568-C2B099D9B3B8]@0xfffffe004c2a8c20->0xfffffe004c2ca993


      last started kext at 2221459306873: com.example.usb\t1.0 (addr 0xfffffe0048876180, size 3578)
      ```

      """)
    expectEqual(panic.message, "")
    expectEqual(panic.extensions.map(\.name), ["org.example.deck"])
    expectEqual(panic.addresses, [0xffff_fe00_4976_da98, 0xffff_fe00_4976_c178])
    expectEqual(panic.lastExtension?.name, "com.example.usb")
  }

  /// Words about such a list, and one of something else.
  @Test(arguments: [
    "Look for this:\n\nKernel Extensions in backtrace:\n\nand tell me.\n",
    "Kernel Extensions in backtrace:\n  org.example.deck(2.3)\n",
    "The part Kernel Extensions in backtrace:\n  a[F8]@0xfffffe00->0xfffffe01\n",
  ])
  func otherLists(text: String) {
    #expect(throws: (any Error).self) { try ParsedText(text) }
  }

  /// If the words are missing, ARM's syndrome says which abort it was. Source: Arm Architecture
  /// Reference Manual, ESR_EL1: class 0x25 is a data abort, 0x21 one of an instruction, 0x3c a
  /// breakpoint.
  @Test(
    arguments: [
      ("96000006", "data abort in the kernel", .read),
      ("96000046", "data abort in the kernel", .write),
      ("86000006", "instruction abort in the kernel", .execution), ("f2000001", nil, nil),
    ] as [(String, String?, PanicFault.Access?)])
  func registersOfACutPanic(syndrome: String, name: String?, access: PanicFault.Access?) throws {
    let panic = try panic(
      """
      \t  x28: 0x0000000000000000 fp:  0xfffffe701a63b660  lr:  0x30ae7e002e2ed61c  sp:  0xfffffe701a63b640
      \t  pc:  0xfffffe002e414d9c cpsr: 0x20401208         esr: 0x00000000\(syndrome)  far: 0x0000000000000068

      Debugger message: panic
      OS version: 24F74
      Kernel version: Darwin Kernel Version 24.5.0

      """)
    expectEqual(panic.message, "")
    expectEqual(panic.fault?.name, name)
    expectEqual(panic.fault?.access, access)
    expectEqual(panic.fault?.address, name == nil ? nil : 0x68)
    expectEqual(panic.fault?.programCounter, name == nil ? nil : 0xffff_fe00_2e41_4d9c)
    expectEqual(panic.fault?.isUnmapped, name == nil ? nil : true)
  }

  /// The body of an `.ips` alone, and one that ends in the text of the panic.
  @Test func pastedJson() throws {
    let escaped = Self.text.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    let body = """
      {
        "product" : "iBridge2,1",
        "panicString" : "\(escaped)"
      }
      """
    for text in [body, "My Mac:\n\n```\n\(body)\n```\n"] {
      let report = try ParsedText(text).report
      expectEqual(report.format, .ipsPanic)
      expectEqual(report.facts.hardwareModel, "iBridge2,1")
      expectEqual(report.facts.panic?.message, "x86 CPU CATERR detected")
    }
    let end = try require(body.firstRange(of: "Panicked thread")?.lowerBound)
    for text in ["{\"bug_type\":\"210\"}\n" + body[..<end], String(body[..<end])] {
      let panic = try panic(text)
      expectEqual(panic.message, "x86 CPU CATERR detected")
      expectEqual(panic.task, "kernel_task")
      expectEqual(panic.kernelSlide, "0x000000000e200000")
    }
  }

  /// Words that only resemble a panic.
  @Test(arguments: ["*** Panic Report ***\nnothing", "panic(cpu 0 caller 0x1): "])
  func noPanic(text: String) {
    #expect(throws: CrashLogParseError.noReportFound(.kernelPanic)) { try ParsedText(text) }
  }

  @Test func cut() throws {
    let bytes = Array(Self.intel.utf8)
    for end in bytes.indices {
      for report in (try? CrashLogParser.parse(Array(bytes[..<end]))) ?? [] {
        #expect(report.byteRange.upperBound <= end)
      }
    }
  }

  /// The secure page table monitor has the place in the line below the name of what it found.
  @Test func nameInALineOfItsOwn() throws {
    let facts = try ParsedText(
      """
      panic(cpu 0 caller 0xfffffe002c550010): [SPTM] VIOLATION_DECK:
      sptm_deal(sptm.c:31) - expected_cards(0)
      Debugger message: panic

      """
    ).report.facts
    expectEqual(
      facts.panic?.message, "[SPTM] VIOLATION_DECK: sptm_deal(sptm.c:31) - expected_cards(0)")
  }
}
