import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons and places in lines that Markdown, forms, mail programs and terminals changed, and below
/// what is left of another report.
struct PastedLineTests {
  /// What Markdown leaves of a line, or a converter puts before it.
  @Test(
    arguments: [
      (
        "Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'\n"
          + "*** First throw call stack:\n(0x182d2659c 0x1934780e4)\n"
          + "libc++abi.dylib: terminating with uncaught exception of type NSException\n",
        "NSRangeException: beyond"
      ),
      (
        "Application Specific Information:\n**\\* Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'\n\n"
          + "Thread 0 Crashed:\n0  libsystem_kernel.dylib  0x00000001a1b2c34c __pthread_kill + 8\n",
        "NSRangeException: beyond"
      ),
      // The nearest name is 500 kB away, and so that of another function.
      (
        "Exception Type:  EXC_CRASH (SIGABRT)\n\nLast Exception Backtrace:\n"
          + "0  CoreFoundation  0x1ad039c30 __exceptionPreprocess + 224\n"
          + "1  libobjc.A.dylib  0x1acd540c8 objc_exception_throw + 59\n"
          + "2  Foundation  0x1ad377960 -[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:] + 131\n"
          + "3  Game  0x1052382d0 plcrash::next(int) + 539679\n",
        "failed assertion (NSAssert) in Game"
      ),
      // iOS 14.
      (
        "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: DYLD; [1]\n"
          + "dyld: Using shared cache: 7E549C44-E1FA-3857-8557-930654B7D002\n"
          + "dependent dylib '@rpath/libA.dylib' not found for '/usr/bin/hello', tried but didn't find: '/a'\n\n"
          + "Highlighted by Thread:  0\n\nBacktrace not available\n",
        "DYLD 0x1, dependent dylib '@rpath/libA.dylib' not found for '/usr/bin/hello'"
      ),
      (
        "`Fatal Exception: NSRangeException: beyond\n0  CoreFoundation  0x1a92d698c __exceptionPreprocess\n"
          + "1  Board  0x1051f8868 -[Board draw] + 4\n", "NSRangeException: beyond"
      ),
      (
        "#0. Crashed: com.apple.main-thread\n0  libobjc.A.dylib  0x1a5746e4 objc_release + 3\n"
          + "1  Board  0x51f8868 -[Board draw] + 4\n",
        "an object was used that was freed or overwritten before (objc_release)"
      ),
      (
        "Operating system: Mac OS X\nCPU: amd64\n\nCrash reason:  EXC_BAD_ACCESS / 0x0000000d\n"
          + "Crash address: 0x0\n\nThread 0 (crashed)\n 0  Board + 0x14dd4\n"
          + "    Found by: given as instruction pointer in context\n 1  Board + 0x15\n",
        "general protection fault: most often a pointer that was overwritten or freed (a non-canonical address)"
      ),
    ])
  func linesWithMarks(text: String, reason: String) throws {
    try expectEqual(JsonFixture.report(text, with: []).crash.reason, reason)
  }

  /// Stacks without fields, whose line ends a form dropped.
  @Test(
    arguments: [
      (
        "It hangs. ``` Crashed: com.apple.main-thread 0  libsystem_platform.dylib       0x8e4c _os_unfair_lock_recursive_abort + 36 1  libsystem_platform.dylib       0x17e4 _os_unfair_lock_lock_slow + 324 2  Board   0x38d154 -[Board power] + 632 (Board.m:632) 3  Board   0x38d154 -[Board start] + 63 (Board.m:63) 4  CoreFoundation  0x28c5c __CFN",
        "the thread took an os_unfair_lock that it already holds (a deadlock with itself)",
        "-[Board power]"
      ),
      (
        "why? * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x0) * frame #0: 0x0000000100003f50 Board`-[Board draw](self=0x1) at Board.m:5:3 frame #1: 0x0000000100003f60 Board`-[Board turn] at Board.m:9:3 frame #2: 0x0000000100003f70 Board`main at main.m:9:3 frame #3: 0x000000018ac9b154 dyld`start + 2476\n",
        "access through a null pointer", "-[Board draw]"
      ),
      (
        "Thread 0 Crashed: 0   libsystem_platform.dylib   0x00000001a1b2c34c _os_unfair_lock_recursive_abort + 36 1   Board   0x0000000104a1c2f0 -[Board power] + 632 2   Board   0x0000000104a1c2f8 -[Board turn] + 6 3   Board   0x0000000104a1c3f8 main + 6\n",
        "the thread took an os_unfair_lock that it already holds (a deadlock with itself)",
        "-[Board power]"
      ),
    ])
  func stacksOnALine(text: String, reason: String, function: String) throws {
    try expectReason(text, reason, in: function)
  }

