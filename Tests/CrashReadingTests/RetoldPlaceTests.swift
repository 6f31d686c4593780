import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

@testable import FunctionNames

/// Where it happened, in texts that leave most of a report out: threads that wait, jumps to where
/// no code is, labels in prose, pieces without a head.
struct RetoldPlaceTests {
  // MARK: Threads that wait

  /// What Xcode copies of a program that somebody paused. The functions above the program's own are
  /// those of libplatform (src/os/lock.c) and XNU (libsyscall/mach/mach_vm.c).
  @Test(arguments: [
    ("deck_stop at /src/deck.c:12", "deck.c:12 in deck_stop"),
    ("bsg_ksmachsuspend at /Pods/Bugsnag/Deck.c:12", "Bugsnag: Deck.c:12 in bsg_ksmachsuspend"),
  ])
  func pausedPrograms(frame: String, place: String) {
    let text = """
      It hangs and does not crash. When I pause it in Xcode:

      ```
      Thread 1 Queue : com.apple.main-thread (serial)
      #0\t0x0000000107a238c4 in syscall_thread_switch ()
      #1\t0x0000000107a51c08 in _os_lock_handoff_lock_slow ()
      #2\t0x0000000107a2ba34 in mach_vm_deallocate ()
      #3\t0x00000001027369c8 in \(frame)
      ```

      """
    expectEqual(
      JsonFixture.headline(text),
      "the main thread was waiting for a lock (mach_vm_deallocate), in \(place)")
    // Where it failed, it did not wait.
    let failed = text.replacing("syscall_thread_switch", with: "deck_turn")
    expectEqual(JsonFixture.headline(failed), "deck_turn")
  }

  /// The heading of the stack follows, where the headline would be.
  private static let noReason = "thread 1 (com.apple.main-thread):"

  /// Calls of the kernel that wait are no place, whether the text has who called them or not.
  ///
  /// Source: github.com/apple-oss-distributions/xnu, libsyscall/mach/mach_traps.s and
  /// bsd/kern/syscalls.master.
  @Test(arguments: [
    ("__psynch_cvwait", "the main thread was waiting for a semaphore or a condition"),
    ("semaphore_timedwait_trap", "the main thread was waiting for a semaphore or a condition"),
    ("swtch_pri", "the main thread was waiting for another thread"),
    ("kevent", Self.noReason), ("mach_msg_trap", Self.noReason),
  ])
  func waits(function: String, expected: String) {
    let text = """
      Thread 1 Queue : com.apple.main-thread (serial)
      #0\t0x0000000107a238c4 in \(function) ()
      #1\t0x0000000107a51c08 in __CFDeckWait ()

      """
    expectEqual(JsonFixture.headline(text), expected)
    let own = text + "#2\t0x00000001027369c8 in deck_run at /src/deck.c:12\n"
    let place = "deck.c:12 in deck_run"
    expectEqual(
      JsonFixture.headline(own), expected == Self.noReason ? place : "\(expected), in \(place)")
  }

  // MARK: Jumps to where no code is

  /// Nobody is there but who was called, so the next frame says most, even if it is the system's.
  @Test func callersInTheSystem() {
    let text = """
      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000047724706

      Thread 0 Crashed:
      0   ???                  0x0000000047724706 0 + 1198671622
      1   com.apple.SkyLight   0x00007fff477241d0 callDeck(void*, int) + 692
      2   com.apple.SkyLight   0x00007fff47623180 postDeck + 277

      """
    let reason =
      "jump to 0x47724706, where no code is: a call through a dead or overwritten pointer"
    expectEqual(JsonFixture.headline(text), "callDeck(void*, int) in SkyLight — \(reason)")
    let null = text.replacing("0x0000000047724706 0 + 1198671622", with: "0x0000000000000000 0 + 0")
      .replacing("at 0x0000000047724706", with: "at 0x0000000000000000")
    expectEqual(
      JsonFixture.headline(null), "callDeck(void*, int) in SkyLight — call through a null pointer")
    let own = text + "3   Board   0x0000000100001000 -[Board turn] + 277\n"
    expectEqual(JsonFixture.headline(own), "-[Board turn] — \(reason) in callDeck(void*, int)")
  }

