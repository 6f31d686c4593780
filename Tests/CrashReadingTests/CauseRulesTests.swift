import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// The rules that read the reason of a crash from throwers, traps and terminations; those about
/// memory are in `MemoryRulesTests`.
///
/// What the numbers mean is from XNU's headers and Apple's documentation, as the rules name them;
/// the reports are built here, with the lines that real reports have.
struct CauseRulesTests {
  private typealias Report = TrapReportFixture

  // MARK: Exceptions

  /// Frames of an exception, from the runtime down to the user's code.
  private func thrown(_ functions: [String]) throws -> JsonReport.Crash {
    let all = ["__exceptionPreprocess", "objc_exception_throw"] + functions
    let frames = all.enumerated().map { Report.system($0.offset, "\($0.element) + 8") }
    return try Report.crash(
      [Report.system(0, "__pthread_kill + 8")], head: "Exception Type:  EXC_CRASH (SIGABRT)",
      before: "\nLast Exception Backtrace:\n"
        + (frames + [Report.stated(all.count, 0x1_0000_1000, Report.own)]).joined(separator: "\n")
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
      Report.stated(1, 0x1_0000_1000, Report.own),
    ]
    let found = try Report.crash(
      frames, head: "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
      images: [Report.inlinesLine, Self.cloudKit])
    expectEqual(found.reason?.contains("CloudKit"), true)
    expectTrue(found.kind == "failedCheck" && found.frame?.function == "-[Board draw]")
    let swift = try Report.crash(
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
    let found = try Report.crash(
      [Report.stated(0, 0x1_0000_1000, "f(_:) + 1 (A.swift:4)")],
      head: "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
      after:
        "\nThread 0 crashed with ARM Thread State (64-bit):\n   far: 0x0  esr: \(syndrome) (Breakpoint)\n"
    )
    expectEqual(found.kind, kind)
  }

  /// 0xd53ef308 is `mrs x8, s3_6_c15_c3_0`, 0x4f3ffe14 is `fcvtzs v20.4s, v16.4s, #1`, 0x4a03000 is
  /// `eor z0.d, z0.d, z0.d` (SVE) and 0x80800000 `fmopa za0.s, p0/m, p0/m, z0.s, z0.s` (SME).
  /// 0x65707974 is the text `type`.
  @Test(
    arguments: [
      // `push %rbp; mov %rsp, %rbp`.
      (
        "0xe5894855",
        "which begins a function for Intel's processors: code of another architecture"
      ),
      ("0x65707974", "which is no instruction: a jump into data, or damaged code"),
      ("0x0", "which is no instruction: a jump into data, or damaged code"),
      (
        "0x4a03000",
        "an instruction of SVE or SME that the processor did not take, or a jump into data"
      ),
      (
        "0x80800000",
        "an instruction of SVE or SME that the processor did not take, or a jump into data"
      ),
      ("0xd53ef308", "which is an instruction for the system that programs may not use"),
      (
        "0x4f3ffe14",
        "an illegal instruction: a trapped floating-point exception, or a vector instruction that this processor does not have"
      ),
    ])
  func instructionsThatAreRefused(word: String, meaning: String) throws {
    let found = try Report.crash(
      [Report.stated(0, 0x1_0000_1000, Report.own)],
      head: "Exception Type:  EXC_BAD_INSTRUCTION (SIGILL)\nException Codes: 0x1, \(word)")
    expectEqual(found.kind, "trapInstruction")
    expectEqual(found.reason, "\(word) was executed, \(meaning)")
  }

  /// 0xd4200020 is `brk #1`, and 0xc22f is `udf #0xc22f`.
  @Test(arguments: ["0xd4200020", "0xc22f"])
  func trapsAsIllegalInstructions(word: String) throws {
    let found = try Report.crash(
      [Report.stated(0, 0x1_0000_1000, "board_turn + 4")],
      head: "Exception Type:  EXC_BAD_INSTRUCTION (SIGILL)\nException Codes: 0x1, \(word)")
    expectEqual(
      found.reason, "stopped by a trap instruction: a failed check, or a crash on purpose")
  }

  // MARK: The system

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
    let found = try Report.crash(
      [Report.system(0, "mach_msg_trap + 8")], head: head + "RUNNINGBOARD \(code)")
    let start = "RUNNINGBOARD \(code) ("
    expectEqual(found.reason?.hasPrefix(start), isExplained)
    let other = try Report.crash(
      [Report.system(0, "mach_msg_trap + 8")], head: head + "CODESIGNING \(code)")
    expectEqual(other.reason, "CODESIGNING \(code)")
  }

