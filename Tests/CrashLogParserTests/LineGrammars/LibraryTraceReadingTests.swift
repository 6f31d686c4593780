import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Stack traces that libraries print, in the shapes that their writers have: glog's
/// `signalhandler.cc`, Abseil's `examine_stack.cc`, folly's `SignalHandler.cpp`, Breakpad's
/// `stackwalk_common.cc`, Chromium's `stack_trace_posix.cc`, Boost.Stacktrace, Node.js'
/// `debug_utils.cc` and Mono's `mini-posix.c`.
extension TraceTests {
  @Test(arguments: [
    (
      """
      *** Aborted at 1566142608 (unix time) try "date -d @1566142608" if you are using GNU date ***
      PC: @     0x7fb47f0a1bd6 app::Page::load()
      *** SIGSEGV (@0x8) received by PID 3009 (TID 0x7fb47f7a1740) from PID 8; stack trace: ***
          @          0x220c992 google::(anonymous namespace)::FailureSignalHandler()
          @     0x7fb47e1f14b0 (unknown)
          @     0xfffc26e507bf ([vdso]+0x7be)

      """,
      [
        "- app::Page::load()", "- google::(anonymous namespace)::FailureSignalHandler()", "- ?",
        "[vdso] ?",
      ], "SIGSEGV"
    ),
    (
      """
      *** SIGABRT received at time=1597685257 ***
      PC: @     0x7ff5af672761  (unknown)  raise
          @          0x14fe81d        144  absl::WriteFailureInfo()
          @     0x7ff5af82d110  184382256  (unknown)
          @ ... and at least 1 more frames

      """,
      ["- raise", "- absl::WriteFailureInfo()", "- ?"], "SIGABRT"
    ),
    // folly: addresses without `0x`, and the place of each frame below it.
    (
      """
      *** Signal 11 (SIGSEGV) (0x110) received by PID 123 (pthread TID 0x7f6d) (linux TID 130) (code: address not mapped to object), stack trace: ***
          @ 0000000000cb1234 folly::symbolizer::handle(int, siginfo_t*, void*)
                             ./folly/SignalHandler.cpp:453
          @ 000000000004455f (unknown)
                             /src/signal/sigaction.c:8
                             -> /src/signal/sigaction.c

      """,
      ["- folly::symbolizer::handle(int, siginfo_t*, void*)", "- ?"], "SIGSEGV"
    ),
    (
      "*** Check failure stack trace: ***\n    @     0x559e2704711a\n    @     0x7efc01fac24a\n",
      ["- ?", "- ?"], nil
    ),
  ])
  func glog(text: String, expected: [String], signal: String?) throws {
    let report = try parse(text)
    expectEqual(report.format, .glogBacktrace)
    expectEqual(frames(report), expected)
    expectEqual(report.facts.exception.signal, signal)
    expectEqual(report.backtraces.last?.isCrashed, true)
  }

  /// With the registers of each frame, and the identifiers of the images at the end.
  @Test func minidump() throws {
    let report = try parse(
      """
      Operating system: Mac OS X
                        10.11.4 15E65
      CPU: amd64
           family 6 model 42 stepping 7
           4 CPUs

      Crash reason:  EXC_BAD_ACCESS / KERN_INVALID_ADDRESS
      Crash address: 0x208

      Thread 0 (crashed)
       0  My App!<name omitted> [page.cc : 150 + 0x0]
          rax = 0x00007fa644e0af90   rdx = 0x0000000000000000
          rip = 0x000000010a529444
          Found by: given as instruction pointer in context
       1  My App + 0x1341
          rip = 0x0000000104a11341
          Found by: previous frame's frame pointer
       2  libdyld.dylib!start + 0x1

      Thread 1
       0  libsystem_kernel.dylib!kevent + 0xa
       1  0x1000

      Loaded modules:
      0x104a10000 - 0x104a1ffff  My App  1.0  (main)  (WARNING: No symbols, My App, 24CF8D2651D23C518C532F0E0A2B6E110)

      """)
    expectEqual(report.format, .minidumpStackwalk)
    expectEqual(report.facts.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.facts.architecture, .x86_64)
    expectEqual(report.facts.system.name, "Mac OS X")
    expectEqual(report.backtraces.map(\.number), [0, 1])
    expectEqual(report.backtraces.map(\.isCrashed), [true, false])
    expectEqual(
      frames(report),
      [
        "My App <name omitted> page.cc:150", "My App ?", "libdyld.dylib start",
        "libsystem_kernel.dylib kevent", "- ?",
      ])
    expectEqual(report.allFrames[1].imageOffset, 0x1341)
    let image = try #require(report.images.first)
    expectEqual(image.identity?.description, "24CF8D26-51D2-3C51-8C53-2F0E0A2B6E11")
  }