  /// Frames as Swift's runtime writes them (stdlib/public/RuntimeModule/Backtrace.swift), without
  /// their marks and what is above them. Below 4 GB there is nothing in a program (ld(1),
  /// `-pagezero_size`).
  @Test func framesAlone() throws {
    let frames = """
      0 0x000000000bad5008
        1 0x00000001a13fe224 DeckReader::callInitialize() + 412 in ImageIO
        2 0x00000001a13fdfbc DeckReader::read(Deck*, int) + 164 in ImageIO
        3 0x00000001a13fad68 CGDeckCopyProperties + 364 in ImageIO
       10 0x0000000104118a00 board::turn(int) + 72 in board

      """
    let text = "It breaks:\n\n```\n\(frames)```\n"
    let crash = try JsonFixture.report(text, with: []).crash
    expectEqual(crash.kind, "callThroughBadPointer")
    expectEqual(
      crash.reason,
      "jump to 0xbad5008, where no code is: a call through a dead or overwritten pointer in DeckReader::callInitialize()"
    )
    expectEqual(crash.frame?.function, "board::turn(int)")
    let higher = text.replacing("0x000000000bad5008", with: "0x000000010bad5008")
    expectNil(try JsonFixture.report(higher, with: []).crash.reason)
    // A table, and frames whose marks the reader of Swift's backtraces knows.
    expectNoReport("0 0x000000000bad5008\n1 0x00000001a13fe224\n2 0x00000001902ed335\n")
    expectNoReport(
      "0 0x000000018db5f308 f() + 8 in libsystem_kernel.dylib\n1 [ra] 0x000000018db5f318 g() + 8 in a\n"
    )
  }

  // MARK: Prose

  /// A list that somebody made of several reports.
  @Test(arguments: [
    ("The crash occurs in `deckvm`, called by `Board`", "deckvm"),
    ("The crash occurs in deckvm, called by Board", "deckvm"),
    ("It does not occur in `deckvm`", nil),
    ("The crash occurs in production, not in debug builds", nil),
    ("It occurs in all of them", nil),
  ])
  func placesInProse(words: String, image: String?) throws {
    let text = """
      - **Exception Type:** `EXC_BAD_ACCESS (SIGSEGV)`
      - **Exception Subtype:** `KERN_INVALID_ADDRESS`
      - **Crash Location:** \(words), on a worker thread.

      """
    let found = JsonFixture.headline(text)
    expectEqual(found.contains("deckvm"), image != nil, found)
    expectEqual(found.contains("EXC_BAD_ACCESS (SIGSEGV): KERN_INVALID_ADDRESS"), true, found)
  }

  /// Fields in a list, one of them in the singular; SpringBoard has other numbers there.
  @Test(arguments: [
    ("`KERN_INVALID_ADDRESS at 0x0000000000000000`", "access through a null pointer"),
    ("`KERN`", "EXC_BAD_ACCESS (SIGSEGV)"),
  ])
  func codesInTheSingular(code: String, reason: String) {
    let found = JsonFixture.headline(
      """
      ## Details

      **Exception Type**: `EXC_BAD_ACCESS (SIGSEGV)`
      - Signal: Segmentation fault (11)
      - Exception Code: \(code)

      ```
      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0 Board 0x1190da7c4 0x118fd8000 + 1058756
      1 Board 0x1190da8dc 0x118fd8000 + 1059036
      ```

      """)
    expectTrue(found.hasSuffix(reason), found)
  }

  /// The function that lldb writes behind its image, in a sentence near the exception. Markdown
  /// needs backslashes in it.
  @Test(arguments: [
    ("It happened in a strange place: `libdeck.dylib\\`deck\\_turn\\`.", true),
    ("It crashes in ``libdeck.dylib`deck_turn``.", true),
    ("It does not crash in `libdeck.dylib\\`deck_turn`.", false),
    ("The faster one is `libdeck.dylib\\`deck_turn`.", false),
  ])
  func functionsOfLibraries(sentence: String, isPlace: Bool) {
    let found = JsonFixture.headline(
      "My code crashed:\n\n\tEXC_BAD_ACCESS (code=2, address=0x1)\n\n\(sentence)\n")
    expectEqual(found.hasPrefix("deck_turn — "), isPlace, found)
  }

