import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportFormats

/// What the only panic of a text says.
func panic(_ text: String) throws -> PanicDescription {
  try require(ParsedText(text).report.facts.panic)
}

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
}
