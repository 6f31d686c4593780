import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Why a process crashed, and where in the user's code: the headline of summaries, and `crash` in
/// JSON.
///
/// Functions and lines of the fixtures are from `llvm-symbolizer-19 --inlines`, checked against the
/// sources.
struct CrashCauseTests {
  private typealias Report = TrapReportFixture

  private func crash(
    _ text: String, with symbols: [String] = [Report.inlines],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: symbols, options).crash
  }

  private func headline(_ text: String, with symbols: [String] = [Report.inlines]) -> String {
    JsonFixture.headline(text, with: symbols)
  }

  // MARK: Traps

  @Test(
    arguments: [
      (
        0x1_0000_436c, "Index out of range", "Board.turnTile(at:)", "Board.swift", 25,
        0x1_0000_41fc
      ),
      (
        0x1_0000_4370, "Range requires lowerBound <= upperBound", "Board.shuffle(_:)",
        "Board.swift", 18,
        0x1_0000_41fc
      ),
      (
        0x1_0000_4368, "Division by zero in remainder operation", "Board.shuffle(_:)",
        "Board.swift", 19,
        0x1_0000_41fc
      ),
      (0x1_0000_49fc, "arithmetic overflow", "play(_:)", "Main.swift", 6, 0x1_0000_48d8),
    ] as [(UInt64, String, String, String, Int, UInt64)])
  func swiftRuntimeFailures(
    address: UInt64, failure: String, function: String, file: String, line: Int, start: UInt64
  ) throws {
    let text = Report.report([Report.frame(0, address), Report.frame(1, 0x1_0000_4990)])
    let found = try crash(text)
    expectEqual(found.reason, "Swift runtime failure: \(failure)")
    expectEqual(found.reasonFrom, "trapMessage")
    expectEqual(found.backtrace, 0)
    let frame = try require(found.frame)
    expectEqual(frame.function, function)
    expectEqual(frame.file, file)
    expectEqual(frame.line, line)
    expectEqual(frame.image, 0)
    expectEqual(frame.imageName, "Inlines")
    expectEqual(
      headline(text), "\(file):\(line) in \(function) — Swift runtime failure: \(failure)")
    // The frame is part of the backtrace.
    let report = try JsonFixture.report(text, with: [Report.inlines])
    expectTrue(report.backtraces[0].frames.contains(frame))
  }

  /// atos and the report itself still show the trap as `<compiler-generated>`, line 0.
  @Test func framesStillShowTheTrap() {
    let text = Report.report([Report.frame(0, 0x1_0000_436c)])
    let output = JsonFixture.output(text.utf8, as: .auto, with: [Report.inlines])
    let lines = output.split(separator: "\n").filter { $0.contains("0x000000010000436c") }
    expectEqual(
      lines.map { $0.dropFirst(53) },
      [
        "Swift runtime failure: Index out of range + 0 (/<compiler-generated>:0) [inlined]",
        "specialized Array._checkSubscript_mutating(_:) + 0 (/<compiler-generated>:0) [inlined]",
        "Board.turnTile(at:) + 0 (Board.swift:25) [inlined]",
        "Board.shuffle(_:) + 368 (Board.swift:19)",
      ])
  }

  @Test func doesNotDependOnWhatIsShown() throws {
    let text = Report.report([Report.frame(0, 0x1_0000_436c), Report.system(1, "a + 1")])
    var options = SymbolicationOptions()
    options.showsInlinedFrames = false
    let concrete = try crash(text, with: [Report.inlines], options)
    expectEqual(concrete.reason, "Swift runtime failure: Index out of range")
    expectEqual(concrete.frame?.function, "Board.shuffle(_:)")
    expectEqual(concrete.frame?.line, 19)
    options = SymbolicationOptions()
    options.onlyUserCode = true
    let own = try crash(text, with: [Report.inlines], options)
    expectEqual(own.reason, concrete.reason)
    expectEqual(own.frame?.line, 25)
    // Another thread was selected, so nothing of this one was looked up.
    options.threads = .numbered([7])
    let other = try crash(text, with: [Report.inlines], options)
    expectTrue(other.backtrace == nil && other.frame == nil && other.reasonFrom == "exceptionType")
  }

  /// 0x100004570 is in `swift_allocObject` of embedded Swift, without a line in the whole chain of
  /// three.
  @Test func aWholeChainWithoutALineIsSkipped() throws {
    let frames = [
      Report.frame(0, 0x1_0000_4570, image: "Rack"),
      Report.frame(1, Self.returnToFill, image: "Rack"),
    ]
    let text = Report.report(
      frames, images: [Report.rackLine], path: "/Applications/Rack.app/Contents/MacOS/Rack")
    let found = try crash(text, with: [Report.rack])
    expectEqual(found.reason, "Swift runtime failure: arithmetic overflow")
    expectEqual(found.frame?.index, 3)
    expectEqual(found.frame?.file, "Rack.swift")
    expectEqual(found.frame?.function, "Rack.fill(_:)")
    expectEqual(found.frame?.line, 8)
    // Alone, it is named without a line.
    let alone = Report.report(
      [frames[0]], images: [Report.rackLine], path: "/Applications/Rack.app/Contents/MacOS/Rack")
    expectSuffix(
      headline(alone, with: [Report.rack]), " — Swift runtime failure: arithmetic overflow")
    try expectEqual(crash(alone, with: [Report.rack]).frame?.line, 0)
  }

  /// The byte before it is in `Rack.fill(_:)`, at Rack.swift:8.
  private static let returnToFill: UInt64 = 0x1_0000_4164

  @Test(
    arguments: [
      (0x1_0000_02f0, "Bounds check: index past the end", "check", 6),
      (
        0x1_0000_0300,
        "Undefined Behavior Sanitizer: signed integer addition overflow in 'one + other'", "sum", 15
      ),
      (0x1_0000_0304, "no category", "nameless", 19),
    ] as [(UInt64, String, String, Int)])
  func clangTraps(address: UInt64, reason: String, function: String, line: Int) {
    let text = Report.report(
      [Report.frame(0, address, image: "Traps")], images: [Report.trapsLine],
      path: "/usr/local/bin/Traps")
    expectEqual(headline(text, with: [Report.traps]), "traps.c:\(line) in \(function) — \(reason)")
  }

  /// Spelt as Apple's tools and Apple's clang (for `-fbounds-safety`) spell them.
  @Test(
    arguments: [
      ("Swift runtime failure: Index out of range", "Swift runtime failure: Index out of range"),
      (
        "__clang_trap_msg$Bounds check failed$Dereferencing above bounds",
        "Bounds check failed: Dereferencing above bounds"
      ),
      (
        "Bounds check failed: Dereferencing above bounds",
        "Bounds check failed: Dereferencing above bounds"
      ),
      (
        "/Xcode.app/SDKs/A.sdk/usr/include/c++/v1/vector:1393: assertion __n < size() failed: vector[] index out of bounds",
        "assertion __n < size() failed: vector[] index out of bounds"
      ),
    ])
  func trapsThatTheReportStates(name: String, reason: String) throws {
    let frames = [
      Report.stated(0, 0x1_0000_1000, "\(name) + 0 (Line.swift:0) [inlined]"),
      Report.stated(1, 0x1_0000_1000, "Line.draw() + 12 (Line.swift:7)"),
    ]
    let text = try crash(Report.report(frames), with: [])
    expectEqual(text.reason, reason)
    expectEqual(text.reasonFrom, "trapMessage")
    expectEqual(text.frame?.function, "Line.draw()")
    expectEqual(text.frame?.line, 7)
    let ips = """
      {"procName":"App","procPath":"/private/var/containers/Bundle/Application/1/App.app/App","exception":{"type":"EXC_BREAKPOINT"},"faultingThread":0,"threads":[{"triggered":true,"frames":[{"imageOffset":4096,"imageIndex":0,"symbol":"\(name)","symbolLocation":0,"inline":true,"sourceFile":"Line.swift"},{"imageOffset":4096,"imageIndex":0,"symbol":"Line.draw()","symbolLocation":12,"sourceFile":"Line.swift","sourceLine":7}]}],"usedImages":[{"base":4294967296,"size":65536,"name":"App","path":"/private/var/containers/Bundle/Application/1/App.app/App"}]}
      """
    let json = try crash(ips, with: [])
    expectEqual(json.reason, reason)
    expectEqual(json.reasonFrom, "trapMessage")
    expectEqual(json.frame?.function, "Line.draw()")
    expectEqual(json.frame?.line, 7)
  }

  @Test(
    arguments: [
      "__clang_trap_msg$", "__clang_trap_msg$$", "a: assertion b failed: c", "Swift runtime",
    ])
  func otherNamesAreNotTraps(name: String) throws {
    let text = Report.report([Report.stated(0, 0x1_0000_1000, "\(name) + 0 (A.swift:3)")])
    try expectEqual(crash(text, with: []).reasonFrom, "exceptionType")
  }

  /// A trap is the reason only if it is the innermost call.
  @Test func trapsOfOtherFramesDoNotCount() throws {
    let text = Report.report([Report.system(0, "a + 1"), Report.frame(1, 0x1_0000_4370)])
    try expectEqual(crash(text).reasonFrom, "exceptionType")
  }

  /// Numbers of frames that no stack has say nothing about how often a function calls itself.
  @Test func framesWithAnyNumber() {
    let numbers = [0, 1, 2, 9_223_372_036_854_775_807, 4, -9_223_372_036_854_775_808, 6, 7, 8, 9]
    let frames = numbers.map {
      "\($0) 0x00007f8606d48784 climb(_:) + 8 in game at /src/a.swift:9:15\n"
    }
    let text =
      "*** Program crashed: Bad pointer dereference at 0x0000000000000008 ***\n\n"
      + "Thread 0 \"game\" crashed:\n\n" + frames.joined()
    expectEqual(
      headline(text, with: []),
      "a.swift:9 in climb(_:) — access through a null pointer, at offset 0x8")
  }
}