  /// A variable of the kernel's library that was called: what a text names is the place, though it
  /// is the system's.
  @Test func framesOfTheKernelsLibrary() {
    let text = """
      lldb: `stop reason = EXC_BAD_ACCESS (code=2, address=0x209ac0da0)`,
      `frame #0: libsystem_kernel.dylib\\`deck_port_`: data that was taken for code.

      """
    expectEqual(
      JsonFixture.headline(text),
      "deck_port_ in libsystem_kernel.dylib — access to 0x209ac0da0 that the memory's protection forbids"
    )
  }

  /// A frame of lldb without its address and image, below the words about the stop.
  @Test(arguments: [
    ("frame #0: deck_turn + 308", true), ("  * frame #0: main + 308", true),
    ("frame #0: three times + 308", false), ("register 0: deck_turn + 308", false),
  ])
  func framesWithDistances(line: String, isPlace: Bool) {
    let text =
      "```\nstop reason = EXC_BAD_ACCESS (code=2, address=0x16f003ff0)  # a stack\n\(line)\n```\n"
    expectEqual(JsonFixture.headline(text).contains(" — "), isPlace, JsonFixture.headline(text))
    // Of two frames, nothing has to be above.
    let frames = "frame #0: deck_turn + 308\nframe #1: main + 12\n"
    expectEqual(try? JsonFixture.report(frames, with: []).backtraces.first?.frames.count, 2)
  }

  /// Xcode shows why it stopped behind the line of source code, and people copy it as a remark.
  @Test(arguments: [
    ("static card_t *deck_turn(deck_t *deck) {\n    return deck->cards; <- ", "deck_turn — "),
    (
      "    func turn(_ all: Bool) {\n        if all {\n            cards[0].turn() // ",
      "turn — "
    ),
    ("int Deck::deal(int n)\n{\n    while (n) {\n        *next = n;   // ", nil),
    ("dispatch_async(queue, ^{\n    return deck->cards; // ", nil),
    ("class Deck: Board {\n    let a = cards[0]!.turn() // ", nil),
    ("    return deck->cards; // ", nil),
  ])
  func linesOfSource(source: String, place: String?) {
    let found = JsonFixture.headline(
      "```\n\(source)Thread 1: EXC_BAD_ACCESS (code=1, address=0x70)\n}\n```\n")
    expectTrue(place.map { found.hasPrefix($0) } ?? !found.contains(" — "), found)
    expectTrue(found.hasSuffix("access through a null pointer, at offset 0x70"), found)
  }

  /// What Xcode copies of a thread says nothing but its frames. Those of Swift's runtime have no
  /// images, and are at addresses of the system's libraries.
  @Test(arguments: [(40, true), (12, false)])
  func recursionsInListings(rounds: Int, isEndless: Bool) throws {
    var frames = [
      "0x00000001932ca998 in swift::countParameters(swift::Target const*) ()",
      "0x00000001932e5ec8 in swift_getTypeByMangledNode ()",
      "0x0000000193289318 in partial apply for closure #1 in Mirror.init(internalReflecting:) ()",
      "0x00000001022eb71c in compare(_:_:) at /src/Deck/Box.swift:30",
    ]
    frames += Array(
      repeating: "0x00000001022eb940 in compare(_:_:) at /src/Deck/Box.swift:33", count: rounds)
    frames.append("0x00000001022eba00 in Deck.isEqual(_:) at /src/Deck/Deck.swift:7")
    let text =
      "Thread 9 Queue : com.example.deck (serial)\n"
      + frames.enumerated().map { "#\($0)\t\($1)\n" }.joined()
    let report = try JsonFixture.report(text, with: [])
    expectEqual(
      report.crash.reason,
      isEndless
        ? "an endless recursion, most likely: compare(_:_:) calls itself (× \(rounds + 1))" : nil)
    expectEqual(report.crash.frame?.function, "compare(_:_:)")
    expectEqual(report.backtraces.first?.number, 9)
    expectEqual(report.backtraces.first?.queue, "com.example.deck")
  }

