import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What texts say whose innermost frames are missing, whose lines were broken, or which show how a
/// process stopped several times.
struct BrokenPasteTests {
  private func read(_ text: String) throws -> JsonReport { try JsonFixture.report(text, with: []) }

  private func summary(_ text: String) -> [String] {
    JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n").map { String($0) }
  }

  private func headline(_ text: String) -> String? { summary(text).dropFirst().first }

  // MARK: Outer frames

  private func tail(from first: Int) -> String {
    """
    \(first)  BoardEngine   0x00000001221d3e47 _ZN5board7runLoopEi + 839
    \(first + 1)  Board         0x0000000104996ee7 main + 167
    \(first + 2)  dyld          0x00000002049d852e start + 462
    )
    libc++abi: terminating with uncaught exception of type NSException

    """
  }

  /// The end of what libc++abi and the runtime of Objective-C print for an exception.
  @Test func endOfStack() throws {
    let cut = tail(from: 60)
    expectEqual(headline(cut), "NSException — the innermost frames are not in this text")
    let report = try read(cut)
    expectNil(report.crash.frame)
    expectNil(report.signature)
    expectEqual(report.backtraces.first?.frames.count, 3)
    // Who leaves the system's frames out begins with the program's.
    expectEqual(try read(tail(from: 4)).crash.frame?.function, "_ZN5board7runLoopEi")
  }