  @Test func watchdogsWithTheirNumbers() throws {
    let found = try Report.crash(
      [Report.system(0, "mach_msg_trap + 8"), Report.stated(1, 0x1_0000_1000, Report.own)],
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
    let found = try Report.crash(
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
    let found = try Report.crash(
      [Report.system(0, "mach_msg_trap + 8")],
      head: "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: TCC, \(words)")
    expectEqual(found.reason?.hasPrefix("TCC"), true)
    expectEqual(found.reason?.contains("NSCameraUsageDescription"), true)
    expectEqual(found.confidence, "certain")
  }

  /// Devices write the last exception without names; its name and reason may be missing.
  @Test func lastExceptionsSayMoreThanAbort() throws {
    let found = try Report.crash(
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
      Report.crash(frames, head: head + "\n```").reason, Report.crash(frames, head: head).reason)
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
    let found = try Report.crash(
      [Report.system(0, "close + 8"), Report.stated(1, 0x1_0000_1000, Report.own)],
      head: "Exception Type:  EXC_GUARD"
        + (words.isEmpty ? "" : "\nException Subtype: \(words)")
        + (codes.isEmpty ? "" : "\nException Codes: \(codes)"))
    expectEqual(found.reason?.hasPrefix("\(action), "), true)
    expectEqual(found.kind, "guardedResource")
    expectEqual(found.reason?.contains("SQLite"), isOfDatabase)
  }

  /// XNU's osfmk/kern/exc_guard.h: the type is in bits 61 to 63, and no flavor of files is 0.
  @Test func guardOfUnknownFlavor() throws {
    let found = try Report.crash(
      [Report.stated(0, 0x1_0000_1000, Report.own)],
      head: "Exception Type:  EXC_GUARD\nException Codes: 0x4000000000000005")
    expectEqual(found.kind, "guardedResource")
    expectEqual(found.reason, "misuse of a guarded resource (by the code, a file descriptor)")
  }

  /// ReportCrash's note about a process that went on.
  @Test func simulatedReports() throws {
    let head = """
      Exception Type:  EXC_GUARD
      Exception Subtype: GUARD_TYPE_FD
      Exception Message: CLOSE on file descriptor 63 (guarded with 0x1)
      """
    let frames = [Report.system(0, "close + 8"), Report.stated(1, 0x1_0000_1000, Report.own)]
    let real = try Report.crash(frames, head: head)
    expectEqual(real.reason?.contains("simulated"), false)
    let note = "\nException Note:  SIMULATED (this is NOT a crash)"
    let simulated = try Report.crash(frames, head: head + note)
    expectEqual(simulated.reason, (real.reason ?? "") + " (simulated: this is not a crash)")
  }

  @Test func limits() throws {
    let found = try Report.crash(
      [Report.stated(0, 0x1_0000_1000, Report.own)],
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
      (
        "Reason: no suitable image found.  Did find: /A.app/Kit: mmap() errno=1 validating first page of '/A.app/Kit'",
        ", the library was found, but its code signature was refused (mmap: operation not permitted)"
      ),
      (
        "Reason: tried: '/A.app/Kit' (code signing blocked mmap() of '/A.app/Kit')",
        ", the library was found, but its code signature was refused"
      ),
      (
        "Reason: no suitable image found.  Did find: /A.app/Kit: required code signature missing for '/A.app/Kit'",
        ", the library was found, but is not signed"
      ),
      (
        "Reason: tried: '/A.app/Kit' (file system sandbox blocked mmap() of '/A.app/Kit')",
        ", the sandbox of the process forbids to read the library"
      ),
      (
        "Reason: no suitable image found.  Did find:\n\t/A.app/Kit: file too short",
        ", a library was found, but its file is too short"
      ),
      (
        "Reason: no suitable image found.  Did find:\n\t/A.app/Kit: mach-o, but wrong architecture",
        ", a library is for another architecture"
      ),
      (
        "Reason: no suitable image found.  Did find:\n\t/A.app/Kit: mach-o, but not built for iOS simulator",
        ", a library is for another platform"
      ),
      (
        "Reason: tried: '/A.app/Kit' (not a mach-o file)",
        ", a library was found, but its file is no Mach-O"
      ),
      ("Reason: tried: '/A.app/Kit' (no such file)", ""),
    ])
  func librariesThatDyldRefused(line: String, words: String) throws {
    let found = try Report.crash(
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
    let head = "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8"
    let found = try Report.crash([Report.stated(0, 0x1_0000_1000, Report.own)], head: head)
    let told = try Report.crash(
      [Report.stated(0, 0x1_0000_1000, Report.own)], head: head,
      before: "\nApplication Specific Information:\nPid 33594 'Game' CORPSE: Extracting\n")
    expectEqual(told.reason, found.reason)
    let assertion = try Report.crash(
      [Report.system(0, "_os_crash_msg + 8")],
      head:
        "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: LIBSYSTEM 2 Application Triggered Fault",
      before: "\nApplication Specific Information:\nassertion failure: \"fd != -1\" -> %lld\n")
    expectEqual(assertion.reason, "assertion failure: \"fd != -1\" -> %lld")
  }
}