  /// Kotlin's last words in code, which ends further down.
  @Test func wordsBehindAnOpenMark() {
    expectEqual(
      JsonFixture.headline(
        """
        `Uncaught Kotlin exception: kotlin.IllegalStateException: no cards

            at 0   Board                              0x104ce5f9b        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 119
            at 1   Board                              0x104cdf2e3        kfun:kotlin.IllegalStateException#<init>(kotlin.String?){} + 115
            at 2   Board                              0x105aacc07        kfun:deck.Dealer#deal(){} + 2059`

        """),
      "deck.Dealer.deal() — kotlin.IllegalStateException: no cards")
  }

  /// Swift's message begins with the place, which the headline has once.
  @Test(arguments: [
    ("Deck/Board.swift:12: Fatal error: no cards", "Fatal error: no cards"),
    ("Deck/Card.swift:12: Fatal error: no cards", "Deck/Card.swift:12: Fatal error: no cards"),
  ])
  func placesInMessages(words: String, shown: String) {
    expectEqual(
      JsonFixture.headline(
        """
        \(words)

        *** Program crashed: Illegal instruction at 0x00007223e7fe8711 ***

        Thread 4 "Deck" crashed:

        0          0x00007223e7fe8711 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
        1 [ra]     0x00005979c7bf6868 Board.deal() + 5463 in deck at /src/Deck/Board.swift:12:18

        """), "Board.swift:12 in Board.deal() — \(shown)")
  }

  /// Of a library, the reason of dyld's termination says only the kind.
  @Test(arguments: [
    "Library not loaded: @rpath/Deck.framework/Deck\nTermination Reason: Namespace DYLD, Code 1, Library missing\n",
    "Termination Reason: Namespace DYLD, Code 1, Library missing\nLibrary not loaded: @rpath/Deck.framework/Deck\n",
  ])
  func wordsOfDyld(text: String) {
    expectEqual(
      JsonFixture.headline("# It does not start\n\n```\n\(text)```\n"),
      "terminated: DYLD 0x1, Library missing, Library not loaded: @rpath/Deck.framework/Deck")
  }

  /// Swift's `fatalError()` without a message (stdlib/public/stubs/Assert.cpp), in a log that shows
  /// the end of its line.
  @Test(arguments: [
    ("/src/Deck/Lexer/Board.swift:620: Fatal error\\n", "Board.swift:620: Fatal error"),
    ("/src/Deck/Lexer/Board.swift:620: Fatal error", "Board.swift:620: Fatal error"),
    ("Deck/Board.swift:620: Fatal error", "Deck/Board.swift:620: Fatal error"),
    ("/src/Deck/Board.swift:25: Fatal error: no cards", "Board.swift:25: Fatal error: no cards"),
  ])
  func failuresWithoutMessages(line: String, words: String) {
    expectEqual(
      JsonFixture.headline("The log says:\n```\n\(line)\n\n```\nThen I restart.\n"), words)
  }

  @Test(arguments: [
    "Board.swift:620: Fatal errors are explained there\n", "Board.swift: Fatal error\n",
    "/src/Board.swift:620: fatal errors: 0\n",
  ])
  func noFailures(line: String) { expectNoReport(line) }

  // MARK: Pieces

  /// Registers that somebody cut out of a report. A push fails right below the stack pointer, and a
  /// page with no rights is not present for Intel's processors either.
  @Test(arguments: [
    ("0x00007fff5a8fc000", "0x00007fff5a8fbff8", "0x00000006", "stack overflow"),
    ("0x00007fff5a8fc000", "0x00007fff5a8fbff8", "0x00000007", "stack overflow"),
    (
      "0x00007fff5a8fc010", "0x00007fff5a8fc008", "0x00000006",
      "write to 0x7fff5a8fc008, where no memory is mapped, or none that may be used"
    ),
    (
      "0x00007fff5a8fc000", "0x00007fff5a8fbff8", "0x00000004",
      "read from 0x7fff5a8fbff8, where no memory is mapped, or none that may be used"
    ),
    (
      "0x00007fff5a8fc000", "0x00007fff5a8fc008", "0x00000006",
      "write to 0x7fff5a8fc008, where no memory is mapped, or none that may be used"
    ),
  ])
  func pushes(pointer: String, address: String, error: String, reason: String) {
    let text = """
      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000001  rbp: \(pointer)  rsp: \(pointer)
        rip: 0x00007fff8c22b824  rfl: 0x0000000000010206  cr2: \(address)

      Logical CPU:     4
      Error Code:      \(error)
      Trap Number:     14

      """
    expectEqual(
      JsonFixture.headline(text), "\(reason) — thread 0 crashed; its frames are not in this text")
  }

