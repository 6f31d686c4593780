import CrashReading
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Which frames make up the signature of a crash. The reports are written by hand, and so are the
/// signatures, from the rules in docs/signature.md.
struct SignatureTests {
  private typealias Fixture = SignatureFixture
  private typealias Report = TrapReportFixture

  // MARK: Frames

  @Test func firstThreeFramesOfTheApp() throws {
    let text = try Fixture.text([
      .app("Board.turnTile(at:)"), .system("UIControl.sendAction"), .app("GameView.tapped()"),
      .system("objc_msgSend"), .app("Router.open(_:)"), .app("AppDelegate.start()"),
    ])
    expectEqual(text, "EXC_BREAKPOINT | Board.turnTile(at:) | GameView.tapped() | Router.open(_:)")
  }

  @Test func jsonHasAllParts() throws {
    let signature = try require(
      Fixture.signature(Fixture.report([.app("Board.turnTile(at:)"), .app("run()")])))
    expectEqual(signature.version, 2)
    expectEqual(signature.frames, ["Board.turnTile(at:)", "run()"])
    expectEqual(signature.text, "EXC_BREAKPOINT | Board.turnTile(at:) | run()")
    // printf '%s' 'EXC_BREAKPOINT | Board.turnTile(at:) | run()' | sha256sum
    expectEqual(signature.hash, "e3a2e6395ce5e83d")
  }

  /// Whoever throws, aborts or checks is not the crash.
  @Test(arguments: [
    ["__pthread_kill", "pthread_kill", "abort"],
    ["__exceptionPreprocess", "objc_exception_throw", "-[NSException raise]"],
    [
      "closure #1 in closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)",
      "_assertionFailure+ 217652 (_:_:file:line:flags:)",
    ],
    [
      "abort_message", "demangling_terminate_handler()", "_objc_terminate()",
      "std::__terminate(void (*)())",
      "std::terminate()",
    ],
    [
      "_dispatch_assert_queue_fail", "dispatch_assert_queue$V2.cold.1",
      "_swift_task_checkIsolatedSwift",
    ],
  ])
  func machineryIsDropped(names: [String]) throws {
    // In a static program it is in the app's own image, too.
    for isSystem in [true, false] {
      let machinery = names.map { isSystem ? Fixture.Frame.system($0) : .app($0) }
      try expectEqual(
        Fixture.text(machinery + [.app("Board.draw()")]), "EXC_BREAKPOINT | Board.draw()")
    }
  }

  /// A panic is machinery that says what happened, if it is not a library of the system.
  @Test(arguments: [true, false])
  func panicIsNamed(isSystem: Bool) throws {
    let names = ["rust_panic", "core::panicking::panic_fmt::hbccf1478dcdd0d51"]
    try expectEqual(
      Fixture.text(
        names.map { isSystem ? .system($0) : .app($0) } + [.app("Board.draw()")]),
      "EXC_BREAKPOINT | \(isSystem ? "" : "Rust panic | ")Board.draw()")
  }

  @Test func recursionsAndThunksCountOnce() throws {
    let text = try Fixture.text([
      .app("walk(_:)"), .app("walk(_:)"), .app("walk(_:)"), .app("@objc Tree.visit()"),
      .app("Tree.visit()"), .app("run()"),
    ])
    expectEqual(text, "EXC_BREAKPOINT | walk(_:) | Tree.visit() | run()")
  }

  /// What starts the program counts only if nothing else is there.
  @Test func startOfTheProgram() throws {
    try expectEqual(
      Fixture.text([.app("f()"), .app("static Game.$main()"), .app("main"), .system("start")]),
      "EXC_BREAKPOINT | f()")
    try expectEqual(
      Fixture.text([.app("static Game.main()"), .app("main"), .system("start")]),
      "EXC_BREAKPOINT | static Game.main() | main")
  }

  /// Nothing of the app: a thread of the system, or the run loop below `main`. Its images count,
  /// each once, without those in which every stack begins or ends.
  @Test func imagesOfTheSystem() throws {
    let images: [SignatureFixture.Frame] = [
      .image("libsystem_platform.dylib", "_platform_memmove"), .image("UIKit", "draw"),
      .image("QuartzCore", nil), .image("UIKit", "run"), .image("CoreFoundation", "CFRunLoopRun"),
      .image("GraphicsServices", "GSEventRunModal"), .image("libdispatch.dylib", "drain"),
    ]
    try expectEqual(
      Fixture.text(images), "EXC_BREAKPOINT | UIKitCore | QuartzCore | CoreFoundation")
  }

