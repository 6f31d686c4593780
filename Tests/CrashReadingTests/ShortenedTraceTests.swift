import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Traces that people shortened, that pages broke into lines, or whose last line is cut. The texts
/// have the shapes of the sources that the rules name.
struct ShortenedTraceTests {
  func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Go

  /// Source: github.com/golang/go, src/runtime/signal_unix.go and traceback.go.
  @Test(
    arguments: [
      "PC=0x18a7871a8 m=0 sigcode=2 addr=0x0\nsignal arrived during cgo execution\n\n",
      "PC=0x18a7871a8 m=3 sigcode=2 addr=0x0\n\ngoroutine 1 [syscall]:\n",
      "PC=0x18a7871a8 m=0 sigcode=2 addr=0x0\nsignal arrived during cgo execution\n\n"
        + "goroutine 1 gp=0x1400 m=0 mp=0x105 [syscall, locked to thread]:\n",
    ])
  func signalsInCodeThatGoCalls(head: String) throws {
    for frames in [
      "runtime.cgocall(...)\nexample.com/board._Cfunc_open()\nexample.com/board.init.0()\n"
        + "main.main()\n",
      "runtime.cgocall(0x1000, 0x14000)\n\t/go/src/runtime/cgocall.go:167 +0x44\n"
        + "example.com/board._Cfunc_open(0x0)\n\t_cgo_gotypes.go:123 +0x2c\n"
        + "main.main()\n\t/src/main.go:7 +0x1d\n",
    ] {
      let report = try JsonFixture.report(
        "It stops at once.\n\nSIGSEGV: segmentation violation\n\(head)\(frames)\nThanks\n", with: []
      )
      expectEqual(report.crash.frame?.function, "example.com/board._Cfunc_open")
      expectEqual(report.crash.reason, "a fault in C code that Go called (cgo): open")
      expectEqual(report.exception.signal, "SIGSEGV")
      expectEqual(report.exception.subtype, "SEGV_ACCERR at 0x0")
    }
  }

  /// Where the kernel gives no address, Go writes one that is none on Macs with Intel's processors,
  /// and Linux 0 (src/runtime/signal_darwin_amd64.go; include/uapi/asm-generic/siginfo.h).
  @Test(
    arguments: [
      (
        "code=0x1 addr=0xb01dfacedebac1e",
        "access to an address that is not known, a malformed one most likely (Go writes 0xb01dfacedebac1e in its place)"
      ),
      (
        "code=0x80 addr=0x0",
        "general protection fault: most often a pointer that was overwritten or freed (a non-canonical address)"
      ),
      ("code=0x0 addr=0x3e800001234", "SIGSEGV: SI_USER"),
      ("code=0x1 addr=0x0", "access through a null pointer"),
      (
        "code=0x1 addr=0xb01dfacedebac18",
        "a pointer that was overwritten: 0xb01dfacedebac18 is no address of a process"
      ),
    ])
  func addressesThatGoDoesNotKnow(words: String, reason: String) throws {
    let found = try crash(
      """
      fatal error: unexpected signal during runtime execution
      [signal SIGSEGV: segmentation violation \(words) pc=0x10a5b2c]

      goroutine 1 [running]:
      main.(*Deck).Deal(0xc000012120)
      \t/src/deck.go:44 +0x1d

      """)
    expectEqual(found.reason ?? "SIGSEGV: SI_USER", reason)
    expectEqual(found.frame?.line, 44)
  }

  @Test func framesOfGoWithoutPlaces() throws {
    let found = try crash(
      """
      panic: runtime error: index out of range [7] with length 3

      goroutine 1 [running]:
      example.com/board.(*Board).Turn(0xc000012120, {0x7, 0x3?})
      main.main()
      exit status 2

      """)
    expectEqual(found.frame?.function, "example.com/board.(*Board).Turn")
    expectEqual(found.reason, "Go panic: runtime error: index out of range [7] with length 3")
  }

