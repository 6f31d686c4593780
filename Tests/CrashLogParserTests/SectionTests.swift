import CrashLogParser
import TestSupport
import Testing

/// Lines that look like frames or images in places where there are none.
struct SectionTests {
  @Test func nothingOutsideOfThreadsIsAFrame() throws {
    let text = try ParsedText(
      """
      Process: App [1]
      Path: /App

      0   Prose 0x10 f + 1

      VM Regions Near 0x11212c000:
      1 MALLOC 0x1000 2 + 3
      --> mapped file 000000011212c000-000000011212d000 [ 4K] r-x/r-x SM=PRV

      Application Specific Information:
      2   Prose 0x10 0x8 + 8

      Thread 0 Crashed:: Dispatch queue: q
      0   App 0x10 f + 1

      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000000  rbx: 0x0000000000000001
      3   Registers 0x10 0x8 + 8
        
      Logical CPU:     0
      Error Code:      0x00000006 (no mapping for user data write)
      Trap Number:     14

      Thread 0 instruction stream:
        00 00 00 00 00 00 00 00-00 00 00 00 00 00 00 00  ................
       [c7]04 25 00 00 00 00 00-00 00 00 00 00 00 00 55  ..%............U\t<==
      4   Stream 0x10 0x8 + 8

      Binary Images:
      0x1000 - 0x1fff A (1) <BDE08A08-D8CF-3E6B-8CEE-8AB2CF246CCB> /A
      5   Images 0x10 0x8 + 8

      External Modification Summary:
        Calls made by other processes targeting this process:
          task_for_pid: 0
      0x3000 - 0x3fff B (1) <BDE08A08-D8CF-3E6B-8CEE-8AB2CF246CCB> /B

      VM Region Summary:
      6   Tables 0x10 0x8 + 8

                                      VIRTUAL   REGION 
      REGION TYPE                        SIZE    COUNT (non-coalesced) 
      TOTAL                              1.0G      400 

      Thank you
      """)
    let report = try text.report
    expectEqual(report.allFrames.map(\.imageName), ["App"])
    expectEqual(report.images.map(\.name), ["A"])
    expectEmpty(report.faults)
    expectSuffix(text[report.byteRange], "1.0G      400 ")
    let state = try require(report.threadStates.first)
    expectEqual(report.threadStates.count, 1)
    expectEqual(state.threadNumber, 0)
    expectEqual(state.flavor, "X86 Thread State (64-bit)")
    expectPrefix(text[state.byteRange], "Thread 0 crashed with")
    expectSuffix(text[state.byteRange], "Trap Number:     14")
    expectNesting(report, "sections")
  }

  @Test func theStateOfAnUnknownThread() throws {
    let report = try ParsedText(
      "Process: App [1]\nPath: /App\n\nThread 0:\n0   App 0x10 f + 1\n\n"
        + "Unknown thread crashed with unknown flavor: 5, state_count: 1\n"
    ).report
    expectEqual(report.threadStates.map(\.threadNumber), [nil])
    expectEqual(report.threadStates.map(\.flavor), ["unknown flavor: 5, state_count: 1"])
  }

  /// KSCrash appends a crash of its own handler.
  @Test func aSecondCrashIsPartOfTheReport() throws {
    let report = try ParsedText(
      """
      Process: App [1]
      Path: /App

      Thread 0 Crashed:
      0   App                             0x1010 0x1000 + 16 (f + 8)

      Binary Images:
      0x1000 - 0x1fff A arm <(null)> /A

      Handler crashed while reporting:

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Crashed Thread:  7

      Thread 7 Crashed:
      0   App                             0x1020 0x1000 + 32 (g + 8)
      """
    ).report
    expectEqual(report.threads.map(\.number), [0, 7])
    expectEqual(report.threads.map(\.frames.count), [1, 1])
    expectEqual(report.threads.map(\.isCrashed), [true, false])
  }
}
