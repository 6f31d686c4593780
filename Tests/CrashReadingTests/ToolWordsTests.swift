import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What compilers, language runtimes, sanitizers and shells print about an end, as people paste it.
/// The texts have the shapes of the sources that the rules name.
struct ToolWordsTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Compilers

  @Test func compilersThatCrashed() throws {
    let report = try read(
      """
      `` Segmentation fault: 11``

      ```
      1.\tApple Swift version 5.6 (swiftlang-5.6.0.323.62 clang-1316.0.20.8)
      2.\tCompiling with the current language version
      3.\tWhile type-checking 'draw(_:)' (at /src/Deck/Board.swift:12:8)
      4.\tWhile building rewrite system for generic signature <T where T : Card>
      Sta
      """)
    expectEqual(report.process.name, "Swift compiler")
    expectEqual(report.exception.signal, "SIGSEGV")
    expectEqual(
      report.crash.reason,
      "the compiler crashed while type-checking 'draw(_:)' (at Board.swift:12:8): building rewrite"
        + " system for generic signature <T where T : Card>")
  }

  /// A step may have a second line, and the driver says which signal it was.
  @Test func stepsOnTwoLines() throws {
    let report = try read(
      """
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -frontend -c Board.swift
      1.\tSwift version 5.9 (swift-5.9-RELEASE)
      2.\tWhile silgen emitFunction SIL function "@$s5Board4mainyyF".
       for 'main()' (at /src/Board.swift:3:1)
      error: compile command failed due to signal 6 (use -v to see invocation)
      """)
    expectEqual(report.process.name, "swift-frontend")
    expectEqual(report.exception.signal, "SIGABRT")
    expectEqual(
      report.crash.reason,
      "the compiler crashed while silgen emitFunction SIL function for 'main()' (at Board.swift:3:1)"
    )
  }

  @Test func stepsAboveAStack() throws {
    let report = try read(
      """
      Stack dump:
      0.\tProgram arguments: clang -cc1 -triple arm64-apple-macosx12.0.0 board.c
      1.\t<eof> parser at end of file
      2.\tRunning pass 'AArch64 Instruction Selection' on function '@draw'
       #0 0x0000562b5d3fdfe4 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/bin/clang+0x72effe4)
       #1 0x0000562b5d3fe358 llvm::SelectionDAG::Legalize() (/usr/bin/clang+0x72ef358)

      """)
    expectEqual(
      report.crash.reason,
      "the compiler crashed while running pass 'AArch64 Instruction Selection' on function '@draw'")
  }

  @Test func listsOfVersionsAreNoDump() {
    expectNoReport("1. Swift version 5.6\n2. Xcode 13\n3. Press Run\n")
  }

  // MARK: Runtimes

  @Test(
    arguments: ["", "web    | ", "10:20:30 web.1  | ", "worker-1  | ", "[0] ", "2026-01-01 10:00 "])
  func fatalErrorsOfObjectiveC(head: String) throws {
    let first =
      "\(head)objc[812]: +[Deck initialize] may have been in progress in another thread when fork() was called.\n"
    let second =
      String(first.dropLast())
      + " We cannot safely call it or ignore it in the fork() child process. Crashing instead. Set a breakpoint on objc_initializeAfterForkError to debug.\n"
    let report = try read("It stops.\n\n\(first)\(second)")
    expectEqual(report.process.pid, 812)
    expectEqual(
      report.crash.reason,
      "+[Deck initialize] may have been in progress in another thread when fork() was called. We cannot safely call it or ignore it in the fork() child process. Crashing instead."
    )
  }

  @Test func warningsOfObjectiveC() {
    expectNoReport(
      "objc[812]: Class Deck is implemented in both /a/libA.dylib (0x10) and /b/libB.dylib (0x20)."
        + " One of the two will be used. Which one is undefined.\n")
  }

  /// The program's last line may have no end.
  @Test(arguments: ["", "0-53.4 1-0.0 Total: 53.4 MH/s  "])
  func abortsInCodeThatGoCalls(line: String) throws {
    let report = try read(
      """
      \(line)SIGABRT: abort
      PC=0x501dd42 m=3
      signal arrived during cgo execution

      goroutine 6 [syscall, locked to thread]:
      runtime.cgocall(0x4002f60, 0xc8200617b8, 0xc800000000)
      \t/go/src/runtime/cgocall.go:120 +0x11b
      example.com/board._Cfunc_draw(0x7801e80)
      \t??:0 +0x3c

      """)
    expectEqual(report.exception.signal, "SIGABRT")
    expectEqual(report.crash.kind, "abort")
    expectEqual(report.crash.reason, "abort() in C code that Go called (cgo): draw")
    expectEqual(report.crash.frame?.function, "example.com/board._Cfunc_draw")
  }

  @Test func exceptionsOfJava() throws {
    let text = """
      Exception in thread "main" java.lang.ExceptionInInitializerError
      \tat java.base/java.util.List.of(List.java:24)
      \tat com.example.Board.show(Board.java:17)
      Caused by: java.lang.IllegalStateException: not on the main thread
      \tat com.example.Deck.check(Deck.java:4)
      \t... 2 more

      """
    let warning = """
      2019-02-07 19:41:33.575 java[692:2792] WARNING: NSWindow drag regions should only be invalidated on the Main Thread! This will throw an exception in the future. Called from (
      \t0   AppKit       0x00007fff351e9ccc -[NSWindow _initContent:styleMask:backing:defer:contentView:] + 386
      \t1   libdeck.dylib 0x00000001254a36b6 libdeck.dylib + 63158
      \t2   libdeck.dylib 0x000000012549da06 libdeck.dylib + 39430
      )

      """
    for text in [text, warning + text, warning + warning + text] {
      let report = try read(text)
      expectEqual(report.process.name, "java")
      expectEqual(
        report.crash.reason,
        "java.lang.ExceptionInInitializerError: caused by java.lang.IllegalStateException: not on the main thread"
      )
      expectEqual(report.crash.frame?.function, "com.example.Board.show")
      expectEqual(report.crash.frame?.line, 17)
    }
    expectNoReport("I get Exception in thread \"main\" java.lang.NullPointerException at start.\n")
    // A stack without an exception stays one.
    expectEqual(try read(warning).backtraces.first?.frames.count, 3)
  }

  // MARK: Code signatures

  @Test(
    arguments: [
      ("The namespace is CODESIGNING, the indicator `Taskgated Invalid Signature`.", "0x1"),
      ("It says CODESIGNING.", nil), ("A Launch Constraint Violation, says the report.", "0x4"),
    ] as [(String, String?)])
  func signaturesInProse(words: String, code: String?) throws {
    let report = try read("```\nzsh: killed     board\n```\n\n\(words)\n")
    expectEqual(report.process.name, "board")
    expectEqual(report.termination.namespace, "CODESIGNING")
    expectEqual(report.termination.code, code)
    expectEqual(report.crash.kind, "codeSignature")
  }

  @Test func signaturesOfProcessesThatWereNotKilled() throws {
    expectNoReport("Taskgated Invalid Signature means that the binary is damaged.\n")
    let report = try read(
      "zsh: segmentation fault  board\n\nIt is no CODESIGNING problem.\n")
    expectEqual(report.termination.namespace, nil)
    let example = try read("zsh: killed  board\n\nFor example CODESIGNING.\n")
    expectEqual(example.termination.namespace, nil)
  }

  // MARK: Sanitizers

  /// Pages take equal signs for marks, and people leave numbers out.
  @Test(arguments: ["", "==XXXX==", "==812=="])
  func headsOfSanitizers(process: String) throws {
    let report = try read(
      """
      \(process)ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6030173444f8 at pc 0x00010e54eea5 bp 0x7ffe sp 0x7ffd
      WRITE of size 2 at 0x6030173444f8 thread T0
          #0 0x10e54eea4 in wrap_strcat (libclang_rt.asan_osx_dynamic.dylib:x86_64h+0x4fea4)
          #1 0x1040c6dd1 in draw_deck board.c:5958

      """)
    expectEqual(
      report.crash.reason,
      "AddressSanitizer: heap-buffer-overflow on address 0x6030173444f8")
    expectEqual(report.crash.frame?.function, "draw_deck")
  }

  @Test func proseAboutSanitizers() {
    expectNoReport("ERROR: AddressSanitizer: heap-buffer-overflow is what I get.\n\nWhy?\n")
    expectNoReport("I read that AddressSanitizer failed to allocate memory for others.\n")
    expectNoReport(
      "==812==WARNING: AddressSanitizer failed to allocate 0x2bffffffd4 bytes\n")
  }

  /// A sanitizer that cannot get memory for itself, alone and above what lldb shows of `abort()`.
  ///
  /// Source: llvm-project, compiler-rt/lib/sanitizer_common/sanitizer_common.cpp
  /// (`ReportMmapFailureAndDie`).
  @Test(arguments: [
    "AddressSanitizer failed to allocate 0x2000 (8192) bytes at address ffff (errno: 12)",
    "ThreadSanitizer failed to allocate 0x2000 (8192) bytes of shadow (error code: 12)",
  ])
  func sanitizersWithoutMemory(words: String) throws {
    let text = """
      ==812==ERROR: \(words)
      ==812==ReserveShadowMemoryRange failed while trying to map 0x2000 bytes. Perhaps you're using ulimit -v

      """
    expectEqual(try read(text).crash.reason, words)
    let stopped = try read(
      text + """
        Process 812 stopped
        * thread #1, stop reason = signal SIGABRT
          * frame #0: 0x0000000192f51cec libsystem_kernel.dylib`__pthread_kill + 8
            frame #1: 0x0000000192eca864 libsystem_c.dylib`abort + 104
            frame #2: 0x00000001002bd200 libclang_rt.asan_osx_dynamic.dylib`__asan::Init() + 104

        """)
    expectEqual(stopped.crash.reason, words)
  }
}