  @Test(arguments: [
    (
      "Received signal 11 SEGV_MAPERR 000000000000\n#0 0x55c05fef4c29 base::debug::CollectStackTrace()\n"
        + "#1 0x7f363b9c72e0 <unknown>\n#2 0x7f1aa038c520 (/lib/libc.so.6+0x4651f)\n",
      ReportFormat.chromiumBacktrace, ["- base::debug::CollectStackTrace()", "- ?", "libc.so.6 ?"]
    ),
    (
      " 0# load(int) at /src/page.cpp:7\n 1# 0x00007B4BA2229D90 in /lib/libc.so.6\n 2# _start in ./app\n",
      .boostStacktrace, ["- load(int) /src/page.cpp:7", "libc.so.6 ?", "app _start"]
    ),
    (
      "FATAL ERROR: Reached heap limit\n 1: 0x10de92555 node::Abort() (.cold.1) [/usr/bin/node]\n"
        + " 2: 0x1113aa5  [node]\n",
      .nodeBacktrace, ["node node::Abort() (.cold.1)", "node ?"]
    ),
    (
      "Got a SIGABRT while executing native code.\n=====\n\tNative stacktrace:\n=====\n"
        + "\t0x101fa97e0 - /Apps/My App.app/libmono.dylib : handle\n\t0x4e2e74666f736f72 - Unknown\n"
        + "\t0x194c31a8c - /System/UIKitCore : <redacted>\n",
      .monoBacktrace, ["libmono.dylib handle", "- ?", "UIKitCore ?"]
    ),
    (
      "[0] libfoo.so!load + 0x5\n[1] libfoo.so!main [main.cpp : 37 + 0x7]\n",
      .minidumpStackwalk, ["libfoo.so load", "libfoo.so main main.cpp:37"]
    ),
  ])
  func libraries(text: String, format: ReportFormat, expected: [String]) throws {
    let report = try parse(text)
    expectEqual(report.format, format)
    expectEqual(frames(report), expected)
  }

  /// A sanitizer's frames below Chromium's head.
  @Test func namesBehindIn() throws {
    let report = try parse(
      "Received signal 11 SEGV_MAPERR 000000000000\n"
        + "#0 0x564771f446f9 in base::debug::Collect(void**) ./../../base/debug.cc:840:39\n"
        + "#1 0x7f0545ac33a0 in load page.c:7:1\n")
    expectEqual(report.format, .sanitizer)
  }

  /// What looks similar to these.
  @Test(arguments: [
    "@ 0x10 a\n", "@@ -1,2 +3,4 @@ f()\n@@ -9,2 +11,4 @@ g()\n", "@ deadbeef x\n@ deadbeef y\n",
    "0x01 - Read : reads the register\n0x02 - Write : writes it\n",
    "0x10000 - /dev/mem\n0x20000 - /dev/zero\n", "1: 0x1000 first [a]\n2: 0x2000 second [b]\n",
    "12: 0x1234 [x]\n13: 0x1235 [y]\n", "3# of 5 in a\n4# of 5 in b\n",
    "0 a + 0x10\n1 b + 0x20\n", "Received signal 15, stopping\nbye\n",
    "Thread 0 (crashed)\nnothing\n", "PC: @work\n", "*** SIGTERM received at time=1 ***\nbye\n",
    "[0] a + 0x10\n[1] b + 0x20\n", "Operating system: Linux\nCPU: amd64\n",
  ])
  func noLibraryTrace(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// What is above the frames, and a list of addresses, behind what a log puts before each line.
  @Test(arguments: [
    "2026-01-01 10:00:00.123 App[12:345] ", "Jan  1 10:00:00 host App[12]: ", "app-1  | ",
    "2026-01-01T10:00:00.1Z stderr F ", "[pod/app-1/app] 2026-01-01T10:00:00.1Z ",
    "01-01 10:00:00.123  1234  1240 F App     : ", "10:00:00 [ERROR] ",
  ])
  func headsBehindPrefixes(prefix: String) throws {
    let traces = [
      (["*** First throw call stack:", "(0x104a1c2f0 0x104a1c100)"], ReportFormat.callStack),
      (
        ["*** Check failure stack trace: ***", "  @  0x559e2704711a", "  @  0x7efc01fac24a"],
        .glogBacktrace
      ),
      (
        ["Crashed: worker", "0  App  0x246e35c load + 45", "1  libc.dylib  0x637a8 f + 24"],
        .crashlytics
      ),
    ]
    let other = (0..<20).map { "other: line \($0)\n" }.joined()
    for (lines, format) in traces {
      let text = lines.map { prefix + $0 + "\n" }.joined()
      for input in [text, other + text + other] {
        let report = try parse(input)
        expectEqual(report.format, format)
        expectEqual(report.allFrames.count, 2)
      }
    }
  }
}
