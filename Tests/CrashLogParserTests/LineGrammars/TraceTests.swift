import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

@testable import RuntimeReports

/// Stack traces of all families, in the shapes that their writers have: Foundation and libc++abi
/// (`callStack`), Firebase's pages, lldb's `frame-format`, gdb, glibc's `backtrace_symbols`,
/// systemd's `coredump-util`, Android's debuggerd, LLVM's `Signals.inc`, Kotlin/Native and Dart.
struct TraceTests {
  func parse(_ text: String) throws -> Report { try ParsedText(text).report }

  func frames(_ report: Report) -> [String] {
    report.allFrames.map { frame in
      let symbol = frame.symbol
      let place = symbol?.file.map { " \($0):\(symbol?.line ?? 0)" } ?? ""
      return "\(frame.imageName ?? "-") \(symbol?.name ?? "?")\(place)"
    }
  }

  static let exception = """
    2026-05-20 11:23:04.212+0200 Demo[12:67] *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 5 beyond bounds'
    *** First throw call stack:
    (
    \t0   CoreFoundation                      0x00000001c0287f24 __exceptionPreprocess + 172
    \t1   My App                              0x0000000104a1c2f0 $s4Demo4PageV4loadyyF + 84
    \t2   My App                              0x0000000104a1c100 My App + 49408
    )
    libc++abi: terminating due to uncaught exception of type NSException

    """

