import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons that stand near a stack: in its title, in a log above it, in a shell's line below it;
/// and what the frames of a stack without a reason say.
struct NearbyReasonTests {
  private func read(_ text: String) throws -> JsonReport { try JsonFixture.report(text, with: []) }

  private func headline(_ text: String) -> String {
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    return lines.dropFirst().first.map { String($0) } ?? ""
  }

  // MARK: Kotlin

  private func kotlin(_ above: String, mark: String = ".") -> String {
    """
    \(above)
    Invalid connection: com.example.deckd
            at 0   deck.kexe   0x00000001097e2269 kfun:kotlin.Error\(mark)<init>(kotlin.String?)kotlin.Error + 25 (/src/Exceptions.kt:14:5)
            at 1   deck.kexe   0x00000001097e1ad9 kfun:app.DeckError\(mark)<init>(kotlin.String)app.DeckError + 25 (/src/DeckError.kt:26:98)
            at 2   deck.kexe   0x00000001097e16fe kfun:kotlinx.coroutines.Task.run$core(kotlin.Throwable?)

    """
  }

  /// What `printStackTrace()` writes, with a line of the system's log below it. Until Kotlin 1.4
  /// the names of functions had no `#`. Other words in front of a colon are no class of Kotlin.
  ///
  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime (`Throwable.kt`).
  @Test(arguments: [
    ("app.DeckError: no cards", "Kotlin exception app.DeckError: no cards"),
    ("kotlin.Error: no cards", "kotlin.Error: no cards"),
    ("Error: no cards", nil), ("Deck says: app.DeckError: no cards", nil),
  ])
  func errorsOfKotlin(above: String, reason: String?) throws {
    let crash = try read(kotlin(above)).crash
    expectEqual(
      crash.reason,
      reason ?? "Kotlin exception app.DeckError, whose message is not on the stack")
    // The runtime is not the place, in a line that is cut, too.
    expectEqual(crash.library, "the Kotlin runtime")
  }

  /// Pages of crash SDKs leave images and addresses out. Above such a list may be a heading.
  ///
  /// Source: github.com/touchlab/SQLiter, sqliter-driver/src/nativeInterop/cpp, whose functions
  /// these are.
  @Test func framesOfKotlinWithoutAddresses() throws {
    let report = try read(
      """
      It ends now and then.

      **Exception**
      ```
      at 0   ThrowSql_SQLiteException
      at 1   android::throw_sqlite3_exception(int, char const*)
      at 2   kfun:co.touchlab.sqliter.Connection#create(kotlin.String){}
      at 3   kfun:app.Deck#open(kotlin.String){}
      ```

      """)
    expectEqual(
      report.crash.reason,
      "Kotlin exception SQLiteException for an error of SQLite, without its message, in"
        + " co.touchlab.sqliter.Connection.create")
    expectEqual(report.crash.frame?.function, "kfun:app.Deck#open(kotlin.String){}")
    expectEqual(report.backtraces.first?.frames.count, 4)
  }

  // MARK: Classes

  private func runtime(_ functions: String...) -> String {
    let names = functions + ["objc_msgSend"]
    let frames = names.enumerated().map { index, name in
      "    frame #\(index): 0x00007fff9aa1765d libobjc.A.dylib`\(name) + 12\n"
    }
    return """
      * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=2, address=0x1002431d8)
      \(frames.joined())  * frame #\(names.count): 0x00000001002339db Board`main + 75 at main.swift:17

      """
  }

  /// The first message to a class makes it ready: then the fault is in the class, and not in an
  /// object that was freed.
  ///
  /// Source: apple-oss-distributions/objc4, runtime/objc-runtime-new.mm.
  @Test func classesThatAreSetUp() throws {
    let crash = try read(
      runtime("realizeClass(objc_class*)", "_class_getNonMetaClass", "lookUpImpOrForward")
    ).crash
    expectEqual(crash.kind, "memoryProtection")
    expectEqual(crash.reason?.hasSuffix(", in realizeClass(objc_class*)"), true)
    expectEqual(crash.frame?.line, 17)
    expectEqual(try read(runtime("lookUpImpOrForward")).crash.kind, "freedObject")
    expectEqual(try read(runtime()).crash.kind, "freedObject")
  }

  // MARK: Sentences

  /// An exception with its code and function in Markdown; what explains it names other exceptions.
  @Test func exceptionInASentence() {
    expectEqual(
      headline(
        """
        # Fix the crash in the deck

        Fatal crash (`EXC_BAD_ACCESS` / `KERN_INVALID_ADDRESS at 0x10`) in `cards::vm::Deck::turn` on iOS.

        When a method of a module throws an `NSException`, the catch block makes an error of it.

        """), "cards::vm::Deck::turn — access through a null pointer, at offset 0x10")
  }

