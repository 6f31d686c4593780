import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What stacks say that people paste: which frame is the place, and what the others mean.
struct StackMeaningTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  private func summary(_ text: String) -> [Substring] {
    JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
  }

  private static func lldb(_ stop: String, _ frames: String...) -> String {
    let lines = frames.enumerated().map { index, frame in
      "    frame #\(index): 0x00000001000\(37_000 + index) \(frame)\n"
    }
    return "* thread #1, queue = 'com.apple.main-thread', stop reason = \(stop)\n" + lines.joined()
  }

  // MARK: Offsets

  /// Writers do not always mark calls that are inlined at one address, and give most the offset 0.
  ///
  /// Source: DWARF 5, section 3.3.8: an inlined call has no address of its own.
  @Test func callsInlinedAtOneAddress() throws {
    let head = summary(
      """
      Thread 2 Crashed:
      0   Board   0x00000001008dddb0 Swift runtime failure: arithmetic overflow + 0 (/<compiler-generated>:0)
      1   Board   0x00000001008dddb0 Counter.decrease() + 0 (Counter.swift:142)
      2   Board   0x00000001008dddb0 Counter.keep() + 136 (Counter.swift:112)
      3   Board   0x00000001008de0e4 Board.open() + 20 (Board.swift:9)
      """)
    expectEqual(
      head[1],
      "Counter.swift:142 in Counter.decrease() — Swift runtime failure: arithmetic overflow")
  }

  /// Addresses of processes have 47 bits at most (Intel's manual, volume 3, section 4.5; ARM's
  /// 48), so a longer offset is no distance, and says nothing about the name.
  @Test(arguments: [(UInt64(20), true), (1 << 20, false), (1 << 60, true)])
  func offsetsThatAreNone(offset: UInt64, isNamed: Bool) {
    let head = summary(
      """
      Exception Type: EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x2000
      Crashed Thread: 0

      Thread 0 Crashed:
      0   Board   0x00000001008dddb0 -[Card draw] + \(offset)
      """)
    expectEqual(head.joined().contains("-[Card draw] — "), isNamed)
  }

  // MARK: Swift's standard library

  /// Names as Swift 1 and 2 wrote them, and code that is compiled into the program.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core: Array.swift, Optional.swift and
  /// ContiguousArrayBuffer.swift, of swift-2.0-RELEASE and later.
  @Test(
    arguments: [
      (
        [
          "Board`function signature specialization <Arg[0] = Exploded> of Swift._fatalErrorMessage (Swift.StaticString, Swift.UInt) -> () + 40",
          "Board`Swift.Array._checkIndex <A> (Swift.Array<A>)(Swift.Int) -> () + 126",
          "Board`Swift.Array.subscript.getter : (Swift.Int) -> A + 60",
        ], "index out of range"
      ),
      (
        [
          "libswiftCore.dylib`Swift.(_fatalErrorMessage in _8A2F6F9C) (Swift.StaticString, Swift.UInt) -> () + 40",
          "libswiftCore.dylib`Swift._ContiguousArrayBuffer._checkValidSubscript <A> (Swift._ContiguousArrayBuffer<A>)(Swift.Int) -> () + 40",
        ], "index out of range"
      ),
      (
        ["libswiftCore.dylib`Swift._getOptionalValue <A>(Swift.Optional<A>) -> A + 40"],
        "unexpectedly found nil while unwrapping an Optional value"
      ),
      (
        [
          "Board`_assertionFailure(_:_:file:line:flags:) + 40",
          "Board`specialized Array._checkIndex(_:) + 126",
          "Board`specialized Array.subscript.getter + 60",
        ], "index out of range"
      ),
      (
        ["Board`Swift.fatalError (Swift.String) -> Swift.Never + 40"],
        "Swift fatal error or failed precondition, without its message"
      ),
    ])
  func checksOfSwift(frames: [String], reason: String) throws {
    var text = "* thread #1, stop reason = EXC_BAD_INSTRUCTION (code=EXC_I386_INVOP, subcode=0x0)\n"
    let own = [
      "Board`Game.turn (data=256 values, count=351) -> Swift.Array<Swift.Int8> + 124 at Game.swift:162",
      "Board`main + 12 at Game.swift:9",
    ]
    for (index, frame) in (frames + own).enumerated() {
      text += "    frame #\(index): 0x00000001000\(37_000 + index * 0x100) \(frame)\n"
    }
    let found = try crash(text)
    expectEqual(found.reason, reason)
    expectEqual(found.kind, "swiftRuntimeFailure")
    expectEqual(found.frame?.function, "Game.turn")
    expectEqual(found.frame?.line, 162)
  }

  /// A mangled name says that a function is of the standard library, or of who extends its types.
  @Test(
    arguments: [
      ("$sSS11withCStringyxxSPys4Int8VGKXEKlF", "$s4Game4turnyyF"),
      ("$sSS4GameE4turnyyF", "$sSS4GameE4turnyyF"),
    ])
  func mangledNamesOfTheStandardLibrary(innermost: String, place: String) throws {
    let text = """
      ==================
      WARNING: ThreadSanitizer: data race (pid=812)
        Read of size 8 at 0x7b0400000010 by thread T5:
          #0 \(innermost) ??:? (board+0x3403)
          #1 $s4Game4turnyyF ??:? (board+0x3503)

      """
    expectEqual(try crash(text).frame?.function, place)
  }

  // MARK: Places

  /// Swift's runtime is written in C++, so a file of C is the program's. `crtstuff.c` is that of
  /// the last function without a name.
  @Test func functionsOfCWithTheNamesOfTheRuntime() throws {
    func text(_ file: String) -> String {
      """
      ==================
      WARNING: ThreadSanitizer: data race (pid=812)
        Read of size 8 at 0x7b0400000010 by thread T5:
          #0 _swift_board_hook \(file):? (board+0x3403)
          #1 $s4Game4turnyyF crtstuff.c:? (board+0x3503)

      """
    }
    expectEqual(try crash(text("hooks.c")).frame?.function, "_swift_board_hook")
    expectEqual(try crash(text("hooks.c")).frame?.file, "hooks.c")
    expectEqual(try crash(text("crtstuff.c")).frame?.function, "$s4Game4turnyyF")
  }

  /// Offsets that count from one place say nothing about the names, however long they are.
  @Test(
    arguments: [
      (3_048_936, 3_048_444, "-[Board draw]"),
      // From different places, so each is the distance from the nearest name.
      (3_048_936, 2_000_000, nil),
    ] as [(Int, Int, String?)])
  func offsetsFromOnePlace(first: Int, second: Int, function: String?) throws {
    let lines = summary(
      """
      Crashed: com.apple.main-thread
      0  libobjc.A.dylib  0x8288 objc_release + 8
      1  Game  0xebc454 -[Board draw] + \(first)
      2  Game  0xebc268 -[Board turn] + \(second)

      """)
    expectPrefix(
      String(lines[1]),
      (function ?? "Game + 15451220") + " — an object was used that was freed or overwritten")
  }

  /// One function, whose name has another offset in it each time.
  @Test func offsetsFromOneNeighbour() {
    let lines = summary(
      """
      Crashed: com.apple.main-thread
      0  libobjc.A.dylib  0x8288 objc_release + 8
      1  Game  0xebc454 kit::next+ 15451220 (int) + 3048936
      2  Game  0xebc268 kit::next+ 15450728 (int) + 3048444

      """)
    expectPrefix(String(lines[1]), "Game + 15451220")
  }

  /// A fault in a driver without symbols is in that driver, whoever called it.
  @Test(
    arguments: [
      (
        "EXC_BAD_ACCESS (code=1, address=0x302433600)",
        "AGXMetalG13X`___lldb_unnamed_symbol1378$$AGXMetalG13X + 456",
        "in AGXMetalG13X — access to 0x302433600, where no memory is mapped"
      ),
      (
        "EXC_BAD_ACCESS (code=1, address=0x50)",
        "libdispatch.dylib`_dispatch_event_loop_drain + 12",
        "_dispatch_event_loop_drain in libdispatch.dylib — access through a null pointer, at offset 0x50"
      ),
      // Where the kernel is asked for something, no memory is read.
      (
        "EXC_BAD_ACCESS (code=1, address=0x50)", "libsystem_kernel.dylib`___lldb_unnamed_symbol1",
        "access through a null pointer, at offset 0x50"
      ),
    ])
  func faultsWithoutTheUsersCode(stop: String, frame: String, headline: String) {
    let lines = summary(Self.lldb(stop, frame, "libsystem_pthread.dylib`_pthread_wqthread + 8"))
    expectEqual(lines.dropFirst().first.map(String.init), headline)
  }

  /// On Intel processors, the kernel leaves room for a return address of the trampoline, which a
  /// walk by frame pointers shows as a frame. It passes over a function that called nothing.
  ///
  /// Source: github.com/apple-oss-distributions/xnu, bsd/dev/i386/unix_signal.c (`sendsig`).
  @Test(arguments: ["0x0000000000000000 0 + 0", "0x0000000000000012 0 + 18"])
  func emptySlotBelowTheTrampoline(slot: String) throws {
    let text = """
      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   libsystem_kernel.dylib    0x00007fff8ea55866 __pthread_kill + 10
      1   libsystem_c.dylib         0x00007fff8ea55a66 abort + 127
      2   Board                     0x000000010805c84a handler + 12
      3   libmonobdwgc-2.0.dylib    0x0000000138309c15 mono_chain_signal + 79
      4   libmonobdwgc-2.0.dylib    0x0000000138309c85 mono_sigsegv_signal_handler + 41
      5   libsystem_platform.dylib  0x00007fff8c2b35aa _sigtramp + 26
      6   ???                       \(slot)
      7   libmonobdwgc-2.0.dylib    0x0000000138553000 GC_push_all + 476
      8   Board                     0x0000000108048f20 -[Board draw] + 7

      """
    let found = try crash(text)
    expectEqual(
      found.reason, "SIGSEGV arrived in GC_push_all or what it called, which Mono handled")
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  /// The collector called the null pointer, and the program the collector: the pointer is the
  /// library's.
  @Test func callsThroughNullInALibrary() throws {
    let text = """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000000

      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   libsystem_kernel.dylib    0x00007fff8ea55866 __pthread_kill + 10
      1   libsystem_c.dylib         0x00007fff8ea55a66 abort + 127
      2   Board                     0x000000010805c84a handler + 12
      3   libsystem_platform.dylib  0x00007fff8c2b35aa _sigtramp + 26
      4   ???                       0x0000000000000000 0 + 0
      5   libmonobdwgc-2.0.dylib    0x0000000138553000 GC_mark_some + 476
      6   Board                     0x0000000108048f20 -[Board draw] + 7

      """
    let found = try crash(text)
    let reason = "call through a null pointer; -[Board draw] called Mono"
    expectEqual(found.reason, reason)
    expectEqual(found.library != nil, true)
    expectTrue(summary(text).contains { $0.hasSuffix(": GC_mark_some — \(reason)") })
  }

  // MARK: Ends

  /// A frame of TCC that called the kernel ended the process; its handler of signals has no names.
  @Test(arguments: ["TCC", "Kit"])
  func privacyBelowAHandlerOfMono(library: String) throws {
    let found = try crash(
      """
      Native stacktrace:
      =================================================================
      \t0x10778cce8 - /private/var/Game.app/Game : (null)
      \t0x10778377c - /private/var/Game.app/Game : (null)
      \t0x1841f0894 - /usr/lib/system/libsystem_platform.dylib : <redacted>
      \t0x1842dfe58 - /usr/lib/system/libsystem_kernel.dylib : <redacted>
      \t0x18a741cac - /System/Library/PrivateFrameworks/\(library).framework/\(library) : <redacted>
      \t0x1840babe4 - /usr/lib/system/libxpc.dylib : <redacted>

      """)
    if library == "TCC" {
      expectEqual(found.kind, "privacy")
    } else {
      expectEqual(found.reason, "a signal arrived here, which Game handled")
    }
  }

  /// `abort()` says itself which signal it was, and the function of the library below it need not
  /// have a name.
  @Test(
    arguments: [
      ("libsystem_malloc.dylib", "heapDamage"), ("libc++abi.dylib", "cxxException"),
      ("TCC", "privacy"),
    ])
  func libraryThatAborts(library: String, kind: String) throws {
    let found = try crash(
      """
      Crashed: com.example.board.store
      0  libsystem_kernel.dylib  0x1856c3014 __pthread_kill + 8
      1  libsystem_c.dylib       0x185637400 abort + 140
      2  \(library)  0x185707a5c (null) + 330
      3  Board  0x104e71178 -[Board draw]

      """)
    expectEqual(found.kind, kind)
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  /// The return address of a call that never comes back is in the next function of the file.
  ///
  /// Source: github.com/facebook/react-native, React/Base/RCTAssert.m.
  @Test(arguments: ["RCTGetFatalHandler", "RCTSetFatalHandler"])
  func neighboursOfTheThrower(neighbour: String) throws {
    func text(_ caller: String) -> String {
      """
      Last Exception Backtrace:
      0   CoreFoundation   0x1a30d1d78 __exceptionPreprocess + 220
      1   libobjc.A.dylib  0x1bbd36734 objc_exception_throw + 60
      2   Game             0x103c8917c \(neighbour) + 0
      3   Game             0x103ca0d14 \(caller) + 148 (Caller.mm:1211)

      """
    }
    let bridge = try crash(text("-[RCTCxxBridge handleError:]"))
    expectEqual(bridge.kind, "javaScriptError")
    expectPrefix(bridge.reason ?? "", "fatal error of JavaScript, or of React Native's bridge")
    expectNil(bridge.frame)
    let other = try crash(text("-[Board draw]"))
    expectEqual(other.reason, "fatal JavaScript error (React Native)")
    expectEqual(other.frame?.function, "-[Board draw]")
  }

  // MARK: Crashlytics

  /// How its pages looked from 2013 to 2015.
  @Test func oldPagesOfCrashlytics() throws {
    let report = try JsonFixture.report(
      """
      EXC_BREAKPOINT UNKNOWN at 0x0000defe
      Thread : Crashed: com.apple.main-thread
      0  CoreData  0x2d3f9a76 -[NSManagedObjectContext _thereIsNoSadnessLikeTheDeathOfOptimism] + 33
      1  CoreData  0x2d3993ab -[NSManagedObjectContext save:] + 2354
      2  Game  0x002c1e87 -[Store save] (Store.m:67)

      """, with: [])
    expectEqual(report.exception.type, "EXC_BREAKPOINT")
    expectEqual(report.exception.subtype, "UNKNOWN at 0x0000defe")
    expectEqual(report.crash.kind, "failedCheck")
    expectPrefix(report.crash.reason ?? "", "Core Data stopped the process on purpose")
    expectEqual(report.crash.frame?.line, 67)
    expectEqual(report.backtraces.first?.crashed, true)
    let thrown = try JsonFixture.report(
      """
      Thread : Fatal Exception: NSRangeException
      0  CoreFoundation  0x2d3f9a76 __exceptionPreprocess + 130
      1  Game  0x002c1e87 -[Store save] (Store.m:67)

      """, with: [])
    expectEqual(thrown.exception.name, "NSRangeException")
    expectEqual(thrown.crash.frame?.line, 67)
  }
}
