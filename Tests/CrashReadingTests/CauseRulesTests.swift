import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// The rules that read the reason of a crash from registers, addresses, throwers and terminations.
///
/// What the numbers mean is from XNU's headers and Apple's documentation, as the rules name them;
/// the reports are built here, with the lines that real reports have.
struct CauseRulesTests {
  private typealias Report = TrapReportFixture

  private static let own = "-[Board draw] + 12 (Board.m:7)"

  private func crash(
    _ frames: [String], head: String, before: String = "", after: String = "",
    images: [String] = [Report.inlinesLine, Report.systemLine]
  ) throws -> JsonReport.Crash {
    let text = Report.report(frames, images: images, head: head, before: before)
      .replacing("\nBinary Images:", with: "\(after)\nBinary Images:")
    return try JsonFixture.report(text, with: []).crash
  }

  private func badAccess(
    _ subtype: String, codes: String, frames: [String]? = nil, state: String = "",
    regions: String = ""
  ) throws -> JsonReport.Crash {
    try crash(
      frames ?? [Report.stated(0, 0x1_0000_1000, Self.own)],
      head: """
        Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
        Exception Subtype: \(subtype)
        Exception Codes: \(codes)
        \(regions)
        """,
      after: state.isEmpty
        ? "" : "\nThread 0 crashed with ARM Thread State (64-bit):\n\(state)\n")
  }

  // MARK: Memory

  @Test(
    arguments: [
      ("0x0000000000000000", "", "access", nil),
      ("0x0000000000000010", "", "access", "0x10"),
      ("0x0000000000003fff", "", "access", "0x3fff"),
      // WnR is bit 6 of a data abort's syndrome.
      (
        "0x0000000000000010", "   far: 0x0000000000000010  esr: 0x92000006 (Data Abort) byte read",
        "read", "0x10"
      ),
      (
        "0x0000000000000010", "   far: 0x0000000000000010  esr: 0x92000046 (Data Abort) byte write",
        "write", "0x10"
      ),
      // A system call's syndrome says nothing about the access.
      (
        "0x0000000000000010", "   far: 0x0000000000000010  esr: 0x56000080 (Data Abort) byte read",
        "access", "0x10"
      ),
    ] as [(String, String, String, String?)])
  func nullPointers(address: String, state: String, access: String, offset: String?) throws {
    let found = try badAccess(
      "KERN_INVALID_ADDRESS at \(address)", codes: "0x0000000000000001, \(address)", state: state)
    let reason = try require(found.reason)
    expectPrefix(reason, "\(access) ")
    expectTrue(offset.map { reason.hasSuffix(" \($0)") } ?? !reason.contains("0x"))
    expectEqual(found.kind, "nullPointer")
    expectEqual(found.confidence, "likely")
    expectEqual(found.reasonFrom, "exceptionType")
    expectEqual(found.evidence.first?.text, "KERN_INVALID_ADDRESS at \(address)")
  }

  @Test func anAddressFromTheWordsAlone() throws {
    let text = "Exception Type:  SIGSEGV\nException Codes: SEGV_MAPERR at 0x8"
    let found = try crash([Report.stated(0, 0x1_0000_1000, Self.own)], head: text)
    expectEqual(found.kind, "nullPointer")
    expectEqual(found.reason?.hasSuffix(" 0x8"), true)
  }

  @Test func anAddressAboveTheFirstPagesIsNoNullPointer() throws {
    let found = try badAccess("KERN_INVALID_ADDRESS at 0x10000", codes: "0x1, 0x10000")
    expectEqual(found.kind, "invalidAddress")
    expectEqual(found.confidence, "likely")
  }

  @Test func callsThroughBadPointers() throws {
    let null = try badAccess(
      "KERN_INVALID_ADDRESS at 0x0", codes: "0x1, 0x0",
      frames: [
        "0   ??? 0x0000000000000000 0 + 0", Report.stated(1, 0x1_0000_1000, Self.own),
      ])
    expectEqual(null.kind, "callThroughNullPointer")
    expectEqual(null.reason, "call through a null pointer")
    expectEqual(null.frame?.function, "-[Board draw]")
    let dead = try badAccess(
      "KERN_INVALID_ADDRESS at 0x5000000000", codes: "0x1, 0x5000000000",
      state:
        "    x0: 0x0000000000000000   lr: 0x0000000100001000\n    pc: 0x0000005000000000 cpsr: 0x0")
    expectEqual(dead.kind, "callThroughBadPointer")
    expectEqual(dead.reason?.hasPrefix("jump to 0x5000000000, where no code is"), true)
    expectTrue(dead.evidence.contains { $0.from == "register" && $0.name == "pc" })
  }

