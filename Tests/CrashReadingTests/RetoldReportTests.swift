import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Crashes that people retell: a head and frames with their own words between, a debugger's words
/// within a sentence, registers that are left of a torn report.
struct RetoldReportTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Jumps to where no code is

  /// XNU gives the reason of an invalid page for every instruction that it cannot fetch, where a
  /// monitor checks code (`csm_code_signing_violation`); the exception's code is that reason's.
  private func fetch(_ address: String, region: String, pc: String? = nil) throws
    -> JsonReport.Crash
  {
    let state =
      pc.map { "\nThread 0 crashed with ARM Thread State (64-bit):\n    pc: \($0)\n" } ?? ""
    return try read(
      """
      Process:             Board [812]
      Code Type:           ARM-64 (Native)
      Exception Type:  EXC_BAD_ACCESS (SIGKILL)
      Exception Subtype: KERN_PROTECTION_FAILURE at \(address)
      Exception Codes: 0x0000000000000002, \(address)
      \(region)
      Termination Reason: CODESIGNING 2 Invalid Page
      Triggered by Thread:  0

      Thread 0 Crashed:
      0   Board                \t0x0000000104a1c2f0 turn(Tile*) + 120
      1   libsystem_pthread.dylib\t0x00000001e0c3a4d0 _pthread_start + 136
      \(state)
      Binary Images:
      0x104a18000 - 0x104a2bfff Board arm64  <4c4c440b55553144a17435f176083cd8> /private/var/Board.app/Board

      """
    ).crash
  }

  private static func region(_ kind: String) -> String {
    """
    VM Region Info: 0x112340000 is in 0x112340000-0x112344000;  bytes after start: 0
          REGION TYPE                 START - END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
    --->  \(kind)              112340000-112344000 [   16K] rw-/rwx SM=PRV

    """
  }

  @Test func fetchesFromNull() throws {
    for pc in [nil, "0x0000000000000000"] {
      let found = try fetch(
        "0x0000000000000000", region: "VM Region Info: 0 is not in any region.", pc: pc)
      expectEqual(found.kind, "callThroughNullPointer")
      expectEqual(found.reason, "call through a null pointer")
      expectEqual(found.frame?.function, "turn(Tile*)")
    }
    // An access to data has its own address.
    let data = try fetch("0x0000000000000000", region: "", pc: "0x0000000104a1c2f0")
    expectEqual(data.kind, "codeSignature")
  }

  @Test func fetchesFromElsewhere() throws {
    let heap = try fetch("0x0000000112340000", region: Self.region("VM_ALLOCATE"))
    expectEqual(heap.kind, "memoryProtection")
    expectPrefix(heap.reason ?? "", "jump to 0x112340000, memory that may not be executed")
    let nowhere = try fetch(
      "0x0000000112340000", region: "VM Region Info: 0x112340000 is not in any region.")
    expectEqual(nowhere.kind, "callThroughBadPointer")
    // A page of a file may well be damaged.
    for region in [Self.region("__TEXT"), Self.region("mapped file"), ""] {
      expectEqual(try fetch("0x0000000112340000", region: region).kind, "codeSignature")
    }
  }

  /// No file can have changed behind memory that has none.
  ///
  /// Source: vmmap(1); XNU, bsd/sys/reason.h (`CODESIGNING_EXIT_REASON_INVALID_PAGE`).
  @Test(
    arguments: [
      ("VM_ALLOCATE   112340000-112344000 [ 16K] r-x/rwx SM=COW", true),
      ("JS JIT generated code 112340000-112344000 [ 16K] rwx/rwx SM=PRV", true),
      ("VM_ALLOCATE   112340000-112344000 [ 16K] rw-/rwx SM=COW", false),
      ("mapped file   112340000-112344000 [ 16K] r-x/rwx SM=COW  /Users/*/libcards.dylib", false),
      ("__TEXT        112340000-112344000 [ 16K] r-x/rwx SM=COW  /Users/*/Board", false),
    ])
  func codeMadeAtRunTime(region: String, isMade: Bool) throws {
    let found = try read(
      """
      Process:             Board [812]
      Exception Type:  EXC_BAD_ACCESS (Code Signature Invalid)
      Exception Codes: 0x0000000000000032, 0x0000000112340000
      Termination Reason:    Namespace CODESIGNING, Code 0x2

      VM Regions Near 0x112340000:
          VM_ALLOCATE   11233c000-112340000 [ 16K] rw-/rwx SM=PRV
      --> \(region)

      Thread 0 Crashed:
      0   Board                \t0x0000000104a1c2f0 turn(Tile*) + 120

      """
    ).crash
    expectEqual(found.kind, "codeSignature")
    expectEqual(found.reason?.contains("made at run time"), isMade)
    expectEqual(found.reason?.contains("the file changed"), !isMade)
  }

  /// The code of a page that does not match is 50 (`KERN_CODESIGN_ERROR`).
  @Test func invalidPages() throws {
    let found = try read(
      """
      Exception Type:  EXC_BAD_ACCESS (SIGKILL (Code Signature Invalid))
      Exception Subtype: UNKNOWN_0x32 at 0x0000000000000000
      Exception Codes: 0x0000000000000032, 0x0000000000000000
      Termination Reason: CODESIGNING 2 Invalid Page
      Triggered by Thread:  0

      """
    ).crash
    expectEqual(found.kind, "codeSignature")
  }

  // MARK: Pieces with words between them

  private static let nowhere = """
    0   ???                 0x0
    1   Board   turn(Tile*, unsigned int&) + 22456
    2   Board   board::Loop::run()
    3   Board   -[BoardApp start]::$_5::operator()()

    """

  @Test func headAndFramesApart() throws {
    let report = try read(
      """
      It died after 20 minutes:

      ```
      Exception Type:  EXC_BAD_ACCESS (SIGKILL)
      Exception Subtype: KERN_PROTECTION_FAILURE at 0x0000000000000000
      Termination Reason: CODESIGNING 2 Invalid Page
      Triggered by Thread:  4
      ```

      This reads like a problem
      of signatures, and is none:
      nothing was there.

      The thread that crashed is that of the game:

      ```
      \(Self.nowhere)```

      """)
    expectEqual(report.crash.kind, "callThroughNullPointer")
    expectEqual(report.crash.frame?.function, "turn(Tile*, unsigned int&)")
    expectEqual(report.backtraces.first?.frames.count, 4)
  }

  /// Nobody but who was called through a null pointer is at address 0.
  @Test func framesAlone() throws {
    expectEqual(try read(Self.nowhere).crash.kind, "callThroughNullPointer")
    let named = try read(
      "0  Board  turn(Tile*) + 120\n1  Board  load(Deck*) + 64\n2  Board  main\n")
    expectEqual(named.crash.frame?.function, "turn(Tile*)")
    expectEqual(named.backtraces.first?.frames.count, 3)
  }

  /// Lists of other things have numbers, too.
  @Test(arguments: [
    "0  apples + 12\n1  pears + 13\n", "0  Board  turn + 120\nand more\n",
    "0   ???   0x0\n1   nothing\n",
  ])
  func otherLists(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  @Test func fieldsOfOwnNames() throws {
    let report = try read(
      """
      ## Termination

      ```
      Exception Type:  EXC_CRASH (SIGKILL)
      Termination:     FRONTBOARD 0x8BADF00D
                       "scene-update watchdog transgression: … is stuck (deadlock)"
      WatchdogEvent:      scene-update
      ```

      **Thread 0 — `com.apple.main-thread` (triggered):**

      ```
      0  libsystem_kernel.dylib    __ulock_wait2
      1  libsystem_platform.dylib  _os_unfair_lock_lock_slow
      2  libobjc.A.dylib           objc_sync_enter
      3  Board                     +14573916          <-- of the library
      4  Board                     turn(Tile*) + 12   ← here
      """)
    expectEqual(report.crash.kind, "watchdog")
    expectEqual(
      report.crash.reason,
      "FRONTBOARD 0x8badf00d (watchdog: it took too long), scene-update watchdog transgression: … is stuck (deadlock)"
    )
    expectEqual(report.exception.signal, "SIGKILL")
    let frames = report.backtraces.first?.frames ?? []
    expectEqual(frames.map(\.function).suffix(2), [nil, "turn(Tile*)"])
    expectEqual(report.backtraces.first?.queue, "com.apple.main-thread")
  }

  /// Somebody left out the innermost frames, with who stopped.
  @Test(arguments: [
    (
      "CoreFoundation  +[NSException exceptionWithName:reason:userInfo:]",
      "uncaught Objective-C exception thrown by -[NSWindow(NSDisplayCycle) update]"
    ),
    (
      "CoreFoundation  CFDeckTurn",
      "stopped by a trap instruction: a failed check, or a crash on purpose"
    ),
  ])
  func endsOfStacks(frame: String, reason: String) throws {
    let report = try read(
      """
      Exception Type:  EXC_BREAKPOINT (SIGTRAP)
        2  \(frame)
        3  AppKit          -[NSWindow(NSDisplayCycle) update] + 1716

      """)
    expectEqual(report.crash.reason, reason)
    expectEqual(report.exception.signal, "SIGTRAP")
  }

  // MARK: Words within sentences

  /// lldb's words (`StopInfoMachException.cpp`), with Xcode's names of threads and queues.
  @Test(
    arguments: [
      (
        "I see \"Worker (11): EXC_BAD_ACCESS (code=257, address=0x41)\" when zooming.",
        "misalignedAddress"
      ),
      ("com.apple.main-thread (1): EXC_BAD_ACCESS (code=1, address=0x10)", "nullPointer"),
      ("It is EXC_BAD_ACCESS(code=2, address=0x16f0a3ff8), always.", "memoryProtection"),
      ("It is EXC_BAD_ACCESS (code=EXC_I386_GPFLT).", "invalidAddress"),
      ("EXC_BAD_ACCESS (code=EXC_ARM_DA_ALIGN, address=0x1a2b3c4d1)", "misalignedAddress"),
      ("We get “EXC_BAD_INSTRUCTION (code=EXC_I386_INVOP, subcode=0x0)” here.", "failedCheck"),
      ("Hier: EXC_BREAKPOINT (code=1, subcode=0x1a2b3c4d0)", "failedCheck"),
    ])
  func stops(text: String, kind: String) throws {
    expectEqual(try read("It fails.\n\n\(text)\n").crash.kind, kind)
  }

  @Test(
    arguments: [
      (
        "崩溃类型：EXC_BREAKPOINT in static Board.locked<A>(_:) → Page.update()", "EXC_BREAKPOINT",
        "static Board.locked<A>(_:)"
      ),
      ("- EXC_BAD_ACCESS (SIGSEGV) at -[Board turn] when I tap", "EXC_BAD_ACCESS", "-[Board turn]"),
      ("It crashes with EXC_BAD_ACCESS in objc_release.", "EXC_BAD_ACCESS", "objc_release"),
      (
        "EXC_BREAKPOINT (SIGTRAP) in closure #1 in Board.turn(_:) -> Page.load()",
        "EXC_BREAKPOINT", "closure #1 in Board.turn(_:)"
      ),
      (
        "EXC_BAD_ACCESS in board::turn(int, char), again", "EXC_BAD_ACCESS",
        "board::turn(int, char)"
      ),
      ("クラッシュ種別： EXC_BAD_ACCESS (SIGSEGV)", "EXC_BAD_ACCESS", nil),
      ("Type de plantage : EXC_CRASH (SIGABRT)", "EXC_CRASH", nil),
    ] as [(String, String, String?)])
  func namesOfExceptions(text: String, type: String, function: String?) throws {
    let report = try read("\(text)\n")
    expectEqual(report.exception.type, type)
    expectEqual(report.backtraces.first?.frames.first?.function, function)
  }

  @Test(arguments: [
    "We handle EXC_BAD_ACCESS in our handler.", "EXC_BAD_ACCESS (code=1", "MY_EXC_CRASH in f_g",
    "The types are: EXC_CRASH and EXC_GUARD", "EXC_BREAKPOINT in -[Board turn", "x: EXC_FOO (SIGX)",
    "Termination: never 5", "Termination: soon",
    "Faults such as EXC_BAD_ACCESS (code=1, address=0x0) end it.",
    "Look there if you get EXC_BAD_ACCESS in objc_release.",
  ])
  func otherSentences(text: String) {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("\(text)\n".utf8))
    }
  }

  /// The alignment is looked at first (Arm Architecture Reference Manual, "MMU fault
  /// prioritization"); an address without that code is a null pointer with an offset.
  @Test func smallAddresses() throws {
    expectContains(
      try read("EXC_BAD_ACCESS (code=257, address=0x41)\n").crash.reason ?? "", "misaligned")
    expectEqual(
      try read("EXC_BAD_ACCESS (code=1, address=0x48)\n").crash.kind, "nullPointer")
  }

  // MARK: Torn threads

  private static let state =
    #""threadState":{"x":[{"value":0},{"value":434198\#n92096}],"flavor":"ARM_THREAD_STATE64","#
    + #""pc":{"value":4370532660}"#
  private static let trap = #","esr":{"value":4060086273,"description":"(Breakpoint) brk 1"}"#
  private static let abortOfData = #","esr":{"value":2449473542},"far":{"value":16}"#

  /// A break within a number parts nothing: two numbers have a comma between them.
  @Test(arguments: [
    ("  \"threads\" : [{\"triggered\":true,\"id\":1,", "\"frames\":[{\"imageOff", "\n"),
    (
      "\"triggered\":true,\"id\":1,", "\"frames\":[{\"imageOffset\":12,\"imageIndex\":1},{\"im",
      "\n"
    ),
    ("  \"threads\" : [{\"triggered\":true,\"id\":1,", "\"frames\":[{\"imageOff", "\r\n"),
  ])
  func tornThreads(start: String, end: String, lineEnd: String) throws {
    let state = Self.state.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: lineEnd)
    let trap = try read("```\n\(start)\(state)\(Self.trap)},\(end)").crash
    expectEqual(trap.kind, "failedCheck")
    expectEqual(trap.reasonFrom, "exceptionType")
    let access = try read("```\n\(start)\(state)\(Self.abortOfData)},\(end)").crash
    expectEqual(access.reason, "read through a null pointer, at offset 0x10")
  }

  // MARK: Tables and quotations

  @Test func tablesOfExceptions() throws {
    let report = try read(
      """
      > NSGenericException: Your application has presented a card without a place.

      ```
        | 0 | CoreFoundation 0x000000018acc2fe0 __exceptionPreprocess + 120
        | 1 | libobjc.A.dylib 0x0000000189724538 objc_exception_throw + 52
        | 2 | UIKit 0x0000000191832be8 -[UIDeck begin] + 2780
        | 3 | UIKit 0x00000001911400d4
      """)
    expectEqual(
      report.crash.reason,
      "NSGenericException: Your application has presented a card without a place.")
    expectEqual(
      report.backtraces.first?.frames.map(\.imageName),
      ["CoreFoundation", "libobjc.A.dylib", "UIKit", "UIKit"])
  }

  /// A form joined the lines of each paragraph, and a mail quoted them.
  @Test func paragraphsOnALine() throws {
    let report = try read(
      """
      > Crashed Thread: 0 Dispatch queue: com.apple.main-thread
      >
      > Exception Type: EXC_BAD_ACCESS (SIGSEGV) Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000040 Exception Codes: 0x0000000000000001, 0x0000000000000040
      >
      > Termination Reason: Namespace SIGNAL, Code 11 Segmentation fault: 11 Terminating Process: exc handler [812]
      >
      > Thread 0 Crashed:: MainThread Dispatch queue: com.apple.main-thread 0 Board 0x17b14934c board::Drag::start(int const&, bool) + 3264 1 Board 0x17b1cfe20 board::Mouse::drag(int) + 696 2 Board 0x17af4f2f4 board::Mouse::setPoi

      """)
    expectEqual(report.crash.kind, "nullPointer")
    expectEqual(report.crash.frame?.function, "board::Drag::start(int const&, bool)")
    expectEqual(report.crashedThread, 0)
  }
}