  @Test func uncaughtException() throws {
    let report = try parse(Self.exception)
    #expect(report.format == .callStack && report.faults.isEmpty)
    #expect(report.facts.exception.name == "NSRangeException")
    #expect(report.facts.exception.reason == "index 5 beyond bounds")
    #expect(report.lastExceptionBacktrace?.frames.count == 3)
    #expect(
      frames(report) == [
        "CoreFoundation __exceptionPreprocess", "My App $s4Demo4PageV4loadyyF", "My App ?",
      ])
    #expect(report.allFrames.allSatisfy { $0.addressKind == .returnAddress })
    // 0x104a1c100 - 49408: the other frame of the image is in it, too.
    #expect(report.images.map(\.loadAddress) == [LoadAddress(0x1_04a1_0000)])
    #expect(report.allFrames.map(\.imageOffset) == [nil, 0xc2f0, 0xc100])
  }

  @Test func addressesOfAnException() throws {
    let report = try parse(
      """
      *** Terminating app due to uncaught exception 'E', reason: 'r'
      *** First throw call stack:
      (0x182e6422c 0x194b300e4 0x182d4b160)

      """)
    let addresses = try #require(report.lastExceptionBacktrace).frames.map(\.address)
    #expect(addresses == [0x1_82e6_422c, 0x1_94b3_00e4, 0x1_82d4_b160].map { LoadAddress($0) })
    #expect(report.facts.exception.reason == "r")
  }

  /// An array of Objective-C and one of Swift, a log, a quotation, and a string of JSON.
  @Test(arguments: [
    """
    (
    \t"0   App                       0x0000000104a1c2f0 load + 84",
    \t"1   App                       0x0000000104a1c100 main + 20"
    )
    """,
    """
    (
    \t0   App                       0x0000000104a1c2f0 load + 84,
    \t1   App                       0x0000000104a1c100 main + 20
    )
    """,
    """
    12:00 App[12:345] ["0   App              0x0000000104a1c2f0 load + 84", "1   App   0x0000000104a1c100 main + 20"]
    """,
    """
    2026-01-01 10:00:00.123 App[12:345] hello
    2026-01-01 10:00:00.124 App[12:345] 0   App   0x0000000104a1c2f0 load + 84
    2026-01-01 10:00:00.124 App[12:345] 1   App   0x0000000104a1c100 main + 20
    2026-01-01 10:00:00.125 App[12:345] bye
    """,
    """
    > 0   App   0x0000000104a1c2f0 load + 84
    > 1   App   0x0000000104a1c100 main + 20
    """,
    #"{"stack": "0   App   0x0000000104a1c2f0 load + 84\n1   App   0x0000000104a1c100 main + 20\n\n\n"}"#,
  ])
  func callStackSymbols(text: String) throws {
    let report = try parse(text + "\n")
    #expect(report.format == .callStack)
    #expect(frames(report) == ["App load", "App main"])
    #expect(report.allFrames.map(\.symbol?.offset) == [84, 20])
  }

  /// A return address at the first byte of a function is behind a call in the function before it.
  @Test func nextFunction() throws {
    let report = try parse(
      "0   App   0x0000000104a1c2f0 load + 84\n1   App   0x0000000104a1c100 next + 0\n")
    #expect(frames(report) == ["App load", "App ?"])
  }

  @Test func crashlytics() throws {
    let report = try parse(
      """
      # Crashlytics - Stack trace
      # Platform: ios
      # Version: 3.2 (45)

      EXC_BREAKPOINT 0x0000000104218738

      Crashed: com.apple.main-thread
      0  App                            0x246e35c closure #1 in Page.load() + 45 (Page.swift:45)
      1  libdispatch.dylib              0x637a8 <redacted> + 24

      com.apple.uikit.eventfetch-thread
      0  libsystem_kernel.dylib         0x127c mach_msg_trap + 8

      """)
    #expect(report.format == .crashlytics)
    #expect(report.facts.exception.type == "EXC_BREAKPOINT")
    #expect(report.facts.system.name == "ios" && report.facts.process.version == "3.2 (45)")
    #expect(report.backtraces.map(\.isCrashed) == [true, false])
    #expect(
      report.backtraces.map(\.name)
        == ["com.apple.main-thread", "com.apple.uikit.eventfetch-thread"])
    let first = try #require(report.allFrames.first)
    #expect(first.imageOffset == 0x246e35c && first.symbol?.file == "Page.swift")
    // The number behind the name is the line.
    #expect(first.symbol?.offset == nil)
  }

  @Test func lldb() throws {
    let report = try parse(
      """
      (lldb) bt all
      * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x10)
        * frame #0: 0x0000000100003f50 App`load(page=0x0000000000000000) at page.c:5:3
          frame #1: 0x0000000100003f80 App`main + 32 [opt]
          frame #2: 0x000000018ac9b154
        thread #2, name = 'worker'
          frame #0: 0x000000018afa1234 libsystem_kernel.dylib`__workq_kernreturn + 8

      """)
    #expect(report.format == .lldbBacktrace)
    #expect(report.facts.exception.type == "EXC_BAD_ACCESS")
    #expect(report.facts.exception.codes == [1, 0x10])
    #expect(report.backtraces.map(\.number) == [1, 2] && report.facts.crashedThread == 1)
    #expect(report.backtraces.map(\.name) == [nil, "worker"])
    #expect(report.backtraces[0].dispatchQueue == "com.apple.main-thread")
    #expect(
      frames(report) == [
        "App load(page=0x0000000000000000) page.c:5", "App main", "- ?",
        "libsystem_kernel.dylib __workq_kernreturn",
      ])
    #expect(report.allFrames[0].symbol?.column == 3 && report.allFrames[1].symbol?.offset == 32)
  }

  /// What Crashlytics' pages have above the frames, and how people quote it.
  @Test(arguments: [
    "Fatal Exception: NSRangeException\nindex 3 beyond bounds\n",
    "**Fatal Exception: NSRangeException\nindex 3 beyond bounds**\n\n",
    "Crash Item\t:\tFatal Exception: NSRangeException: index 3 beyond bounds\n",
  ])
  func crashlyticsException(head: String) throws {
    for prefix in ["0x", "0x1b68"] {
      let report = try parse(
        head + "0  CoreFoundation                 \(prefix)13296c __exceptionPreprocess\n"
          + "1  libobjc.A.dylib                \(prefix)006028 objc_exception_throw\n")
      #expect(report.facts.exception.name == "NSRangeException")
      #expect(report.facts.exception.reason == "index 3 beyond bounds")
      #expect(
        frames(report) == [
          "CoreFoundation __exceptionPreprocess", "libobjc.A.dylib objc_exception_throw",
        ])
    }
  }

  /// A number that no file has as a line is a distance, unless it is an address.
  @Test func crashlyticsNumbers() throws {
    let report = try parse(
      """
      Crashed: com.apple.main-thread
      EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000010
      0  App                            0x2710e8 dtoa_fixedpoint + 229944
      1  App                            0x2711e0 Page.load() + 45
      2  App                            0x1047360f4 KonanTerminateHandler() + 4379926772
      3  App                            0x2711f0 Page.load() + 3100912 (Page.swift:3100912)

      """)
    #expect(report.allFrames.map(\.symbol?.offset) == [229944, nil, nil, nil])
    #expect(report.facts.exception.type == "EXC_BAD_ACCESS")
    #expect(report.facts.exception.subtype == "KERN_INVALID_ADDRESS at 0x0000000000000010")
  }

  @Test func gdb() throws {
    let report = try parse(
      """
      Thread 1 "app" received signal SIGSEGV, Segmentation fault.
      0x00005555555551a9 in load (page=0x0) at page.c:7
      (gdb) bt
      #0  0x00005555555551a9 in load (page=0x0) at page.c:7
      #1  main (argc=1, argv=0x7fffffffe0a8) at main.c:12
      #2  0x00007ffff7de0d0a in __libc_start_main () from /lib/x86_64-linux-gnu/libc.so.6
      #3  0x00005555555550c5 in ?? ()

      """)
    #expect(report.format == .gdbBacktrace && report.facts.exception.signal == "SIGSEGV")
    // What the signal is called says nothing about the reason.
    #expect(report.facts.applicationInformation.isEmpty)
    #expect(
      frames(report)
        == ["- load page.c:7", "- main main.c:12", "libc.so.6 __libc_start_main", "- ?"])
  }

  /// What Xcode copies, names with other brackets, a single frame, and one without a name.
  @Test(arguments: [
    (
      "#0\t0x0000000104a1c2f0 in closure #1 (Swift.Int) -> () in Page.load () at /src/Page.swift:7\n"
        + "#1\t0x0000000104a1c300 in Page.open(_:) at /src/my app/Page.swift:20\n"
        + "#2\t0x0000000104a1c310 in main ()\n",
      [
        "- closure #1 (Swift.Int) -> () in Page.load /src/Page.swift:7",
        "- Page.open(_:) /src/my app/Page.swift:20", "- main",
      ]
    ),
    ("(gdb) bt\n#0  0x00005555555555b9 in main ()\n", ["- main"]),
    (
      "#0  0x00007fa98df4a2eb in kill () at kill.c:1\n#1  <signal handler called>\n#2  load () at a.c:2\n",
      ["- kill kill.c:1", "- signal handler called", "- load a.c:2"]
    ),
    // gdb breaks long lines.
    (
      "#0  load (page=0x0)\n    at page.c:7\n#1  0x00005555555555b9 in main ()\n   from /lib/app.so\n"
        + "#2  0x00005555555555c9 in f ()\n    at f.c:2\n",
      ["- load page.c:7", "app.so main", "- f f.c:2"]
    ),
    ("#0  0x00005555555555b9 in  ()\n#1  0x00005555555555c9 in  ()\n", ["- ?", "- ?"]),
  ])
  func gdbOfOthers(text: String, expected: [String]) throws {
    let report = try parse(text)
    #expect(report.format == .gdbBacktrace && frames(report) == expected)
  }

  @Test func kotlin() throws {
    let report = try parse(
      """
      Uncaught Kotlin exception: kotlin.IllegalStateException: no page
          at 0   App    0x1045a1b34        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 99
          at 1   App    0x1045a1c10        kfun:app.Page#load(kotlin.Int){}kotlin.String + 120 (/src/Page.kt:12:5)
      Caused by: kotlin.NumberFormatException: x
          at 0   App    7ff6baa398c6       kfun:#main(){} + 20

      """)
    #expect(report.format == .kotlinNative)
    #expect(report.facts.exception.name == "kotlin.IllegalStateException")
    #expect(report.facts.exception.reason == "no page")
    #expect(report.backtraces.map(\.kind) == [.lastException, .thread])
    #expect(report.allFrames.map(\.symbol?.line) == [nil, 12, nil])
    #expect(report.allFrames.last?.address == LoadAddress(0x7ff6_baa3_98c6))
  }

  static let dart = """
    *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
    pid: 30930, tid: 30990, name 1.ui
    os: android arch: arm64 comp: yes sim: no
    build_id: '5346e01103ffeed44e97094ff7bfcc19'
    isolate_dso_base: 723d447000, vm_dso_base: 723d447000
    isolate_instructions: 723d452000, vm_instructions: 723d449000
        #00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7
        #01 abs 000000723d637527 virt 00000000001f0527 _kDartIsolateSnapshotInstructions+0x1e5527

    """

  @Test func dart() throws {
    let report = try parse(Self.dart)
    #expect(report.format == .dartTrace && report.facts.process.identifier == 30930)
    #expect(report.facts.architecture?.name == "arm64" && report.facts.system.name == "android")
    let image = try #require(report.images.first)
    #expect(image.loadAddress == LoadAddress(0x72_3d44_7000))
    #expect(image.identity == ImageIdentity(hexadecimal: "5346e01103ffeed44e97094ff7bfcc19".utf8))
    #expect(report.allFrames.map(\.imageOffset) == [0x1ed6d7, 0x1f0527])
    #expect(report.allFrames.allSatisfy { $0.symbol == nil })
  }

  @Test(arguments: ["llvm::raw_ostream&", "llvm::function_ref<bool (int)>"])
  func llvm(type: String) throws {
    let report = try parse(
      """
      PLEASE submit a bug report to https://example.org and include the crash backtrace.
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -c a.swift
       #0 0x0000562b5d3fdfe4 llvm::sys::Print(\(type), int) (/usr/bin/swift-frontend+0x72effe4)
       #1 0x0000562b5d3fbd4e (/usr/bin/swift-frontend+0x72edd4e)
       #2 0x0000562b5d3fbd4f handle(int) /src/Signals.inc:397:1

      """)
    #expect(report.format == .llvmStackDump)
    #expect(report.facts.process.name == "swift-frontend")
    #expect(
      frames(report) == [
        "swift-frontend llvm::sys::Print(\(type), int)", "swift-frontend ?",
        "- handle(int) /src/Signals.inc:397",
      ])
    #expect(report.images.map(\.loadAddress) == [LoadAddress(0x562b_5610_e000)])
  }

  @Test func glibc() throws {
    let report = try parse(
      """
      *** Error in `./app': free(): invalid pointer: 0x000000000721a71c ***
      ======= Backtrace: =========
      /lib64/libc.so.6(+0x81299)[0x7f233b40a299]
      ./app(load+0x12)[0x5581f0a312a3]
      ./app[0x5581f0a31250]
      ======= Memory map: ========
      5581f0a30000-5581f0a31000 r--p 00000000 08:01 123                 /home/u/app
      5581f0a31000-5581f0a32000 r-xp 00001000 08:01 123                 /home/u/app

      """)
    #expect(report.format == .glibcBacktrace && report.facts.process.name == "app")
    #expect(
      report.facts.applicationInformation == ["free(): invalid pointer: 0x000000000721a71c"])
    #expect(frames(report) == ["libc.so.6 ?", "app load", "app ?"])
    // The map says where the program is.
    #expect(report.allFrames.map(\.imageOffset) == [0x81299, 0x12a3, 0x1250])
  }

  @Test(arguments: [
    "[host:04242] [ 0] /lib/libc.so.6(+0x45330)[0x7af8ccdc7330]\n[host:04242] [ 1] ./app(main+0x30)[0x5581f0a312a3]\n",
    "(EE) 0: /lib/libc.so.6 (+0x45330) [0x7af8ccdc7330]\n(EE) 1: /usr/bin/app (main+0x30) [0x5581f0a312a3]\n",
  ])
  func glibcOfOthers(text: String) throws {
    let report = try parse(text)
    #expect(frames(report) == ["libc.so.6 ?", "app main"])
    #expect(report.allFrames.map(\.index) == [0, 1])
    #expect(report.allFrames.first?.imageOffset == 0x45330)
  }

  /// Open MPI: an address alone, and a symbol that is behind the address.
  @Test func openMpi() throws {
    let report = try parse(
      """
      [node:42] *** Process received signal ***
      [node:42] Signal: Segmentation fault (11)
      [node:42] Failing at address: 0x48
      [node:42] [ 0] [0x3fffa72b0448]
      [node:42] [ 1] /opt/libapp.so.0(load-0xe9f98)[0x3fffa6bdc688]
      [node:42] [ 2] ./app(main+0x30)[0x5581f0a312a3]
      [node:42] *** End of error message ***

      """)
    #expect(frames(report) == ["- ?", "libapp.so.0 ?", "app main"])
    #expect(report.allFrames.map(\.index) == [0, 1, 2])
    #expect(report.facts.applicationInformation == ["Segmentation fault"])
  }

  /// The log of the X server has the time before each line.
  @Test func xServer() throws {
    let report = try parse("[ 481.782] (EE) 0: /usr/lib/xorg/Xorg (load+0x1a8) [0x5579c46410]\n")
    #expect(frames(report) == ["Xorg load"])
  }

  @Test func systemdWithoutImage() throws {
    let report = try parse(
      "Stack trace of thread 7:\n#0  0x000000746c756166 n/a (n/a + 0x0)\n")
    #expect(frames(report) == ["- ?"] && report.images.isEmpty)
    #expect(report.allFrames.first?.address == LoadAddress(0x74_6c75_6166))
  }

  @Test func systemd() throws {
    let report = try parse(
      """
      Jul 19 15:16:31 host systemd-coredump[1867411]: Process 812 (app) of user 1000 dumped core.

                      Module /usr/bin/app with build-id 5f0c0102030405060708090a0b0c0d0e0f101112
                      Stack trace of thread 812:
                      #0  0x00007f3a9c23cc75 raise (libc.so.6 + 0x3cc75)
                      #1  0x000055d1f0a31139 n/a (app + 0x1139)

                      Stack trace of thread 813:
                      #0  0x00007f3a9c23cc76 poll (libc.so.6)

      """)
    #expect(report.format == .systemdCoredump)
    #expect(report.facts.process.name == "app" && report.facts.process.identifier == 812)
    #expect(report.backtraces.map(\.number) == [812, 813])
    #expect(report.backtraces.map(\.isCrashed) == [true, false])
    #expect(frames(report) == ["libc.so.6 raise", "app ?", "libc.so.6 poll"])
    #expect(report.images.last?.identity?.bytes.first == 0x5f)
    #expect(report.images.last?.loadAddress == LoadAddress(0x55d1_f0a3_0000))
  }

  static let tombstone = """
    *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
    Build fingerprint: 'vendor/device:13/release-keys'
    ABI: 'arm64'
    pid: 1234, tid: 1240, name: worker  >>> com.example.app <<<
    signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000010
        x0  0000000000000000  x1  0000007b8c0f1b20  x2  0000000000000001  x3  0000000000000000
    backtrace:
          #00 pc 000000000001d2f4  /data/app/~~a==/base.apk!libapp.so (offset 0x4000) (load(int)+52) (BuildId: 8f0102030405060708090a0b0c0d0e0f10111213)
          #01 pc 000000000001d300  /data/app/~~a==/base.apk!libapp.so (BuildId: 8f0102030405060708090a0b0c0d0e0f10111213)

    """

  /// In a file, and in the log.
  @Test(arguments: ["", "01-01 10:00:00.123  1234  1240 F DEBUG   : "])
  func android(prefix: String) throws {
    let lines = Self.tombstone.split(separator: "\n").map { prefix + $0 + "\n" }.joined()
    let report = try parse(lines)
    #expect(report.format == .androidTombstone)
    #expect(report.facts.process.name == "com.example.app")
    #expect(report.facts.exception.signal == "SIGSEGV")
    #expect(report.crashedThread?.number == 1240 && report.crashedThread?.name == "worker")
    #expect(frames(report) == ["libapp.so load(int)", "libapp.so ?"])
    #expect(report.images.first?.identity?.bytes.first == 0x8f)
    #expect(report.allFrames.map(\.imageOffset) == [0x1d2f4, 0x1d300])
    #expect(report.allFrames.allSatisfy { $0.addressKind == .programCounter })
  }

  /// Of Android 4: no name of the thread, no distances.
  @Test func oldTombstone() throws {
    let report = try parse(
      """
      pid: 451, tid: 470  >>> com.example.game <<<
      signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0000000c
       r0 00000000  r1 00000001  r2 00000002  r3 00000003
               #00  pc 0000d2f4  /data/data/com.example.game/lib/libgame.so (step)
               #01  pc 0001d34c  /system/lib/libdvm.so

      """)
    #expect(report.format == .androidTombstone && report.facts.process.name == "com.example.game")
    #expect(report.crashedThread?.number == 470)
    #expect(frames(report) == ["libgame.so step", "libdvm.so ?"])
  }

  /// Several in one input, of several families.
  @Test func mixed() throws {
    let parsed = try ParsedText(Self.exception + "\nlater:\n\n" + Self.tombstone + "\n" + Self.dart)
    #expect(parsed.reports.map(\.format) == [.callStack, .androidTombstone, .dartTrace])
    for (one, next) in zip(parsed.reports, parsed.reports.dropFirst()) {
      #expect(one.byteRange.upperBound <= next.byteRange.lowerBound)
    }
  }

  /// A call graph without the head of its sample.
  @Test func bareCallGraph() throws {
    let report = try parse(
      """
      Call graph:
          2288 Thread_43227264   DispatchQueue_1: com.apple.main-thread  (serial)
          + 2288 start  (in dyld) + 1903  [0x7ff804e9b41f]
          +   2288 ???  (in App)  load address 0x119b00000 + 0x4fc78  [0x119b4fc78]

      """)
    #expect(report.format == .sample && report.allFrames.count == 2)
  }

  /// What looks similar: prose, source, logs, traces of languages that are not compiled.
  @Test(arguments: [
    "0   1   0x10 2\n", "0   App   0x0000000104a1c2f0 load + 84\n",
    "3 apples cost 0x12345678 units\n", "1 0x1000\n2 0x2000\n",
    "#0 first\n#1 second (2)\n", "#define A(b) (b + 0x1)\n", "# Platform: ios\n\nText.\n",
    "  at a.b.c(D.java:3)\n  at e.f(G.kt:4)\n", "Caused by: java.lang.Error: x\n",
    "frame #1: a picture\n",
    "*** First throw call stack:\nnothing\n", "* thread #1\n", "Crashed: the whole thing\nText\n",
    "pid: 1, tid: 2, name: a  >>> b <<<\nText\n", "/usr/bin/app [0x10]\n", "[12:34] (a+0x10)\n",
    "[ 0] /tmp/x\n", "Stack trace of thread 1:\n", "thread #3 waits for 0x1000\n",
    "main.go:12 +0x1d\n", "goroutine 1 [running]:\nmain.main()\n",
    "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n  File \"b.py\", line 4, in g\n",
    "  File \"a.py\", line 3 in f\n", "# Problematic frame:\n", "Native frames: (none)\nC  code\n",
    "C  [a+b]  c\nV  [d+0x1]  e+0x2\n", "libraries 12 are (in lib)\nand 3 more (in lib)\n",
    "12\nApp\n34 + 5\n6\n", "frame #1: a.c at b\nframe #2: picture at 12\n",
    "stop reason = none\n", "Thread 0x12 (most recent call first):\n",
  ])
  func noTrace(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Frames above a heading of Apple's text belong to the report that it opens.
  @Test func cutReport() throws {
    let report = try parse(
      """
      7   App   0x0000000104a1c2f0 load + 84
      8   App   0x0000000104a1c100 main + 20

      Thread 1 Crashed:
      0   App   0x0000000104a1c2f4 load + 88

      """)
    #expect(report.format == .crashText)
  }

  /// Damage never traps, wherever a line ends.
  @Test func cutAnywhere() {
    for text in [Self.exception, Self.dart, Self.tombstone] {
      let bytes = Array(text.utf8)
      for count in stride(from: 1, to: bytes.count, by: 7) {
        _ = try? CrashLogParser.parse(Array(bytes.prefix(count)))
      }
    }
  }
}

