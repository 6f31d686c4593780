import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Words about a crash that are not where reports have them: between the number of a thread and its
/// frames, around a call stack, in a sentence, in a box that a hook drew. The texts have the shapes
/// of the sources that the rules name.
struct WordsElsewhereTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Bugly

  private static let frames = """
    0 Tiles\tBoard::path() const (memory:3425)
    1 Tiles\tBoard::begin(int) (Board.cpp:58)
    2 Foundation\t___NSThread__start__ + 1040

    """
  private static let waiting = """
    #0 Thread
    0 libsystem_kernel.dylib\t0x0000000200207ea4 mach_msg_trap + 8
    1 libsystem_kernel.dylib\t0x0000000200207eb4 mach_msg + 72

    """

  /// Source: github.com/Tencent/wcdb, issue 482. The line of a header of C++ is no place.
  @Test(arguments: [
    "#12 Thread\nSIGBUS\nBUS_ADRALN\n", "# 12 Thread\nSIGBUS\nBUS_ADRALN\n",
    "#12 Thread\nSIGBUS(BUS_ADRALN)\n",
  ])
  func signalsBelowTheNumberOfAThread(head: String) throws {
    let report = try JsonFixture.report(head + Self.frames + Self.waiting, with: [])
    expectEqual(report.exception.signal, "SIGBUS")
    expectEqual(report.exception.subtype, "BUS_ADRALN")
    expectEqual(report.crashedThread, 12)
    expectEqual(report.crash.frame?.function, "Board::path() const")
    #expect(
      JsonFixture.headline(head + Self.frames + Self.waiting).hasPrefix("Board::path() const — "))
  }

  @Test func exceptionBelowTheNumberOfAThread() throws {
    let found = try crash(
      """
      #0 Thread
      NSInvalidArgumentException
      -[Board turn:]: unrecognized selector sent to instance 0x28123
      0 CoreFoundation\t___exceptionPreprocess + 220
      1 libobjc.A.dylib\tobjc_exception_throw + 60
      2 Tiles\t-[Page load] (Page.m:45)
      #1 Thread
      0 libsystem_kernel.dylib\t___workq_kernreturn + 8

      """)
    expectEqual(
      found.reason,
      "NSInvalidArgumentException: -[Board turn:]: unrecognized selector sent to instance 0x28123")
    expectEqual(found.frame?.function, "-[Page load]")
  }

  /// Darwin gives the signal this code whatever failed.
  ///
  /// Source: XNU, bsd/dev/arm/unix_signal.c (`sendsig`).
  @Test(
    arguments: [
      ("BUS_ADRALN at 0xcd0b1c", "access to 0xcd0b1c, which the memory there does not allow"),
      ("BUS_ADRALN at 0xcd0b1d", "access at a misaligned address, 0xcd0b1d"),
    ])
  func alignedAddresses(codes: String, reason: String) throws {
    let found = try crash(
      "Process: Tiles [812]\nException Type: SIGBUS\nException Codes: \(codes)\n\n"
        + "Thread 0 Crashed:\n0   Tiles   0x0000000104207fb4 -[Page load] + 45\n")
    expectEqual(found.reason, reason)
  }

  /// Names of symbol tables have an underscore in front.
  @Test(
    arguments: [
      ("SIGSEGV", "libobjc.A.dylib", "_objc_msgSend + 16", "freed or overwritten"),
      ("SIGABRT", "libsystem_c.dylib", "_abort + 140", "abort() was called"),
    ])
  func namesOfSymbolTables(signal: String, image: String, name: String, reason: String) {
    let text = "#0 Thread\n\(signal)\n0 \(image)\t\(name)\n1 Tiles\t-[Board turn:] (Board.m:12)\n"
    #expect(JsonFixture.headline(text).contains(reason))
  }

  /// Other numbered lines are no threads.
  @Test func numbersOfIssues() throws {
    let text = "#12 Threads are slow\nSIGBUS\nBUS_ADRALN\n"
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// The first frame of the system shows that there is a stack, whose frames above it belong to it.
  @Test func ownFramesAboveThoseOfTheSystem() throws {
    let found = try crash(
      """
      0 Tiles\t-[Board path] (Board.m:12)
      1 Tiles\t-[Page load]
      2 Foundation\t___NSThread__start__ + 1040
      3 libsystem_pthread.dylib\t_pthread_start + 48

      """)
    expectEqual(found.frame?.function, "-[Board path]")
    expectEqual(found.frame?.line, 12)
  }

  @Test func ownFramesWithPlacesAlone() throws {
    let found = try crash("0 Tiles\tBoard::path() (Board.cpp:7)\n1 Tiles\tmain (main.cpp:58)\n")
    expectEqual(found.frame?.function, "Board::path()")
  }

  /// A signal, its address and the button of the page stand behind the name of the thread.
  ///
  /// Source: Crashlytics' pages, as people copy them.
  @Test(
    arguments: [
      ("SIGSEGV", "access to 0x21c453a974, where no memory is mapped"), ("SIGABRT", "SIGABRT"),
    ])
  func signalsBehindThreads(signal: String, reason: String) {
    let text = """
      Crashed: Thread 0x0x10d717c10\(signal) 0x00000021c453a974 Raw Text
      --
      0 | Tiles | (Missing)
      1 | Tiles | -[Page load]
      2 | Tiles | TilesName + 110016
      3 | libsystem_pthread.dylib | _pthread_body + 272

      """
    #expect(JsonFixture.headline(text).contains(reason))
    #expect(
      !JsonFixture.headline(text).contains("|") && !JsonFixture.headline(text).contains("codes"))
  }

  // MARK: Exceptions

  private static let callStack = """
    (
    0   CoreFoundation   0x000000018cc1c970 D52BCEEE-E890-347C-8461-1537154E22D9 + 809328
    1   libobjc.A.dylib  0x0000000189af9814 objc_exception_throw + 88
    2   Tiles            0x000000010c80de54 -[Page load] + 136
    3   Tiles            0x000000010c80de84 -[Page draw] + 13
    )

    """

  /// Source: github.com/SDWebImage/SDWebImage, issue 2868.
  @Test(
    arguments: [
      ("*** -[__NSArray0 objectAtIndex:]: index 0 beyond bounds for empty NSArray", "", ""),
      ("-[Board turn]: unrecognized selector sent to instance 0x14639d180", "", "Call stack: "),
      ("-[Board turn]: unrecognized selector sent to instance 0x14639d180", "Log: ", "Backtrace: "),
      ("*** -[__NSArrayM insertObject:atIndex:]: object cannot be nil", "It says: ", "\nSo:\n\n"),
    ])
  func reasonsAboveCallStacks(reason: String, before: String, after: String) throws {
    let found = try crash("\(before)\(reason)\n\(after)\(Self.callStack)")
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, "-[Page load]")
  }

  @Test(arguments: ["Error: `", "I get '", "It says \""])
  func reasonsInQuotes(before: String) throws {
    let reason = "*** -[__NSArray0 objectAtIndex:]: index 0 beyond bounds for empty NSArray"
    let found = try crash("\(before)\(reason)\(before.last ?? "'") and more\n\n\(Self.callStack)")
    expectEqual(found.reason, reason)
  }

  @Test func reasonsBelowCallStacks() throws {
    let reason = "*** -[Board turn]: unrecognized selector sent to instance 0x14639d180"
    expectEqual(try crash("\(Self.callStack)\(reason)\n").reason, reason)
    let other = "Other trace:\n0   Tiles   0x000000010c80de54 -[Page load] + 136\n"
    #expect(try crash("\(Self.callStack)\(other)\(reason)\n").reason != reason)
  }

  /// Source: clang, lib/CodeGen/CGBlocks.cpp.
  @Test(arguments: [
    "__copy_helper_block_.845", "__destroy_helper_block_e8_32s", "__Block_byref_object_copy_",
  ])
  func blocksThatThrow(name: String) throws {
    func text(_ caller: String) -> String {
      """
      Fatal Exception: NSInvalidArgumentException
      0  CoreFoundation    0x184582d8c __exceptionPreprocess
      1  libobjc.A.dylib   0x18373c5ec objc_exception_throw
      2  AVFoundation      0x18a05a124 \(name)
      3  libdispatch.dylib 0x183e74ae4 _dispatch_client_callout
      4  \(caller)
      5  Tiles             0x1041b5ae4 -[Page load] (Page.m:12)

      """
    }
    expectEqual(
      try crash(text("AVFoundation      0x18a059fec -[AVCaptureFigVideoDevice setColor:]")).reason,
      "NSInvalidArgumentException, thrown in a block of -[AVCaptureFigVideoDevice setColor:]")
    expectEqual(
      try crash(text("libdispatch.dylib 0x183e74bf4 _dispatch_call_block_and_release")).reason,
      "NSInvalidArgumentException, thrown in a block of AVFoundation")
  }

  /// Source: llvm-project, libcxx/src/mutex.cpp and libcxx/include/stdexcept.
  @Test(
    arguments: [
      (
        ["std::__1::__throw_system_error(int, char const*)", "std::__1::recursive_mutex::lock()"],
        ": std::system_error, thrown by std::recursive_mutex::lock(): it was destroyed or"
          + " overwritten, most likely"
      ),
      (
        [
          "std::__1::__throw_system_error(int, char const*)",
          "std::__1::thread::join()",
        ], ": std::system_error, thrown by std::thread::join()"
      ),
      (
        ["std::__1::__vector_base_common<true>::__throw_out_of_range() const"],
        ": std::out_of_range"
      ),
      (["std::__throw_length_error(char const*)"], ": std::length_error"),
      ([], ""),
    ])
  func exceptionsOfTheLibrary(functions: [String], detail: String) throws {
    let above = ["__pthread_kill", "pthread_kill", "abort", "std::__terminate(void (*)())"]
    let names = above + ["__cxa_throw"] + functions
    var frames = names.enumerated().map {
      TrapReportFixture.system($0.offset, "\($0.element) + 8")
    }
    frames.append(TrapReportFixture.stated(names.count, 0x1_0000_1000, "Board::turn() + 12"))
    let found = try crash(
      TrapReportFixture.report(frames, head: "Exception Type:  EXC_CRASH (SIGABRT)"))
    expectEqual(found.reason, "uncaught C++ exception\(detail)")
  }

  // MARK: Rust

  /// Source: github.com/zkat/miette, src/panic.rs; zellij-org/zellij, zellij-utils/src/errors.rs.
  @Test(
    arguments: [
      ("Error:   × Main thread panicked.\n  ├─▶ at src/deck.rs:12:5\n  ╰─▶ no cards\n", "main"),
      (
        "  × Thread 'deal' panicked.\n  ├─▶ Originating Thread(s)\n  │  \t1. a: B\n  │\n"
          + "  ├─▶ At src/deck.rs:12:5\n  ╰─▶ no cards\n", "deal"
      ),
      ("  x Thread 'deal' panicked.\n  |-> at src/deck.rs:12:5\n  `-> no cards\n", "deal"),
    ])
  func panicsInABox(text: String, thread: String) throws {
    let words = "thread '\(thread)' panicked at src/deck.rs:12:5: no cards"
    expectEqual(JsonFixture.headline(text), words)
    // The frames of the hook are no place.
    let hook = """
             0: deck::errors::Panic::show_backtrace
                       at /src/deck/errors.rs:30:42
             1: <deck::errors::Panic as core::fmt::Display>::fmt
                       at /src/deck/errors.rs:22:18

      """
    expectEqual(JsonFixture.headline(text + hook), words)
    let whole =
      "       2: std::panicking::rust_panic_with_hook\n       3: rust_begin_unwind\n"
      + "       4: deck::turn\n             at src/deck.rs:12:5\n"
    expectEqual(JsonFixture.headline(text + hook + whole), "deck.rs:12 in deck::turn — \(words)")
  }

  @Test(arguments: [
    "  × Thread 'deal' panicked.\n", "  × The deck panicked.\n  ├─▶ at a.rs:1:2\n  ╰─▶ no cards\n",
  ])
  func boxesThatAreNone(text: String) throws {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Source: github.com/warpdotdev/warp, issue 7515.
  @Test func namesAloneBelowTheHeadingOfAThread() throws {
    let found = try crash(
      """
      Exception Type:    EXC_CRASH (SIGABRT)

      Thread 0 Crashed:: main
      core::option::expect_failed::h2829752eef520ac6
      deck::model::Deck::resize
      deck::view::DeckView::layout + 12
      ...
      main

      std::string is no frame
      """)
    expectEqual(found.reason, "Rust panic: unwrap() or expect() of None")
    expectEqual(found.frame?.function, "deck::model::Deck::resize")
    let methods = try JsonFixture.report(
      "Process: Tiles [812]\nException Type: EXC_BAD_ACCESS (SIGSEGV)\n\n"
        + "Thread 0 Crashed:\n-[Page load]\n-[Page draw] + 12\nstart\n", with: [])
    expectEqual(methods.crash.frame?.function, "-[Page load]")
  }

  /// A sentence is no frame, and neither is the rest of one that was broken.
  @Test(arguments: [
    "I think std::string is at fault", "0   Deck   0x0000000110c55f75\nDeck::turn(int) +",
  ])
  func linesThatAreNoFrames(line: String) throws {
    let head = "Process: Tiles [812]\nException Type: EXC_BAD_ACCESS (SIGSEGV)\n\n"
    let found = try crash("\(head)Thread 0 Crashed:\n\(line)\n")
    #expect(found.frame?.function?.hasPrefix("std::") != true)
    #expect(found.frame?.function?.hasSuffix("+") != true)
  }

  // MARK: Others

  private static let head = """

    Process:               deck [13047]
    Path:                  /opt/*/deck
    OS Version:            macOS 11.2.1 (20D74)
    Crashed Thread:        0

    Exception Type:
    """

  @Test(
    arguments: [
      ("It crashes with this message: \"Killed: 9\".", "SIGKILL"),
      ("I see `Segmentation fault: 11` each time.", "SIGSEGV"),
      ("It prints \"zsh: killed     deck\" and ends.", "SIGKILL"),
      ("It was killed: 9 times.", nil), ("Skilled: 9", nil),
    ])
  func signalsInSentences(sentence: String, signal: String?) throws {
    let report = try JsonFixture.report("\(sentence)\n\(Self.head)", with: [])
    expectEqual(report.exception.signal, signal)
  }

  /// Source: github.com/yattee/yattee, issue 949.
  @Test(
    arguments: [
      (
        """
        {"bug_type":"284","timestamp":"2026-10-09 22:59:04.00 -0500","os_version":"macOS 27.2 (26B5091)"}
        {
          "process_name" : "Deck",
          "analysis" : {"guilty_dm":3,"restart_reason_desc":"firmware-detected lockup","signature":579}
        }
        """, "firmware-detected lockup", "Deck, macOS 27.2 (26B5091), 2026-10-09 22:59:04.00 -0500"
      ),
      (
        "The file gpuEvent-Deck-2026-10-09-225904.ips:\n"
          + "  restart_reason_desc: \"blocked by IOFence\"\n",
        "blocked by IOFence", "Deck"
      ),
    ])
  func restartsOfTheGpu(text: String, reason: String, title: String) {
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectEqual(lines.prefix(2).map(String.init), [title, "the GPU was restarted: \(reason)"])
  }

  @Test(arguments: [
    "case \"restart_reason_desc\": break\n",
    "let x = analysis?[\"restart_reason_desc\"] as? String\n",
    "\"restart_reason_desc\" : 7\n",
  ])
  func restartsInSourceCode(line: String) throws {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(line.utf8)) }
  }

  /// A mail broke the line of the region, whose path names the process.
  @Test(arguments: [
    "[ 1392K] r-x/rwx SM=COW  /usr/bin/local/deck", "[ 1392K]\nr-x/rwx SM=COW  /usr/bin/local/deck",
    "[ 1392K] r-x/rwx\nSM=COW  /usr/bin/local/deck", "[ 1392K] r-x/rwx SM=COW\n/usr/bin/local/deck",
  ])
  func regionsOfSeveralLines(region: String) throws {
    let text = """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000000

      VM Regions Near 0:
      -->
          __TEXT                 0000000102b1c000-0000000102c78000 \(region)

      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      """
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectEqual(lines.first.map(String.init), "deck")
  }
}
