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
}