  /// The same below the heading of a thread; a recursion has many frames.
  @Test func endOfThread() throws {
    func thread(from first: Int) -> String {
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000010
      Crashed Thread:  2

      Thread 2 Crashed:
      \(first)  Board  0x0000000104a10010 Deck.deal() + 16
      \(first + 1)  Board  0x0000000104a10050 Deck.next() + 80

      """
    }
    expectEqual(
      headline(thread(from: 41)),
      "access through a null pointer, at offset 0x10 — thread 2 crashed; its innermost frames are"
        + " not in this text")
    expectEqual(try read(thread(from: 0)).crash.frame?.function, "Deck.deal()")
  }

  // MARK: Stops of a debugger

  private static let attached = """
    (lldb) process attach -n deckd -w
    Process 812 stopped
    * thread #1, name = 'deckd', stop reason = signal SIGSTOP
        frame #0: 0x0000560e1f2b1f80 deckd`Table.rules.unsafeMutableAddressor at Table.swift:16 [opt]
    Target 0: (deckd) stopped.
    (lldb) c
    Process 812 resuming

    """

  private func stop(_ reason: String, thread: Int = 4, _ function: String) -> String {
    """
    Process 812 stopped
    * thread #\(thread), name = 'deckd', stop reason = \(reason)
        frame #0: 0x00007f1c73d8b019 deckd`\(function) + 105

    """
  }

  /// lldb stops what it attaches to with SIGSTOP, and says on Linux where a fault was
  /// (`CrashReason.cpp`, later `LinuxSignals.cpp`).
  @Test(
    arguments: [
      "signal SIGSEGV: invalid address (fault address: 0x0)",
      "signal SIGSEGV: address not mapped to object (fault address=0x0)",
    ])
  func stopsOfADebugger(reason: String) throws {
    let report = try read(Self.attached + stop(reason, "deck_deal"))
    expectEqual(report.crash.frame?.function, "deck_deal")
    expectEqual(report.crash.kind, "nullPointer")
    expectEqual(report.exception.signal, "SIGSEGV")
    expectEqual(report.exception.subtype, "SEGV_MAPERR at 0x0")
    expectEqual(report.crashedThread, 4)
  }

  /// A process that went on from a fault, such as one that its runtime handles, fails later at
  /// another place. The signal of the same exception is no other fault.
  @Test func lastStopCounts() throws {
    let first = stop("EXC_BAD_ACCESS (code=1, address=0x0)", thread: 1, "deck_probe")
    let other = stop("EXC_BAD_ACCESS (code=1, address=0x18)", "deck_deal")
    expectEqual(try read(first + other).crash.frame?.function, "deck_deal")
    let again = stop("signal SIGSEGV", thread: 1, "deck_probe")
    let report = try read(first + again)
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.crash.frame?.function, "deck_probe")
    // The debugger ends what it debugs.
    let killed = stop("signal SIGSTOP", thread: 1, "deck_wait")
    expectEqual(try read(other + killed).crash.frame?.function, "deck_deal")
    expectEqual(
      try read(Self.attached).crash.reason, "stopped by a debugger (SIGSTOP): no crash")
  }

  // MARK: Broken lines

  /// Sentry breaks the value of an exception behind the codes (`SentryCrashReportConverter.m`).
  @Test(
    arguments: [
      (
        "It crashes with \"EXC_BAD_ACCESS: DECK >\nKERN_INVALID_ADDRESS at 0x4650.\"",
        "access to 0x4650, where no memory is mapped"
      ),
      (
        "EXC_BAD_ACCESS\nException 1, Code 1, Subcode 8 >\nKERN_INVALID_ADDRESS at 0x10.",
        "access through a null pointer, at offset 0x10"
      ),
      (
        "EXC_BAD_ACCESS\nException 1, Code 1, Subcode 8 >\nAttempted to dereference garbage pointer 0x4650.",
        "access to 0x4650, where no memory is mapped"
      ),
      (
        "EXC_BAD_ACCESS\n> Attempted to dereference null pointer.", "access through a null pointer"
      ),
      ("`Attempted to dereference garbage pointer 0x4650.`", "access to 0x4650, where"),
    ])
  func detailOfFault(text: String, reason: String) throws {
    let found = try read("# Deck\n\n\(text)\n\nAny idea?\n").crash.reason ?? ""
    expectTrue(found.hasPrefix(reason), found)
  }

  /// Lists of what may go wrong, and sentences with more words.
  @Test(
    arguments: [
      "Attempted to dereference null pointer.",
      "- Fixed: Attempted to dereference garbage pointer 0x10 in the deck.",
      "Attempted to dereference garbage pointer (address)",
      "KERN_INVALID_ADDRESS at 0x10 means that nothing is mapped there.",
      "KERN_INVALID_ADDRESS at 0x4650",
    ])
  func wordsAboutFaults(text: String) {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("# Notes\n\n\(text)\n".utf8))
    }
  }

  /// KSCrash's diagnosis, and the functions of Sentry's page further down, each in a paragraph.
  @Test func methodsBelowDiagnosis() throws {
    let report = try read(
      """
      ```
      EXC_BAD_ACCESS
      Exception 1, Code 19923264, Subcode 8 >
      Attempted to dereference garbage pointer 0x130013001300140.
      ```

      somebody · comment
      More from the page:

      ```
      -[Deck render:to:]

      -[Board drawCards:]
      ```

      """)
    expectEqual(report.crash.frame?.function, "-[Deck render:to:]")
    expectEqual(report.exception.codes, ["0x1", "0x130013001300140"])
    expectEqual(report.backtraces.first?.frames.count, 2)
  }

  /// A form broke the columns: the number of a frame is on a line of its own.
  @Test func numbersOnLinesOfTheirOwn() throws {
    let report = try read(
      """
      Fatal Exception NSInternalInconsistencyException
      no such card
      0    CoreFoundation  __exceptionPreprocess + 130
      1
      libobjc.A.dylib  objc_exception_throw + 38
      2
      Foundation     -[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:] + 90
      3
      DeckKit     -[Deck cardNamed:] + 202

      """)
    expectEqual(report.crash.frame?.function, "-[Deck cardNamed:]")
    expectEqual(
      report.crash.reason, "NSInternalInconsistencyException: no such card")
    expectEqual(report.backtraces.first?.frames.map(\.index), [0, 1, 2, 3])
  }

  /// Somebody left numbers, images and addresses out below a heading of Apple's.
  @Test(arguments: ["Last Exception Backtrace:", "Thread 0 Crashed:"])
  func framesWithPlaces(heading: String) throws {
    let report = try read(
      """
      Exception Type: EXC_CRASH (SIGABRT)
      Termination Reason: Namespace SIGNAL, Code 6, Abort trap: 6

      \(heading)
      board::Deck::~Deck() + 240 (Deck.mm:34)
      __28-[Board handleCards:]_block_invoke + 228 (Board.mm:1175)

      """)
    expectEqual(report.crash.frame?.function, "board::Deck::~Deck()")
    expectEqual(report.crash.frame?.line, 34)
    expectEqual(report.backtraces.first?.frames.count, 2)
  }

  /// A table that lost the blank behind a bar.
  @Test func barBesideImage() throws {
    let report = try read(
      """
      0 | libdispatch.dylib | dispatch_async + 132
      1 | _board | Deck.m line 12-[Deck deal:]
      2 |_board | main.m line 16main
      3 | libdyld.dylib | start + 4

      """)
    expectEqual(
      report.backtraces.first?.frames.map(\.imageName),
      ["libdispatch.dylib", "_board", "_board", "libdyld.dylib"])
  }

  // MARK: Registers

  /// The error code is that of the system call `__pthread_kill` (XNU, bsd/kern/syscalls.master).
  @Test func signalInSystemCall() throws {
    func state(error: String) -> String {
      """
      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000000  rbx: 0x0000000000000006  rcx: 0x00007fff5bbd6e38
        rdi: 0x0000000000000307  rsi: 0x0000000000000006  rbp: 0x00007fff5bbd6e60

      Logical CPU:     0
      Error Code:      \(error)
      Trap Number:     133

      """
    }
    expectEqual(
      try read(state(error: "0x02000148")).crash.reason,
      "SIGABRT, which the process sent to itself (__pthread_kill)")
    expectNil(try read(state(error: "0x02000170")).crash.reason)
  }

  // MARK: Traces broken at a column

  /// Broken at 80 columns, as a mail program breaks lines.
  @Test(
    arguments: [
      // Go: src/runtime/traceback.go.
      (
        """
        panic: runtime error: index out of range [3] with length 2

        goroutine 1 [running]:
        main.makeDeck.func3({0x14000238530?, 0x1400218ba70?, 0x1400218bb80?},
        {0x1053b3160?})
        \t/src/deck.go:133 +0x228
        main.main()
        \t/src/deck.go:13 +0x228

        """, "main.makeDeck.func3", 133
      ),
      // Rust: library/std/src/backtrace.rs.
      (
        """
        thread 'main' panicked at src/deck.rs:12:5:
        no cards
        stack backtrace:
           0:        0x104fef7e0 -
        std::panicking::begin_panic_handler::h0123456789abcdef
                                       at
        /rustc/0123456789abcdef/library/std/src/panicking.rs:698:5
           1:        0x104fef7f0 - board::deck::shuffle::deal_all::h0123456789abcdef
                                       at
        /Users/someone/Developer/board-game/src/deck.rs:12:5

        """, "board::deck::shuffle::deal_all", 12
      ),
      // lldb: source/Core/CoreProperties.td.
      (
        """
        * thread #8, queue = 'com.example.board.queue (QOS: UNSPECIFIED)', stop
        reason = EXC_BAD_ACCESS (code=1, address=0x18)
          * frame #0: 0x0000000100214908 Board`specialized closure #1 in
        Board.DeckOfManyCards.fetchCards(data=<unavailable>) at Deck.swift:41 [opt]
            frame #1: 0x0000000100216ac4 Board`main + 28

        """, "specialized closure #1 in Board.DeckOfManyCards.fetchCards", 41
      ),
    ])
  func brokenTraces(text: String, function: String, line: Int) throws {
    let report = try read(text)
    expectEqual(report.crash.frame?.function?.hasPrefix(function), true)
    expectEqual(report.crash.frame?.line, line)
  }

  /// What is below a stack is no rest of its last frame.
  @Test func wordsBelowATrace() throws {
    let report = try read(
      """
      thread 'main' panicked at src/deck.rs:12:5:
      no cards
      stack backtrace:
         0: board::deal
                   at ./src/deck.rs:12:5
         1: board::main
                   at ./src/main.rs:3:1
      Thanks for looking into this, it happens each time

      """)
    expectEqual(report.backtraces.first?.frames.map(\.function), ["board::deal", "board::main"])
    expectEqual(report.backtraces.first?.frames.map(\.line), [12, 3])
  }

  /// An answer quotes the stack once more: it is the same crash.
  @Test func quotedOnceMore() throws {
    let stack = """
      Thread 1 Queue : com.apple.main-thread (serial)
      #0  0x000000010a3d1e42 in deal_cards ()
      #1  0x000000010a3d1e52 in main ()

      """
    let alone = try read("SIGSEGV\n\n\(stack)")
    let twice = try read("SIGSEGV\n\n\(stack)\n\(stack)")
    expectEqual(alone.crash.frame?.function, "deal_cards")
    expectEqual(twice.crash.frame?.function, "deal_cards")
  }

  // MARK: Joined lines

  /// The arrow is between two regions: the address is in neither (`VM Regions Near`, as
  /// ReportCrash writes it).
  @Test(arguments: [("0x000000550a000001", false), ("0x00007fff5bc01000", true)])
  func guardInJoinedLines(address: String, isInGuard: Bool) throws {
    let report = try read(
      """
      Process: Board [7] Code Type: X86-64 (Native) Crashed Thread: 0 \
      Exception Type: EXC_BAD_ACCESS (SIGSEGV) \
      Exception Codes: KERN_PROTECTION_FAILURE at \(address) \
      VM Regions Near \(address): __LINKEDIT 0000000200c97000-0000000200cdb000 [ 272K] \
      r--/rwx SM=COW /Board --> STACK GUARD 00007fff5bc00000-00007fff5f400000 [ 56.0M] ---/rwx \
      SM=NUL stack guard for thread 0 Thread 0 Crashed: 0 Board 0x000000010a3d1e42 deal + 12 \
      1 Board 0x000000010a3d1e52 main + 9

      """)
    expectEqual(report.crash.reason?.hasPrefix("stack overflow"), isInGuard)
  }

  /// A program and its version say nothing (Wireshark, ui/version_info.c).
  @Test func versionOfAProgram() throws {
    let report = try read(
      """
      Exception Type:  EXC_CRASH (SIGABRT)

      Application Specific Information:
      board 1.12.8 (Git Rev Unknown from unknown)

      Thread 0 Crashed:
      0   libboard.dylib 0x00000001a4b4c000 deal + 12
      1   libboard.dylib 0x00000001a4b4d000 main + 12

      """)
    expectEqual(report.crash.reason?.contains("1.12.8"), false)
  }

  // MARK: Instabug

  /// Frames without symbols have the start of their image in the place of the function.
  @Test func loadAddressesOfInstabug() throws {
    let report = try read(
      """
      # Cause: Crash due to signal: SIGSEGV(SEGV_MAPERR) at 00000000

      Thread 0 Queue 1: com.apple.main-thread (serial):

      0    Deck                                     0x1048a8c30     0x1045b0000
      1    Deck                                     0x10496403c     0x1045b0000
      2    Board                                    0x1016a8b70     Board.isOpen(_:) (Board.swift:41)
      3    Board                                    0x1016a98e4     Board.reload() (Board.swift:53)

      """)
    let frames = report.backtraces.first?.frames ?? []
    expectEqual(frames.map(\.index), [0, 1, 2, 3])
    // 0x1048a8c30 - 0x1045b0000
    expectEqual(frames.first?.imageOffset, 0x2f8c30)
  }
}
