import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolTools
import TestSupport
import Testing

/// Summaries and JSON of reports without stacks. Sizes are in units of 1,048,576 bytes.
struct EventSummaryTests {
  static let jetsam = #"""
    {"bug_type":"298","timestamp":"2026-01-02 03:04:05.00 +0100","os_version":"iPhone OS 26.1 (23B85)"}
    {
      "product" : "iPhone14,2", "date" : "2026-01-02 03:04:05.67 +0100",
      "build" : "iPhone OS 26.1 (23B85)",
      "memoryStatus" : {"pageSize" : 16384, "memoryPages" : {"active" : 640, "free" : 96}},
      "largestProcess" : "Letters",
      "processes" : [
      {"pid" : 41, "name" : "daemon", "rpages" : 64, "states" : ["daemon"]},
      {"pid" : 812, "name" : "Letters", "rpages" : 16392, "lifetimeMax" : 16448,
       "states" : ["frontmost"], "reason" : "per-process-limit"}
      ]
    }
    """#

  private static let panic = #"""
    {"bug_type":"210","timestamp":"2018-06-10 19:29:54.48 +0000"}
    {"build" : "Bridge OS 2.3.1 (15P5064)", "product" : "iBridge2,1", "panicString" :
      "panic(cpu 0 caller 0xfffffff014aae984): x86 CPU CATERR detected\nKernel version: Darwin 17.6.0\nKernel slide: 0xe200000\nPanicked task 0x1: 2461 pages, 166 threads: pid 0: kernel_task\n\t lr: 0x1  fp: 0x2\nKernel Extensions in backtrace:\n com.apple.A(1.2)[U]@0x1->0x2\n"}
    """#

  private func result(_ text: String, _ form: OutputForm) -> ReportJob.Result {
    var job = ReportJob(symbolPaths: [], form: form)
    return job.symbolicate(Array(text.utf8), shownPath: "event.ips")
  }

  private func summary(_ text: String) -> String {
    String(decoding: result(text, .summary).output, as: UTF8.self)
  }

  @Test func memory() {
    expectEqual(
      summary(Self.jetsam),
      """
      jetsam event, iPhone OS 26.1 (23B85), iPhone14,2, 2026-01-02 03:04:05.67 +0100
      JETSAM ended Letters (pid 812), 256.1 MB (per-process-limit: used more memory than its own limit)
      largest process: Letters (pid 812), 256.1 MB
      memory: active 10.0 MB, free 1.5 MB (pages of 16384 bytes)
      2 processes, 1 of them ended:
        Letters (pid 812), 256.1 MB — per-process-limit, at most 257.0 MB, frontmost

      """)
  }

  @Test func kernelPanic() {
    expectEqual(
      summary(Self.panic),
      """
      kernel panic, Bridge OS 2.3.1 (15P5064), iBridge2,1, 2018-06-10 19:29:54.48 +0000
      kernel panic: x86 CPU CATERR detected
      kernel extensions in the backtrace: com.apple.A (1.2)
      panicked task: kernel_task (pid 0)
      kernel: Darwin 17.6.0
      kernel slide: 0xe200000
      return addresses in the kernel: 1

      """)
  }

  /// What the kernel calls a fault, with the address in words.
  @Test func kernelFaults() {
    let trap = """
      panic(cpu 1 caller 0x1): Kernel trap at 0xffffff801c5aca91, type 14=page fault, registers:
      CR0: 0x8001003b, CR2: 0xffffff870cc02004, CR3: 0x23158000, CR4: 0x3626e0
      Fault CR2: 0xffffff870cc02004, Error code: 0x0000000000000000, Fault CPU: 0x1, PL: 0, VF: 10
      OS version: 25A354
      last started kext at 1: com.example.serial\t6.0 (addr 0x1, size 2)

      """
    expectEqual(
      summary(trap),
      """
      kernel panic, build 25A354
      kernel panic: page fault (kernel trap 14), read of 0xffffff870cc02004 (CR2), where nothing is mapped, at pc 0xffffff801c5aca91
      extension started last, which may have no part in it: com.example.serial (6.0)