  /// Of ARM's addresses, bit 47 counts for nothing. Source: Arm Architecture Reference Manual,
  /// "Address size configuration"; the words are those of Swift's runtime.
  @Test(arguments: [
    ("arm64", "0xffff44442c9527e0", "of a process (the kernel's half)"),
    ("arm64", "0x0012550000000020", "of a process"),
    ("x86_64", "0x0012550000000020", "(non-canonical)"),
    ("x86_64", "0xffff44442c9527e0", "(non-canonical)"),
  ])
  func addressesOfProcessors(architecture: String, address: String, kind: String) throws {
    let text = """
      *** Program crashed: Bad pointer dereference at \(address) ***

      Platform: \(architecture) Linux (Ubuntu 24.04 LTS)

      Thread 0 crashed:

      0      0x0000aaaab230bc04 deal() + 28 in board

      """
    let reason = try #require(try JsonFixture.report(text, with: []).crash.reason)
    expectEqual(reason.hasSuffix("is no address \(kind)"), true, reason)
  }

  /// A body of JSON that ends above its list of images.
  @Test func fragmentsOfJson() {
    let text = #"""
        "exception" : {"codes":"0x1, 0x00000001c3e70370","rawCodes":[1,7581664112],"type":"EXC_BREAKPOINT","signal":"SIGTRAP"},
        "faultingThread" : 0,
        "threads" : [{"triggered":true,"id":6201,"queue":"com.apple.main-thread","frames":[{"imageOffset":934520,"symbol":"Deck.subscript.getter","symbolLocation":296,"imageIndex":0},{"imageOffset":21576,"imageIndex":1},{"imageOffset":
      """#
    expectEqual(
      JsonFixture.headline("# It crashes\n\n```\n\(text)\n"),
      "Deck.subscript.getter — a failed check in Swift code (nil, index, overflow, cast or precondition)"
    )
  }

  /// What LLVM's handler prints above its stack. The last step is the innermost one, and of the
  /// functions it is that below the handler.
  ///
  /// Source: swiftlang/swift, lib/Parse/Parser.cpp (`PrettyStackTraceParser`).
  @Test func dumpsOfCompilers() {
    let text = """
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -frontend -c deck.swift
      1.\tSwift version 6.2 (swift-6.2-RELEASE)
      2.\tWhile evaluating request ParseSourceFileRequest(source_file "deck.swift")
      3.\tWith parser at source location: deck.swift:12:3
      #0 0x000055102e24a484 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/bin/swift-frontend+0x6205484)
      #1 0x000055102e24825c llvm::sys::RunSignalHandlers() (/usr/bin/swift-frontend+0x620325c)
      #2 0x000055102e24ab20 SignalHandler(int, siginfo_t*, void*) Signals.cpp:0:0
      #3 0x00007073bc9ac220 (/lib/x86_64-linux-gnu/libc.so.6+0x34220)
      #4 0x00005510290d1004 swift::Parser::deal(int) const ParseDecl.cpp:0:0
      #5 0x00005510290d1004 swift::Parser::turn() ParseDecl.cpp:0:0

      """
    expectEqual(
      JsonFixture.headline(text),
      "swift::Parser::deal(int) in ParseDecl.cpp — the compiler crashed while parsing deck.swift:12:3"
    )
  }

  /// The standard library's helpers are compiled into a program, whatever they return.
  @Test(arguments: [
    ("int std::__1::__cxx_atomic_load<int>(...)", FunctionTraits.Authorship.toolchain),
    ("std::__1::__atomic_base<int>::load(...) const", .toolchain),
    ("int board::count(int, std::string const&)", .user),
    ("void board::turn<std::string>(int, std::string)", .user),
    // What Swift's compiler makes to release the variables of a closure.
    ("objectdestroy.2Tm", .toolchain), ("objectdestroyTm", .toolchain),
    ("objectdestroyer(Board*)", .user), ("objectdestroy", .user),
  ])
  func standardLibrary(name: String, authorship: FunctionTraits.Authorship) {
    expectEqual(FunctionTraits.of(name).authorship, authorship)
  }
}