  /// Not even what such a signature would begin with says which crash it is, unless something was
  /// thrown.
  @Test func onlyMachinery() throws {
    let frames: [SignatureFixture.Frame] = [
      .namelessSystem(0x99), .image("libsystem_kernel.dylib", "__pthread_kill"),
      .image("libsystem_c.dylib", "abort"), .image("libdispatch.dylib", "worker"),
    ]
    try expectNil(Fixture.text(frames))
    try expectEqual(
      Fixture.text(
        frames,
        head: """
          Exception Type:  EXC_CRASH (SIGABRT)
          Application Specific Information:
          *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'
          """), "EXC_CRASH | NSRangeException")
  }

  @Test func imageAndOffset() throws {
    try expectEqual(
      Fixture.text([.nameless(0x1f40), .namelessSystem(0x20), .nameless(0x2abc)]),
      "EXC_BREAKPOINT | Inlines+0x1f40 | Inlines+0x2abc")
    try expectEqual(
      Fixture.text([.app("<redacted>"), .app("f()")]), "EXC_BREAKPOINT | Inlines+0x1000 | f()")
  }

  @Test func libraryCodeCountsIfTheAppHasNone() throws {
    try expectEqual(
      Fixture.text([.app("hermes::vm::Runtime::run(int)"), .app("Board.draw()")]),
      "EXC_BREAKPOINT | Board.draw()")
    try expectEqual(
      Fixture.text([.app("hermes::vm::Runtime::run(int)"), .system("worker")]),
      "EXC_BREAKPOINT | hermes::vm::Runtime::run")
  }

  // MARK: Head

  @Test(arguments: [
    ("Exception Type:  EXC_CRASH (SIGABRT)", "EXC_CRASH"),
    ("Exception Type:  SIGSEGV", "SIGSEGV"),
    ("Exception Type:  EXC_BAD_ACCESS (Code Signature Invalid)", "EXC_BAD_ACCESS"),
    ("Exception Type:  EXC_BAD_INSTRUCTION (SIGILL)", "EXC_BAD_INSTRUCTION"),
    ("Note: none", "crash"),
  ])
  func whatHappened(head: String, expected: String) throws {
    try expectEqual(Fixture.text([.app("f()")], head: head), "\(expected) | f()")
  }

  /// The trap of a compiler is another instruction on Intel's processors.
  @Test func trapsOfBothArchitectures() throws {
    let text = Fixture.report(
      [.app("f()")], head: "Exception Type:  EXC_BAD_INSTRUCTION (SIGILL)"
    ).replacing("ARM-64 (Native)", with: "X86-64 (Native)")
    try expectEqual(Fixture.signature(text)?.text, "EXC_BREAKPOINT | f()")
  }

  // MARK: Backtraces

  @Test func lastExceptionComesFirst() throws {
    let exception = Fixture.lines([.system("objc_exception_throw"), .app("Store.insert(_:)")])
    let text = Fixture.report(
      [.system("abort"), .app("other()")], head: "Exception Type:  EXC_CRASH (SIGABRT)",
      before: "Last Exception Backtrace:\n\(exception.joined(separator: "\n"))\n")
    try expectEqual(Fixture.signature(text)?.text, "EXC_CRASH | Store.insert(_:)")
  }

  @Test func withoutAFrameThereIsNone() throws {
    let text = "Process: A [1]\nIdentifier: b\nReport Version: 104\nException Type: SIGSEGV\n"
    try expectNil(Fixture.signature(text))
  }

  /// A signature is the same whatever the options show, or there is none.
  @Test func optionsDoNotChangeIt() throws {
    let text = try String(decoding: JsonFixture.story, as: UTF8.self)
    let expected = try require(Fixture.signature(text, with: [Fixtures.storyBundle]))
    func signature(
      _ change: (inout SymbolicationOptions) -> Void
    ) throws -> JsonReport.Signature? {
      var options = SymbolicationOptions()
      change(&options)
      return try Fixture.signature(text, with: [Fixtures.storyBundle], options)
    }
    try expectEqual(signature { $0.demangling = .full }, expected)
    try expectEqual(signature { $0.demangling = .raw }, expected)
    try expectEqual(signature { $0.threads = .crashed }, expected)
    try expectEqual(signature { $0.onlyUserCode = true }, expected)
    try expectEqual(signature { $0.explains = true }, expected)
    try expectNil(signature { $0.threads = .numbered([7]) })
    try expectNil(signature { $0.showsInlinedFrames = false })
  }

  // MARK: Builds

