import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Words of glibc, JUCE and CrashWrangler, faults while an exception was being thrown, and stacks
/// that people copied in part or twice.
struct ThrowAndHeapTests {
  // MARK: Allocators

  /// A program may bring its own allocator, whose functions are of no interest to who called it.
  /// The functions that may be replaced: ISO C++, [replacement.functions].
  @Test(
    arguments: [
      (["list_remove", "pool_free", "operator delete(void*)"], "Card::~Card()", true),
      (["mi_page_collect", "mi_malloc", "operator new[](unsigned long)"], "Card::~Card()", true),
      (["free"], "Card::~Card()", true), (["chunk_split", "malloc"], "Card::~Card()", true),
      // Other functions are called so, too.
      (["list_remove", "Pool::free(void*)"], "list_remove", false),
      (["list_remove", "freeCard"], "list_remove", false),
    ])
  func ownAllocators(names: [String], function: String, isHeap: Bool) throws {
    let frames = (names + ["Card::~Card()", "Deck::clear()", "main"]).enumerated().map {
      "    frame #\($0.offset): 0x00000001000f0\(100 + $0.offset) Game`\($0.element) + 48\n"
    }
    let report = try JsonFixture.report(
      "* thread #1, queue = 'q', stop reason = EXC_BAD_ACCESS (code=1, address=0x18)\n"
        + frames.joined(), with: [])
    expectEqual(report.crash.frame?.function, function)
    expectEqual(report.crash.kind, isHeap ? "heapDamage" : "nullPointer")
    let null = "access through a null pointer, at offset 0x18"
    expectEqual(report.crash.reason?.hasPrefix(null), true)
    expectEqual(report.crash.reason != null, isHeap)
    let signature = isHeap ? "Card::~Card | Deck::clear" : "list_remove | "
    expectEqual(report.signature?.text.hasPrefix("EXC_BAD_ACCESS | \(signature)"), true)
  }

  /// The system's allocator has names of its own, and never calls the program. One of
  /// the program's may stop the process on purpose, for want of memory too.
  @Test(
    arguments: [
      (
        "EXC_BAD_ACCESS", "libsystem_malloc.dylib", ["tiny_free_no_lock", "free_tiny"],
        "access through a null pointer, at offset 0x18, in tiny_free_no_lock below free_tiny: the heap is damaged, or the pointer is none of its blocks, most likely"
      ),
      (
        "EXC_BAD_ACCESS", "libsystem_malloc.dylib", ["tiny_malloc_from_free_list", "szone_malloc"],
        "access through a null pointer, at offset 0x18, in tiny_malloc_from_free_list below szone_malloc: the heap was damaged before, most likely"
      ),
      (
        "EXC_BREAKPOINT", "Game", ["pool_check", "operator delete(void*)"],
        "stopped by a trap instruction: a failed check, or a crash on purpose, in pool_check below operator delete: the heap is damaged, or the pointer is none of its blocks, most likely"
      ),
      (
        "EXC_BREAKPOINT", "Game", ["pool_check", "operator new(unsigned long)"],
        "stopped by a trap instruction: a failed check, or a crash on purpose"
      ),
    ])
  func checksOfAllocators(type: String, image: String, names: [String], reason: String) throws {
    let isTrap = type == "EXC_BREAKPOINT"
    let frames = names.enumerated().map {
      "\($0.offset)   \(image)      \t0x00000001a00001\($0.offset)0 \($0.element) + 48\n"
    }
    let found = try JsonFixture.report(
      "Process: Game [8]\nPath: \(TrapReportFixture.bundlePath)\nException Type:  \(type)\n"
        + (isTrap ? "" : "Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000018\n")
        + "\nThread 0 Crashed:\n\(frames.joined())2   Game      \t0x0000000100001000 Card::turn() + 8\n",
      with: []
    ).crash
    expectEqual(found.reason, reason)
    expectEqual(
      found.frame?.function, names[1].hasPrefix("operator new") ? "pool_check" : "Card::turn()")
  }

