import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons and places in reports of old tools and in parts of reports.
struct OldPasteReasonTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  /// Source: mach-o/loader.h: an image begins with its header.
  private static func jump(to offset: String, head: String = "") -> String {
    """
    \(head)Thread 0 Crashed:
    0   Nest    0x0000000102ea40\(offset) 0x102ea4000 + \(Int(offset, radix: 16) ?? 0)
    1   Owl     0x0000000102dbbcc4 owl_hoot + 80 (owl.c:92)
    2   Owl     0x0000000102dbb684 main + 172 (owl.c:122)

    Binary Images:
    0x102db8000 - 0x102dbbfff Owl arm64 <00112233445566778899aabbccddeeff> /usr/local/bin/Owl
    0x102ea4000 - 0x102f23fff Nest arm64 <10112233445566778899aabbccddeeff> /usr/local/lib/Nest

    """
  }

  @Test(arguments: ["", "Exception Type: EXC_BAD_INSTRUCTION (SIGILL)\nProcess: Owl [1]\n\n"])
  func jumpsToHeaders(head: String) throws {
    let found = try crash(Self.jump(to: "00", head: head))
    expectEqual(found.kind, "callThroughBadPointer")
    expectEqual(found.confidence, "likely")
    expectPrefix(try require(found.reason), "jump to 0x102ea4000, the start of Nest")
    // Code is behind the header, and `abort()` is no jump.
    expectNotEqual(try crash(Self.jump(to: "40")).kind, "callThroughBadPointer")
    let head = "Exception Type: EXC_CRASH (SIGABRT)\nProcess: Owl [1]\n\n"
    let ended = Self.jump(to: "00", head: head)
    expectNotEqual(try crash(ended).kind, "callThroughBadPointer")
  }

  /// Source: llvm-project, compiler-rt/lib/interception/interception.h (`WRAP`).
  @Test func wrappersOfSanitizers() throws {
    let found = try crash(
      """
      ==907==ERROR: AddressSanitizer: attempting double-free on 0x0ab7aef0 in thread T0:
          #0 0x11e035 in wrap_free _asan_rtl_
          #1 0x5f764 in OwlRelease owl.c:119

      """)
    expectEqual(found.frame?.function, "OwlRelease")
    expectContains(try require(found.reason), "attempting double-free")
  }

  /// Before the crate was a part of names.
  @Test func panicsOfOldRust() throws {
    let found = try crash(
      """
         1:        0x10b99fd58 - sys::backtrace::tracing::imp::write::h3153bab3099b48114Zu
         2:        0x10b98e946 - sys_common::unwind::begin_unwind_inner::h1f97bc9e4cfe0396LZt
         3:        0x10b99f0f7 - rust_begin_unwind
         4:        0x10b9c9550 - panicking::panic_fmt::h40f5ec0cdc3fc429FRL
         5:        0x10a0d9165 - result::unwrap_failed::h1838923861604296214
         6:        0x10a0ff5ce - owl::hoot::h156bd6bdc3429ce6mbr

      """)
    expectEqual(found.kind, "rustPanic")
    expectEqual(found.reason, "Rust panic: unwrap() or expect() of an Err")
    expectPrefix(try require(found.frame?.function), "owl::hoot")
  }

  /// A page made a table of the columns, and the offsets of the images were lost.
  @Test func tablesOfFrames() throws {
    let found = try crash(
      """
      0 libsystem_kernel.dylib | __pthread_kill + 8
      -- | --
      1 libsystem_pthread.dylib | pthread_kill + 228
      2 libsystem_c.dylib | abort + 9664259706918535272
      3 libsystem_malloc.dylib | 0x00000001b4600000 + 7134824960882753420
      4 libsystem_malloc.dylib | free + 10033536734421057968
      5 Owl | -[Owl hoot] + 336

      """)
    expectEqual(found.frame?.function, "-[Owl hoot]")
    expectEqual(found.frame?.index, 5)
    expectEqual(found.kind, "heapDamage")
  }

  /// Nothing else says whose image it is.
  @Test func failedChecksWithoutImages() throws {
    let found = try crash(
      """
      Process: Owl [9339]
      Exception Type: EXC_BREAKPOINT (SIGTRAP)

      Thread 0 Crashed:
      0   SwiftUI   0x1e6d2b7ac measure(_:) + 216
      1   AppKit    0x1e6d2b7a4 -[NSView layout] + 4

      """)
    expectEqual(found.kind, "failedCheck")
    expectPrefix(try require(found.reason), "SwiftUI stopped the app")
  }

  /// A process that ends itself gets another signal.
  @Test(
    arguments: [
      ("EXC_CRASH (SIGKILL)", "; then the watchdog ended it (scene-update took more than 10.00 s)"),
      ("EXC_CRASH (SIGABRT)", ""),
    ])
  func processesThatHangAtTheirEnd(type: String, end: String) throws {
    let found = try crash(
      """
      Process: Owl [458]
      Exception Type:  \(type)
      Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d
      Termination Description: SPRINGBOARD, scene-update watchdog transgression: com.example.owl exhausted real (wall clock) time allowance of 10.00 seconds
      Triggered by Thread:  0

      Application Specific Information:
      BUG IN CLIENT OF LIBPLATFORM: Trying to recursively lock an os_unfair_lock
      abort() called

      Thread 0 Crashed:
      0   libsystem_kernel.dylib   0x0000000182b3f000 __ulock_wait + 8
      1   Owl                      0x0000000102dbb684 -[Owl hoot] + 172

      """)
    expectEqual(
      found.reason,
      "BUG IN CLIENT OF LIBPLATFORM: Trying to recursively lock an os_unfair_lock" + end)
  }

  /// Logic Pro leaves the label of its build among the application's information, which may be cut.
  @Test(
    arguments: [
      ("OwlBarn", "general protection fault"), ("OwlBarn-5182~3", "general protection fault"),
      ("OwlBarn 10.4 (5182)", "general protection fault"),
      ("the owl fell", "the owl fell"), ("OutOfNestError", "OutOfNestError"),
    ])
  func labelsOfBuilds(line: String, reason: String) throws {
    let found = try crash(
      """
      Process:         Owl [812]
      Crashed Thread:  72  Nest

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: EXC_I386_GPFLT

      Application Specific Information:
      \(line)

      """)
    expectPrefix(try require(found.reason), reason)
  }

  /// Crash SDKs leave the selector that was being sent there.
  @Test func selectorAlone() throws {
    let found = try crash(
      """
      Exception Type: EXC_BREAKPOINT (SIGTRAP)
      Crashed Thread: 3

      Application Specific Information:
      release

      Thread 3 Crashed:
      0   libdispatch.dylib               0x365c34ab4         _os_object_release
      1   Owl                             0x2006f72c4         -[Owl hoot] (Owl.m:182)

      """)
    expectFalse(try require(found.reason).hasPrefix("release"))
  }

  /// The text breaks off within what is beside the kind of the exception.
  @Test(
    arguments: [
      ("EXC_BAD_ACCESS (Code Signature I", "EXC_BAD_ACCESS (Code Signature Invalid)", nil),
      ("EXC_CRASH (SIGAB", "EXC_CRASH", "SIGABRT"),
      // More than one begins so.
      ("EXC_CRASH (SIGI", "EXC_CRASH (SIGI", nil), ("EXC_CRASH (", "EXC_CRASH (", nil),
      ("EXC_CRASH (SIGOWL", "EXC_CRASH (SIGOWL", nil),
    ] as [(String, String, String?)])
  func cutNotes(text: String, type: String, signal: String?) throws {
    let found = try JsonFixture.report(
      "Process: Owl [812]\nVersion: 2.6.0\nCrashed Thread: 0\n\nException Type: \(text)", with: [])
    expectEqual(found.exception.type, type)
    expectEqual(found.exception.signal, signal)
    expectEqual(
      found.crash.reason?.hasPrefix("invalid code signature"),
      type.contains("Code Signature Invalid"))
  }

  /// The end of a thread whose heading is missing, above another one. The functions that end a
  /// process for an exception are on no other stack.
  @Test(arguments: [5, 1])
  func tailsOfThreads(first: Int) throws {
    let tail = [
      "libobjc.A.dylib     0x00007fff862f730d _objc_terminate() + 103",
      "libc++abi.dylib     0x00007fff8aaa93e1 std::__terminate(void (*)()) + 8",
      "libc++abi.dylib     0x00007fff8aaa908b __cxa_rethrow + 109",
      "libobjc.A.dylib     0x00007fff862f7049 objc_exception_rethrow + 40",
      "CoreFoundation      0x00007fff8881d308 CFRunLoopRunSpecific + 456",
      "Foundation          0x00007fff8d283a7c -[NSRunLoop(NSRunLoop) run] + 74",
      "com.example.Owl     0x00000001000183fd -[Owl hoot] + 280",
    ].enumerated().map { "\($0 + first)   \($1)\n" }.joined()
    let other = """

      Thread 6:
      0   libsystem_kernel.dylib     0x00007fff8c179a1a mach_msg_trap + 10
      1   com.example.Owl            0x00000001000183aa -[Owl wait] + 28

      """
    let reason = try require(try crash(tail + other).reason)
    expectPrefix(reason, "uncaught exception")
    expectContains(reason, "-[Owl hoot]")
    expectContains(reason, "thrown again")
    // Nothing in such a tail ends a process.
    let idle = tail.replacing("_objc_terminate()", with: "objc_terminates()")
      .replacing("std::__terminate(void (*)())", with: "Nest::abortive()")
    expectNil(try crash(idle + other).reason)
  }

  /// mmap() and others return -1 if they fail. dyld has functions of the C library of its own.
  @Test func addressOfAFailure() throws {
    let found = try crash(
      """
      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0xffffffffffffffff
      Crashed Thread:        0

      Application Specific Information:
      dyld: in dlopen()
      /Library/Owl/libnest.dylib

      Thread 0 Crashed:
      0   dyld                   0x00007fff606c745d memcmp + 29
      1   dyld                   0x00007fff606b44c3 ImageLoaderMachO::validateFirstPages(int) + 109
      2   dyld                   0x00007fff606b96b5 ImageLoader::link(int) + 20

      """)
    expectEqual(found.kind, "invalidAddress")
    let reason = try require(found.reason)
    expectContains(reason, "which is -1")
    expectContains(reason, "ImageLoaderMachO::validateFirstPages")
    expectContains(reason, "libnest.dylib")
  }

  /// dyld's reasons, of version 852 and earlier. That there is no such file is what the first line
  /// says.
  @Test(
    arguments: [
      (
        "no suitable image found.  Did find:\n\t/usr/lib/libnest: mmap() error 1 at address=0x10EA85000, size=0x0000F000",
        "no suitable image found: /usr/lib/libnest: mmap() error 1"
      ),
      ("image not found", nil), ("tried: '/usr/lib/libnest' (no such file)", nil),
      ("no suitable image found.  Did find:\n\t/usr/lib/libnest: file too short", nil),
    ] as [(String, String?)])
  func reasonsOfTheLinker(words: String, shown: String?) throws {
    let reason = try require(
      try crash(
        "dyld: Library not loaded: /usr/lib/libnest\n  Referenced from: /usr/bin/owl\n  Reason: \(words)\n"
      ).reason)
    expectContains(reason, "Library not loaded: /usr/lib/libnest, referenced from owl")
    expectEqual(reason.contains("suitable image"), shown != nil)
    if let shown { expectContains(reason, shown) }
  }

  /// Markdown takes backslashes for its own before stars.
  @Test(arguments: ["**\\*", "\\*\\*\\*", "***"])
  func starsInMarkdown(stars: String) throws {
    let words = "-[Owl hoot]: unrecognized selector sent to instance 0x2d22a0"
    try expectReason(
      "Owl[812]: \(stars) Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(stars) \(words)'\n",
      "NSInvalidArgumentException: *** \(words)")
  }

  /// What the application wrote into a report, alone, as Quick Look writes it.
  @Test(arguments: ["> ", "", "```\n"])
  func informationAlone(start: String) throws {
    let mark = start == "> " ? start : ""
    let lines = [
      "Application Specific Information:", "Assertion failure in OwlFinish (line 7): owl == NULL",
      "last nest: com.example.Owl", "abort() called",
    ]
    let text = lines.map { "\(mark)\($0)\n" }.joined()
    try expectReason(
      "It ends:\n\n\(start == "```\n" ? start : "")\(text)\nWhy?\n",
      "Assertion failure in OwlFinish (line 7): owl == NULL")
  }

  /// In a quotation or a block of code, other words count too.
  @Test(arguments: [("> ", "> "), ("```\n", "")])
  func informationInOtherWords(start: String, mark: String) throws {
    try expectReason(
      "It ends:\n\n\(start)Application Specific Information:\n\(mark)the owl fell\n\nWhy?\n",
      "the owl fell")
  }

  /// The part of a list of threads that begins within the registers of one. Those of a thread that
  /// an exception stopped say so; the number of the thread is not known.
  @Test(
    arguments: [
      (2_181_038_087, 6_898_713_504, "the function's code could not be fetched"),
      (2_449_473_542, 24, "read through a null pointer, at offset 0x18"),
      (1_442_840_704, 0, nil), (2_449_473_536, 24, nil),
    ] as [(Int, Int, String?)])
  func cutRegisters(syndrome: Int, address: Int, reason: String?) throws {
    let found = try JsonFixture.report(
      #"""
      {"value":0},{"value":276}],"flavor":"ARM_THREAD_STATE64","lr":{"value":6902002580},"sp":{"value":6171191232},"esr":{"value":\#(syndrome)},"pc":{"value":6898713504},"far":{"value":\#(address)}},"queue":"Nest","frames":[{"imageOffset":7508896,"symbol":"-[Owl hoot]","symbolLocation":0,"imageIndex":5},{"imageOffset":10797972,"symbol":"-[Nest wake:]","symbolLocation":124,"imageIndex":5},{"imageOff
      """#, with: [])
    expectEqual(found.crash.reason, reason.map { _ in found.crash.reason } ?? nil)
    expectPrefix(found.crash.reason ?? "", reason ?? "")
    expectEqual(found.crashedThread, nil)
    expectEqual(found.backtraces.first?.number, nil)
  }

  /// A list of threads without the mark of the one that crashed: the others called the kernel.
  @Test(arguments: [("1442840704", 1), ("2449473542", nil)] as [(String, Int?)])
  func threadsWithoutAMark(syndrome: String, crashed: Int?) throws {
    func thread(_ syndrome: String, _ function: String) -> String {
      #"{"threadState":{"flavor":"ARM_THREAD_STATE64","esr":{"value":\#(syndrome)},"pc":{"value":4295000000},"far":{"value":24}},"frames":[{"imageOffset":16,"symbol":"\#(function)","symbolLocation":4,"imageIndex":0}]}"#
    }
    let found = try JsonFixture.report(
      "  \"procName\" : \"Owl\",\n  \"pid\" : 812,\n  \"threads\" : ["
        + "\(thread(syndrome, "-[Owl wait]")),\(thread("2449473542", "-[Owl hoot]")),{\"thr",
      with: [])
    expectEqual(found.crashedThread, crashed)
    expectEqual(found.process.pid, 812)
  }
}
