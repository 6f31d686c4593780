import ReportRuns
import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing

/// Answers in stack traces. The program is `Fixtures/Elf/shapes-pie.elf`; its functions and lines
/// are those that `llvm-symbolizer --inlines` 19 has for 0x14ef (the call before 0x14f0), 0x14f0,
/// 0x131f and 0x157f, and the beginnings of its functions those of `nm`.
struct TraceReportTests {
  private static let program = Fixtures.path("Elf/shapes-pie.elf")

  private func symbolicate(_ input: String, loadAddresses: [String: LoadAddress] = [:]) -> String {
    var options = SymbolicationOptions()
    options.loadAddresses = loadAddresses
    var job = ReportJob(symbolPaths: [Self.program], options: options)
    return String(
      decoding: job.symbolicate(Array(input.utf8), shownPath: "trace").output, as: UTF8.self)
  }

  private static let traces: [(input: String, output: String)] = [
    (
      """
      ./shapes-pie.elf(+0x14f0)[0x5555555554f0]
      ./shapes-pie.elf(main+0x20) [0x555555555320]

      """,
      """
      ./shapes-pie.elf(area_of+0x10 at shapes.c:20)[0x5555555554f0]
      ./shapes-pie.elf(main+0x20 at main.c:8) [0x555555555320]

      """
    ),
    (
      """
      Stack trace of thread 812:
      #0  0x00005555555554f0 n/a (shapes-pie.elf + 0x14f0)
      #1  0x0000555555555320 main (shapes-pie.elf + 0x1320)

      """,
      """
      Stack trace of thread 812:
      #0  0x00005555555554f0 area_of at shapes.c:20 (shapes-pie.elf + 0x14f0)
      #1  0x0000555555555320 main at main.c:8 (shapes-pie.elf + 0x1320)

      """
    ),
    // Three calls are inlined into the last.
    (
      """
      backtrace:
            #00 pc 000000000000157f  /data/app/base.apk!shapes-pie.elf (offset 0x4000)
            #01 pc 000000000000131f  /data/app/base.apk!shapes-pie.elf (main+31)

      """,
      """
      backtrace:
            #00 pc 000000000000157f  /data/app/base.apk!shapes-pie.elf (offset 0x4000) (scale+2)
            #01 pc 000000000000157f  /data/app/base.apk!shapes-pie.elf (offset 0x4000) (rectangle+2) shapes.c:15
            #02 pc 000000000000157f  /data/app/base.apk!shapes-pie.elf (offset 0x4000) (area_of+2) shapes.c:28
            #03 pc 000000000000157f  /data/app/base.apk!shapes-pie.elf (offset 0x4000) (sum_of_areas+31) shapes.c:34
            #04 pc 000000000000131f  /data/app/base.apk!shapes-pie.elf (main+31) main.c:8

      """
    ),
    (
      """
       #0 0x00005555555554f0 (/x/shapes-pie.elf+0x14f0)
       #1 0x0000555555555320 main (/x/shapes-pie.elf+0x1320)

      """,
      """
       #0 0x00005555555554f0 area_of shapes.c:20:51 (/x/shapes-pie.elf+0x14f0)
       #1 0x0000555555555320 main main.c:8:16 (/x/shapes-pie.elf+0x1320)

      """
    ),
    (
      """
      Crashed: com.example.worker
      0  shapes-pie.elf                 0x14f0 (Missing UUID 0102)
      1  shapes-pie.elf                 0x1320 main

      """,
      """
      Crashed: com.example.worker
      0  shapes-pie.elf                 0x14f0 area_of + 20 (shapes.c:20)
      1  shapes-pie.elf                 0x1320 main + 8 (main.c:8)

      """
    ),
    // The distance from `area_of`, which begins at 0x14e0, places all frames of the program.
    (
      """
      * thread #1, stop reason = signal SIGSEGV
        * frame #0: 0x00005555555554f0 shapes-pie.elf`area_of + 16
          frame #1: 0x0000555555555320 shapes-pie.elf`___lldb_unnamed_symbol12 + 32

      """,
      """
      * thread #1, stop reason = signal SIGSEGV
        * frame #0: 0x00005555555554f0 shapes-pie.elf`area_of at shapes.c:20:58
          frame #1: 0x0000555555555320 shapes-pie.elf`main at main.c:8:16

      """
    ),
    (
      """
      x ["0   shapes-pie.elf   0x00005555555554f0 area_of + 16", "1   shapes-pie.elf   0x0000555555555320 shapes-pie.elf + 4896"]

      """,
      """
      x ["0   shapes-pie.elf   0x00005555555554f0 area_of + 16 (shapes.c:20)", "1   shapes-pie.elf   0x0000555555555320 main + 32 (main.c:8)"]

      """
    ),
    (
      """
      Uncaught Kotlin exception: kotlin.IllegalStateException: no page
          at 0   shapes-pie.elf   0x5555555554f0   area_of + 16
          at 1   shapes-pie.elf   0x555555555320   kfun:main + 32

      """,
      """
      Uncaught Kotlin exception: kotlin.IllegalStateException: no page
          at 0   shapes-pie.elf   0x5555555554f0   area_of + 16 (shapes.c:20:51)
          at 1   shapes-pie.elf   0x555555555320   kfun:main + 32 (main.c:8:16)

      """
    ),
  ]

  @Test(arguments: traces.indices) func linesOfTraces(index: Int) {
    let trace = Self.traces[index]
    let output = symbolicate(trace.input)
    expectEqual(output, trace.output)
    // Again, nothing changes.
    expectEqual(symbolicate(output), output)
  }

  /// Functions that contradict each other place nothing, and neither does one that is not there.
  @Test(arguments: ["area_of + 16", "nothing + 16"]) func unplaced(second: String) {
    let trace = """
      0   shapes-pie.elf   0x00005555555554f0 midpoint + 16
      1   shapes-pie.elf   0x0000555555555320 \(second)

      """
    expectEqual(symbolicate(trace), trace)
  }

  /// The user says where the program was.
  @Test func statedLoadAddress() {
    let trace = """
      * thread #1, stop reason = signal SIGSEGV
        * frame #0: 0x00005555555554f0 shapes-pie.elf`___lldb_unnamed_symbol1

      """
    expectEqual(symbolicate(trace), trace)
    #expect(
      symbolicate(trace, loadAddresses: ["shapes-pie.elf": LoadAddress(0x5555_5555_4000)])
        .contains("shapes-pie.elf`area_of at shapes.c:20:58\n"))
  }
}