  // MARK: Words

  private static let bareEnd =
    "std::terminate() was called with no exception in flight (libc++abi: terminating)"

  /// What libc++abi (cxa_default_handlers.cpp) leaves in a report, without its name; what glibc
  /// (malloc/malloc.c, and libc_fatal.c before 2.26) prints, in logs, headings and quotations, and
  /// cut; JUCE's `logAssertion`.
  @Test(
    arguments: [
      (
        "abort() called\nterminating with uncaught exception of type NSException\n",
        "terminating with uncaught exception of type NSException"
      ),
      ("libc++abi: terminating\n", Self.bareEnd), ("libc++abi.dylib: terminating\n", Self.bareEnd),
      (
        "> terminating due to uncaught exception of type deck::Error: no cards\n",
        "terminating due to uncaught exception of type deck::Error: no cards"
      ),
      ("double free or corruption (!prev)\n", "double free or corruption (!prev)"),
      ("[web] malloc(): corrupted top size\nAborted\n", "malloc(): corrupted top size"),
      (
        "*** Error in `./board': free(): invalid pointer: 0x00007f8bcc000078 ***\n",
        "free(): invalid pointer"
      ),
      (
        "# Crashes with munmap_chunk(): invalid pointer\n\nIt crashed.\n",
        "munmap_chunk(): invalid pointer"
      ),
      (
        "The server stops with `corrupted size vs. prev_size` and is aborted.\n",
        "corrupted size vs. prev_size"
      ),
      ("10:00:00 turn 7\nfree(): inval", "free(): inval"),
      (
        "JUCE Assertion failure in deck_Cards.cpp:12\nThen the host crashed.\n",
        "JUCE Assertion failure in deck_Cards.cpp:12"
      ),
    ])
  func words(text: String, reason: String) throws { try expectReason(text, reason) }

  /// Lists of what glibc may print, questions about it, code, and programs that go on after an
  /// assertion.
  @Test(
    arguments: [
      "free(): invalid pointer\nfree(): invalid size\n",
      "glibc prints `free(): invalid pointer` for a pointer that is none.\n",
      "# free(): invalid pointer\n\nThis page explains the message.\n",
      "What does free(): invalid pointer mean? My program crashed.\n",
      "malloc_printerr (\"free(): invalid pointer\");\n",
      "free(): it gives memory back.\n", "free(): invalid po\nand more\n",
      "JUCE Assertion failure in deck_Cards.cpp:12\nturn 7\n",
      "The terminating with uncaught exception of type X is what it says.\n",
      "access_type=write:access_address=0x10: are fields.\n",
    ])
  func otherWords(text: String) { expectNoReport(text) }

  /// The line above a report that CrashWrangler prints; 0xbbadbeef is that of WebKit's `CRASH()`
  /// (Source/WTF/wtf/Assertions.h).
  @Test(
    arguments: [
      ("write", "bbadbeef", "WebKit's CRASH(), which writes to 0xbbadbeef: a failed check"),
      ("read", "0000000000000010", "access through a null pointer, at offset 0x10"),
    ])
  func crashWrangler(access: String, address: String, reason: String) throws {
    let line =
      "exception=EXC_BAD_ACCESS:signal=11:is_exploitable= no:instruction_disassembly=movl\t$1,(%rax)"
      + ":instruction_address=0x0000000100001000:access_type=\(access):access_address=0x\(address):\n"
    try expectReason(line, reason)
    let report = try JsonFixture.report(
      line + "Crash accessing invalid address.\n\nProcess:         Board [812]\n"
        + "Path:            /tmp/Board\nCrashed Thread:  0\n", with: [])
    expectEqual(report.crash.reason, reason)
  }

  // MARK: Faults

  private typealias Report = TrapReportFixture

  private func reason(_ lines: [String]) throws -> String? {
    try Report.crash(
      lines + [Report.stated(lines.count, 0x1_0000_1000, Report.own)],
      head: """
        Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
        Exception Subtype: UNKNOWN_0xD at 0x0000000000000000
        Exception Codes: 0x000000000000000d, 0x0000000000000000

        """
    ).reason
  }

