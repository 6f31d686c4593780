import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Checks of the system that stopped a process, where only their frames or somebody's sentence are
/// in the text.
struct StoppedCheckTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Assertions

  private static let head = """
    Process:             Board [812]
    Identifier:          com.example.Board
    Exception Type:  EXC_CRASH (SIGABRT)
    Triggered by Thread:  0

    Last Exception Backtrace:
    0   CoreFoundation                	0x1a2a6269c __exceptionPreprocess + 164
    1   libobjc.A.dylib               	0x19ad17c80 objc_exception_throw + 60
    2   Foundation                    	0x1a1fc0dd8 -[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:] + 188

    """

  /// Source: Apple, NSAssertionHandler: it raises NSInternalInconsistencyException.
  @Test(
    arguments: [
      ("", ", whose place is not in this text"),
      ("3   UIKitCore", ", whose place is not in this text"),
      ("3   UIKitCore   0x1a4fc0dd8 -[UIView addSubview:] + 8\n", " in -[UIView addSubview:]"),
    ])
  func assertionsOfACutText(rest: String, place: String) throws {
    let found = try crash(Self.head + rest)
    expectEqual(found.reason, "failed assertion (NSAssert)\(place)")
    expectEqual(found.kind, "assertion")
  }

  // MARK: Core Data

  private func coreData(_ function: String, above: String = "") -> String {
    """
    \(above)Fatal Exception: NSInternalInconsistencyException
    0  CoreFoundation                 0x9cb4 __exceptionPreprocess
    1  libobjc.A.dylib                0x183d0 objc_exception_throw
    2  CoreData                       0x192388 -[NSPersistentStoreCoordinator \(function)]
    3  CoreData                       0x5f678 -[NSPersistentStoreCoordinator _routeHeavyweightBlock:]
    4  Board                          0x5f978 Deck.save() + 12 (Deck.swift:12)

    """
  }

  /// The words in parentheses are those of the reasons of these exceptions.
  @Test(
    arguments: [
      ("_introspectLastErrorAndThrow", ""),
      ("_coordinator_you_never_successfully_opened_the_database_corrupted:", " (corrupt file)"),
      ("_coordinator_you_never_successfully_opened_the_database_disk_full:", " (disk full)"),
      ("_coordinator_you_never_successfully_opened_the_database_no_idea:", ""),
    ])
  func coreDataWithoutStores(function: String, detail: String) throws {
    let found = try crash(coreData(function))
    expectEqual(
      found.reason,
      "NSInternalInconsistencyException: Core Data has no persistent stores, because none was opened before\(detail): thrown by -[NSPersistentStoreCoordinator \(function)]"
    )
    expectEqual(found.frame?.function, "Deck.save()")
  }

  /// Pages have the reason beside the name, and who opens an issue copies the two.
  @Test(
    arguments: [
      ("> NSInternalInconsistencyException - No store was opened.", ": No store was opened."),
      ("**NSInternalInconsistencyException - No store was opened.**", ": No store was opened."),
      ("NSInternalInconsistencyException: No store was opened.", ": No store was opened."),
    ])
  func reasonsToldAboveATrace(line: String, reason: String) throws {
    let found = try crash(coreData("_introspectLastErrorAndThrow", above: "\(line)\n\n"))
    expectEqual(found.reason, "NSInternalInconsistencyException\(reason)")
  }

  /// Another exception, and the title of an issue.
  @Test(
    arguments: [
      "NSRangeException - No card was there.",
      "NSInternalInconsistencyException - when a card is turned",
    ])
  func otherWordsAboveATrace(line: String) throws {
    let found = try crash(coreData("_introspectLastErrorAndThrow", above: "\(line)\n\n"))
    expectPrefix(
      found.reason ?? "", "NSInternalInconsistencyException: Core Data has no persistent stores")
  }

  // MARK: Metal

  private func metal(_ frames: String...) -> String {
    let lines = frames.enumerated().map { index, frame in
      // The system's libraries are further up.
      let digit = frame.hasPrefix("Board") ? 0 : 9
      return "    frame #\(index + 3): 0x00000001\(digit)72f728\(index) \(frame) + 92\n"
    }
    return """
      * thread #1, queue = 'com.apple.main-thread', stop reason = hit program assert
          frame #0: 0x000000018aaae5e8 libsystem_kernel.dylib`__pthread_kill + 8
          frame #1: 0x000000018a9f0644 libsystem_c.dylib`abort + 148
          frame #2: 0x0000000197301db8 Metal`MTLReportFailure + 576

      """ + lines.joined()
  }

  /// The call of the program is the last one of Metal's methods: it may check with others.
  ///
  /// Source of the stop: lldb, AssertFrameRecognizer.cpp, for `abort()` below an assertion.
  @Test func callsThatMetalRefuses() throws {
    let found = try JsonFixture.report(
      metal(
        "Metal`_MTLMessageContextEndNewNSErrorOrAbort(_MTLMessageContext*, bool)",
        "MetalTools`-[MTLDebugRenderCommandEncoder validateCommonDrawErrors:]",
        "MetalTools`-[MTLDebugRenderCommandEncoder drawPrimitives:vertexStart:vertexCount:]",
        "Board`-[Board draw]"), with: [])
    expectEqual(
      found.crash.reason,
      "Metal's validation of the API failed in -[MTLDebugRenderCommandEncoder drawPrimitives:vertexStart:vertexCount:]"
    )
    expectEqual(found.crash.frame?.function, "-[Board draw]")
    expectNil(found.exception.type)
    expectEqual(found.exception.signal, "SIGABRT")
  }

  @Test func callsOfOtherCodeAreNotMetals() throws {
    let found = try crash(metal("Board`-[Board draw]", "Board`-[MTLBoard turn]"))
    expectEqual(found.reason, "Metal's validation of the API failed")
  }

  // MARK: Traps

  private func java(_ frame: String) -> String {
    """
    #
    # A fatal error has been detected by the Java Runtime Environment:
    #
    #  SIGILL (0x4) at pc=0x00007fff30e33abc, pid=812, tid=70147
    #
    # Problematic frame:
    # \(frame)
    #

    """
  }

  /// Source: XNU, bsd/dev/i386/unix_signal.c: `ud2`, which compilers put behind a failed check, is
  /// SIGILL.
  @Test func trapsOfTheSystemInJava() throws {
    let found = try crash(java("C  [AppKit+0x3e5abc]  -[NSMenu itemAtIndex:]+0xe5"))
    expectEqual(
      found.reason,
      "AppKit stopped the app: a failed check in AppKit (in -[NSMenu itemAtIndex:])")
  }

  /// The processor may be too old for what the program's own code was compiled for.
  @Test(
    arguments: [
      "C  [libcards.dylib+0x3e5abc]  cards_deal+0xe5", "C  0x00007fff30e33abc",
    ])
  func otherInvalidInstructionsInJava(frame: String) throws {
    expectEqual(try crash(java(frame)).kind, "exceptionType")
  }

  // MARK: Swift's runtime

  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/Errors.cpp.
  @Test(
    arguments: [
      (
        "libswiftCore.dylib   \t0x194f514ec swift_getTypeByMangledNode(swift::Demangle::Node*) + 972",
        " in swift_getTypeByMangledNode"
      ),
      ("libswiftCore.dylib   \t0x194f514ec 0x194f00000 + 333036", ""),
      ("Board                \t0x100a514ec Board.turn() + 972", ""),
    ])
  func fatalErrorsOfSwiftsRuntime(caller: String, words: String) throws {
    let found = try crash(
      """
      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      0   libsystem_kernel.dylib \t0x100ded008 __pthread_kill + 8
      1   libsystem_c.dylib    \t0x1801704ec abort + 104
      2   libswiftCore.dylib   \t0x194f32188 swift::fatalErrorv(unsigned int, char const*, char*) + 132
      3   libswiftCore.dylib   \t0x194f321a4 swift::fatalError(unsigned int, char const*, ...) + 28
      4   \(caller)
      5   Board                \t0x100a514f8 Board.draw() + 12

      """)
    expectEqual(found.reason, "fatal error of the Swift runtime\(words)")
  }

  // MARK: Rosetta

  /// It is the system's, and runs in a program for Intel's processors.
  @Test func frameOfRosettasRuntime() throws {
    let found = try crash(
      """
      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      0   libRosettaRuntime      \t0x10cdffb94 0x10cdc1000 + 256916
      1   libsystem_kernel.dylib \t0x7ff81399daba mach_msg_trap + 10
      2   libcards.dylib         \t0x10dd6fd03 cards_deal + 147

      """)
    expectEqual(found.frame?.function, "cards_deal")
  }

  @Test(
    arguments: [
      (
        "<translation info unavailable>\t0x0000000102ad0718 ???",
        ", in code for which Rosetta has no translation info"
      ),
      ("???                           \t0x0000000102ad0718 0 + 4340909848", ""),
    ])
  func codeWithoutTranslationInfo(frame: String, words: String) throws {
    let found = try crash(
      """
      Process:               Board [812]
      Code Type:             X86-64 (Translated)
      Crashed Thread:        1
      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000100000000

      Thread 1 Crashed:
      0   \(frame)
      1   libsystem_kernel.dylib        \t0x00007fff20325f86 swtch_pri + 10

      """)
    expectEqual(found.reason, "access to 0x100000000, where no memory is mapped\(words)")
  }

  // MARK: The GPU

  private static let aborted =
    "Execution of the command buffer was aborted due to an error during execution. "

  @Test(
    arguments: [
      "Caused GPU Timeout Error (00000002:kIOAccelCommandBufferCallbackErrorTimeout)",
      "Caused GPU Hang Error (00000003:kIOGPUCommandBufferCallbackErrorHang)",
      "Caused GPU Address Fault Error (0000000b:kIOGPUCommandBufferCallbackErrorPageFault)",
      "Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)",
    ])
  func commandsThatTheGpuDidNotRun(error: String) throws {
    let found = try JsonFixture.report(
      "2026-01-02 00:20:24.210364+0100 board[812:74403] \(Self.aborted)\(error)\n", with: [])
    expectEqual(found.crash.reason, Self.aborted + error)
    expectEqual(found.process.name, "board")
    expectEqual(found.process.pid, 812)
  }

  @Test(
    arguments: [
      "VK_ERROR_DEVICE_LOST: MTLCommandBuffer \"vkQueueSubmit\" execution failed (code 1): Caused GPU Hang Error",
      "VK_ERROR_OUT_OF_DEVICE_MEMORY: Lost VkDevice after MTLCommandBuffer \"vkQueueSubmit\" execution failed (code 8): Insufficient Memory",
    ])
  func devicesThatMoltenVKLost(words: String) throws {
    expectEqual(try crash("[mvk-error] \(words)\n").reason, words)
  }

  // MARK: RoboVM

  private func roboVM(_ last: String) -> String {
    """
    Exception Type:        EXC_BAD_ACCESS (SIGBUS)
    Exception Codes:       KERN_PROTECTION_FAILURE at 0x0000000106a416e0
    VM Regions Near 0x106a416e0:
    --> __TEXT                      106a18000-106a48000
    0   Java_libcore_io_Memory_pokeInt + 11
    1   [J]libcore.io.Memory.pokeInt(JIZ)V + 119
    2   [j]libcore.io.Memory.pokeInt(JIZ)V[Invokestatic(java/nio/MemoryB
    3   [J]java.nio.MemoryBlock.pokeInt(II)V + 184 (MemoryBlock.java:220)
    \(last)

    """
  }

  /// The names are those of RoboVM's Symbols.java. Lines may be cut.
  @Test func functionsThatRoboVMCompiled() throws {
    let own = "[J]com.example.Deck.draw(F)V"
    let found = try JsonFixture.report(roboVM("4   \(own) + 77 (Deck.java:20)"), with: [])
    expectEqual(found.crash.frame?.function, own)
    expectEqual(found.crash.frame?.line, 20)
    expectEqual(
      found.crash.reason,
      "write to memory that can only be read (__TEXT), in Java_libcore_io_Memory_pokeInt")
    expectEqual(found.backtraces.first?.frames.count, 5)
    expectEqual(
      try crash(roboVM("")).library, "the class library of RoboVM")
  }

  // MARK: Crashlytics

  /// The page shows the place in a line of its own, and Markdown's bold text spans two lines.
  @Test func tablesWithOpenBoldText() throws {
    let found = try JsonFixture.report(
      """
      Crashed: com.apple.main-threadEXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x00000000010f0210 Raw Text
      --
      0 | libobjc.A.dylib | objc_msgSend + 16
      **1 | Board | Deck+Cards.m line 200-[Deck shuffle] + 200
      2 | Board | Card.m line 151__card_block_invoke_3 + 151**
      3 | libobjc.A.dylib | objc_release + 140

      """, with: [])
    expectEqual(found.crash.frame?.function, "-[Deck shuffle]")
    expectEqual(found.crash.frame?.file, "Deck+Cards.m")
    expectEqual(found.crash.frame?.line, 200)
    expectEqual(found.exception.type, "EXC_BAD_ACCESS")
    let frames = found.backtraces.first?.frames ?? []
    expectEqual(frames.count, 4)
    expectEqual(frames.dropFirst(2).first?.function, "__card_block_invoke_3")
    expectEqual(found.backtraces.first?.name, "com.apple.main-thread")
  }

  /// Checks of libraries that end the process themselves, in apps without other symbols.
  @Test(
    arguments: [
      (
        "Metal", ["MTLReleaseAssertionFailure", "-[IOGPUMetalCommandBuffer setCommandEncoder:]"],
        "a check of Metal failed in -[IOGPUMetalCommandBuffer setCommandEncoder:]"
      ),
      (
        "Board",
        [
          "please_report_this_issue_in_github_realm_realm_core_v_12_12_0",
          "realm::util::terminate_internal(std::__1::basic_stringstream<char>&)",
        ], "a failed check in Realm's core (realm::util::terminate)"
      ),
    ])
  func checksOfLibraries(image: String, functions: [String], reason: String) throws {
    let lines = functions.enumerated().map { index, name in
      "\(index + 2)   \(image)   0x00000001d76b08a\(index) \(name) + 52\n"
    }
    try expectReason(
      """
      Exception Type:  EXC_CRASH (SIGABRT)
      Triggered by Thread:  4

      Thread 4 Crashed:
      0   libsystem_kernel.dylib   0x00000001b96d484c __pthread_kill + 8
      1   libsystem_c.dylib   0x0000000187e3d934 abort + 100
      \(lines.joined())9   Board   0x0000000103244b14 Deck::draw() + 8

      """, reason, in: "Deck::draw()")
  }
}