  @Test func pointersThatAreText() throws {
    // “un l” in the memory of a 32-bit process, “overflow” in that of a 64-bit one.
    let words = try badAccess(
      "KERN_INVALID_ADDRESS at 0x6f6c66726576", codes: "0x1, 0x6f6c66726576")
    expectEqual(words.kind, "pointerIsText")
    expectEqual(words.reason?.contains("“verflo”"), true)
    // Four letters of 64 bits are a coincidence.
    let number = try badAccess("KERN_INVALID_ADDRESS at 0x6c206e75", codes: "0x1, 0x6c206e75")
    expectEqual(number.kind, "invalidAddress")
  }

  @Test(
    arguments: ["objc_msgSend", "objc_release", "objc_msgSend$VARIANT$up", "swift_retain"])
  func objectsThatWereFreed(function: String) throws {
    let found = try badAccess(
      "KERN_INVALID_ADDRESS at 0xbc73f448b4b0", codes: "0x1, 0xbc73f448b4b0",
      frames: [
        Report.system(0, "\(function) + 8"), Report.stated(1, 0x1_0000_1000, Self.own),
      ])
    expectEqual(found.kind, "freedObject")
    expectEqual(found.confidence, "possible")
    expectEqual(found.evidence.first?.from, "frame")
    expectEqual(found.evidence.first?.text, function)
  }

