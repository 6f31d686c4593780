import ReportTestSupport
import TestSupport
import Testing

/// Reasons of crashes that somebody asked for: signals, aborts, traps, and dyld.
struct CauseOfEndTests {
  private typealias Report = TrapReportFixture

  private static let own = "-[Board draw] + 12 (Board.m:7)"
  private static let abort = "Exception Type:  EXC_CRASH (SIGABRT)"

  /// - Parameter frames: images and what their frames show; empty for a frame without a name.
  private func crash(
    _ frames: [(String, String)], head: String, code: String = "ARM-64 (Native)",
    own: String = Self.own
  ) throws -> JsonReport.Crash {
    var names: [String] = []
    for (name, _) in frames where !names.contains(name) { names.append(name) }
    let lines = frames.enumerated().map { index, frame in
      let base = 0x1_a000_0000 + UInt64(names.firstIndex(of: frame.0) ?? 0) << 20
      let content = frame.1.isEmpty ? "0x\(String(base, radix: 16)) + 4096" : frame.1
      return ReportFixture.line(index, base + 4096, image: frame.0, content)
    }
    let images = names.enumerated().map { index, name in
      "0x1a0\(index)00000 - 0x1a0\(index)fffff \(name) arm64  <0011223344556677889900000000000\(index)> /usr/lib/\(name)"
    }
    let text = Report.report(
      lines + [Report.stated(frames.count, 0x1_0000_1000, own)],
      images: [Report.inlinesLine] + images, head: head
    ).replacing("ARM-64 (Native)", with: code)
    return try JsonFixture.report(text, with: []).crash
  }

  /// raise(3) calls pthread_kill: the outermost of them is what the program called.
  @Test func signalsOfTheProcessItself() throws {
    let frames = [
      ("libsystem_kernel.dylib", "__pthread_kill + 10"),
      ("libsystem_pthread.dylib", "pthread_kill + 263"), ("libsystem_c.dylib", "raise + 26"),
    ]
    let found = try crash(frames, head: "Exception Type:  EXC_CRASH (SIGSEGV)")
    expectEqual(found.kind, "sentSignal")
    expectEqual(found.reasonFrom, "function")
    expectEqual(found.reason?.hasPrefix("SIGSEGV"), true)
    expectEqual(found.evidence.last?.text, "raise")
    // A bad access has the same signal.
    let access = try crash(
      frames, head: "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8")
    expectEqual(access.kind, "nullPointer")
  }

  /// Only images are known.
  @Test(
    arguments: [
      ("libsystem_malloc.dylib", "heapDamage"), ("libc++abi.dylib", "cxxException"),
      ("libdispatch.dylib", "exceptionType"),
      ("TCC", "privacy"),
    ])
  func librariesThatAbort(library: String, kind: String) throws {
    let frames = [
      "libsystem_kernel.dylib", "libsystem_pthread.dylib", "libsystem_c.dylib", library,
    ]
    let found = try crash(frames.map { ($0, "") }, head: Self.abort)
    expectEqual(found.kind, kind)
  }

  @Test func graphicsDrivers() throws {
    let found = try crash(
      [
        ("libsystem_c.dylib", "abort + 127"),
        ("libGPUSupportMercury.dylib", "gpusGenerateCrashLog + 149"),
        ("com.apple.AMDRadeonX4000GLDriver", "gpusKillClientExt + 9"),
      ], head: Self.abort)
    expectEqual(found.kind, "graphicsDriver")
    expectEqual(
      found.reason,
      "the graphics driver stopped the process after an error of the GPU (AMDRadeonX4000GLDriver)")
  }