  @Test func framesOfGoWithPlacesOnTheirLines() throws {
    let found = try crash(
      """
      panic: runtime error: index out of range [7] with length 3

      goroutine 1 [running]:
      main.(*Board).Turn(0xc000012120, 0x7) /src/board.go:12 +0x1d
      main.main() /src/main.go:7 +0x85

      """)
    expectEqual(found.frame?.function, "main.(*Board).Turn")
    expectEqual(found.frame?.file, "board.go")
    expectEqual(found.frame?.line, 12)
  }

  /// What stands in a sentence with brackets is no call.
  @Test(arguments: ["e.g. main.turn(the board)", "see board.turn(left) or so", "Board.turn (x)"])
  func sentencesBelowGoroutines(sentence: String) throws {
    let text = "goroutine 1 [running]:\n\(sentence)\n"
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// The frames are cut off.
  @Test func signalOfGoAlone() throws {
    let report = try JsonFixture.report(
      "SIGBUS: bus error\nPC=0x18a7871a8 m=0 sigcode=1 addr=0x7ff800001003\n", with: [])
    expectEqual(report.exception.signal, "SIGBUS")
    expectEqual(report.exception.subtype, "BUS_ADRALN at 0x7ff800001003")
  }

  // MARK: Pages

  private static let cells = [
    "0\tCoreFoundation\n___exceptionPreprocess + 164\n1\tlibobjc.A.dylib\n"
      + "_objc_exception_throw + 60\n2\tFoundation\n__userInfoForFileAndLine\n"
      + "3\tBoard\n-[Board turn:] + 96 (Board.m:12)\n4\tBoard\nmain + 40\n",
    "0 CoreFoundation 0x00000001a4c1f2f0\n___exceptionPreprocess + 164\n"
      + "1 libobjc.A.dylib 0x00000001a4c1a2f0\n_objc_exception_throw + 60\n"
      + "2 Board 0x0000000104a1c2f0\n-[Board turn:] + 96 (Board.m:12)\n"
      + "3 Board 0x0000000104a1c3f0\nmain + 40\n",
  ]

  /// Source: github.com/longitachi/ZLPhotoBrowser, issue 907.
  @Test(arguments: cells)
  func functionsOnLinesOfTheirOwn(frames: String) throws {
    let heads = [
      "#### What\n\nNSRangeException\n*** -[__NSArrayM objectAtIndex:]: index 5\n\n#### Stack\n\n",
      "NSRangeException\n*** -[__NSArrayM objectAtIndex:]: index 5\n",
    ]
    for head in heads {
      let found = try crash(head + frames)
      expectEqual(found.reason, "NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 5")
      expectEqual(found.frame?.function, "-[Board turn:]")
      expectEqual(found.frame?.line, 12)
    }
  }

  @Test(arguments: cells)
  func throwersWithoutHeading(frames: String) throws {
    let found = try crash(frames)
    expectEqual(found.frame?.function, "-[Board turn:]")
    expectEqual(["uncaughtException", "assertion"].contains(found.kind ?? ""), true)
  }

  @Test func listsOfOtherThings() throws {
    let text = "1 apple\nTastes good\n2 pear\nTastes fine (really)\n3 Board\n_plum_\n"
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Source: github.com/KrassOrg/bsTestRepo, issue 651.
  @Test(arguments: ["SIGSEGV(SEGV_ACCERR)", "IOS-301: SIGSEGV(SEGV_ACCERR) at objc_msgSend + 16"])
  func signalsWithTheirCodes(title: String) throws {
    let report = try JsonFixture.report(
      "\(title)\n0   libobjc.A.dylib    0x00000001f42a5294 objc_msgSend + 16\n"
        + "1   Board              0x00000001046eb7ec -[Board turn:] + 24\n"
        + "2   Board              0x00000001046eb8ec main + 24\n", with: [])
    expectEqual(report.exception.signal, "SIGSEGV")
    expectEqual(report.exception.subtype, "SEGV_ACCERR")
    expectEqual(report.crash.frame?.function, "-[Board turn:]")
  }

  // MARK: Notes

  @Test func numberedFunctionsWithoutImages() throws {
    let report = try JsonFixture.report(
      """
      ## Signature

      ```
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x0f004d26aa0003f0

      Stack:
      0  objc_retain + 16
      1  -[NSMenuItem setRepresentedObject:] + 48
      2  -[Board fill:with:] + 540
      3  Board.turn(_:) + 96
      4  std::board::turn(int) + 8
      5  main + 12
      ```

      """, with: [])
    expectEqual(report.crash.frame?.function, "-[Board fill:with:]")
    expectEqual(report.crash.kind, "freedObject")
    expectEqual(report.backtraces.first?.frames.count, 6)
  }

  @Test(
    arguments: [
      "0  apples + 3\n1  pears + 4\n2  plums + 5\n", "0  a_b + 99999\n1  c_d + 99999\n",
      "0: 1 + 2\n1: 3 + 4\n",
    ])
  func sumsAreNoFunctions(text: String) throws {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  // MARK: Xcode

  /// Source: github.com/XVimProject/XVim, issue 589.
  @Test(arguments: ["", "> ", "\t"])
  func assertionsOfXcode(mark: String) throws {
    let text = """
      \(mark)ASSERTION FAILURE in /SourceCache/Board/Board-5085/Kit/Board.m:703
      \(mark)Details:  (cards) should not be nil.
      \(mark)Object:   <Board: 0x7fbbc898a1a0>

      """
    let found = try crash("Sometimes this happens:\n\n" + text)
    expectEqual(found.reason, "failed assertion in Board.m:703: (cards) should not be nil.")
  }

  @Test func exceptionsOfXcode() throws {
    let found = try crash("UNCAUGHT EXCEPTION (BoardException): no cards\nUserInfo: (null)\n")
    expectEqual(found.reason, "BoardException: no cards")
  }

  // MARK: .NET

  /// Source: github.com/dotnet/macios, src/ObjCRuntime/ObjCException.cs.
  @Test(
    arguments: ["", "SIGABRT: ", "Foundation.MonoTouchException: ", "ObjCRuntime.ObjCException: "])
  func exceptionsThatDotNetThrowsAgain(head: String) throws {
    let words = "\(head)Objective-C exception thrown.  Name: NSRangeException Reason: no card 5"
    let frames = """
      Native stack trace:
      \t0   CoreFoundation          0x00000001f42a5294 __exceptionPreprocess + 252
      \t1   libobjc.A.dylib         0x00000001f347f9f8 objc_exception_throw + 56
      \t2   Board.iOS               0x00000001046eb7ec turn + 24
      \t3   Board.iOS               0x00000001046eb8ec main + 24

      """
    expectEqual(try crash("\(words)\n").reason, "NSRangeException: no card 5")
    let found = try crash("\(words)\n\(frames)")
    expectEqual(found.reason, "NSRangeException: no card 5")
    expectEqual(found.frame?.function, "turn")
    let line = frames.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    let joined = try crash("\(words) \(line.joined(separator: " "))\n")
    expectEqual(joined.reason, "NSRangeException: no card 5")
  }

  @Test func commentsAboutExceptions() throws {
    let text = "\t// Objective-C exception thrown.  Name: NSRangeException Reason: no card 5\n"
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  // MARK: Allocators

  /// Source: github.com/apple-oss-distributions/libmalloc, src/xzone/xzone_malloc.c.
  @Test(
    arguments: [
      ("xzm_malloc_zone_free_slow.cold.1", "xzm_malloc_zone_free_slow", "free() stopped"),
      ("_xzm_free_abort", "_xzm_free", "free() stopped"),
      ("xzm_malloc_zone_free_definite_size_slow.cold.3", "free", "free() stopped"),
      ("_xzm_xzone_malloc_tiny.cold.2", "_xzm_xzone_malloc_tiny", "malloc found a damaged heap"),
    ])
  func trapsOfTheAllocator(part: String, whole: String, reason: String) throws {
    let found = try crash(
      """
      Exception Type:   EXC_BREAKPOINT
      Exception Codes:  (code=1, subcode=0x19b1eba48)

      Thread 1 Queue : com.apple.main-thread (serial)
      #0\t0x000000019b1eba48 in \(part) ()
      #1\t0x000000019b1e28d0 in \(whole) ()
      #2\t0x00000001010d32f8 in -[Board turn:] ()
      #3\t0x00000001010d42f8 in main ()

      """)
    expectEqual(found.kind, "heapDamage")
    expectEqual(found.frame?.function, "-[Board turn:]")
    expectEqual(found.reason?.hasPrefix(reason), true)
  }

  /// The whole function is on the stack of a fault in it, too.
  @Test func faultsInTheAllocator() throws {
    let found = try crash(
      """
      Exception Type:   EXC_BAD_ACCESS

      #0\t0x000000019b1eba48 in xzm_malloc_zone_free_slow ()
      #1\t0x00000001a10d32f8 in -[Board turn:] ()
      #2\t0x00000001a10d42f8 in main ()

      """)
    expectEqual(found.reason?.contains("free() stopped"), false)
  }

  // MARK: Cut reports

  private static let head = """
    Process:               Board [812]
    Identifier:            org.example.board
    Code Type:             X86-64 (Native)
    OS Version:            Mac OS X 10.11.1 (15B42)

    Crashed Thread:        0  Dispatch queue: com.apple.main-thread

    Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
    Exception Codes:       KERN_INVALID_ADDRESS at 0x000007f9db255438

    VM Regions Near 0x7f9db255438:
        JS JIT generated code  00005a5241e00000-00005a5249e00000 [128.0M]
    rwx/rwx SM=PRV

    Thread 0 Crashed:: Dispatch queue: com.apple.main-thread

    """

  /// The line was broken, and the text ends in what is left of it.
  @Test(
    arguments: [
      "0   QtGui                         0x0000000110c55f75\n"
        + "TilePrivate::childAt_helper(Point const&, bool) const +",
      "0   QtGui                         0x0000000110c55f75\n"
        + "TilePrivate::childAt_helper(Point const&, bool) const + 69\n",
    ])
  func brokenLineAtTheEnd(frame: String) throws {
    let report = try JsonFixture.report(Self.head + frame, with: [])
    expectEqual(
      report.backtraces.first?.frames.map(\.function),
      ["TilePrivate::childAt_helper(Point const&, bool) const"])
  }

  /// Somebody took the names away, or the text ends behind the address.
  @Test(
    arguments: [
      ("0   QtGui                         0x0000000110c55f75\n", 1),
      ("0   QtGui                         0x0000000110c55f75", 1),
      (
        "0   QtGui                         0x0000000110c55f75\n"
          + "1   QtGui                         0x0000000110c55f76\n"
          + "2   org.example.board             0x000000010fc56075\n"
          + "3   org.example.board             0x000000010fc56175 main + 20\n", 4
      ),
    ])
  func framesOfAddresses(frames: String, count: Int) throws {
    let report = try JsonFixture.report(Self.head + frames, with: [])
    expectEqual(report.backtraces.count, 1)
    expectEqual(report.backtraces.first?.frames.count, count)
    expectEqual(report.backtraces.first?.frames.first?.address, "0x110c55f75")
    expectEqual(report.process.name, "Board")
  }
}

extension ShortenedTraceTests {
  private func debuggerCrash(_ code: Int, _ instruction: String) throws -> JsonReport.Crash {
    try crash(
      """
      * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=\(code), address=0x16d7cfff0)
          frame #0: 0x00000001afb56f50 Board`-[Board turn] + 8
      Board`-[Board turn]:
      ->  0x1afb56f50 <+8>:  \(instruction)
          0x1afb56f54 <+12>: stp    x26, x25, [sp, #0x1a0]
      Target 0: (Board) stopped.

      """)
  }

  /// A function writes to its stack first, and only the guard page at the end forbids that.
  @Test(
    arguments: [
      "stp    x28, x27, [sp, #0x190]", "str    x0, [sp, #-0x10]!", "pushq  %rbp",
      "callq  0x10a529444               ; -[Board turn]", "movq   %rdi, 0x8(%rsp)",
    ])
  func writesBeyondTheStack(instruction: String) throws {
    expectEqual(try debuggerCrash(2, instruction).kind, "stackOverflow")
  }

  @Test(
    arguments: [
      (2, "str    x8, [x9, #0x18]"), (1, "stp    x28, x27, [sp, #0x190]"),
      (2, "callq  *0x10(%rax)"), (2, "ldr    x8, [sp, #0x18]"), (2, "movq   (%rsp), %rax"),
    ])
  func otherAccesses(code: Int, instruction: String) throws {
    expectEqual(try debuggerCrash(code, instruction).kind == "stackOverflow", false)
  }

  // MARK: Names alone

  /// Whose stack a buffer overflowed, where nothing says whose code that is.
  @Test func namesBelowAFailedCheckOfTheStack() throws {
    let found = try crash(
      """
      "asi" : {"libsystem_c.dylib":["stack buffer overflow"]},
      "exception" : {"type":"EXC_CRASH","signal":"SIGABRT"},
      faulting frames:
        __stack_chk_fail
        board::Deck::Deck(std::string const&)
        main

      """)
    expectEqual(
      found.reason, "stack buffer overflow, in board::Deck::Deck(std::string const&)")
    expectNil(found.frame)
  }

  /// The body of a view is the program's, and the coders of Swift's library are not.
  @Test(
    arguments: [
      (
        "- Error: `EXC_CRASH / SIGABRT`\n- Stack: `RB::precondition_failure` ← `RBBegin` ← `Table.body`\n",
        "Table.body", "a failed check in RenderBox, which draws for SwiftUI"
      ),
      (
        """
        The app ended with `EXC_CRASH (SIGABRT)`.

        Crashing thread:
        SwiftData   ?
        Board       Deck.deal(to:)

        The exception:
        objc_exception_throw
        _PFFaultHandlerLookupRow
        KeyedEncodingContainer.encode(_:forKey:)
        …

        """, "Deck.deal(to:)",
        "uncaught Objective-C exception thrown by _PFFaultHandlerLookupRow"
      ),
    ])
  func namesWithoutImages(text: String, function: String, reason: String) throws {
    let found = try crash(text)
    expectEqual(found.frame?.function, function)
    expectEqual(found.reason, reason)
  }

  /// A method of Python that begins with two underscores is the user's, and what .NET binds is not.
  @Test func methodsOfOtherLanguages() throws {
    let python = try crash(
      "Fatal Python error: Segmentation fault - Current thread:\n  src/deck.py:12  __init__\n  src/game.py:5  deal\n"
    )
    expectEqual(python.frame?.function, "__init__")
    let dotNet = try crash(
      """
      System.InvalidOperationException: no cards
        at AVFoundation.AVAudioEngine.Connect(AVAudioNode source, AVAudioNode target)
        at Board.Player.Play(Byte[] data) in Player.cs:line 12

      """)
    expectPrefix(dotNet.frame?.function ?? "", "Board.Player.Play")
  }

  /// Source: libmalloc, src/nanov2_malloc.c.
  @Test func damagedFreeList() throws {
    let found = try crash(
      """
      ```
      malloc: Heap corruption detected, free list is damaged at 0x...
      ```

      ```
      * thread #1, stop reason = signal SIGABRT
          frame #0: libsystem_kernel.dylib`__pthread_kill
          frame #1: libsystem_c.dylib`abort
          frame #2: libsystem_malloc.dylib`malloc_vreport
      ```

      """)
    expectEqual(
      found.reason, "malloc: Heap corruption detected, free list is damaged at 0x...")
  }
}
