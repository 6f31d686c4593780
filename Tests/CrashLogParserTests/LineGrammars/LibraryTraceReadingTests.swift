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
    // The frames of Unreal Engine on Linux, with the prefix that its log has, on Apple's systems,
    // and without addresses.
    (
      "[2026.01.01-09.08.53:375][  0]LogCore: === Critical error: ===\n"
        + "Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x8\n\n"
        + "0x0000000003a2a312 Game!UnknownFunction(0x382a312)\n"
        + "0x00007f602fb285f0 libGame-Core.so!FPage::Load(int) [/src/Page.cpp:177]\n"
        + "0x00007f60271b571f libc.so.6!clone(+0x3e)\n",
      .unrealTrace,
      ["Game ?", "libGame-Core.so FPage::Load(int) /src/Page.cpp:177", "libc.so.6 clone"]
    ),
    (
      "[2026.01.01-09.08.53:375][  0]LogOutputDevice: Error: [Callstack] 0x0000000004bd0c64 Game!UnknownFunction(0x49d0c63)\n"
        + "[2026.01.01-09.08.53:376][  0]LogOutputDevice: Error: [Callstack] 0x0000000004bd0c1c Game!main()\n",
      .unrealTrace, ["Game ?", "Game main()"]
    ),
    (
      "Caught signal\n\nabort Address = 0x7fff77bc51ae (filename not found) [in libsystem_c.dylib]\n"
        + "FPage::Load(int) const Address = 0x1378b82b1 [/src/Page.cpp, line 7] [in Game-Core.dylib]\n",
      .unrealTrace,
      ["libsystem_c.dylib abort", "Game-Core.dylib FPage::Load(int) const /src/Page.cpp:7"]
    ),
    (
      "FPage::Load() Address = 0x1378b82b1 (filename not found) [in Game]\n"
        + "main Address = 0x1378b82c1 [main.cpp:7] [in Game]\n",
      .unrealTrace, ["Game FPage::Load()", "Game main main.cpp:7"]
    ),
    (
      "Assertion failed: !IsRooted() [File:D:\\build\\Object.h] [Line: 178]\n\n"
        + "Editor_Core!FDebug::Fail() [D:\\build\\Assert.cpp:728]\nEditor!main() [D:\\build\\Main.cpp:7]\n",
      .unrealTrace,
      [
        "Editor_Core FDebug::Fail() D:\\build\\Assert.cpp:728",
        "Editor main() D:\\build\\Main.cpp:7",
      ]
    ),
    // A crash of the Dart VM itself.
    (
      "===== CRASH =====\nsi_signo=Segmentation fault(11), si_code=1, si_addr=0x1c\n"
        + "version=2.8.4 (stable) on \"android_ia32\"\npid=8652, thread=8652, isolate=main(0xd4)\n"
        + "  pc 0xd0416679 fp 0xf95fd558 /data/app/x/libflutter.so+0x1216679\n"
        + "  pc 0xee415897 fp 0xf95fd7d8 android::Looper::pollInner(int)+0x3e7\n-- End of DumpStackTrace\n",
      .dartTrace, ["libflutter.so ?", "- android::Looper::pollInner(int)"]
    ),
    // gdb breaks lines in the list of arguments.
    (
      "#3  0x00005573b8841d6a in parse (name=name@entry=0x5573b901a620 \"/a\", id=0x0,\n"
        + "    c=c@entry=0x7fffc688f790) at trace.c:157\n"
        + "#4  0x00005573b884209e in callback (mod=0x7fffc688f6c0, data=<optimized out>,\n"
        + "    arg=0x7fffc688f790)\n    at trace.c:306\n",
      .gdbBacktrace, ["- parse trace.c:157", "- callback trace.c:306"]
    ),
    (
      "Program received signal SIGSEGV, Segmentation fault.\n#0  see (page=0x0, index=7,\n"
        + "    list=0x5555 <pages>) at ./src/page.c:62\n"
        + "#1  0x00007ffff79dd610 in turn (self=0x7ffff7a91050) at ./src/page.c:67\n",
      .gdbBacktrace, ["- see ./src/page.c:62", "- turn ./src/page.c:67"]
    ),
    // Sentry repeats the image and leaves addresses out.
    (
      "EXC_BAD_ACCESS: Attempted to dereference garbage pointer 0x612f6372732f7394.\n\n"
        + "0  Board             Page::turn(std::function<void ()> const&) (Board)\n"
        + "1  Board             main (Board)\n",
      .crashlytics, ["Board Page::turn(std::function<void ()> const&)", "Board main"]
    ),
    // lldb with a format of frames that leaves addresses out.
    (
      "* thread #1, stop reason = signal SIGSEGV\n  * frame #0: App`load(page=0x0) at page.c:5:3\n"
        + "    frame #1: App`-[Page open:](self=0x1, _cmd=\"open:\") at Page.m:9\n"
        + "    frame #2: App`main(argc=1) at main.c:12:7 [opt]\n",
      .lldbBacktrace, ["App load page.c:5", "App -[Page open:] Page.m:9", "App main main.c:12"]
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

  /// Crashlytics names the build of an image whose dSYM it does not have.
  @Test(arguments: ["Missing", "\u{7F3A}\u{5C11}"]) func missingDsym(word: String) throws {
    let report = try parse(
      "Fatal Exception: NSRangeException\n0  CoreFoundation  0x83f20 __exceptionPreprocess\n"
        + "1  Clarity  0x10e58 (\(word) UUID 79d7c951c053365a83bdfef180a2e07e)\n"
        + "2  Clarity  0xc114 (\(word) UUID 79d7c951c053365a83bdfef180a2e07e)\n")
    expectEqual(frames(report), ["CoreFoundation __exceptionPreprocess", "Clarity ?", "Clarity ?"])
    let image = report.images.first { $0.name == "Clarity" }
    expectEqual(image?.identity?.description, "79D7C951-C053-365A-83BD-FEF180A2E07E")
  }

  /// Each number counts from the start of the image; that of a return address is one less.
  @Test func factsOfUnrealEngine() throws {
    let report = try parse(
      "Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x8\n"
        + "Assertion failed: Page != nullptr [File:/src/Page.h] [Line: 7]\n\n"
        + "0x0000555555400695 Game!UnknownFunction(0x695)\n"
        + "0x00005555554006b6 Game!UnknownFunction(0x6b5)\n")
    expectEqual(report.facts.exception.signal, "SIGSEGV")
    expectEqual(report.facts.exception.codes, [1, 8])
    expectEqual(report.facts.applicationInformation, ["Assertion failed: Page != nullptr"])
    expectEqual(report.images.map(\.loadAddress.value), [0x5555_5540_0000])
    expectEqual(report.allFrames.map(\.imageOffset), [0x695, 0x6b6])
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
      (["./app(load+0x12) [0x55d1f0a3]", "/lib/libc.so.6(+0x3c05) [0x7f1a2b3c]"], .glibcBacktrace),
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
