import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Where a process stopped, if a frame or a sentence states it: traps with lines, functions that
/// end the process on purpose, limits that a debugger names, what malloc could not get.
struct StatedPlaceTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  private func summary(_ text: String) -> [String] {
    JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n").map(String.init)
  }

  // MARK: Traps

  private static func trap(_ place: String, _ frames: [String]) -> String {
    let lines = (["0x00000001008dddb0 Swift runtime failure: arithmetic overflow\(place)"] + frames)
      .enumerated().map { "\($0)   Board   \($1)\n" }
    return """
      Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      Crashed Thread:  0

      Thread 0 Crashed:
      \(lines.joined())
      """
  }

  /// The line is that of the trap. The function is what the next frame names, if the trap is in it.
  @Test(
    arguments: [
      (
        " + 0 (Deck.swift:24)", ["0x00000001008dddb0 Deck.cut() + 36 (<compiler-generated>:0)"],
        "Deck.swift:24 in Deck.cut()"
      ),
      (
        " (Deck.swift:24:46)",
        [
          "0x00000001008dde00 protocol witness for Cutting.cut() in conformance Deck (<compiler-generated>)"
        ], "Deck.swift:24 in Deck.cut()"
      ),
      (
        " + 0 (Deck.swift:24)", ["0x00000001008dddb0 Deck.cut() + 36 (Deck.swift:0)"],
        "Deck.swift:24 in Deck.cut()"
      ),
      // Who called the function that the writer left out is none of it.
      (" + 0 (Deck.swift:24)", [], "Deck.swift:24"),
      // A check of the standard library that was compiled into the program.
      (
        " + 0 (ContiguousArrayBuffer.swift:600)",
        ["0x00000001008dddb0 Deck.cut() + 36 (Deck.swift:7)"], "Deck.swift:7 in Deck.cut()"
      ),
      // Debug information has the line in the function.
      (
        " + 0 (Deck.swift:24)", ["0x00000001008dddb0 Deck.cut() + 36 (Deck.swift:25)"],
        "Deck.swift:25 in Deck.cut()"
      ),
    ] as [(String, [String], String)])
  func trapsWithLines(place: String, frames: [String], shown: String) {
    let outer = "0x00000001008dee00 Game.turn() + 48 (Game.swift:80)"
    let head = summary(Self.trap(place, frames + [outer]))
    expectEqual(head[1], "\(shown) — Swift runtime failure: arithmetic overflow")
  }

  @Test func placesOfTraps() throws {
    let text = Self.trap(" (Deck.swift:24:46)", ["0x00000001008dde00 Game.turn() (Game.swift:80)"])
    let frame = try require(try read(text).crash.frame)
    expectEqual(frame.file, "Deck.swift")
    expectEqual(frame.line, 24)
    expectEqual(frame.column, 46)
    // Other outputs have the same place.
    expectTrue(
      JsonFixture.output(text.utf8, as: .markdown, with: []).contains("at `Deck.swift:24` in"))
  }

  /// lldb; Sentry's report in Apple's form.
  @Test(arguments: [
    """
    * thread #1, stop reason = EXC_BREAKPOINT (code=1, subcode=0x1008dddb0)
      * frame #0: 0x00000001008dddb0 Board`Swift runtime failure: arithmetic overflow at Deck.swift:24:7 [opt] [inlined]
        frame #1: 0x00000001008dddb0 Board`Deck.cut(self=0x0) at Deck.swift:0 [opt]
        frame #2: 0x00000001008dee00 Board`Game.turn(self=0x0) at Game.swift:80:9 [opt]

    """,
    """
    OS Version: iOS 16.1
    Exception Type: EXC_BREAKPOINT

    Thread 0 Crashed:
    0   Board                 0x1025b3c24         [inlined] Swift runtime failure: arithmetic overflow (Deck.swift:24)
    1   Board                 0x1025b3c24         Deck.cut() (<compiler-generated>)
    2   Board                 0x1025b3d24         Game.turn() (Game.swift:80)

    """,
  ])
  func otherSpellingsOfTraps(text: String) {
    expectEqual(
      summary(text)[1], "Deck.swift:24 in Deck.cut() — Swift runtime failure: arithmetic overflow")
  }

  // MARK: Functions that end the process

  private static func ended(_ frames: [String], type: String = "EXC_CRASH (SIGABRT)") -> String {
    let lines = frames.enumerated().map { index, frame in
      let (image, name) = (frame.prefix { $0 != " " }, frame.drop { $0 != " " })
      return "\(index)   \(image)   0x00000001a69081e\(index)\(name) + 8\n"
    }
    return """
      Process:         Board [812]
      Exception Type:  \(type)
      Crashed Thread:  0

      Thread 0 Crashed:
      \(lines.joined())
      """
  }

  /// Source: XNU, libsyscall/wrappers/terminate_with_reason.c.
  private static let wrappers = [
    "libsystem_kernel.dylib __abort_with_payload",
    "libsystem_kernel.dylib abort_with_payload_wrapper_internal",
  ]

  @Test(
    arguments: [
      (
        wrappers + ["libsystem_kernel.dylib abort_with_reason", "AudioToolbox HALC_Check::fail()"],
        "AudioToolbox ended the process on purpose, in HALC_Check::fail() (abort_with_reason)",
        "certain"
      ),
      (
        [
          "libsystem_kernel.dylib __terminate_with_payload",
          "libsystem_kernel.dylib abort_with_payload_wrapper_internal",
          "libsystem_kernel.dylib abort_with_payload", "libsystem_c.dylib _os_crash_msg",
          "AppKit -[NSView _updateConstraints]",
        ],
        "AppKit ended the process on purpose, in -[NSView _updateConstraints] (abort_with_payload)",
        "certain"
      ),
      // It may be about another process.
      (
        [
          "libsystem_kernel.dylib __terminate_with_payload",
          "libsystem_kernel.dylib terminate_with_reason", "UIKitCore -[UIScene check]",
        ],
        "UIKitCore ended the process on purpose, in -[UIScene check] (terminate_with_reason)",
        "likely"
      ),
      // The task was not completed.
      (
        wrappers + [
          "libsystem_kernel.dylib abort_with_reason", "WatchKit __abort_with_reason",
          "WatchKit -[WKRefreshBackgroundTask dealloc]",
        ],
        "WatchKit ended the process on purpose: a background task was released before it was completed (-[WKRefreshBackgroundTask dealloc])",
        "likely"
      ),
      (
        wrappers + [
          "libsystem_kernel.dylib abort_with_reason", "WatchKit __abort_with_reason",
          "WatchKit -[WKDial check]",
        ], "WatchKit ended the process on purpose, in -[WKDial check] (abort_with_reason)",
        "certain"
      ),
      // The program itself.
      (
        wrappers + ["libsystem_kernel.dylib abort_with_payload"],
        "the process ended itself with abort_with_payload()", "certain"
      ),
      // What says more.
      (
        wrappers + ["libsystem_kernel.dylib abort_with_reason", "libobjc.A.dylib _objc_fatalv"],
        "fatal error of the Objective-C runtime", "certain"
      ),
    ] as [([String], String, String)])
  func endedWithReason(frames: [String], reason: String, confidence: String) throws {
    let crash = try read(Self.ended(frames + ["Board Deck.cut()"])).crash
    expectEqual(crash.reason, reason)
    expectEqual(crash.confidence, confidence)
    expectEqual(crash.frame?.function, "Deck.cut()")
  }

  /// A bad access happened while it ended, or the frame is not among the innermost ones.
  @Test func endsOfOthers() throws {
    let frames = Self.wrappers + ["libsystem_kernel.dylib abort_with_reason", "WatchKit f()"]
    let fault = Self.ended(frames, type: "EXC_BAD_ACCESS (SIGSEGV)")
    expectTrue(try read(fault).crash.reason?.contains("on purpose") != true)
    let further = Self.ended(["CoreFoundation CFRelease"] + frames)
    expectTrue(try read(further).crash.reason?.contains("on purpose") != true)
  }

  // MARK: Limits

  /// Source: lldb, source/Plugins/Process/Utility/StopInfoMachException.cpp.
  @Test(arguments: [
    (
      "I got the error EXC_RESOURCE RESOURCE_TYPE_MEMORY (limit=120 MB, unused=0x0) with files",
      "exceeded its limit of memory: limit 120 MB"
    ),
    (
      "Thread 7: EXC_RESOURCE (RESOURCE_TYPE_MEMORY: high watermark memory limit exceeded) (limit=2,098 MB)",
      "exceeded its limit of memory: limit 2,098 MB"
    ),
    (
      "com.apple.main-thread (1): EXC_RESOURCE RESOURCE_TYPE_WAKEUPS (limit=150 w/s, observed=213 w/s)",
      "exceeded its limit of wake-ups of the processor: limit 150 w/s, observed 213 w/s"
    ),
    (
      "It stops (EXC_RESOURCE RESOURCE_TYPE_CPU (limit=80%, observed=97%))",
      "exceeded its limit of processor time: limit 80%, observed 97%"
    ),
    (
      "> `EXC_RESOURCE (RESOURCE_TYPE_IO: disk writes) (limit=100 MB, observed=122 MB)`",
      "exceeded its limit of writing to the disk: limit 100 MB, observed 122 MB"
    ),
    ("The extension ends: EXC_RESOURCE (RESOURCE_TYPE_MEMORY).", "exceeded its limit of memory"),
  ])
  func limitsInSentences(text: String, reason: String) throws {
    let crash = try read(text + "\n").crash
    expectEqual(crash.reason, reason)
    expectEqual(crash.reasonFrom, "exceptionType")
  }

  @Test(arguments: [
    "Errors such as EXC_RESOURCE RESOURCE_TYPE_MEMORY (limit=120 MB) are common",
    "If EXC_RESOURCE RESOURCE_TYPE_CPU (limit=80%, observed=97%) is shown, wait",
    "case RESOURCE_TYPE_MEMORY: exc_desc = \"EXC_RESOURCE (limit=1)\"",
    "EXC_RESOURCE RESOURCE_TYPE_LIGHT (limit=1)", "MY_EXC_RESOURCE RESOURCE_TYPE_CPU (limit=1)",
    "EXC_RESOURCE RESOURCE_TYPE_MEMORY is a limit of the system",
  ])
  func noLimits(text: String) {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array((text + "\n").utf8))
    }
  }

  // MARK: malloc

  private static let badAllocation =
    "libc++abi.dylib: terminating with uncaught exception of type std::bad_alloc: std::bad_alloc"

  /// Source: libmalloc, src/malloc.c, and Libc of Mac OS X 10.5, gen/scalable_malloc.c.
  @Test(
    arguments: [
      (
        "Board(812,0x1006aebc0) malloc: can't allocate region\n*** mach_vm_map(size=1800945664) failed (error code=3)\nBoard(812,0x1006aebc0) malloc: *** set a breakpoint in malloc_error_break to debug\n",
        "1800945664 bytes (1.8 GB)"
      ),
      (
        "Board(812,0x110d66e00) malloc: can't allocate region\n:*** mach_vm_map(size=18446744073709539328, flags: 100) failed (error code=3)\n",
        "18446744073709539328 bytes (-12288 as a number with a sign)"
      ),
      (
        "2024-05-01 10:00:00.0+0200 x[1:2] y\nBoard(812) malloc: *** mmap(size=104857600) failed (error code=12)\n*** error: can't allocate region\n",
        "104857600 bytes (104.8 MB)"
      ),
    ])
  func failedAllocations(lines: String, size: String) throws {
    let report = try read(lines + Self.badAllocation + "\n")
    expectEqual(report.crash.reason, "\(Self.badAllocation); malloc could not get \(size)")
    expectEqual(report.process.name, "Board")
    expectEqual(report.process.pid, 812)
    // A program may go on without the memory.
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(lines.utf8)) }
  }

  // MARK: Stacks of the main thread

  /// A debugger switches random places off. Source: XNU, bsd/arm/vmparam.h: the stack of 8176 kB
  /// ends at 0x16f604000.
  @Test(arguments: [
    ("code=2, address=0x16f603fe0", true), ("code=2, address=0x7ffeef3ffff8", true),
    ("code=2, address=0x7fff5f3ffffc", true), ("code=1, address=0x16f603fe0", false),
    ("code=2, address=0x16f604000", false), ("code=2, address=0x16f5f3ff8", false),
  ])
  func endsOfStacks(stop: String, isOverflow: Bool) throws {
    let crash = try read(
      """
      Process 812 stopped
      * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (\(stop))
          frame #0: 0x0000000100bfe2f0 libdeck.dylib`Deck::cut(Card&)

      """
    ).crash
    expectEqual(crash.kind == "stackOverflow", isOverflow)
    expectEqual(crash.frame?.function, "Deck::cut(Card&)")
  }

  // MARK: Sentry's pages

  private static let raw = """
    SIGABRT: *** error for object %p: pointer being freed was not allocated
     > Board > Board(812,0x17084f000) malloc: *** error for object 0x10c860e40: pointer being freed was not allocated

      libsystem_kernel    0x237bd90cc  __pthread_kill
      libsystem_c         0x1986d3f60  abort
      libsystem_malloc    0x1982886dc  malloc_report
      libsystem_malloc    0x19827c714  ___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED
      libswiftCore        0x189efc3a4  _swift_release_dealloc
      Deck Kit            0x10186cf6c  Deck.__deallocating_deinit (<compiler-generated>)
      Board               0x10186cf9c  Game.turn() (Game.swift:80)

    """

  /// Source: getsentry/sentry, …/stackTrace/rawContent.tsx (`getNativeFrame`).
  @Test func rawStacksOfSentry() throws {
    let report = try read(Self.raw)
    expectEqual(report.process.name, "Board")
    expectEqual(report.process.pid, 812)
    expectEqual(
      report.crash.reason, "*** error for object 0x10c860e40: pointer being freed was not allocated"
    )
    let frames = report.backtraces[0].frames
    expectEqual(frames.count, 7)
    expectEqual(frames[0].imageName, "libsystem_kernel.dylib")
    expectEqual(frames[5].imageName, "Deck Kit")
    expectEqual(frames[5].function, "Deck.__deallocating_deinit")
    expectEqual(frames[6].line, 80)
  }

  /// The innermost frame is the program's own: those of the system below show that it is a stack.
  @Test func rawStacksThatBeginInTheProgram() throws {
    let report = try read(
      """
      EXC_BAD_ACCESS: Game.turn > KERN_INVALID_ADDRESS at 0x10.

        Board               0x10186cf6c  Deck.cut() (Deck.swift:7)
        Board               0x10186cf9c  Game.turn() (Game.swift:80)
        libdispatch         0x1986d3f60  _dispatch_client_callout
        libdispatch         0x1986d3fa0  _dispatch_main_queue_drain

      """)
    expectEqual(report.backtraces[0].frames.count, 4)
    expectEqual(report.crash.frame?.function, "Deck.cut()")
    expectEqual(report.crash.frame?.line, 7)
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.exception.subtype, "KERN_INVALID_ADDRESS at 0x10")
  }

  /// A name that fills its column, and addresses of macOS on Intel's processors.
  @Test func rawStacksWithLongNames() throws {
    let report = try read(
      """
      SIGABRT: no cards

        libsystem_kernel    0x7ff81b2bf2a8 __pthread_kill
        libsystem_c         0x7ff81b2bf2ac abort
        ExtensionOfTheGameBoard0x10186cf6c  Deck.cut() (Deck.swift:7)
        Board               0x10186cf9c  Game.turn() (Game.swift:80)

      """)
    let frames = report.backtraces[0].frames
    expectEqual(
      frames.map(\.imageName),
      ["libsystem_kernel.dylib", "libsystem_c.dylib", "ExtensionOfTheGameBoard", "Board"])
    expectEqual(frames[2].function, "Deck.cut()")
    expectEqual(report.crash.reason, "no cards")
    expectEqual(report.exception.signal, "SIGABRT")
  }

  /// One line alone, and sentences with addresses.
  @Test(arguments: [
    "libboard is loaded at 0x10186cf6c again\n",
    "library lookup failed for 0x10186cf6c here\nand so it went on until 0x10186cf9c came\n",
  ])
  func noRawStacks(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }
}