  /// Code in C, and code in Swift.
  @Test func trapsInTheUsersCode() throws {
    let trap = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)"
    let cxx = try crash([], head: trap, own: "game::Board::check(int) + 12")
    expectEqual(cxx.kind, "failedCheck")
    expectEqual(cxx.frame?.function, "game::Board::check(int)")
    try expectEqual(crash([], head: trap, own: "check(_:) + 12").kind, "swiftRuntimeFailure")
    // Without a name it may be either.
    let nameless = try crash([], head: trap, own: "0x100000000 + 4096")
    expectEqual(nameless.kind, "failedCheck")
    expectEqual(nameless.confidence, "possible")
  }

  /// Apple, "About the Rosetta translation environment": AVX is not translated.
  @Test func instructionsUnderRosetta() throws {
    let head = "Exception Type:  EXC_BAD_INSTRUCTION (SIGILL)\nException Codes: 0x1, 0x0"
    let found = try crash(
      [], head: head, code: "X86-64 (Translated)", own: "0x100000000 + 4096")
    expectEqual(found.kind, "trapInstruction")
    expectEqual(found.confidence, "possible")
    let native = try crash([], head: head, code: "X86-64 (Native)", own: "0x100000000 + 4096")
    expectEqual(native.kind, "failedCheck")
  }

  /// dyld's lines, as in reports of iOS 15. swift-demangle gives the name.
  @Test func missingSymbols() throws {
    let found = try crash(
      [("dyld", "__abort_with_payload + 8")],
      head: """
        \(Self.abort)
        Termination Reason: DYLD 4 Symbol missing
        Symbol not found: _$ss22CodingKeyRepresentableP06codingB0s0aB0_pvgTj
        Referenced from: /private/var/containers/Bundle/Application/1/Inlines.app/Inlines
        Expected in: /usr/lib/swift/libswiftCore.dylib
        """)
    expectEqual(found.kind, "launch")
    let reason = try require(found.reason)
    expectContains(reason, "dispatch thunk of CodingKeyRepresentable.codingKey.getter")
    expectSuffix(reason, "referenced from Inlines, expected in libswiftCore.dylib")
  }

  /// The section that dyld's message had up to macOS 11 and iOS 12; until macOS 10.11 it is all
  /// that says why.
  @Test(
    arguments: [
      ("Termination Reason:    DYLD, [0x4] Symbol missing\n", "DYLD 0x4, Symbol missing, "),
      ("", "DYLD, "),
    ])
  func messagesOfDyldInASection(line: String, start: String) throws {
    let head = "Exception Type:  EXC_CRASH (SIGABRT)\n\(line)"
    let message = """

      Dyld Error Message:
        Symbol not found: ____chkstk_darwin
        Referenced from: /Applications/Game.app/Contents/MacOS/Game
        Expected in: /usr/lib/libSystem.B.dylib

      """
    let found = try crash([], head: head + message)
    expectEqual(
      found.reason,
      "\(start)Symbol not found: ____chkstk_darwin, referenced from Game, expected in libSystem.B.dylib"
    )
    expectEqual(found.kind, "launch")
    let ofPhone = """

      Dyld Error Message:
        Dyld Message: Library not loaded: @rpath/Kit.framework/Kit
        Dyld Version: 390.7

      """
    expectEqual(
      try crash([], head: head + ofPhone).reason,
      "\(start)Library not loaded: @rpath/Kit.framework/Kit")
  }

  /// Apple's documentation of iOS 7 and earlier: the code is that of a termination.
  /// SpringBoard's words say what took too long.
  @Test func lateEventsOfEarlySystems() throws {
    let late = try crash(
      [],
      head:
        "Exception Type:  00000020\nException Codes: 0x000000008badf00d\n\nApplication Specific Information:\ncom.example.game failed to resume in time"
    )
    expectEqual(late.reason, "0x8badf00d (watchdog: it failed to resume in time)")
  }

  @Test func codesOfEarlySystems() throws {
    let found = try crash(
      [], head: "Exception Type:  00000020\nException Codes: 0x000000008badf00d")
    expectEqual(found.kind, "watchdog")
    expectEqual(found.reasonFrom, "termination")
    func overdue(_ duration: String) throws -> String? {
      let head = """
        Exception Type:  00000020
        Exception Codes: 0x000000008badf00d

        Application Specific Information:
        <BKNewProcess: 0x12de5ce60; com.example.Board; pid: 42; hostpid: -1> has active assertions beyond permitted time:
        {(
            <BKProcessAssertion: 0x12dd36310> id: 7-8 name: Saving process: <BKNewProcess: 0x12de5ce60; com.example.Board; pid: 42; hostpid: -1> permittedBackgroundDuration: \(duration) reason: finishTask
        )}
        """
      return try crash([], head: head).reason
    }
    let task = "0x8badf00d (a background task, Saving, ran longer than "
    expectEqual(try overdue("180.000000"), task + "180 s)")
    // Numbers that no integer holds.
    expectEqual(try overdue(String(repeating: "9", count: 400)), task + "it may)")
    expectEqual(try overdue("99999999999999999999.5"), task + "it may)")
    expectEqual(try overdue("1.2.3"), task + "it may)")
    let unknown = try crash([], head: "Exception Type:  00000020\nException Codes: 0x1234")
    expectEqual(unknown.kind, "exceptionType")
  }

  /// What the watchdog of iOS 9 and earlier says.
  @Test(
    arguments: [
      ("failed to launch after 20.00s (launchIntent: foreground)", "launch in time, after 20.00 s"),
      ("failed to scene-create after 19.70s", "scene-create in time, after 19.70 s"),
      ("failed to resume in time", "resume in time"), ("failed to launch after s", nil),
      ("failed to launch after 20.00", nil), ("failed to ", nil), ("failed to read a file", nil),
    ])
  func appsThatWereLate(words: String, meaning: String?) throws {
    let head = """
      Exception Type:  00000020
      Exception Codes: 0x000000008badf00d

      Application Specific Information:
      com.example.Board \(words)
      """
    let expected = meaning.map { "it failed to \($0)" } ?? "it took too long"
    expectEqual(try crash([], head: head).reason, "0x8badf00d (watchdog: \(expected))")
  }

  /// A trap on a thread that the text does not have.
  @Test func trapsOnMissingThreads() throws {
    let text = """
      Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      Exception Codes: 0x0000000000000001, 0x0000000100a66588
      Triggered by Thread:  5

      Thread 0:
      \(ReportFixture.line(0, 0x1_8107_0fd8, image: "libsystem_kernel.dylib", "mach_msg_trap + 8"))

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectPrefix(found.reason ?? "", "stopped by a trap instruction on thread 5")
    expectNil(found.frame)
  }

  /// A managed exception repeats its name.
  @Test func namesAreNotRepeated() throws {
    let text = Report.report(
      [Report.stated(0, 0x1_0000_1000, Self.own)], head: Self.abort,
      before: """

        Application Specific Information:
        *** Terminating app due to uncaught exception 'System.Bad', reason: 'System.Bad: Too bad.'

        """)
    try expectEqual(JsonFixture.report(text, with: []).crash.reason, "System.Bad: Too bad.")
  }
}