  // MARK: Rust

  private func panic(_ above: String) throws -> JsonReport {
    try read(
      """
      \(above)
      thread 'main' panicked at core/src/panicking.rs:221:5:
      panic in a function that cannot unwind
      stack backtrace:
         0: rust_begin_unwind
                   at /rustc/f6e511e/library/std/src/panicking.rs:662:5
         1: core::panicking::panic_nounwind_fmt
                   at /rustc/f6e511e/library/core/src/panicking.rs:122:5
         2: core::panicking::panic_cannot_unwind
                   at /rustc/f6e511e/library/core/src/panicking.rs:310:5
         3: board::turn
                   at ./src/turn.rs:7:5

      """)
  }

  /// Rust cannot say which exception of Objective-C wanted to leave a function. The log can.
  ///
  /// Source: github.com/rust-lang/rust, library/core/src/panicking.rs (`panic_cannot_unwind`).
  @Test(arguments: [
    (
      "2026-01-01 10:00:00.000 board[812:4711] -[Deck deal]: unrecognized selector sent to instance 0x7fc4",
      "-[Deck deal]: unrecognized selector sent to instance 0x7fc4"
    ),
    (
      "2026-01-01 10:00:00.000 board[812:4711] -[Deck deal]: 52 cards",
      "thread 'main' panicked at core/src/panicking.rs:221:5: panic in a function that cannot unwind"
    ),
    (
      "thread 'main' panicked at src/turn.rs:7:5:\nno cards\nnote: run with more",
      "thread 'main' panicked at src/turn.rs:7:5: no cards"
    ),
  ])
  func exceptionsThatMayNotLeave(above: String, reason: String) throws {
    let crash = try panic(above).crash
    expectEqual(crash.reason, reason)
    expectEqual(crash.frame?.function, "board::turn")
  }

  // MARK: Titles

  /// The code is the instruction that the processor refused, and this one begins every Mach-O file.
  ///
  /// Source: XNU, EXTERNAL_HEADERS/mach-o/loader.h (`MH_MAGIC_64`) and osfmk/arm64/sleh.c.
  @Test(arguments: [
    (
      "EXC_BAD_INSTRUCTION 0x00000000feedfacf",
      "0xfeedfacf was executed, which begins the header of a Mach-O file: a call through a bad"
        + " pointer to the start of an image"
    ),
    ("no instruction", nil),
  ])
  func instructionInATitle(title: String, reason: String?) throws {
    // The title is right above the frames, or far from them.
    for form in ["", String(repeating: "* a line of a form\n", count: 12)] {
      try expectReason(of: title, above: form, reason)
    }
  }

  private func expectReason(
    of title: String, above form: String, _ reason: String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let crash = try read(
      """
      # Crashed: com.apple.main-thread \(title)

      \(form)
      Crashed: com.apple.main-thread
      0  BoardKit                       0x102000000 turn_thread(void*) (.cold.1) + 656 (turn.cpp:656)
      1  BoardKit                       0xfaabb4 cards::Deck::run() + 196
      2  BoardKit                       0xfcaeb4 cards::Deck::deal() + 144
      3  BoardKit                       0xfc8694 cards::poll() + 116

      """
    ).crash
    expectEqual(crash.reason, reason, sourceLocation: sourceLocation)
    expectEqual(crash.frame?.function, "cards::Deck::run()", sourceLocation: sourceLocation)
  }

  // MARK: Shells

  /// The line of a shell right below what a compiler printed when it got a signal.
  ///
  /// Source: bash, jobs.c (`pretty_print_job`).
  @Test(arguments: [
    (
      "build: line 1:     3 Illegal instruction     (core dumped) /usr/bin/deckc Main.deck",
      "SIGILL"
    ),
    ("It ends in an illegal instruction.", nil),
    ("\nbuild: line 1:     3 Illegal instruction     (core dumped) /usr/bin/deckc Main.deck", nil),
  ])
  func shellsBelowStackDumps(below: String, signal: String?) throws {
    let report = try read(
      """
      Stack dump:
      0.    Program arguments: /usr/bin/deckc Main.deck
      /usr/bin/deckc[0x4be18f4]
      /lib/x86_64-linux-gnu/libpthread.so.0(+0x12730)[0x7f0d8e7c5730]
      /usr/bin/deckc[0x16392f3]
      /lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0xeb)[0x7f0d8e05a09b]
      \(below)

      """)
    expectEqual(report.exception.signal, signal)
  }

  // MARK: Stacks

