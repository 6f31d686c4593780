import CrashLogParser
import TestSupport
import Testing

/// Parts of reports that begin anywhere, their heads and frames.
struct ReportPieceTests {
  // MARK: Parts of reports

  /// Prose and line ends between the members, and no commas.
  @Test func membersOfABody() throws {
    let report = try ParsedText(
      """
      It says:
      "termination": {"namespace":"GUARD","code":2305843037130981377}
      and below that
      "exception": {
        "type": "EXC_GUARD",
        "subtype": "GUARD_TYPE_MACH_PORT"
      }

      """
    ).report
    expectEqual(report.format, .ipsCrash)
    expectEqual(report.facts.exception.type, "EXC_GUARD")
    expectEqual(report.facts.termination.namespace, "GUARD")
    expectEmpty(report.faults)
  }

  /// A list of frames that begins within a thread, or within a frame.
  @Test(arguments: [
    #"1"},"pc":{"value":1,"matchesCrashFrame":1}},"frames":["#, #"set":12,"imageIndex":0},"#,
  ])
  func framesFromAnywhere(start: String) throws {
    let report = try ParsedText(
      start
        + #"{"imageOffset":1,"symbol":"turn","symbolLocation":3,"imageIndex":0},{"imageOffset":2,"imageIndex":1},{"imag"#
    ).report
    expectEqual(report.format, .ipsCrash)
    expectEqual(report.allFrames.map { $0.symbol?.name }, ["turn", nil])
    expectEqual(report.crashedThread != nil, start.contains("matchesCrashFrame"))
  }

  @Test func panicOfABody() throws {
    let report = try ParsedText(
      #"  "panicString" : "panic(cpu 1 caller 0xfffffff025aab984): watchdog\nOS version: 15P6059\nPanicked"#
    ).report
    expectEqual(report.facts.event, .panic)
  }

  @Test func headOfAnotherKind() {
    let text = "  \"bug_type\" : \"385\",\n  \"procName\" : \"Game\",\n"
    #expect(throws: CrashLogParseError.noReportFound(.ips(bugType: "385"))) {
      try CrashLogParser.parse(Array(text.utf8))
    }
  }

  @Test(arguments: ["Process:         Game [812]\n", ""])
  func threadOfASpindump(head: String) throws {
    let report = try ParsedText(
      """
      \(head)  Thread 0x6207a2           DispatchQueue 1           10 samples (1-10)
        10  start + 1 (libdyld.dylib + 21045) [0x7fff9adec235]
          10  main + 35 (Game + 100) [0x100000064]

      """
    ).report
    expectEqual(report.format, .spindump)
    expectEqual(report.allFrames.map { $0.symbol?.name }, ["start", "main"])
    expectEqual(report.facts.process.name, head.isEmpty ? nil : "Game")
  }

  /// Its heading says that the main thread hung.
  @Test(arguments: ["Event:            hang\nDuration:         7.23s\n\n", ""])
  func heaviestStackAlone(head: String) throws {
    let report = try ParsedText(
      """
      \(head)Heaviest stack for the main thread of the target process:
      10  start + 1 (libdyld.dylib + 21045) [0x7fff9adec235]
      10  main + 35 (Game + 100) [0x100000064]

      """
    ).report
    expectEqual(report.facts.event, .hang)
    expectEqual(report.allFrames.count, 2)
  }

  // MARK: Heads and frames

  /// macOS 26 has the reason among the fields, and the name elsewhere.
  @Test func exceptionReason() throws {
    let facts = try ParsedText(
      """
      Process:             Game [812]
      Exception Type:    EXC_CRASH (SIGABRT)
      Exception Reason:  -[Board turn]: unrecognized selector sent to instance 0x10

      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: 'x'

      Thread 0 Crashed:
      0   Game   0x000000010d9e02d7 main + 1

      """
    ).report.facts
    expectEqual(
      facts.exception.reason, "-[Board turn]: unrecognized selector sent to instance 0x10")
    expectEqual(facts.exception.name, "NSInvalidArgumentException")
  }

  @Test func remarksBehindValues() throws {
    let facts = try ParsedText(
      """
      Process:             Game [812] // name and number
      Identifier:          com.example.game // from Info.plist
      OS Version:          iPhone OS 14.4 (18D52) # the system
      Exception Type:      EXC_CRASH (SIGKILL) // Mach

      Thread 0 Crashed:
      0   Game   0x000000010d9e02d7 main + 1

      """
    ).report.facts
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.process.bundleIdentifier, "com.example.game")
    expectEqual(facts.system.build, "18D52")
    expectEqual(facts.exception.signal, "SIGKILL")
  }

  /// The marks are no part of the names.
  @Test func marksOfImages() throws {
    let report = try ParsedText(
      """
      Last Exception Backtrace:
      0       CoreFoundation          0x1ad168300 0x1ad036000 + 0x132300
      1     + libkit.dylib            0x100947768 0x100928000 + 0x1f768
      2     + Game                    0x102608ce4 0x1025f8000 + 0x10ce4

      """
    ).report
    expectEqual(report.allFrames.map(\.imageName), ["CoreFoundation", "libkit.dylib", "Game"])
  }

  /// What Xcode copies: the thread stands in front of its first frame.
  @Test func framesWithNull() throws {
    let report = try ParsedText(
      """
      Thread 1#0\t(null) in -[Board total] ()
      #1\t(null) in -[Board turn] ()
      #2\t0x00000001028f04b4 in main at /src/main.m:13
      #3\t(null) in start ()

      """
    ).report
    expectEqual(
      report.allFrames.map { $0.symbol?.name },
      ["-[Board total]", "-[Board turn]", "main", "start"])
    expectEqual(report.backtraces.first?.number, 1)
  }
}