  private func line(_ index: Int, _ image: String, _ content: String) -> String {
    ReportFixture.line(index, 0x1_a000_0000, image: image, content)
  }

  /// Itanium C++ ABI, Exception Handling: `__cxa_throw` calls `_Unwind_RaiseException`.
  @Test func faultsWhileThrowing() throws {
    let unwinder = line(0, "libunwind.dylib", "_Unwind_RaiseException + 399")
    let thrown = line(1, "libc++abi.dylib", "__cxa_throw + 61")
    let said = "; what the exception says is not on the stack"
    expectEqual(
      try reason([
        unwinder, thrown, line(2, "libobjc.A.dylib", "objc_exception_throw + 321"),
        line(3, "CoreFoundation", "+[NSException raise:format:] + 226"),
        line(4, "AVFAudio", "-[AVAudioNode tap:] + 596"),
      ]),
      "bad access while an Objective-C exception (NSException) was being thrown by -[AVAudioNode tap:]\(said)"
    )
    expectEqual(
      try reason([unwinder, thrown]),
      "bad access while a C++ exception was being thrown by -[Board draw]\(said)")
    // The exception itself is no object, or nobody throws.
    for lines in [
      [
        line(0, "libobjc.A.dylib", "objc_msgSend + 8"),
        line(1, "libobjc.A.dylib", "objc_exception_throw + 321"),
      ],
      [unwinder, line(1, "libunwind.dylib", "_Unwind_Resume + 8")],
    ] {
      expectEqual(try require(reason(lines)).contains("being thrown"), false)
    }
  }

  /// React Native's RCTTurboModule.mm converts what a method without a result throws on the queue
  /// of the module.
  @Test(arguments: ["convertNSExceptionToJSError", "convertNSArrayToJSIArray"])
  func exceptionOfAnotherThread(function: String) throws {
    let other =
      "Thread 3:\n"
      + line(0, "React", "facebook::react::TurboModuleConvertUtils::\(function)(NSObject*) + 8")
    let found = try Report.crash(
      [line(0, "hermes", "hermes::vm::DictPropertyMap::findOrAdd(hermes::vm::Runtime&) + 52")],
      head: """
        Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
        Exception Subtype: KERN_INVALID_ADDRESS at 0x0000800000000099
        Exception Codes: 0x0000000000000001, 0x0000800000000099

        """, after: "\n\(other)\n")
    let isConverting = function == "convertNSExceptionToJSError"
    expectEqual(
      found.reason?.hasSuffix(
        "; meanwhile thread 3 was making a JavaScript error of a native module's NSException, which"
          + " only the JavaScript thread may do"), isConverting)
  }

  // MARK: Stacks

  /// Xcode's copy, with types that Swift's demangler writes out, ends within a path.
  @Test func closuresWithTypes() throws {
    try expectReason(
      """
      Thread 1 Queue : com.apple.main-thread (serial)
      #0\t0x0000000194dd557c in _swift_runtime_on_report ()
      #1\t0x0000000194af5860 in closure #1 (Swift.Int) -> () in closure #1 (Swift.Int) -> () in Swift._assertionFailure(_: Swift.StaticString) -> Swift.Never ()
      #2\t0x0000000194af5440 in Swift._assertionFailure(_: Swift.StaticString) -> Swift.Never ()
      #3\t0x0000000103dc36c0 in static Board.turn() at /Users/owl/boa
      """,
      "Swift fatal error or failed precondition, without its message", in: "static Board.turn()")
  }