  /// The reason of a crash next to the stack pointer, with functions that call each other in turn.
  private func cycle(of names: [String], frameCount: Int) throws -> String? {
    let frames = (0..<frameCount).map {
      Report.stated($0, 0x1_0000_1000, "\(names[$0 % names.count]) + 1")
    }
    return try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16f4bbff0", codes: "0x2, 0x16f4bbff0", frames: frames,
      state: "    sp: 0x000000016f4bc010   pc: 0x0000000100001000 cpsr: 0x0"
    ).reason
  }

  @Test func stackOverflows() throws {
    // The marked region is a guard page.
    let guardPage = """
      VM Region Info: 0x16f4bbff0 is in 0x16bcb8000-0x16f4bc000;  bytes after start: 58736624
            REGION TYPE                 START - END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
            VM_ALLOCATE              100e40000-100e44000 [   16K] rw-/rwx SM=PRV
      --->  STACK GUARD              16bcb8000-16f4bc000 [ 56.0M] ---/rwx SM=NUL  stack guard for thread 0
            Stack                    16f4bc000-16f5b8000 [ 1008K] rw-/rwx SM=PRV  thread 0
      """
    let frames = (0..<20).map { Report.stated($0, 0x1_0000_1000, "visit(_:) + 12 (Tree.swift:3)") }
    let found = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16f4bbff0", codes: "0x2, 0x16f4bbff0", frames: frames,
      regions: guardPage)
    expectEqual(found.kind, "stackOverflow")
    expectEqual(found.confidence, "likely")
    expectEqual(found.reason, "stack overflow: visit(_:) calls itself (× 20)")
    expectEqual(found.frame?.line, 3)
    // Next to the stack pointer, two functions in turn.
    let turns = (0..<40).map {
      Report.stated($0, 0x1_0000_1000, $0.isMultiple(of: 2) ? "a() + 1" : "b() + 1")
    }
    let near = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16f4bbff0", codes: "0x2, 0x16f4bbff0", frames: turns,
      state: "    sp: 0x000000016f4bc010   pc: 0x0000000100001000 cpsr: 0x0")
    expectEqual(near.reason, "stack overflow: a() and b() call each other (× 20)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()"], frameCount: 60),
      "stack overflow: a(), b() and c() call each other (× 20)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()", "d()"], frameCount: 40),
      "stack overflow: a(), b(), c() and d() call each other (× 10)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()", "d()", "e()", "f()", "g()"], frameCount: 70),
      "stack overflow: a(), b(), c() and 4 more call each other (× 10)")
    // More than are searched for a cycle.
    try expectEqual(
      cycle(of: ["a()"], frameCount: 9_000), "stack overflow: a() calls itself (× 9000)")
    try expectEqual(
      cycle(of: ["a()", "b()", "c()"], frameCount: 9_001),
      "stack overflow: a(), b() and c() call each other (× 3000)")
    // An ordinary recursion is none.
    let short = try badAccess(
      "KERN_INVALID_ADDRESS at 0xbc73f448b4b0", codes: "0x1, 0xbc73f448b4b0", frames: frames)
    expectEqual(short.kind, "invalidAddress")
  }

  @Test(
    arguments: [
      ("KERN_MEMORY_ERROR at 0x104f24000", "0xa, 0x104f24000", "fileGone"),
      (
        "KERN_INVALID_ADDRESS at 0x200000010201ddf8 -> 0x000000010201ddf8 (possible pointer authentication failure)",
        "0x1, 0x200000010201ddf8", "overwrittenPointer"
      ),
      ("UNKNOWN_0x32 at 0x10101c000", "0x32, 0x10101c000", "codeSignature"),
      ("KERN_PROTECTION_FAILURE at 0x104f24000", "0x2, 0x104f24000", "memoryProtection"),
      ("EXC_I386_GPFLT", "0xd, 0x0", "invalidAddress"),
      ("KERN_INVALID_ADDRESS at 0x104f24000", "0x1, 0x104f24000", "invalidAddress"),
      ("EXC_ARM_DA_ALIGN at 0x104f24001", "0x101, 0x104f24001", "misalignedAddress"),
      // The address of a misaligned access may be none at all.
      ("UNKNOWN_0x101 at 0xfffffffffffffffd", "0x101, 0xfffffffffffffffd", "misalignedAddress"),
      // malloc(3): MallocScribble and MallocPreScribble; an offset may be added.
      ("KERN_INVALID_ADDRESS at 0x5555555555555565", "0x1, 0x5555555555555565", "freedObject"),
      (
        "KERN_INVALID_ADDRESS at 0xaaaaaaaaaaaaaaaa", "0x1, 0xaaaaaaaaaaaaaaaa",
        "uninitializedMemory"
      ),
      ("KERN_NO_SPACE at 0x104f24000", "0x3, 0x104f24000", "exceptionType"),
    ])
  func otherFaults(subtype: String, codes: String, kind: String) throws {
    try expectEqual(badAccess(subtype, codes: codes).kind, kind)
  }

  @Test func writesToReadOnlyMemory() throws {
    let found = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x104f24000", codes: "0x2, 0x104f24000",
      state: "   far: 0x0000000104f24000  esr: 0x9200004f (Data Abort) byte write Permission fault")
    expectEqual(found.kind, "readOnlyMemory")
  }

  // MARK: Exceptions

  /// Frames of an exception, from the runtime down to the user's code.
  private func thrown(_ functions: [String]) throws -> JsonReport.Crash {
    let all = ["__exceptionPreprocess", "objc_exception_throw"] + functions
    let frames = all.enumerated().map { Report.system($0.offset, "\($0.element) + 8") }
    return try crash(
      [Report.system(0, "__pthread_kill + 8")], head: "Exception Type:  EXC_CRASH (SIGABRT)",
      before: "\nLast Exception Backtrace:\n"
        + (frames + [Report.stated(all.count, 0x1_0000_1000, Self.own)]).joined(separator: "\n")
        + "\n")
  }

  @Test(
    arguments: [
      (
        ["+[NSException raise:format:]", "-[CXChannelAction initWithChannelUUID:]"],
        "uncaughtException", "-[CXChannelAction initWithChannelUUID:]"
      ),
      (
        [
          "-[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]",
          "-[BGTaskScheduler submitTaskRequest:error:]",
        ], "assertion", "-[BGTaskScheduler submitTaskRequest:error:]"
      ),
      (
        [
          "-[NSObject(NSObject) doesNotRecognizeSelector:]", "___forwarding___",
          "_CF_forwarding_prep_0", "-[Store load]",
        ], "unrecognizedSelector", "-[Store load]"
      ),
      (
        ["-[__NSArrayM objectAtIndex:]"], "indexOutOfRange", "-[__NSArrayM objectAtIndex:]"
      ),
      (
        ["-[__NSDictionaryM setObject:forKey:]"], "nilArgument",
        "-[__NSDictionaryM setObject:forKey:]"
      ),
      (
        ["-[NSObject(NSKeyValueObserverRegistration) _removeObserver:forProperty:]"],
        "keyValueObserving",
        "-[NSObject(NSKeyValueObserverRegistration) _removeObserver:forProperty:]"
      ),
      (
        ["_AssertAutoLayoutOnAllowedThreadsOnly"], "wrongThread",
        "_AssertAutoLayoutOnAllowedThreadsOnly"
      ),
      (
        [], "uncaughtException", "-[Board draw]"
      ),
    ] as [([String], String, String)])
  func throwers(functions: [String], kind: String, thrower: String) throws {
    let found = try thrown(functions)
    expectEqual(found.reason?.hasSuffix(thrower), true)
    expectTrue(found.evidence.contains { $0.from == "frame" && $0.text == thrower })
    expectEqual(found.kind, kind)
    expectEqual(found.reasonFrom, "function")
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  // MARK: Traps

  private static let cloudKit =
    "0x1a0000000 - 0x1a00fffff CloudKit arm64  <00112233445566778899aabbccddeeff> /System/Library/Frameworks/CloudKit.framework/CloudKit"

  @Test func failedChecksOfTheSystem() throws {
    let frames = [
      ReportFixture.line(0, 0x1_a000_1000, image: "CloudKit", "0x1a0000000 + 4096"),
      Report.stated(1, 0x1_0000_1000, Self.own),
    ]
    let found = try crash(
      frames, head: "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
      images: [Report.inlinesLine, Self.cloudKit])
    expectEqual(found.reason?.contains("CloudKit"), true)
    expectTrue(found.kind == "failedCheck" && found.frame?.function == "-[Board draw]")
    let swift = try crash(
      [
        ReportFixture.line(0, 0x1_9000_1000, image: "libswiftCore.dylib", "0x190000000 + 4096"),
        Report.stated(1, 0x1_0000_1000, "f(_:) + 1 (A.swift:4)"),
      ], head: "Exception Type:  EXC_BREAKPOINT (SIGTRAP)")
    expectEqual(swift.kind, "swiftRuntimeFailure")
    expectEqual(swift.confidence, "likely")
  }

  /// The number of the breakpoint instruction: `brk #1` is any trap.
  @Test(
    arguments: [
      ("0xf2000001", "swiftRuntimeFailure"), ("0xf200c471", "pointerAuthentication"),
      ("0xf2005519", "failedCheck"),
    ])
  func breakpointNumbers(syndrome: String, kind: String) throws {
    let found = try crash(
      [Report.stated(0, 0x1_0000_1000, "f(_:) + 1 (A.swift:4)")],
      head: "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
      after:
        "\nThread 0 crashed with ARM Thread State (64-bit):\n   far: 0x0  esr: \(syndrome) (Breakpoint)\n"
    )
    expectEqual(found.kind, kind)
  }

  /// 0xd53ef308 is `mrs x8, s3_6_c15_c3_0`.
  @Test(
    arguments: [
      ("0x65707974", "no instruction: a jump into data, or damaged code"),
      ("0xd53ef308", "an instruction for the system that programs may not use"),
    ])
  func instructionsThatAreRefused(word: String, meaning: String) throws {
    let found = try crash(
      [Report.stated(0, 0x1_0000_1000, Self.own)],
      head: "Exception Type:  EXC_BAD_INSTRUCTION (SIGILL)\nException Codes: 0x1, \(word)")
    expectEqual(found.kind, "trapInstruction")
    expectEqual(found.reason, "\(word) was executed, which is \(meaning)")
  }

  /// The first byte behind a region, as old and new reports show it, and one far behind it.
  @Test(
    arguments: [
      (
        "VM Regions Near 0x113e3d000:\n    MALLOC_LARGE   1135cb000-113e3d000 [ 8648K] rw-/rwx SM=PRV\n--> \n",
        "bufferOverflow"
      ),
      (
        "VM Region Info: 0x113e3d000 is not in any region.  Bytes after previous region: 1\n      REGION TYPE   START - END\n      mapped file   1135cb000-113e3d000 [ 8648K] r--/rwx SM=PRV\n--->\n",
        "bufferOverflow"
      ),
      (
        "VM Regions Near 0x113e3d000:\n    MALLOC_LARGE   1135cb000-113e2d000 [ 8584K] rw-/rwx SM=PRV\n--> \n",
        "invalidAddress"
      ),
      (
        "VM Regions Near 0x113e3d000:\n    __TEXT   1135cb000-113e3d000 [ 8648K] r-x/rwx SM=COW\n--> \n",
        "invalidAddress"
      ),
    ])
  func behindARegion(regions: String, kind: String) throws {
    let found = try crash(
      [Report.stated(0, 0x1_0000_1000, Self.own)],
      head:
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: KERN_INVALID_ADDRESS at 0x113e3d000\n\n\(regions)"
    )
    expectEqual(found.kind, kind)
  }

  // MARK: The system

  /// Writers put all digits of an address, or those that count: others were cut off.
  @Test(arguments: [
    ("0x0000000000000000", "nullPointer"), ("0x8", "nullPointer"), ("0x00", "invalidAddress"),
  ])
  func addressesThatWereCut(address: String, kind: String) throws {
    let found = try crash(
      [Report.stated(0, 0x1_0000_1000, Self.own)],
      head:
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Subtype: KERN_INVALID_ADDRESS at \(address)"
    )
    expectEqual(found.kind, kind)
    expectEqual(found.reason?.hasSuffix("; the address is cut off"), address == "0x00")
  }

  /// All codes of developer.apple.com/documentation/xcode/sigkill, and codes of other namespaces.
  @Test(
    arguments: [
      ("0x8badf00d", true), ("0xc00010ff", true), ("0xdead10cc", true), ("0xbaadca11", true),
      ("0xbad22222", true), ("0xbaddd15c", true), ("0xc51bad01", true), ("0xc51bad02", true),
      ("0xc51bad03", true), ("0xd00d2bad", true), ("0x2182bad2", true), ("0x2182bad3", true),
      ("0x2182bad4", true), ("0xdeadbeef", false),
    ])
  func endingCodes(code: String, isExplained: Bool) throws {
    let head = "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: "
    let found = try crash(
      [Report.system(0, "mach_msg_trap + 8")], head: head + "RUNNINGBOARD \(code)")
    let start = "RUNNINGBOARD \(code) ("
    expectEqual(found.reason?.hasPrefix(start), isExplained)
    let other = try crash(
      [Report.system(0, "mach_msg_trap + 8")], head: head + "CODESIGNING \(code)")
    expectEqual(other.reason, "CODESIGNING \(code)")
  }

  @Test func watchdogsWithTheirNumbers() throws {
    let found = try crash(
      [Report.system(0, "mach_msg_trap + 8"), Report.stated(1, 0x1_0000_1000, Self.own)],
      head: """
        Exception Type:  EXC_CRASH (SIGKILL)
        Termination Reason: FRONTBOARD 2343432205
        <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog transgression: app<com.example.App>:6025 exhausted real (wall clock) time allowance of 10.00 seconds
        ProcessVisibility: Background
        ProcessState: Running
        WatchdogEvent: scene-update
        WatchdogCPUStatistics: (
        "Elapsed total CPU time (seconds): 6.450 (user 6.450, system 0.000), 29% CPU",
        "Elapsed application CPU time (seconds): 0.299, 1% CPU"
        ) reportType:CrashLog maxTerminationResistance:Interactive>
        """)
    expectEqual(
      found.reason,
      "FRONTBOARD 0x8badf00d, watchdog: scene-update took more than 10.00 s of real time (in the background; the app used 1 % of the processor)"
    )
    expectEqual(found.kind, "watchdog")
    expectEqual(found.confidence, "certain")
  }

  @Test func watchdogOfAnAppThatDoesNotEnd() throws {
    let found = try crash(
      [Report.system(0, "mach_msg_trap + 8")],
      head: """
        Exception Type:  EXC_CRASH (SIGKILL)
        Termination Reason: FRONTBOARD 2343432205
        <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:[app<com.example.App>:6025] failed to terminate gracefully after 5.0s
        ProcessVisibility: Background
        """)
    expectEqual(
      found.reason,
      "FRONTBOARD 0x8badf00d, watchdog: ending took more than 5.0 s of real time (in the background)"
    )
  }

  /// A guard page is below its stack, so another thread's is above a neighbour's.
  @Test(
    arguments: [
      (
        "Stack         16fe44000-16fecc000 [ 544K] rw-/rwx SM=PRV  thread 0",
        "access past the upper end of thread 0's stack, into the guard of thread 12's: a buffer there was overrun, or a stray pointer"
      ),
      (
        "VM_ALLOCATE   16fe44000-16fecc000 [ 544K] rw-/rwx SM=PRV",
        "access to the guard of thread 12's stack by thread 0: a stray pointer"
      ),
    ])
  func guardsOfOtherStacks(below: String, reason: String) throws {
    let found = try badAccess(
      "KERN_PROTECTION_FAILURE at 0x16fecc000", codes: "0x2, 0x16fecc000",
      regions: """
        VM Region Info: 0x16fecc000 is in 0x16fecc000-0x16fed0000;  bytes after start: 0
              REGION TYPE         START - END         [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
              \(below)
        --->  STACK GUARD   16fecc000-16fed0000 [  16K] ---/rwx SM=NUL  ...for thread 12
              Stack         16fed0000-16ff58000 [ 544K] rw-/rwx SM=PRV  thread 12
        """)
    expectEqual(found.kind, "memoryProtection")
    expectEqual(found.reason, reason)
  }

  /// The main thread waits for events in the loop of its frameworks; in another it waits for what
  /// started it.
  @Test(
    arguments: [
      (["GraphicsServices GSEventRunModal", "UIKitCore UIApplicationMain"], "in its run loop"),
      (["Foundation -[NSRunLoop(NSRunLoop) run]"], "in a run loop that -[NSRunLoop run…] started"),
      ([], "in a run loop"),
    ])
  func loopsOfTheMainThread(callers: [String], place: String) throws {
    let functions =
      ["libsystem_kernel.dylib mach_msg2_trap", "CoreFoundation __CFRunLoopServiceMachPort"]
      + ["CoreFoundation __CFRunLoopRun"] + callers
    let frames = functions.enumerated().map { "\($0.offset)   \($0.element) + 8" }
    let text = """
      Exception Type:  EXC_CRASH (SIGKILL)
      Termination Reason: FRONTBOARD 2343432205
      Triggered by Thread:  0

      Thread 0 Crashed:
      \(frames.joined(separator: "\n"))

      """
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectTrue(lines.contains { $0.hasPrefix("the main thread was waiting \(place) — ") })
  }

  /// iOS 14 and earlier write no code. The crashed thread may be cut off.
  @Test func privacyWithoutACode() throws {
    let words = "This app has crashed. Its Info.plist must contain an NSCameraUsageDescription key"
    let found = try crash(
      [Report.system(0, "mach_msg_trap + 8")],
      head: "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: TCC, \(words)")
    expectEqual(found.reason?.hasPrefix("TCC"), true)
    expectEqual(found.reason?.contains("NSCameraUsageDescription"), true)
    expectEqual(found.confidence, "certain")
  }

  /// Devices write the last exception without names; its name and reason may be missing.
  @Test func lastExceptionsSayMoreThanAbort() throws {
    let found = try crash(
      [Report.system(0, "__pthread_kill + 8")], head: "Exception Type:  EXC_CRASH (SIGABRT)",
      before: """

        Application Specific Information:
        abort() called

        Last Exception Backtrace:
        (0x18a84d128 0x19e560480 0x104000880)

        """)
    expectEqual(found.reason, "uncaught exception, which the report does not name")
    expectEqual(found.kind, "uncaughtException")
    expectEqual(found.confidence, "likely")
  }

  /// The end of a block of Markdown is no detail of the reason above it.
  @Test func fencesAreNoDetails() throws {
    let head = "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: CODESIGNING 1"
    let frames = [Report.system(0, "_dyld_start + 0")]
    try expectEqual(
      crash(frames, head: head + "\n```").reason, crash(frames, head: head).reason)
  }

  /// XNU's layout of the first code (osfmk/kern/exc_guard.h, bsd/sys/guarded.h): the kind in the
  /// top three bits, then what was done (1: `GUARD_CLOSE`, 0x40: `GUARD_WRITE`), then which. iOS 6
  /// leaves out the kind.
  @Test(
    arguments: [
      (
        "GUARD_TYPE_FD, id=0x2b8981551ddaf9c8, fd=3, flavor=0x00000001 (CLOSE)",
        "0x4000000100000003, 0x2b8981551ddaf9c8", "closed file descriptor 3", false
      ),
      (
        "GUARD_TYPE_FD, CLOSE on file descriptor 63 (guarded with 0x08fd4dbfade2dead)", "",
        "closed file descriptor 63", true
      ),
      (
        "", "0x4000004000000007, 0x0", "wrote to file descriptor 7", false
      ),
      (
        "", "0x0000000100000000, 0x08fd4dbfade2dead", "closed file descriptor 0", true
      ),
    ])
  func guardedFiles(words: String, codes: String, action: String, isOfDatabase: Bool) throws {
    let found = try crash(
      [Report.system(0, "close + 8"), Report.stated(1, 0x1_0000_1000, Self.own)],
      head: "Exception Type:  EXC_GUARD"
        + (words.isEmpty ? "" : "\nException Subtype: \(words)")
        + (codes.isEmpty ? "" : "\nException Codes: \(codes)"))
    expectEqual(found.reason?.hasPrefix("\(action), "), true)
    expectEqual(found.kind, "guardedResource")
    expectEqual(found.reason?.contains("SQLite"), isOfDatabase)
  }

  /// ReportCrash's note about a process that went on.
  @Test func simulatedReports() throws {
    let head = """
      Exception Type:  EXC_GUARD
      Exception Subtype: GUARD_TYPE_FD
      Exception Message: CLOSE on file descriptor 63 (guarded with 0x1)
      """
    let frames = [Report.system(0, "close + 8"), Report.stated(1, 0x1_0000_1000, Self.own)]
    let real = try crash(frames, head: head)
    expectEqual(real.reason?.contains("simulated"), false)
    let note = "\nException Note:  SIMULATED (this is NOT a crash)"
    let simulated = try crash(frames, head: head + note)
    expectEqual(simulated.reason, (real.reason ?? "") + " (simulated: this is not a crash)")
  }

  @Test func limits() throws {
    let found = try crash(
      [Report.stated(0, 0x1_0000_1000, Self.own)],
      head:
        "Exception Type:  EXC_RESOURCE\nException Subtype: CPU\nException Message: (Limit 50%) Observed 60% over 180 secs"
    )
    expectEqual(
      found.reason,
      "exceeded its limit of processor time: (Limit 50%) Observed 60% over 180 secs (this is not a crash: the process went on)"
    )
    expectEqual(found.kind, "resourceLimit")
  }

  @Test(
    arguments: [
      (
        "Reason: tried: '/A.app/Kit' (code signature in <1> '/A.app/Kit' not valid for use in process: mapping process and mapped file (non-platform) have different Team IDs)",
        ", a library is signed by another team (library validation)"
      ),
      (
        "Reason: tried: '/A.app/Kit' (mach-o file, but is an incompatible architecture (have 'x86_64', need 'arm64'))",
        ", a library is for another architecture"
      ),
      ("Reason: tried: '/A.app/Kit' (no such file)", ""),
    ])
  func librariesThatDyldRefused(line: String, words: String) throws {
    let found = try crash(
      [Report.system(0, "__abort_with_payload + 8")],
      head: """
        Exception Type:  EXC_CRASH (SIGABRT)
        Termination Reason: DYLD 1 Library missing
        Library not loaded: @rpath/Kit
        Referenced from: <9E311895-FD85-3962-BA2E-0DC0B50E40FF> /Volumes/VOLUME/*/Game.app/Game
        \(line)
        """)
    expectEqual(
      found.reason,
      "DYLD 0x1, Library missing, Library not loaded: @rpath/Kit, referenced from Game\(words)")
    expectEqual(found.kind, "launch")
  }

  // MARK: Words

  @Test func progressIsNoReason() throws {
    let found = try badAccess("KERN_INVALID_ADDRESS at 0x8", codes: "0x1, 0x8")
    let told = try crash(
      [Report.stated(0, 0x1_0000_1000, Self.own)],
      head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8",
      before: "\nApplication Specific Information:\nPid 33594 'Game' CORPSE: Extracting\n")
    expectEqual(told.reason, found.reason)
    let assertion = try crash(
      [Report.system(0, "_os_crash_msg + 8")],
      head:
        "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: LIBSYSTEM 2 Application Triggered Fault",
      before: "\nApplication Specific Information:\nassertion failure: \"fd != -1\" -> %lld\n")
    expectEqual(assertion.reason, "assertion failure: \"fd != -1\" -> %lld")
  }
}
