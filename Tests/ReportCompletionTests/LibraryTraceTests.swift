import ReportRuns
import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing

/// Answers in the stacks that libraries print. The program and its lines are those of
/// ``TraceReportTests``.
struct LibraryTraceTests {
  private static let traces: [(input: String, output: String)] = [
    // glog states the place of the byte before a return address, and Abseil the size of a frame.
    (
      """
      PC: @     0x5555555554f0 (unknown)
      *** SIGSEGV (@0x0) received by PID 8 (TID 0x7f173a5df700) from PID 0; stack trace: ***
          @     0x5555555554f0 (/x/shapes-pie.elf+0x14ef)
          @     0x555555555320 (/x/shapes-pie.elf+0x131f)

      """,
      """
      PC: @     0x5555555554f0 area_of shapes.c:20
      *** SIGSEGV (@0x0) received by PID 8 (TID 0x7f173a5df700) from PID 0; stack trace: ***
          @     0x5555555554f0 area_of shapes.c:20 (/x/shapes-pie.elf+0x14ef)
          @     0x555555555320 main main.c:8 (/x/shapes-pie.elf+0x131f)

      """
    ),
    (
      """
      *** SIGABRT received at time=1597685257 on cpu 5 ***
      PC: @     0x5555555554f0  (unknown)  (unknown)
          @     0x555555555320         32  main

      """,
      """
      *** SIGABRT received at time=1597685257 on cpu 5 ***
      PC: @     0x5555555554f0  (unknown)  area_of shapes.c:20
          @     0x555555555320         32  main main.c:8

      """
    ),
    (
      """
      Thread 0 (crashed)
       0  shapes-pie.elf + 0x14f0
          rip = 0x00005555555554f0
          Found by: given as instruction pointer in context
       1  shapes-pie.elf!main + 0x20

      """,
      """
      Thread 0 (crashed)
       0  shapes-pie.elf!area_of [shapes.c : 20] + 0x14f0
          rip = 0x00005555555554f0
          Found by: given as instruction pointer in context
       1  shapes-pie.elf!main + 0x20

      """
    ),
    (
      """
      Received signal 11 SEGV_MAPERR 000000000000
      #0 0x5555555554f0 <unknown>
      #1 0x555555555320 (/x/shapes-pie.elf+0x131f)

      """,
      """
      Received signal 11 SEGV_MAPERR 000000000000
      #0 0x5555555554f0 area_of shapes.c:20:51
      #1 0x555555555320 main main.c:8:16 (/x/shapes-pie.elf+0x131f)

      """
    ),
    (
      """
       0# 0x00005555555554F0 in ./shapes-pie.elf
       1# 0x0000555555555320 in ./shapes-pie.elf

      """,
      """
       0# 0x00005555555554F0 area_of at shapes.c:20 in ./shapes-pie.elf
       1# 0x0000555555555320 main at main.c:8 in ./shapes-pie.elf

      """
    ),
    (
      """
       1: 0x5555555554f0 node::Abort() [shapes-pie.elf]
       2: 0x555555555320  [shapes-pie.elf]

      """,
      """
       1: 0x5555555554f0 area_of at shapes.c:20 [shapes-pie.elf]
       2: 0x555555555320 main at main.c:8  [shapes-pie.elf]

      """
    ),
    (
      """
      \t0x5555555554f0 - /x/shapes-pie.elf : <redacted>
      \t0x555555555320 - /x/shapes-pie.elf : main

      """,
      """
      \t0x5555555554f0 - /x/shapes-pie.elf : area_of at shapes.c:20
      \t0x555555555320 - /x/shapes-pie.elf : main at main.c:8

      """
    ),
    (
      """
      [bt] (0) ./shapes-pie.elf() [0x5555555554f0]
      [bt] (1) ./shapes-pie.elf() [0x555555555320]

      """,
      """
      [bt] (0) ./shapes-pie.elf(area_of+0x10 at shapes.c:20) [0x5555555554f0]
      [bt] (1) ./shapes-pie.elf(main+0x20 at main.c:8) [0x555555555320]

      """
    ),
    // Easylogging++.
    (
      """
      [1] /x/shapes-pie.elf+0x14f0 [0x5555555554f0]
      [2] /x/shapes-pie.elf:main+0x20 [0x555555555320]

      """,
      """
      [1] /x/shapes-pie.elf+0x14f0 area_of+0x10 at shapes.c:20 [0x5555555554f0]
      [2] /x/shapes-pie.elf:main+0x20 at main.c:8 [0x555555555320]

      """
    ),
  ]

  @Test(arguments: traces.indices) func lines(index: Int) {
    let trace = Self.traces[index]
    func symbolicate(_ input: String) -> String {
      var options = SymbolicationOptions()
      options.loadAddresses = ["shapes-pie.elf": LoadAddress(0x5555_5555_4000)]
      var job = ReportJob(symbolPaths: [Fixtures.path("Elf/shapes-pie.elf")], options: options)
      return String(
        decoding: job.symbolicate(Array(input.utf8), shownPath: "trace").output, as: UTF8.self)
    }
    let output = symbolicate(trace.input)
    expectEqual(output, trace.output)
    // Again, nothing changes.
    expectEqual(symbolicate(output), output)
  }
}
