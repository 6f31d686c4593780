import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Traces of Linux and Android.
extension TraceTests {
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

  /// The same with names that make the lines long: the prefix has thirteen words and numbers.
  @Test(arguments: [8, 60])
  func changingColumnBeforeLongNames(count: Int) throws {
    let names = ["pid-5174      ", "com.example.app", "crash_dump64   "]
    let function = "deck::deal(" + String(repeating: "deck::Card<int>, ", count: count) + "int)"
    let text = Self.tombstone.replacing("load(int)", with: function)
    let lines = text.split(separator: "\n").enumerated().map { index, line in
      "2026-06-26 13:44:15.102  5174-5186  DEBUG         \(names[index % 3])   A  \(line)\n"
    }
    let report = try parse(lines.joined())
    #expect(report.format == .androidTombstone)
    #expect(frames(report) == ["libapp.so \(function)", "libapp.so ?"])
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

  /// Unity writes the stack once more, as Java does; its Logcat window and Google's pages have
  /// other names behind and before the path.
  @Test func unity() throws {
    let report = try parse(
      """
      E AndroidRuntime: pid: 31, tid: 32, name: UnityMain  >>> com.example <<<
      E AndroidRuntime: backtrace:
      E AndroidRuntime:   #00 pc 00000000002a43f0 (Page::load<int>(int&) at ??:?)  /data/lib/libunity.so (BuildId: 8f01)
      E AndroidRuntime:   #01 pc 0x00000000000040ec  /data/lib/libunity.so (Book::open(Page*, bool))
      E AndroidRuntime:   #02 pc 0000000000001b80  /memfd:jit-cache (deleted) (offset 0x2000000) (com.example.f+12)
      E AndroidRuntime:   #03 pc 0000000000001b80  [anon:scudo:primary]
      E AndroidRuntime: \tat libil2cpp.0x8bc230 (libil2cpp.so not found)(Native Method)
      E AndroidRuntime: \tat libunity.0x2186cc (Page::load(int&) at ??:?)(Native Method)
      E AndroidRuntime: \tat libart.art_quick_invoke_stub(art_quick_invoke_stub:572)
      E AndroidRuntime: \tat libcore.io.Linux.open(Linux.java)
      E AndroidRuntime: \tat java.lang.Thread.run(Thread.java:923)
      E AndroidRuntime: \tat libunity.003c2ca4(Native Method)

      """)
    expectEqual(
      frames(report),
      [
        "libunity.so Page::load<int>(int&)", "libunity.so Book::open(Page*, bool)",
        "memfd:jit-cache com.example.f", "- ?", "libil2cpp.so ?", "libunity.so Page::load(int&)",
        "libart.so art_quick_invoke_stub", "libunity.so ?",
      ])
    expectEqual(report.backtraces.map(\.frames.count), [4, 4])
    expectEqual(report.allFrames.last?.imageOffset, 0x3c2ca4)
    expectEqual(try parse("libunity.0x2f65f4\nlibunity.0x2fb707\n").allFrames.count, 2)
  }

  /// The build of a library that another frame names with its path.
  @Test func buildOfAnotherFrame() throws {
    let report = try parse(
      """
      #00 pc 00000000000014f0  /data/lib/libapp.so (BuildId: 84fb0327b608a1b2)
      #01 pc 0000000000001320  /data/base.apk!libapp.so (offset 0x4000)

      """)
    expectEqual(
      report.images.map(\.identity?.description),
      Array(repeating: "84fb0327b608a1b2", count: 2))
  }

  /// gdb's frames without the sign, or without numbers.
  @Test(arguments: ["0  |1  |2  |3  ", "|||", "0 |1 |2 |3 "]) func gdbWithoutSign(numbers: String)
    throws
  {
    let marks = numbers.split(separator: "|", omittingEmptySubsequences: false)
    let report = try parse(
      """
      \(marks[0])0x00005555555554f0 in load (page=0x0) at page.c:20
      \(marks[1])0x0000555555555320 in Book::open() const (this=0x1) from /lib/libbook.so
      \(marks[2])0x00007ffff7de0d0a in  () at /usr/lib/libgdk-3.so.0
      \(marks[3])0x00007ffff7de0e0a in main ()

      """)
    expectEqual(report.format, .gdbBacktrace)
    expectEqual(
      frames(report),
      ["- load page.c:20", "libbook.so Book::open() const", "libgdk-3.so.0 ?", "- main"])
  }

  /// The first line is what gdb says when it stops.
  @Test func gdbWithoutSignsAboveOthers() throws {
    let report = try parse(
      """
      0x00005555555554f0 in load (page=0x0) at page.c:20
      20\t  return 1;
      (gdb) bt
      #0  0x00005555555554f0 in load (page=0x0) at page.c:20
      #1  0x0000555555555320 in main () at main.c:8

      """)
    expectEqual(frames(report), ["- load page.c:20", "- main main.c:8"])
  }

  @Test(arguments: [
    "0x1234 in the table\n0x1238 in another (x)\n", "0x1234 in load (a)\n0x1238 in main (b)\n",
    "1 load () at noon\n2 main () at page.c\n", "libpage.0x12\n",
    "at libcore.io.Linux.open(Linux.java)\nat libcore.dead(Native Method)\n",
    "#0 see (page.c:12)\n#1 or (page.dart)\n",
    "0 App 0x1234\n1 App 0x1238\n",
  ])
  func noLinuxTrace(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
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
