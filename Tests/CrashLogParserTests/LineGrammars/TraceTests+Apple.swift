import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Traces of Apple's systems and debugger.
extension TraceTests {
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
    // The first frame is behind a tag.
    "<p>It</p><pre>0   App   0x0000000104a1c2f0 load + 84\n1   App   0x0000000104a1c100 main + 20\n</pre>",
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
        "App load page.c:5", "App main", "- ?",
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

  /// Of the text files of 2013 to 2016: `4297117164` is 0x10020cdec.
  @Test(arguments: [
    "Thread : Fatal Exception: NSRangeException\n",
    "Fatal Exception: NSRangeException\nno card\n\nThe trace:\nThread : Fatal Exception: NSRangeException\n",
    "Thread : Crashed: com.apple.main-thread\n",
  ])
  func crashlyticsDecimalAddresses(head: String) throws {
    let report = try parse(
      head + """
        0  CoreFoundation                 6490509128 **exceptionPreprocess
        1  libobjc.A.dylib                6838321024 objc_exception_throw
        2  App                            4297117164 -[Page load:](Page.m:30)
        3  App                            4297117168 main (main.m:16)
        4  libdyld.dylib                  807653295

        """)
    #expect(report.format == .crashlytics)
    #expect(
      frames(report) == [
        "CoreFoundation __exceptionPreprocess", "libobjc.A.dylib objc_exception_throw",
        "App -[Page load:] Page.m:30", "App main main.m:16", "libdyld.dylib ?",
      ])
    #expect(
      report.allFrames.map(\.address?.value) == [
        0x1_82dd_4f48, 0x1_9798_7f80, 0x1_0020_cdec, 0x1_0020_cdf0, 0x3023_cfaf,
      ])
    #expect(report.backtraces.count == 1)
    if head.contains("Fatal") {
      #expect(report.facts.exception.name == "NSRangeException")
      #expect(report.backtraces.first?.kind == .lastException)
    }
    if head.contains("no card") { #expect(report.facts.exception.reason == "no card") }
    if head.contains("Crashed") { #expect(report.backtraces.first?.isCrashed == true) }
  }

  /// The program's own code is first, and other tables have numbers, too.
  @Test func crashlyticsDecimalAddressOfTheProgram() throws {
    let frames =
      "0  App  4297117164 -[Page load:](Page.m:30)\n1  App  4297117168 main (main.m:16)\n"
    let report = try parse("Thread : Crashed: com.apple.main-thread\n" + frames)
    #expect(self.frames(report) == ["App -[Page load:] Page.m:30", "App main main.m:16"])
    #expect(report.backtraces.map(\.name) == ["com.apple.main-thread"])
    #expect(throws: CrashLogParseError.self) { try parse("Pages:\n" + frames) }
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

  /// Until 2016 lldb wrote the place in front of the names (source/Core/Debugger.cpp).
  @Test(
    arguments: [
      (", queue = 'q', stop reason = EXC_BAD_ACCESS (code=1, address=0x20)", nil, "q"),
      (", name = 'n', queue = 'q', stop reason = EXC_BAD_ACCESS (code=1, address=0x20)", "n", "q"),
      (", name = 'n', stop reason = EXC_BAD_ACCESS (code=1, address=0x20)", "n", nil),
      (", stop reason = EXC_BAD_ACCESS (code=1, address=0x20)", nil, nil),
    ] as [(String, String?, String?)])
  func namesBehindPlaces(words: String, name: String?, queue: String?) throws {
    let report = try parse(
      """
      * thread #1: tid = 0x44b9e9, 0x0000000100000020 app`turn + 16\(words)
        * frame #0: 0x0000000100000020 app`turn + 16
          frame #1: 0x000000010003e239 app`main + 57

      """)
    let thread = try #require(report.backtraces.first)
    expectEqual(thread.name, name)
    expectEqual(thread.dispatchQueue, queue)
    expectEqual(report.facts.exception.codes, [1, 0x20])
  }
}