  /// `area_of` fails, called by `sum_of_areas`, in the two architectures and four versions of DWARF
  /// of one program, and without debug information. `llvm-symbolizer` gives the functions;
  /// `area_of` is inlined into its caller in some of the builds, and cut in two in all.
  @Test(arguments: [
    (
      "Dwarf/arm64-dwarf4.dSYM", "4C4C446C-5555-3144-A10C-A2F2CD27A19E", false,
      [0x6c8, 0x834, 0x7f4, 0x4e4] as [UInt64]
    ),
    (
      "Dwarf/x86_64-dwarf5.dSYM", "4C4C4473-5555-3144-A1C3-422D28714C46", true,
      [0x808, 0x955, 0x8f4, 0x524]
    ),
  ])
  func buildsAndArchitectures(
    bundle: String, uuid: String, isIntel: Bool, offsets: [UInt64]
  ) throws {
    let base: UInt64 = isIntel ? 0x1_0aaa_0000 : 0x1_0455_4000
    let frames = offsets.enumerated().map {
      ReportFixture.frame($0.offset, base + $0.element, image: "Shapes", base: base)
    }
    let identifier = uuid.lowercased().replacing("-", with: "")
    let text = Report.report(
      frames,
      images: [
        "0x\(String(base, radix: 16)) - 0x\(String(base + 0xffff, radix: 16)) Shapes \(isIntel ? "x86_64" : "arm64")  <\(identifier)> /Applications/Shapes.app/Contents/MacOS/Shapes"
      ], path: "/Applications/Shapes.app/Contents/MacOS/Shapes",
      head:
        "Exception Type:  \(isIntel ? "EXC_BAD_INSTRUCTION (SIGILL)" : "EXC_BREAKPOINT (SIGTRAP)")"
    ).replacing("ARM-64 (Native)", with: isIntel ? "X86-64 (Native)" : "ARM-64 (Native)")
    let signature = try Fixture.signature(text, with: [Fixtures.path(bundle)])
    expectEqual(signature?.text, "EXC_BREAKPOINT | fail | area_of | sum_of_areas")
    // One frame further in, it is another crash.
    let other = text.replacing("\(frames[0])\n", with: "")
    try expectEqual(
      Fixture.signature(other, with: [Fixtures.path(bundle)])?.text,
      "EXC_BREAKPOINT | area_of | sum_of_areas")
  }

  // MARK: Rules

  private static func options(_ rules: String) throws -> SymbolicationOptions {
    var options = SymbolicationOptions()
    options.signatureRules = try SignatureRules(Array(rules.utf8))
    return options
  }

  @Test func rulesOfTheUser() throws {
    let frames: [Fixture.Frame] = [
      .app("Log.fail(_:)"), .app("Kit.load()"), .app("Board.draw()"), .system("worker"),
    ]
    try expectEqual(
      Fixture.text(frames, Self.options("# ours\n\ndrop Log.*\r\n  system Kit  \n")),
      "EXC_BREAKPOINT | Board.draw()")
    try expectEqual(
      Fixture.text([.system("worker")], Self.options("app libswiftCore.dylib")),
      "EXC_BREAKPOINT | worker")
    try expectEqual(
      Fixture.text(frames, Self.options("app libswiftCore*\ndrop Inlines")),
      "EXC_BREAKPOINT | worker")
  }

  @Test(arguments: [
    ("drop A\ndroop B", 2, "droop B"), ("drop", 1, "drop"), ("\n\napp  ", 3, "app  "),
  ])
  func aBadLine(text: String, line: Int, content: String) throws {
    let error = #expect(throws: SignatureRuleError.self) {
      try SignatureRules(Array(text.utf8))
    }
    expectEqual(
      error?.message(path: "rules.txt"),
      "rules.txt:\(line): expected 'drop PATTERN', 'app PATTERN' or 'system PATTERN', found '\(content)'"
    )
  }

  @Test func explanationSaysWhichRuleDroppedAFrame() throws {
    var options = try Self.options("drop Log.*")
    options.explains = true
    let text = Fixture.report([
      .system("abort"), .app("Log.fail(_:)"), .app("f()"), .app("f()"), .app("hermes::run()"),
      .system("worker"), .app("main"),
    ])
    var job = ReportJob(symbolPaths: [], options: options)
    let notes = job.symbolicate(Array(text.utf8), shownPath: "report").notes
    let start = try require(notes.firstIndex { $0.hasPrefix("signature ") })
    expectSuffix(notes[start], ": EXC_BREAKPOINT | f()")
    expectEqual(
      notes[(start + 1)...].prefix(7),
      [
        "  frame 0: dropped, every crash has frames of this library: abort",
        "  frame 1: dropped, rule 'drop Log.*': Log.fail(_:)",
        "  frame 2: taken: f()",
        "  frame 3: the same as the one before: f()",
        "  frame 4: not the app's own (Hermes, the JavaScript engine): hermes::run",
        "  frame 5: dropped, every crash has frames of this library: worker",
        "  frame 6: dropped, start of the program ('main'): main",
      ])
  }
}