extension TraceTests {
  /// What is written out for a quick start is what the grammars say.
  @Test func listsOfGrammars() {
    let grammars = TraceGrammar.all
    #expect(Set(TraceReader().formats) == Set(grammars.map(\.format)))
    #expect(TraceReader().formats.count == grammars.count)
    // Reports in Apple's text format have many lines that begin with `T` and `M`.
    let firstBytes = Set(grammars.flatMap { Array($0.firstBytes.utf8) })
      .subtracting("TM".utf8).union("\"".utf8)
    #expect(Set(TraceGrammar.allFirstBytes) == firstBytes)
    #expect(TraceGrammar.allFirstBytes.count == firstBytes.count)
    for grammar in grammars {
      let patterns = grammar.frames + grammar.lines.filter(\.isSign).map(\.pattern)
      for byte in patterns.compactMap(\.firstByte) {
        #expect(grammar.firstBytes.utf8.contains(byte), "\(grammar.format)")
      }
    }
    // The search for texts needs 7 bytes.
    #expect(TraceReader.texts.allSatisfy { $0.utf8.count >= 7 })
  }

  /// gfortran writes the place of a frame below it.
  @Test func fortran() throws {
    let report = try parse(
      """
      Program received signal SIGSEGV: Segmentation fault - invalid memory reference.

      Backtrace for this error:
      #0  0x7f5a4e54451f in ???
      \tat ./signal/action.c:0
      #1  0x401136 in __grid_MOD_split
      \tat /src/grid.f90:57
      #2  0x401180 in MAIN__

      """)
    #expect(report.format == .fortranBacktrace && report.facts.exception.signal == "SIGSEGV")
    #expect(
      report.facts.applicationInformation == ["Segmentation fault - invalid memory reference."])
    #expect(frames(report) == ["- ?", "- __grid_MOD_split /src/grid.f90:57", "- MAIN__"])
    #expect(report.allFrames.allSatisfy { $0.addressKind == .programCounter })
  }

  /// A syslog daemon writes line ends as numbers.
  @Test func syslog() throws {
    let report = try parse(
      "Apr 03 10:00:00 host systemd-coredump[99]: Process 812 (app) of user 1000 dumped core.#012#012"
        + "Stack trace of thread 812:#012#0  0x00007f3a9c23cc75 raise (libc.so.6 + 0x3cc75)#012"
        + "#1  0x000055d1f0a31139 n/a (app + 0x1139)\n")
    #expect(report.format == .systemdCoredump && report.facts.process.name == "app")
    #expect(frames(report) == ["libc.so.6 raise", "app ?"])
  }

  /// Escapes of Markdown, a space without width behind each number sign, and list signs in place of
  /// the stars.
  @Test(arguments: [
    (
      ##"\* thread \#1, stop reason = signal SIGABRT"##,
      ##"  \* frame \#0: 0x0000000100003f50 App\`-\[Page load\_it\] + 8"##
    ),
    (
      "* thread #&#8203;1, stop reason = signal SIGABRT",
      "  * frame #&#8203;0: 0x0000000100003f50 App`-[Page load_it] + 8"
    ),
    (
      "- thread #1, stop reason = signal SIGABRT",
      "  - frame #0: 0x0000000100003f50 App`-[Page load_it] + 8"
    ),
    (
      "+ thread #1, stop reason = signal SIGABRT",
      "+ frame #0: 0x0000000100003f50 App`-[Page load_it] + 8"
    ),
  ])
  func pastedBacktrace(thread: String, frame: String) throws {
    let report = try parse("\(thread)\n\(frame)\n")
    #expect(report.format == .lldbBacktrace && report.facts.exception.signal == "SIGABRT")
    #expect(frames(report) == ["App -[Page load_it]"])
  }

  /// An array of Swift with all frames in one string.
  @Test func framesInOneString() throws {
    let report = try parse(
      #"Optional(["0   App  0x0000000104a1c2f0 load + 84\n1   App  0x0000000104a1c100 main + 20"])"#
    )
    #expect(frames(report) == ["App load", "App main"])
  }

  @Test func reasonOfTwoLines() throws {
    let text = Self.exception.replacing("index 5 beyond bounds", with: "index 5 beyond\nbounds")
    #expect(try parse(text).facts.exception.reason == "index 5 beyond bounds")
  }

  /// Android Studio shows the name of the process on each line, and it changes.
  @Test func changingColumn() throws {
    let names = ["pid-5174      ", "com.example.app", "crash_dump64   "]
    let lines = Self.tombstone.split(separator: "\n").enumerated().map { index, line in
      "2026-06-26 13:44:15.102  5174-5186  DEBUG         \(names[index % 3])   A  \(line)\n"
    }
    let report = try parse(lines.joined())
    #expect(report.format == .androidTombstone && report.facts.process.name == "com.example.app")
    #expect(frames(report) == ["libapp.so load(int)", "libapp.so ?"])
  }

  /// lldb's list of images says which build of an image it was, and where.
  @Test func imageList() throws {
    let report = try parse(
      """
      * thread #1, stop reason = signal SIGABRT
        * frame #0: 0x0000000104a1c2f0 App`___lldb_unnamed_symbol1
      (lldb) image list
      [  0] 24CF8D26-51D2-3C51-8C53-2F0E0A2B6E11 0x0000000104a10000 /Users/u/App.app/App

      """)
    let image = try #require(report.images.first)
    #expect(image.identity?.description == "24CF8D26-51D2-3C51-8C53-2F0E0A2B6E11")
    #expect(report.allFrames.map(\.imageOffset) == [0xc2f0])
  }

  /// Of `bt full`: variables and remarks between frames, names with brackets, names of threads.
  @Test func gdbWithVariables() throws {
    let report = try parse(
      """
      Core was generated by `app --replace'.
      Program terminated with signal SIGABRT, Aborted.
      #0  raise (sig=sig@entry=6) at raise.c:51

      Thread 22 (Thread 0x7fc3c9047700 (LWP 1562) "pool:0"):
      #0  0x00007fc3efb559f3 in wait (private=<optimized out>, word=0x55f8) at futex.h:88
              a = -512
              b = 0
              c = {x = 0x7f79c6a50690 <cleanup>, y = 0x7f79a67fba00}
              d = 1
              e = 2
      #1  0x00007ffff492ebdf in g_wait () from target:/lib/libglib-2.0.so.0
      No symbol table info available.
      #2  0x00007f5b6a94f746 in pool::start()::{lambda()#1}::operator()() const (this=0x56) at pool.h:43
      No locals.
      #3  std::_Bind<pool::start()::{lambda()#1} ()>::call<>(std::_Tuple<>) (this=0x56, s="a)") at f.h:5

      """)
    #expect(report.facts.process.name == "app" && report.facts.exception.signal == "SIGABRT")
    #expect(report.backtraces.map(\.name) == [nil, "pool:0"])
    #expect(
      frames(report) == [
        "- raise raise.c:51", "- wait futex.h:88", "libglib-2.0.so.0 g_wait",
        "- pool::start()::{lambda()#1}::operator()() const pool.h:43",
        "- std::_Bind<pool::start()::{lambda()#1} ()>::call<>(std::_Tuple<>) f.h:5",
      ])
  }

  /// lldb shows the first frame when it stops, and the whole stack when it is asked.
  @Test func stopAndBacktrace() throws {
    let report = try parse(
      """
      * thread #1: tid = 0x44b9e9, 0x0000002000000020, queue = 'main', stop reason = EXC_BAD_ACCESS (code=1, address=0x20)
          frame #0: 0x0000002000000020
      error: memory read failed for 0x2000000000
      (lldb) thread backtrace all
      * thread #1: tid = 0x44b9e9, 0x0000002000000020, queue = 'main', stop reason = EXC_BAD_ACCESS (code=1, address=0x20)
        * frame #0: 0x0000002000000020
          frame #1: 0x000000010003e239 app`Text::show(this=0x01) + 57 at text.cpp:100
        thread #2: tid = 0x44ba0b, 0x00007fff8d8c0efa libkernel.dylib`kevent + 10, queue = 'manager'
          frame #0: 0x00007fff8d8c0efa libkernel.dylib`kevent + 10

      """)
    #expect(report.backtraces.map(\.frames.count) == [1, 2, 1])
    #expect(report.backtraces.map(\.isCrashed) == [false, true, false])
    #expect(report.facts.crashedThread == 1)
  }

  /// What others write like a tombstone: each frame has the number 0, addresses have `0x`, an image
  /// has no name.
  @Test func otherTombstones() throws {
    let report = try parse(
      """
      pid: 0, tid: 12 >>> com.example <<<

      backtrace:
        #00  pc 0x0000000000082fb4  /apex/lib64/bionic/libc.so (abort+160)
        #00  pc 0x00000000004b267c  /data/app/com.example-e==/split.apk!libapp.so (BuildId: 8f01)
        #00  pc 000000000001b1b8  <unknown>

      """)
    #expect(frames(report) == ["libc.so abort", "libapp.so ?", "<unknown> ?"])
    #expect(report.backtraces.count == 1)
  }

  /// A log of several writers: few lines have what is before the frames.
  @Test func traceAmongOtherLines() throws {
    let other = (0..<30).map { "W/Manager(  502): line \($0)\n" }.joined()
    let report = try parse(
      other + """
        I/DEBUG   (  119): pid: 5061, tid: 5637, name: Thread-329  >>> com.example <<<
        I/DEBUG   (  119): backtrace:
        I/DEBUG   (  119):     #00 pc 000e1818  /system/lib/libart.so
        I/DEBUG   (  119):     #01 pc 00280a27  /system/lib/libart.so (artQuick+34)

        """ + other)
    #expect(report.facts.process.name == "com.example")
    #expect(frames(report) == ["libart.so ?", "libart.so artQuick"])
  }
}