      """)
    // The instruction may be in the code of an extension.
    for (range, place) in [
      ("0xffffff801c5a0000->0xffffff801c5affff", ", in org.example.deck (1.2)"),
      ("0xffffff801c5b0000->0xffffff801c5bffff", ""),
      ("0xffffff801c5b0000->0xffffff801c5a0000", ""),
    ] {
      let listed = "\(trap)Kernel Extensions in backtrace:\n   org.example.deck(1.2)@\(range)\n"
      expectContains(summary(listed), ", at pc 0xffffff801c5aca91\(place)\n")
    }
    let abort = """
      panic(cpu 5 caller 0x1): Kernel data abort. at pc 0xfffffe002774c468, lr 0x1 (saved state: 0x2)
      \t  pc:  0xfffffe002774c468 cpsr: 0x60401208 esr: 0x0000000096000006  far: 0x0000000000000058

      """
    expectEqual(
      summary(abort),
      """
      kernel panic
      kernel panic: Kernel data abort, read of 0x58 (far), a null pointer with an offset, at pc 0xfffffe002774c468

      """)
    expectEqual(
      summary("panic(cpu 0 caller 0x1): \"assertion failed\"@/osfmk/vm_map.c:812\n"),
      "kernel panic\nkernel panic: assertion failed (vm_map.c:812)\n")
    expectEqual(
      summary("Debugger message: panic\nPanicked task 0x1: 2 pages, 3 threads: pid 7: daemon\n"),
      """
      kernel panic
      kernel panic, whose words are not in this text
      panicked task: daemon (pid 7)

      """)
  }

  /// A summary, JSON and a page of such a report are what was asked for.
  @Test(arguments: [jetsam, panic]) func factsAreAResult(text: String) {
    for form in [OutputForm.summary, .json, .ndjson, .html] {
      let result = result(text, form)
      expectTrue(result.hasReport)
      expectTrue(result.isComplete)
      expectEmpty(result.problems)
      expectNil(result.inputProblem)
    }
  }

  /// As for every input without a report: a message, its exit status, and the bytes unchanged.
  @Test(arguments: [
    (jetsam, "which lists the memory use of processes and has no stack to symbolicate"),
    (panic, "its addresses belong to the kernel"),
  ])
  func hasNothingToSymbolicate(text: String, words: String) {
    for form in [OutputForm.auto, .crash, .ips] {
      let result = result(text, form)
      expectEqual(result.output, Array(text.utf8))
      expectFalse(result.hasReport)
      expectFalse(result.isComplete)
      expectEmpty(result.notes)
      expectEqual(result.problems.count, 1)
      expectEqual(result.problems.first?.hasSuffix(words), true)
    }
    let listing = UuidListing(paths: ["-"]) { _ in .success(Array(text.utf8)) }
    expectEmpty(listing.items)
    expectFalse(listing.failures.isEmpty)
  }

  @Test func asJson() throws {
    for (text, kind, source) in [
      (Self.jetsam, "memoryLimit", "termination"), (Self.panic, "kernelPanic", "panic"),
    ] {
      let output = Data(result(text, .json).output)
      let document = try JSONDecoder().decode(JsonDocument.self, from: output)
      let report = try require(document.reports.first)
      expectEqual(report.crash.kind, kind)
      expectEqual(report.crash.reasonFrom, source)
      expectEqual(report.crash.confidence, "certain")
      expectEmpty(report.backtraces)
      let evidence = try require(report.crash.evidence.first)
      expectTrue(evidence.offset != nil)
    }
  }

  /// A list that is longer than the line of it says how much is missing.
  @Test(arguments: [(10, "f9"), (12, "f9, … 2 more")])
  func functionsOfLongBacktraces(count: Int, end: String) {
    let frames = (0..<count).map { "0x1 : 0xffffff8018c80\(100 + $0) mach_kernel : f\($0) + 0x1\n" }
    let text = "panic(cpu 1 caller 0x1): no cards\nBacktrace (CPU 1), Frame : Return Address\n"
    expectContains(summary(text + frames.joined()), "f8, \(end)\n")
  }
}