  /// Prose mentions such words, and numbers, too.
  @Test(arguments: [
    "Crashed: the app ended in 0 of 1 cases, 1 of 2 and 2 of 3, at 0x1000 and 0x2000 and 0x3000\n",
    "We saw Fatal Exception: NSRangeException 3 times and 4 times with 0x1000\n",
  ])
  func noStacksOnALine(text: String) {
    expectEmpty((try? CrashLogParser.parse(Array(text.utf8)).flatMap(\.backtraces)) ?? [])
  }

  /// Two lines of a head that somebody joined, or broke within a name.
  @Test(arguments: [
    "Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception Codes: 0x0000000000000001,\n0x0000000186ca2588\n\nTermination Reason: Namespace SIGNAL, Code 5 Trace/BPT trap: 5 Terminating\nProcess: exc handler [75905]\n",
    "Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception Codes: 0x0000000000000001, 0x0000000186ca2588\nTermination Reason: Namespace SIGNAL, Code 5 Trace/BPT trap: 5 Terminating Process: exc handler [75905]\n",
    "Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception\nCodes: 0x0000000000000001, 0x0000000186ca2588\nTermination Reason: Namespace SIGNAL, Code 5 Trace/BPT trap: 5\nTerminating Process: exc handler [75905]\n",
  ])
  func joinedFields(head: String) throws {
    let text =
      "Crashed Thread: 6\n\n\(head)\nThread 6 Crashed:\n"
      + "0   libdispatch.dylib   0x186ca2588 _dispatch_assert_queue_fail + 120\n"
      + "1   libdispatch.dylib   0x186ca250c dispatch_assert_queue + 108\n"
      + "2   HIToolbox           0x1929ef90c TSMGetInputSourceProperty + 160\n"
      + "3   Board               0x104d46338 -[Board type] + 108 (Board.m:95)\n"
    try expectReason(
      text, "dispatch_assert_queue: code ran on another queue than its own", in: "-[Board type]")
    let facts = try require(CrashLogParser.parse(Array(text.utf8)).first).facts
    expectEqual(facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(facts.exception.signal, "SIGTRAP")
    expectEqual(facts.exception.codes, [1, 0x1_86ca_2588])
    expectEqual(facts.termination.namespace, "SIGNAL")
    expectEqual(facts.termination.process.name, "exc handler")
  }

  /// The outermost frame of another report, above the whole one.
  @Test func remainsOfAnotherReport() throws {
    let remains = "18  libdyld.dylib                       0x0000000180d768b8 0x180d74000 + 10424\n"
    let text = Self.report
    expectEqual(try CrashLogParser.parse(Array((remains + "\n" + text).utf8)).count, 1)
    expectEqual(try CrashLogParser.parse(Array(remains.utf8)).count, 1)
    let other = "18  Board                       0x0000000180d768b8 0x180d74000 + 10424\n"
    expectEqual(try CrashLogParser.parse(Array((other + "\n" + text).utf8)).count, 2)
  }

  private static let report =
    "Incident Identifier: 1\nProcess:  Board [696]\nCode Type:  ARM-64\n\n"
    + "Exception Type:  SIGTRAP\nException Codes: #0 at 0x100139e80\n\nThread 0 Crashed:\n"
    + "0   Board     0x0000000100139e80 -[Board draw] + 1304\n"

  /// All lines in bold; a list of frames in JSON; Swift's words up to version 3.
  @Test(
    arguments: [
      (
        """
        *** Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'**
        ***** First throw call stack:**
        **(**
        ** 0   CoreFoundation   0x000000011479f34b __exceptionPreprocess + 171**
        ** 1   libobjc.A.dylib  0x00000001164a321e objc_exception_throw + 48**
        ** 2   Board            0x000000010dd4c2b5 -[Board draw] + 77**
        ** 3   Board            0x000000010dd4c377 -[Board turn] + 45**
        ** 4   Board            0x000000010dd4c348 -[Board play] + 19**
        ** 5   UIKit            0x00000001180ef980 UIApplicationMain + 12**
        ** 6   Board            0x000000010d51d7ae main + 190**
        **)**

        """, "NSRangeException: beyond", "-[Board draw]"
      ),
      (
        """
        Diagnostic:
        {
          "exception" : "com.example.audio",
          "frames" : [
            "0   CoreFoundation   0x000000018acc11c0 __exceptionPreprocess + 176",
            "1   libobjc.A.dylib  0x000000018a74a91c objc_exception_throw + 88",
            "2   Board            0x000000010dd4c2b5 -[Board draw] + 7"
          ]
        }

        """, "com.example.audio, thrown by -[Board draw]", "-[Board draw]"
      ),
      (
        """
        (lldb) run
        Process 812 launched: '/src/Board' (x86_64)
        fatal error: Index out of range
        Current stack trace:
        0   libswiftCore.dylib   0x00000001004b5631 swift_reportError + 145
        1   Board                0x00000001004cef7b -[Board draw] + 59

        """, "Fatal error: Index out of range", "-[Board draw]"
      ),
      (
        """
        EXC_BREAKPOINT
        Swift runtime failure: Index out of range + 0

        ```
        specialized Array.subscript.getter + 4 (Board.swift:59)
        specialized Board.draw(_:) + 260 (Board.swift:60)
        Board.show() + 8 (Board.swift:0)
        ```

        """, "Swift runtime failure: Index out of range", "specialized Board.draw(_:)"
      ),
    ])
  func linesAboveFrames(text: String, reason: String, function: String) throws {
    try expectReason(text, reason, in: function)
  }

  /// A column of a terminal broke the lines of gdb in front of the brackets.
  @Test func brokenLinesOfGdb() throws {
    let report = try JsonFixture.report(
      """
      Program received signal SIGABRT, Aborted.
      (gdb) bt
      #0  0x00007fff8c535a7a in abort ()
      #1  0x00007fff8c59484c in free ()
      #2  0x00007fff91ce1d53 in object_dispose ()
      #3  0x00007fff911e39d2 in -[Board drawAllOfTheCards:withColour:]
      ()
      #4  0x00007fff8fe1c78a in board_turn ()

      """, with: [])
    expectEqual(report.backtraces.count, 1)
    expectEqual(report.backtraces.first?.frames.count, 5)
    expectEqual(report.crash.frame?.function, "-[Board drawAllOfTheCards:withColour:]")
  }

  // MARK: Frames

  /// People retype the innermost frame of the thread that crashed. A function is shorter than the
  /// distance, so the word is no more than where the distance counts from.
  @Test(
    arguments: [
      ("Thread 0 Crashed:: CrBoardMain", "BoardMain + 43120640", "BoardMain", nil),
      ("Thread 0 Crashed:", "board_turn + 128", nil, "board_turn"),
      ("Thread 0:", "BoardMain + 43120640", nil, nil),
      ("Thread 0 Crashed:", "BoardMain + 43120640 times", nil, nil),
      ("Thread 0 Crashed:", "libDeck.dylib  deal_cards + 404", "libDeck.dylib", "deal_cards"),
      ("Thread 0 Crashed:", "libDeck.dylib deal_cards + 404", "libDeck.dylib", "deal_cards"),
      ("Thread 0 Crashed:", "Deck\tDeck::deal(int) + 404", "Deck", "Deck::deal(int)"),
      ("Thread 0:", "libDeck.dylib  deal_cards + 404", nil, nil),
      ("Thread 0 Crashed:", "see page two + 404", nil, nil),
      ("Thread 0 Crashed:", "Cards:  dealt twice + 404", nil, nil),
    ] as [(String, String, String?, String?)])
  func bareFrames(heading: String, line: String, image: String?, function: String?) throws {
    let report = try JsonFixture.report(
      "Exception Type:  EXC_BREAKPOINT (SIGTRAP)\nException Codes: 0x1, 0x0\n\n\(heading)\n\(line)\n",
      with: [])
    let frame = report.backtraces.first?.frames.first
    expectEqual(frame?.imageName, image)
    expectEqual(frame?.function, function)
    expectEqual(frame?.imageOffset, line.hasPrefix("BoardMain") && image != nil ? 43_120_640 : nil)
  }

  // MARK: Regions of memory

  private static let frames = """
    Thread 0 Crashed:
    0   Board   0x0000000104a1c2f0 draw_cards + 12
    1   Board   0x0000000104a1c400 play + 80
    2   Board   0x0000000104a1c500 main + 80

    """
  private static let image =
    "__TEXT   0000000104a18000-0000000104a20000 [   32K] r-x/rwx SM=COW  /Board"

  /// Where no region is, nothing is protected. The words are those of vmmap(1) and ReportCrash.
  @Test(
    arguments: [
      (
        "VM Region Info: 0x128660000 is not in any region.  Bytes after previous region: 1\n"
          + "      MALLOC_LARGE   128000000-128660000 [ 6528K] rw-/rwx SM=PRV\n"
          + "--->  GAP OF 0x1a0000 BYTES\n"
          + "      MALLOC_LARGE   128800000-12a0c8000 [ 24.8M] rw-/rwx SM=PRV\n",
        "access to 0x128660000, right behind a region of memory (MALLOC_LARGE): past the end of a buffer in it, most likely"
      ),
      // The arrow stands between two regions, on the line of the second.
      ("VM Regions Near 0x8:\n--> \(image)\n", "access through a null pointer, at offset 0x8"),
      // In it.
      (
        "VM Regions Near 0x104a18010:\n--> \(image)\n",
        "write to memory that can only be read (__TEXT)"
      ),
      // The codes were left out.
      (
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nVM Region Info: 0x123456780 is not in any region.\n",
        "access to 0x123456780, where no memory is mapped"
      ),
      // Intel's processors do not say the address.
      (
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: EXC_I386_GPFLT\n"
          + "VM Region Info: 0 is not in any region.\n",
        "general protection fault: most often a pointer that was overwritten or freed (a non-canonical address)"
      ),
      // What the kernel says counts more.
      (
        "Exception Type:  EXC_BAD_ACCESS (SIGBUS)\nException Codes: KERN_PROTECTION_FAILURE at 0x123456780\n"
          + "VM Region Info: 0x123456780 is not in any region.\n",
        "access to 0x123456780 that the memory's protection forbids"
      ),
    ])
  func regions(head: String, reason: String) throws {
    let report = try JsonFixture.report("\(head)\n\(Self.frames)", with: [])
    expectEqual(report.crash.reason, reason)
    expectEqual(report.crash.frame?.function, "draw_cards")
  }

  /// Comments and quotations have their signs before every line, and a quoted text has a name.
  @Test(
    arguments: [
      ("//    ", "              text: \"VM Regions Near 0x100000002:"),
      ("//    ", "VM Regions Near 0x100000002:"), ("#    ", "VM Regions Near 0x100000002:"),
      ("> ", "    VM Regions Near 0x100000002:"),
    ])
  func regionsInComments(prefix: String, heading: String) throws {
    let lines =
      [heading, "-->", Self.image, ""] + Self.frames.split(separator: "\n").map(String.init)
    let report = try JsonFixture.report(
      lines.map { "\(prefix)\($0)\n" }.joined(), with: [])
    expectEqual(report.crash.reason, "access to 0x100000002, where no memory is mapped")
  }

  // MARK: Remarks

  /// Who explains a report puts comments behind the fields. A path is not one.
  @Test(
    arguments: [
      (" // what happened", nil), (" //发生了什么", nil), ("\t//here", nil),
      ("", "/Users/me //shared/Board"),
    ] as [(String, String?)])
  func remarks(remark: String, path: String?) throws {
    let report = try JsonFixture.report(
      """
      Process:         Board [7]
      Path:            \(path ?? "/Board")\(remark)
      OS Version:      macOS 14.5 (23F79)\(remark)
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\(remark)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000010\(remark)
      Triggered by Thread:  0\(remark)

      \(Self.frames)
      """, with: [])
    expectEqual(report.crash.reason, "access through a null pointer, at offset 0x10")
    expectEqual(report.exception.signal, "SIGSEGV")
    expectEqual(report.process.path, path ?? "/Board")
    expectEqual(report.os.build, "23F79")
  }

  // MARK: Words behind frames

  /// A frame ends behind its distance, or behind the place that follows it.
  @Test(
    arguments: [
      (" + 24 (board.kt:32) ```  I suppose that it is 2.0: https://example.org/a.b", 32),
      (" + 24 (board.kt:32) and then it is gone", 32), (" (board.kt:32) ```", 32),
      (" ``` I suppose", nil), (" + 24 (board.kt:32)", 32),
    ] as [(String, Int?)])
  func wordsBehindFrames(end: String, line: Int?) throws {
    let report = try JsonFixture.report(
      """
      Fatal Exception: NSInvalidArgumentException
      0  CoreFoundation    0x11523c __exceptionPreprocess
      1  libobjc.A.dylib   0x31224 objc_exception_throw
      2  Board             0x3881a48 kfun:org.example.Board#<get-cards>(){}org.example.Cards\(end)
      """, with: [])
    let frame = report.backtraces.first?.frames.last
    expectEqual(frame?.function, "kfun:org.example.Board#<get-cards>(){}org.example.Cards")
    expectEqual(frame?.line, line)
  }

  /// So it is in Apple's text. Two frames on one line stay as they were.
  @Test(
    arguments: [
      ("-[Board turn] + 24 is where I think it goes wrong", "-[Board turn]"),
      ("-[Board turn] + 24 (Board.m:12) ``` I think", "-[Board turn]"),
      (
        "-[Board turn] + 24 2  Board  0x0000000104a1c500 main + 80",
        "-[Board turn] + 24 2  Board  0x0000000104a1c500 main"
      ),
    ])
  func wordsBehindAppleFrames(content: String, function: String) throws {
    let report = try JsonFixture.report(
      "Thread 0 Crashed:\n0   CoreFoundation   0x000000010011523c CFRelease + 12\n"
        + "1   Board   0x0000000104a1c2f0 \(content)\n", with: [])
    expectEqual(report.backtraces.first?.frames.dropFirst().first?.function, function)
  }
}