  /// The start of all code that Dart compiled is the nearest symbol of each of its functions.
  ///
  /// Source: github.com/dart-lang/sdk, runtime/vm/dart_api_impl.h (`kDartVmSnapshotInstructions`).
  @Test func codeOfDart() {
    expectEqual(
      headline(
        """
        Thread 9 name: io.flutter.1.ui Crashed:
        0   App                             0x10eceed30         kDartVmSnapshotInstructions
        1   App                             0x10ef8dc34         kDartIsolateSnapshotInstructions
        2   App                             0x10f4b5c8c         kDartIsolateSnapshotInstructions

        """), "compiled Dart code (App 0x10eceed30) on thread io.flutter.1.ui")
  }

  private func outer(_ next: Int, crashed: Int = 0) -> String {
    """
    39  Board                         	       0x10473e498 turn_card + 24
    40  CoreFoundation                	       0x19795b1a0 __CFMachPortPerform + 248
    41  CoreFoundation                	       0x19792bbc4 CFRunLoopRunSpecific + 588
    46  Board                         	       0x10473e1e8 main + 700
    47  dyld                          	       0x1974c4274 start + 2840

    Thread \(next):
    0   libsystem_pthread.dylib       	       0x1978420e8 start_wqthread + 0

    Thread \(crashed) crashed with ARM Thread State (64-bit):
        x0: 0x00000001fdad2180   x1: 0x0000000000000000   x2: 0x0000000000000000   x3: 0x00006000021d1c40

    """
  }

  /// A text that begins within the thread that crashed: the next heading is that of the thread
  /// behind it, as Apple's reports list them. Else nobody knows whose frames these are.
  @Test func outerFramesOfTheCrash() {
    expectEqual(
      headline(outer(1)),
      "thread 0 crashed below turn_card in Board; its innermost frames are not in this text")
    expectEqual(
      headline(outer(3, crashed: 2)),
      "thread 2 crashed below turn_card in Board; its innermost frames are not in this text")
    expectEqual(headline(outer(3)), "thread 0 crashed; its frames are not in this text")
  }

  /// `_dispatch_client_callout()` lets no exception through, and the frames above are not in the
  /// text.
  ///
  /// Source: apple-oss-distributions/libdispatch, src/object.m.
  @Test(arguments: [
    (
      "_dispatch_client_callout + 28",
      "an exception left a block of dispatch; it is not named in this text"
    ),
    ("_deck_callout + 28", nil),
  ])
  func exceptionsInBlocks(caller: String, reason: String?) throws {
    let crash = try read(
      """
      6   libc++abi.dylib       0x00007fff9fbd5d49 std::__terminate(void (*)()) + 8
      7   libc++abi.dylib       0x00007fff9fbd5dc3 std::terminate() + 51
      8   libdispatch.dylib     0x00007fffa0fe4910 \(caller)
      9   libdispatch.dylib     0x00007fffa0fe48b9 dispatch_once_f + 38
      10  libswiftCore.dylib    0x000000010b1903b9 swift_once + 25
      11  com.example.board     0x00000001077dd812 0x1076eb000 + 993298

      """
    ).crash
    expectEqual(crash.reason, reason)
  }

  /// What is above a method that throws for its argument was left out.
  ///
  /// Source: developer.apple.com/documentation/foundation/nsstring, `stringWithString:`.
  @Test(arguments: [
    (
      "+[NSString stringWithString:] + 33",
      "nil as a string argument: exception thrown by +[NSString stringWithString:]"
    ),
    ("+[NSString stringWithFormat:] + 33", nil),
  ])
  func throwersAtTheStart(first: String, reason: String?) throws {
    let crash = try read(
      """
      11  com.apple.Foundation          	0x00007fff31156c60 \(first)
      12  com.example.board             	0x000000010add2e5d 0x10ad4e000 + 544349
      13  com.example.board             	0x000000010add0669 0x10ad4e000 + 534121
      19  com.apple.Foundation          	0x00007fff3111f7a2 __NSThread__start__ + 1064
      20  libsystem_pthread.dylib       	0x00007fff68c90109 _pthread_start + 148

      """
    ).crash
    expectEqual(crash.reason, reason)
  }

  /// The system's innermost function says what failed if nothing else does. One that waits failed
  /// in nothing.
  @Test(arguments: [
    ("libsystem_platform.dylib", "os_unfair_lock_lock", true),
    ("libsystem_kernel.dylib", "mach_msg_trap", false),
    ("libsystem_kernel.dylib", "__psynch_mutexwait", false),
  ])
  func calledFunctions(image: String, function: String, isSaid: Bool) throws {
    let text = """
      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      0   \(image)      	       0x18e8a483c \(function) + 12
      1   CoreFoundation                	       0x18e8f8f38 -[__NSArrayM dealloc] + 76
      2   Board                         	       0x1020d83c4 Board.turn() + 328 (Board.swift:15)

      """
    let line = headline(text)
    expectEqual(line.contains("Board.swift:15 in Board.turn()"), true)
    expectEqual(line.hasSuffix(" — crashed in \(function)"), isSaid)
    let crash = try read(text).crash
    expectEqual(crash.frame?.function, "Board.turn()")
    expectEqual(crash.systemFrame?.function, isSaid ? function : nil)
    for form in [OutputForm.html, .markdown] {
      let page = JsonFixture.output(text.utf8, as: form, with: [])
      expectEqual(page.contains("Crashed in \(function)"), isSaid, "\(form)")
    }
  }

