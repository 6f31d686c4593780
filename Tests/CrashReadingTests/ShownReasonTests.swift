import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons that must not be taken from what a program says about itself, from the cut copy of a
/// statement, or from a stack that breaks off; and the shapes in which pages and old systems show
/// them.
struct ShownReasonTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Words of the program about itself

  private static func information(
    _ lines: String, exception: String = "EXC_BAD_ACCESS (SIGSEGV)",
    codes: String = "EXC_I386_GPFLT"
  ) -> String {
    """
    Process:         board [812]
    Path:            /usr/local/bin/board
    Identifier:      board
    Code Type:       X86-64 (Native)
    Exception Type:  \(exception)
    Exception Codes: \(codes)

    Application Specific Information:
    \(lines)

    Thread 0 Crashed:
    0   board   0x0000000100001234 draw_cards + 12
    1   board   0x0000000100001034 main + 12

    """
  }

  private static let built = """

    Compiled (64-bit) with Deck 3.18.2, with Cards 1.14.2, without
    Jokers, with Tables.

    Running on Mac OS X 10.11.1, with locale
    zh_CN.UTF-8, with
    """

  /// Wireshark (wsutil/crash_info.c) leaves its version and those of its libraries there, and the
  /// X server of macOS (hw/xquartz/darwin.c) the date of its build.
  @Test(arguments: [
    "Board 1.12.8 (Git Rev Unknown from unknown)\n\(built)",
    "board v1.12.8 (v1.12.8-0-g1a2b3c)\n\(built)", "board 1.12.8",
    "D.Deck Board Server 1.4.2-apple33 Build Date: 20090617",
  ])
  func banners(lines: String) throws {
    let found = try crash(Self.information(lines))
    expectPrefix(found.reason ?? "", "general protection fault")
    expectEqual(found.frame?.function, "draw_cards")
    let null = try crash(
      Self.information(lines, codes: "KERN_PROTECTION_FAILURE at 0x0000000000000000"))
    expectEqual(null.reason, "access through a null pointer")
  }

  /// What else stands there says why, below a banner too.
  @Test(arguments: [
    ("board 1.12.8 (v1)\nCompiled with\nDeck.\nThe deck is empty", "The deck is empty"),
    ("board 1.12.8 (v1)\nThe deck is empty", "The deck is empty"),
    ("board 7 cards are missing", "board 7 cards are missing"),
    ("deck 1.12.8 (v1) is too old for board", "deck 1.12.8 (v1) is too old for board"),
    ("The last Build Date: unknown", "The last Build Date: unknown"),
  ])
  func noBanners(lines: String, reason: String) throws {
    let text = Self.information(
      lines, exception: "EXC_CRASH (SIGABRT)",
      codes: "0x0000000000000000, 0x0000000000000000")
    expectEqual(try crash(text).reason, reason)
  }

  // MARK: Statements that stand twice

  /// dyld's reason is in the termination and among the application's information, with the real
  /// path there (dyld, dyld/DyldProcessConfig.cpp).
  @Test(arguments: [
    ("Library not loaded: /opt/deck/lib/li", false), ("Library not loaded: /o", true),
    ("Library not loaded: /opt/deck/lib/libcards.5.dylib", true),
  ])
  func cutCopies(copy: String, isShown: Bool) throws {
    let reason = try require(
      try crash(
        """
        Process:             board [812]
        Exception Type:      EXC_CRASH (SIGABRT)
        Crashed Thread:      0

        Termination Reason:  Namespace DYLD, Code 1 Library missing
        Library not loaded: /opt/*/libcards.5.dylib
        Referenced from: /Applications/Board.app/Contents/MacOS/board

        Application Specific Information:
        \(copy)
        """
      ).reason)
    expectEqual(reason.contains("/opt/*/libcards.5.dylib"), !isShown)
  }

  /// Somebody wraps the reason, or a page has marks around it.
  @Test(arguments: [
    (
      "  NSGenericException: 'The deck should only be shuffled on the\n   main table!'\n",
      "The deck should only be shuffled on the main table!"
    ),
    (
      "NSGenericException: \"The deck isn't\n  there, or has\n  no cards\"\n",
      "The deck isn't there, or has no cards"
    ),
    ("NSGenericException: 'No cards'\n", "No cards"),
    // The mark is not closed.
    ("NSGenericException: 'No cards\n\nThat was all'\n", "'No cards"),
  ])
  func quotedReasons(text: String, reason: String) throws {
    expectEqual(try crash(text).reason, "NSGenericException: \(reason)")
  }

  // MARK: Stacks

  private static func abort(_ rest: String) -> String {
    """
    Thread 3 Crashed:
    0   libsystem_kernel.dylib  0x00007fff961b5f06 __pthread_kill + 10
    1   libsystem_c.dylib       0x00007fff9023c6df abort + 129
    2   libc++abi.dylib         0x00007fff95fddc11 abort_message + 257
    3   libc++abi.dylib         0x00007fff96003e17 default_terminate_handler() + 267
    4   libobjc.A.dylib         0x00007fff8d845491 _objc_terminate() + 103
    5   libc++abi.dylib         0x00007fff9600100e std::__terminate(void (*)()) + 8
    6   libc++abi.dylib         0x00007fff96000a7a __cxa_throw + 121
    \(rest)
    """
  }

  /// `objc_exception_throw()` calls `__cxa_throw`, too (objc4, runtime/objc-exception.mm).
  @Test(arguments: [
    ("7   libobjc.A.dylib", "uncaught exception, which the report does not name"),
    ("", "uncaught exception, which the report does not name"),
    (
      "7   libobjc.A.dylib         0x00007fff8d845123 0x7fff8d840000 + 20771\n",
      "uncaught Objective-C exception, which the report does not name"
    ),
    (
      "7   Board                   0x0000000100001234 Deck::deal() + 12\n", "uncaught C++ exception"
    ),
  ])
  func throwers(rest: String, reason: String) throws {
    expectEqual(try crash(Self.abort(rest)).reason, reason)
  }

  /// GLib's allocator of slices (glib/gslice.c, up to version 2.74).
  @Test func slicesOfGLib() throws {
    func text(_ caller: String, _ image: String = "libglib-2.0.0.dylib") -> String {
      """
      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x000000018c9a511c __pthread_kill + 8
      1   libsystem_c.dylib       0x000000018c8eca40 abort + 180
      2   \(image)     0x0000000102595804 mem_error + 144
      3   \(image)     0x0000000102594c24 \(caller) + 320
      4   \(image)     0x0000000102594760 g_slice_free1 + 636
      5   libboard.17.dylib       0x000000010c4f6888 deck_free + 52

      """
    }
    let found = try crash(text("slab_allocator_free_chunk"))
    expectEqual(found.kind, "heapDamage")
    expectEqual(found.frame?.function, "deck_free")
    // There is no memory; and a program's own function.
    expectEqual(
      try crash(text("allocator_add_slab")).reason, "GLib ended the process with abort()")
    expectEqual(try crash(text("deck_check", "libcards.0.dylib")).reason, "abort() was called")
  }

  /// Breakpad's `minidump_stackwalk` (processor/stackwalk_common.cc), cut in the registers of the
  /// first frame.
  @Test func oneFrameOfAMinidump() throws {
    let found = try crash(
      """
      Operating system: Mac OS X
                        12.5.0
      CPU: arm64

      Crash reason:  EXC_BREAKPOINT / 0x00000001
      Crash address: 0x10b18202c

      Thread 0 (crashed)
       0  Board Framework!deck::Shuffler::Work(deck::Time, unsigned long) [shuffler.cc : 2171 + 0x0]
           x0 = 0x0000000d56d6b2dd    x1 = 0xfffffe40c1139387
           x2 = 0xfffffe40c1139387    x3 = 0x0000
      """)
    expectEqual(found.frame?.function, "deck::Shuffler::Work(deck::Time, unsigned long)")
    expectEqual(found.frame?.line, 2171)
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("Thread 0\n 0  Hello World!deck [a.cc : 2 + 0x0]\nbye\n".utf8))
    }
  }

  /// The address is that of an access only if the exception is one; else it is that of the
  /// instruction.
  @Test func exceptionOfAMinidumpWithoutCodes() throws {
    let report = try JsonFixture.report(
      """
      Operating system: Mac OS X
      CPU: amd64

      Crash reason:  EXC_SOFTWARE / SIGABRT
      Crash address: 0x7fff8981c286

      Thread 0 (crashed)
       0  libsystem_kernel.dylib + 0x16286
          rip = 0x00007fff8981c286   rsp = 0x00007fff5c150e38
          Found by: given as instruction pointer in context
       1  Board + 0x59f9
          Found by: stack scanning

      """, with: [])
    expectEqual(report.exception.codes, [])
    expectEqual(report.exception.subtype, "SIGABRT")
  }

  /// The issues that Bugsnag opens show the functions of the program alone.
  @Test(arguments: [
    ("Board/Deck.m:243 - -[Deck tableView:deal:]", "-[Deck tableView:deal:]"),
    ("Board/Deck.m:243 - unused_variable", nil), ("Board/Deck.m:243 - see there", nil),
  ])
  func functionsBehindFiles(line: String, function: String?) throws {
    let found = try crash(
      """
      ## Error in Board

      **NSRangeException** in **Deck**
      *** -[__NSArrayM objectAtIndex:]: index 7 beyond bounds [0 .. 0]

      ## Stacktrace

          \(line)

      [View full stacktrace](https://app.example.com/x)

      """)
    expectEqual(
      found.reason, "NSRangeException: -[__NSArrayM objectAtIndex:]: index 7 beyond bounds [0 .. 0]"
    )
    expectEqual(found.frame?.function, function)
    expectEqual(found.frame?.line, function == nil ? nil : 243)
  }

  /// An archive of mail puts each break on a line of its own, and the mail program broke lines. The
  /// innermost frame and the lower ones belong to one stack.
  @Test func reportsInPagesOfMail() throws {
    let report = try JsonFixture.report(
      """
      <div class="links">
      <a href="date.php">Date</a>
      </div>
      <p>Process:         board [854]
      <br>
      Path:            /opt/board/bin/board
      <br>
      <p>Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      <br>
      Crashed Thread:  0
      <br>
      <p>Application Specific Information:
      <br>
      *** Terminating app due to uncaught exception 'NSInvalidArgumentException',
      <br>
      reason: '*** -[Deck&lt;0x216910&gt; finalize]: called when
      <br>
      collecting not enabled'
      <br>
      <p>Thread 0 Crashed:
      <br>
      0   com.apple.CoreFoundation       0x917dffb4
      <br>
      ___TERMINATING_DUE_TO_UNCAUGHT_EXCEPTION___ + 4
      <br>
      1   libobjc.A.dylib               0x91255e3b objc_exception_throw + 40
      <br>
      2   com.apple.CoreFoundation       0x917e701d -[NSObject finalize] + 157
      <br>
      3   cards.so                       0x0019bf8b -[DeckClient dealloc] + 59
      <br>
      (object.h:403)
      <br>
      4   board                          0x00002702 shuffle + 2202 (shuffle.c:496)
      <br>
      5   board                          0x00001b06 main + 24 (main.c:14)
      <br>
      6   board                          0x00001ac2 start + 54
      <br>
      <p><hr>

      """, with: [])
    expectEqual(report.backtraces.map { $0.frames.map(\.index) }, [[0, 1, 2, 3, 4, 5, 6]])
    expectEqual(report.crash.frame?.function, "-[DeckClient dealloc]")
    expectEqual(
      report.crash.reason,
      "NSInvalidArgumentException: *** -[Deck<0x216910> finalize]: called when collecting not enabled"
    )
  }

  // MARK: Bad accesses

  /// The end of a report of Mac OS X 10.4 (Technical Note TN2123), which has functions of the
  /// kernel's page under no name.
  @Test(arguments: ["", "    "])
  func exceptionsOfOldSystems(indentation: String) throws {
    let text = """
      Exception:  EXC_BAD_ACCESS (0x0001)
      Codes:      KERN_INVALID_ADDRESS (0x0001) at 0x3fffd0d6

      Thread 0 Crashed:
      0   <<00000000>> \t0xffff0ac4 __memcpy + 804 (cpu_capabilities.h:228)
      1   board \t0x0000a5a7 0x1000 + 38311
      2   board \t0x000041c8 0x1000 + 12744

      """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let report = try JsonFixture.report(
      lines.map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n"), with: [])
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(
      report.crash.reason, "access to 0x3fffd0d6, where no memory is mapped, in __memcpy")
    expectEqual(report.crash.frame?.index, 1)
  }

  /// A line of a log is no head.
  @Test func exceptionsOfLogs() throws {
    let text =
      "Exception:  deck (0x0001)\nIt went on.\n\nThread 0 Crashed:\n0   board   0x00001234 f + 1\n"
    expectEqual(try JsonFixture.report(text, with: []).exception.type, nil)
  }

  /// Below the main thread's stack of 8 MB (on ARM less 16 kB), the rest of 64 MB may not be used
  /// (XNU, bsd/arm/vmparam.h and bsd/i386/vmparam.h).
  @Test(arguments: [
    ("0x16b878000-0x16f07c000", "0x16f07bfe0", "ARM-64", "stack overflow"),
    ("0x7ff7b1dc9000-0x7ff7b55c9000", "0x7ff7b55c8ff8", "X86-64", "stack overflow"),
    // Another size, the other end, another processor.
    ("0x16b878000-0x16f078000", "0x16f077fe0", "ARM-64", "access to"),
    ("0x16b878000-0x16f07c000", "0x16b878010", "ARM-64", "access to"),
    ("0x16b878000-0x16f07c000", "0x16f07bfe0", "X86-64", "access to"),
    ("0x16f07c000-0x16b878000", "0x16b878010", "ARM-64", "access to"),
  ])
  func stackOfTheMainThread(
    region: String, address: String, processor: String, reason: String
  ) throws {
    let found = try crash(
      """
      Process:               board [812]
      Code Type:             \(processor) (Native)
      Crashed Thread:        0  Dispatch queue: com.apple.main-thread

      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_PROTECTION_FAILURE at \(address)

      VM Region Info: \(address) is in \(region);  bytes after start: 1  bytes before end: 31
            REGION TYPE                    START - END         [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
            VM_ALLOCATE                 16b874000-16b878000    [   16K] rw-/rwx
      """)
    expectPrefix(found.reason ?? "", reason)
  }
}
