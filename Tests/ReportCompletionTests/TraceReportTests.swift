import Foundation
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing
import Wording

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
      Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x8

      0x00005555555554f0 shapes-pie.elf!UnknownFunction(0x14f0)
      0x0000555555555320 shapes-pie.elf!UnknownFunction(0x131f)

      """,
      """
      Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x8

      0x00005555555554f0 shapes-pie.elf!area_of [shapes.c:20]
      0x0000555555555320 shapes-pie.elf!main [main.c:8]

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
    // Google's pages, and Unity's Logcat window.
    (
      """
      backtrace:
        #00  pc 0x00000000000014f0  /data/app/lib/shapes-pie.elf (Page::load(Page*, bool))
        #01  pc 000000000000131f (main at ??:?)  /data/app/lib/shapes-pie.elf

      """,
      """
      backtrace:
        #00  pc 0x00000000000014f0  /data/app/lib/shapes-pie.elf (area_of+16) shapes.c:20
        #01  pc 000000000000131f (main+31) main.c:8  /data/app/lib/shapes-pie.elf

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

  /// What names no image: two functions of the file that fit each other, or a map, say where it
  /// was.
  private static let unnamedTraces: [(input: String, output: String)] = [
    (
      """
      (gdb) bt
      #0  0x00005555555554f0 in area_of ()
      #1  0x0000555555555320 in main ()
      #2  0x000055555555557f in ?? ()
      #3  0x00007ffff7de0d0a in __libc_start_main () from /lib/libc.so.6

      """,
      """
      (gdb) bt
      #0  0x00005555555554f0 in area_of () at shapes.c:20
      #1  0x0000555555555320 in main () at main.c:8
      #2  0x000055555555557f in scale ()
      #3  0x000055555555557f in rectangle () at shapes.c:15
      #4  0x000055555555557f in area_of () at shapes.c:28
      #5  0x000055555555557f in sum_of_areas () at shapes.c:34
      #6  0x00007ffff7de0d0a in __libc_start_main () from /lib/libc.so.6

      """
    ),
    (
      """
      #0  0x00005555555554f0 in ?? ()
      (gdb) info proc mappings
          0x555555554000     0x555555555000     0x1000        0x0  r--p   /home/u/shapes-pie.elf
          0x555555555000     0x555555556000     0x1000     0x1000  r-xp   /home/u/shapes-pie.elf

      """,
      """
      #0  0x00005555555554f0 in area_of () at shapes.c:20
      (gdb) info proc mappings
          0x555555554000     0x555555555000     0x1000        0x0  r--p   /home/u/shapes-pie.elf
          0x555555555000     0x555555556000     0x1000     0x1000  r-xp   /home/u/shapes-pie.elf

      """
    ),
  ]

  @Test(arguments: unnamedTraces.indices) func framesWithoutImages(index: Int) {
    let trace = Self.unnamedTraces[index]
    let output = symbolicate(trace.input)
    expectEqual(output, trace.output)
    expectEqual(symbolicate(output), output)
  }

  /// What was completed has names in the places of distances, which may have joined it.
  @Test(arguments: traces.indices) func aCompletedTraceFitsItsFile(index: Int) {
    var job = ReportJob(symbolPaths: [Self.program], options: SymbolicationOptions())
    let again = job.symbolicate(Array(Self.traces[index].output.utf8), shownPath: "trace")
    expectEqual(again.unfitFiles.map(\.path), [])
  }

  /// One function alone may lead anywhere, and so do functions that do not fit each other.
  @Test(arguments: ["#1  0x0000555555555320 in other ()", "#1  0x0000555555555fff in main ()"])
  func oneFunctionPlacesNothing(second: String) {
    let trace = "#0  0x00005555555554f0 in area_of ()\n\(second)\n"
    expectEqual(symbolicate(trace), trace)
  }

  /// A list of addresses becomes frames, as in Apple's reports.
  @Test func addressList() {
    let trace = """
      *** First throw call stack:
      (0x5555555554f0 0x555555555320 0x182e6422c)

      """
    expectEqual(symbolicate(trace), trace)
    let bases = ["shapes-pie.elf": LoadAddress(0x5555_5555_4000)]
    let output = symbolicate(trace, loadAddresses: bases)
    expectEqual(
      output,
      """
      *** First throw call stack:
      0   shapes-pie.elf                \t0x00005555555554f0 area_of + 16 (shapes.c:20)
      1   shapes-pie.elf                \t0x0000555555555320 main + 32 (main.c:8)
      2   ???                           \t0x0000000182e6422c 0 + 6491095596

      """)
    expectEqual(symbolicate(output, loadAddresses: bases), output)
  }

  /// gfortran: the place of a frame is on the next line, or behind the name.
  @Test func fortran() {
    let trace = """
      Backtrace for this error:
      #0  0x5555555554f0 in ???
      #1  0x55555555531f in main
      \tat main.c:8
      #2  0x5555555554f0

      """
    let bases = ["shapes-pie.elf": LoadAddress(0x5555_5555_4000)]
    let output = symbolicate(trace, loadAddresses: bases)
    expectEqual(
      output,
      """
      Backtrace for this error:
      #0  0x5555555554f0 in area_of at shapes.c:20
      #1  0x55555555531f in main
      \tat main.c:8
      #2  0x5555555554f0 in area_of at shapes.c:20

      """)
    expectEqual(symbolicate(output, loadAddresses: bases), output)
  }

  /// The package swift-backtrace: the name and the place are behind a comma.
  @Test func swiftServer() {
    let trace = """
      Received signal 11. Backtrace:
      0x5555555554f0
      0x55555555531f, main at /src/main.c:8
      0x5555555554f0

      """
    let bases = ["shapes-pie.elf": LoadAddress(0x5555_5555_4000)]
    let output = symbolicate(trace, loadAddresses: bases)
    expectEqual(
      output,
      """
      Received signal 11. Backtrace:
      0x5555555554f0, area_of at shapes.c:20
      0x55555555531f, main at /src/main.c:8
      0x5555555554f0, area_of at shapes.c:20

      """)
    expectEqual(symbolicate(output, loadAddresses: bases), output)
  }

  /// Why nothing was looked up, once for each image.
  @Test(arguments: [
    (
      "0   shapes-pie.elf   0x00005555555554f0 area_of + 16\n"
        + "1   shapes-pie.elf   0x0000555555555320 midpoint + 16\n",
      "no lines for 2 frames of shapes-pie.elf; $ is from a different build: its functions are not at these addresses"
    ),
    (
      "0   shapes-pie.elf   0x00005555555554f0 area_of + 4096\n"
        + "1   App   0x0000555555555320 main + 16\n",
      "no lines for 1 frame of shapes-pie.elf; $ is from a different build: area_of + 4096 is outside of the function"
    ),
    (
      "0   shapes-pie.elf   0x00005555555554f0 f + 16\n1   App   0x0000555555555320 main + 16\n",
      "no lines for 1 frame of shapes-pie.elf; $ does not have the functions that the report names, or has them more than once; give -l 'shapes-pie.elf=0xADDRESS', where it was loaded"
    ),
    (
      "ABI: 'arm64'\nbacktrace:\n  #00 pc 000000000000157f  /data/shapes-pie.elf\n",
      "no symbols for shapes-pie.elf (UUID unknown, arm64): 1 frame unresolved; $ is for x86_64"
    ),
    (
      "* thread #1, stop reason = signal SIGSEGV\n"
        + "  * frame #0: 0x00005555555554f0 shapes-pie.elf`___lldb_unnamed_symbol1\n",
      "no symbols for shapes-pie.elf: 1 frame unresolved; $ may be its symbol file; give -l 'shapes-pie.elf=0xADDRESS', where it was loaded"
    ),
    (
      "#0  0x00005555555554f0 in ?? ()\n",
      "1 frame without an image: give the symbol file with -d, and -l IMAGE=0xADDRESS, where it was loaded"
    ),
  ])
  func refusals(trace: String, message: String) {
    var job = ReportJob(symbolPaths: [Self.program], options: SymbolicationOptions())
    let result = job.symbolicate(Array(trace.utf8), shownPath: "trace")
    expectEqual(String(decoding: result.output, as: UTF8.self), trace)
    let expected = message.replacing("$", with: Self.program)
    #expect(result.outcomeMessages.map(\.text).contains(expected), "\(result.outcomeMessages)")
  }

  /// An image that frames place may also be given with its address.
  @Test func placedTwice() {
    let trace = """
      Received signal 6
      #0 0x5555555554f0 <unknown>
      #1 0x555555555320 (/x/shapes-pie.elf+0x131f)

      """
    let output = symbolicate(
      trace, loadAddresses: ["shapes-pie.elf": LoadAddress(0x5555_5555_4000)])
    expectTrue(output.contains("#0 0x5555555554f0 area_of shapes.c:20"))
  }

  /// Unity writes no extension, and calls the file with the symbols as it likes.
  @Test(arguments: ["libil2cpp.so", "libil2cpp.sym.so", "libil2cpp.dbg.so"])
  func unity(file: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/" + file
    try FileManager.default.copyItem(atPath: Self.program, toPath: path)
    func symbolicate(_ trace: String) -> String {
      var job = ReportJob(symbolPaths: [path], options: SymbolicationOptions())
      return String(
        decoding: job.symbolicate(Array(trace.utf8), shownPath: "trace").output, as: UTF8.self)
    }
    let output = symbolicate(
      """
      \tat libil2cpp.0x14f0 (libil2cpp.so not found)(Native Method)
      \tat libil2cpp.0x131f(Native Method)
      \tat java.lang.Thread.run(Thread.java:923)

      """)
    expectEqual(
      output,
      """
      \tat libil2cpp.0x14f0 (area_of+16) shapes.c:20(Native Method)
      \tat libil2cpp.0x131f (main+31) main.c:8(Native Method)
      \tat java.lang.Thread.run(Thread.java:923)

      """)
    expectEqual(symbolicate(output), output)
  }

  /// Dart's older stacks state distances from a symbol and no addresses in the file. A build-id
  /// that they state rules files of other builds out. Ours is what `readelf -n` prints.
  @Test(arguments: [
    (build: "build_id: '84fb0327b608a1b295490abe37cedc52a83f0b10'\n", isJoined: true),
    (build: "", isJoined: true),
    (build: "build_id: '00112233445566778899aabbccddeeff'\n", isJoined: false),
  ])
  func anchors(build: String, isJoined: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/app.android-x64.symbols"
    let program = try Data(contentsOf: URL(fileURLWithPath: Self.program))
    let text = String(decoding: program, as: UTF8.self)
    expectTrue(text.contains("\0area_of\0"))
    var renamed = program
    while let range = renamed.range(of: Data("\0area_of\0".utf8)) {
      renamed.replaceSubrange(range, with: Data("\0_kDartX\0".utf8))
    }
    try renamed.write(to: URL(fileURLWithPath: path))
    let trace = """
      os: android arch: x64 comp: no sim: no
      \(build)    #00 abs 00005555555554f0 _kDartX+0x10

      """
    var job = ReportJob(symbolPaths: [path], options: SymbolicationOptions())
    let result = job.symbolicate(Array(trace.utf8), shownPath: "trace")
    let output = String(decoding: result.output, as: UTF8.self)
    expectEqual(output.contains("shapes.c:20"), isJoined, output)
    let refusal = result.outcomeMessages.map(\.text).contains { $0.contains("different build") }
    expectEqual(refusal, !isJoined, "\(result.outcomeMessages)")
  }

  /// Of two builds with one name, neither is used. In a directory, no file is found by its name.
  @Test func severalFiles() throws {
    let trace = "./app(+0x14f0)[0x5555555554f0]\n./app(main+0x20)[0x555555555320]\n"
    let directory = try TemporaryDirectory()
    var paths: [String] = []
    for name in ["shapes-pie.elf", "shapes-fixed.elf"] {
      let folder = try directory.makeDirectory(name)
      paths.append(folder + "/app")
      try FileManager.default.copyItem(
        atPath: Fixtures.path("Elf/\(name)"), toPath: folder + "/app")
    }
    func message(_ symbolPaths: [String]) -> [String] {
      var job = ReportJob(symbolPaths: symbolPaths, options: SymbolicationOptions())
      return job.symbolicate(Array(trace.utf8), shownPath: "trace").outcomeMessages.map(\.text)
    }
    let cost = "no symbols for app (UUID unknown): 1 frame unresolved; "
    #expect(
      message(paths).contains(
        cost + "more than one file could be it: \(paths[0]) (x86_64), \(paths[1]) (x86_64)"))
    #expect(
      message([directory.path + "/shapes-pie.elf"]).contains(
        cost + "the report has no UUID of it, so no directory is searched: give -d \(paths[0])"))
  }

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