  // MARK: Frames without images

  @Test func framesOfAddressAndFunction() throws {
    let text = """
      Thread 9 Crashed:
      0   0x000000010a71d0ac board::Deck<void>::deal() + 76
      1   0x000000010a840d10 board::thread::run() + 964

      """
    expectEqual(headline(text), "board::Deck<void>::deal()")
    let frames = try read(text).backtraces.first?.frames ?? []
    expectEqual(frames.map(\.address), ["0x10a71d0ac", "0x10a840d10"])
    // A list of values has no distances.
    expectNoReport("Thread 9 Crashed:\n0   0x000000010a71d0ac first\n1   0x000000010a840d10 next\n")
  }

  // MARK: The first instruction

  private static let callers = """
    Thread 0 Crashed:
    0   Board  0x0000000100001010 deal + 16
    1   Board  0x0000000100001110 main + 16


    """

  /// A stack pointer of 0 is that of no function; where all registers are 0, they are not known.
  /// Where a function has a caller, somebody overwrote it.
  @Test(arguments: [
    ("0x0000000000000000", "0x00007fff5fc01028", "", true),
    ("0x0000000000000000", "0x0000000000000000", "", false),
    ("0x00007ffee1234560", "0x00007fff5fc01028", "", false),
    ("0x0000000000000000", "0x0000000100001010", callers, false),
  ])
  func threadsWithoutAStack(
    stack: String, counter: String, frames: String, hasNone: Bool
  ) throws {
    let crash = try read(
      """
      Process:         Board [7]
      Code Type:       X86-64 (Native)
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x00007fff5fc01028

      \(frames)Unknown thread crashed with X86 Thread State (64-bit):
        rdi: 0x0000000000000000  rsi: 0x0000000000000000  rbp: 0x0000000000000000  rsp: \(stack)
        rip: \(counter)  rfl: 0x0000000000010203  cr2: 0x00007fff5fc01028

      Binary Images:
      0x100000000 - 0x100001fff +Board (1.0) <11111111-2222-3333-4444-555555555555> /Board

      """
    ).crash
    expectEqual(
      crash.reason
        == "the stack pointer is 0: the thread had no stack, so no function had run yet", hasNone)
  }

  // MARK: What handlers print

  private static let thrown = """
    0   CoreFoundation  0x00000001142701e6 __exceptionPreprocess + 294
    1   libobjc.A.dylib 0x00000001126ea031 objc_exception_throw + 48
    2   Board           0x000000010b496daa -[Deck deal] + 90

    """

  /// React Native's words are those of RCTModuleMethod.mm.
  @Test func nativeModulesThatThrow() {
    let line = headline(
      "2018-06-19 16:48:57 Board[7:9] Exception 'No cards' was thrown while invoking deal on target"
        + " Deck with params (\n)\ncallstack: (\n" + Self.thrown)
    expectEqual(line.hasPrefix("-[Deck deal] — "), true, line)
    expectEqual(line.contains("No cards"), true, line)
  }

  @Test func namesOfSignals() {
    let line = headline(
      """
      Received fatal signal Segmentation fault (11) on main thread

      stack trace: (
      \t0   Board                     0x00000001032f8039 callStack + 73
      \t1   Board                     0x000000010324d6f3 signal_handler + 307
      \t2   libsystem_platform.dylib  0x00007fff20566d7d _sigtramp + 29
      \t3   Board                     0x00000001032c0b77 -[Deck deal] + 541
      )

      """)
    expectEqual(line.contains("SIGSEGV"), true, line)
    expectEqual(line.hasPrefix("-[Deck deal] — "), true, line)
  }

  /// What the runtime of Kotlin/Native guards shared objects with is not the place.
  @Test(arguments: [
    "(anonymous namespace)::throwIllegalSharingException(ObjHeader*)",
    "ObjHeader* BackRefFromAssociatedObject::ref<(ErrorPolicy)3>() const",
    "-[KotlinBase toKotlin:]", "objc2kotlin.7",
  ])
  func guardsOfKotlin(function: String) {
    let line = headline(
      """
      Thread 0 Crashed:
      0   shared  0x0000000104a1c2f0 \(function) + 84
      1   Board   0x0000000102a1c2f0 deal() + 48 (Deck.swift:97)

      """)
    expectEqual(line.hasPrefix("Deck.swift:97 in deal()"), true, line)
  }
}