  /// People show a stack as it was, and then with the functions that they looked up.
  @Test(arguments: [("0x0000000109b639b8", 12), ("0x0000000109b639b9", nil)])
  func stackShownTwice(address: String, line: Int?) throws {
    let crash = try JsonFixture.report(
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000010
      Triggered by Thread:  16

      Thread 16 Crashed:
      0   Board               \t0x0000000109b639b8 0x109b54000 + 63928
      1   Board               \t0x0000000109b639a0 0x109b54000 + 63904

      Thread 16 Crashed:
      0   Board               \t\(address) -[Board turn] (Board.m:12)
      1   Board               \t0x0000000109b639a0 -[Board draw] (Board.m:7)

      """, with: []
    ).crash
    expectEqual(crash.frame?.line, line)
  }

  /// JetBrains' debuggers list frames without source code as names and addresses.
  @Test func namesAndAddresses() throws {
    let stack = "_os_object_retain 0x0000000190dcee24\nDeck::next() 0x0000000192c04a4c\n-[Bo"
    let text = try CrashLogParser.parse(
      Array("It crashed.\n\n### Stacktrace\n\n```shell\n\(stack)".utf8))
    let frames = try require(text.first?.crashedThread?.frames)
    expectEqual(frames.map { $0.symbol?.name }, ["_os_object_retain", "Deck::next()"])
    expectEqual(frames.map { $0.address?.value }, [0x1_90dc_ee24, 0x1_92c0_4a4c])
    // No heading, no crash, one frame, and sentences.
    expectNoReport("It crashed.\n\n\(stack)")
    expectNoReport("It waits.\n\n### Stacktrace\n\(stack)")
    expectNoReport("It crashed.\n\n### Stacktrace\n_os_object_retain 0x0000000190dcee24\n")
    expectNoReport("It crashed.\n\nBacktrace:\nsee 0x0000000190dcee24\nand so 0x0000000192c04a4c\n")
  }

  /// A title of Xcode's Organizer.
  @Test func titleWithFunction() throws {
    let name = "libdeck.dylib: _deck_free.cold.2 + 36"
    let text = try CrashLogParser.parse(Array("# App crashes at \(name)\n\nWhy?\n".utf8))
    let frame = try require(text.first?.crashedThread?.frames.first)
    expectEqual(frame.imageName, "libdeck.dylib")
    expectEqual(frame.symbol?.name, "_deck_free.cold.2")
    expectEqual(frame.symbol?.offset, 36)
    expectNoReport("# How fast is \(name)\n\nWhy?\n")
    expectNoReport("App crashes at \(name)\n\nWhy?\n")
  }

  /// Nothing says how the process ended but that its innermost functions are the allocator's.
  @Test(
    arguments: [
      (
        ["libsystem_malloc.dylib nanov2_pointer_size", "libsystem_malloc.dylib nanov2_free"],
        "crashed in free() (nanov2_pointer_size): a bad pointer, or a damaged heap"
      ),
      (
        [
          "libsystem_malloc.dylib tiny_malloc_from_free_list",
          "libsystem_malloc.dylib szone_malloc",
        ],
        "crashed in malloc() (tiny_malloc_from_free_list): the heap was damaged before"
      ),
      (["libsystem_kernel.dylib __ulock_wait", "libsystem_malloc.dylib szone_free"], nil),
    ])
  func inTheAllocator(frames: [String], reason: String?) throws {
    let all = frames + ["CoreFoundation _CFRelease", "Board Deck.deinit"]
    let lines = all.enumerated().map { index, frame in
      let parts = frame.split(separator: " ")
      return "\(index)  \(parts[0])   0x19321de0\(index) \(parts[1]) + 60\n"
    }
    let stack = lines.joined()
    let found = try JsonFixture.report("Thread 3 Crashed:\n\(stack)\n", with: []).crash
    expectEqual(found.reason, reason)
    // A page of a crash service, or a list that a program made of its own stack.
    let page = try JsonFixture.report("com.apple.main-thread\n\(stack)", with: []).crash
    expectEqual(page.reason, reason?.hasPrefix("crashed in free") == true ? reason : nil)
    let sample = "Thread 3:\n\(stack)\n\nThread 4:\n0  Board   0x19321de00 f + 60\n"
    let other = try JsonFixture.report("Process: Board [8]\n\n\(sample)", with: []).crash
    expectEqual(other.kind == "heapDamage", false)
  }
}
