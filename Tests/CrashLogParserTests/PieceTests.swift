import CrashLogParser
import TestSupport
import Testing

/// Parts of reports: members of an `.ips` without the object around them, heads without frames, and
/// single lines that say what happened.
struct PieceTests {
  private static let exception =
    #""exception" : {"codes":"0x1, 0x8","rawCodes":[1,8],"type":"EXC_BAD_ACCESS","signal":"SIGSEGV","subtype":"KERN_INVALID_ADDRESS at 0x8"}"#

  /// Commas may be missing between parts.
  @Test(arguments: [
    "\(exception),\n  \"faultingThread\" : 3,\n  \"threads\" : [{\"id\":1,\"fra",
    "Text.\n```\n  \"procName\" : \"Game\",\n  \(exception)\n  \"faultingThread\" : 3,\n",
    "  \"faultingThread\" : 3\n  \(exception)\n```\n",
  ])
  func membersOfABody(text: String) throws {
    let report = try ParsedText(text).report
    #expect(report.format == .ipsCrash)
    #expect(report.facts.exception.type == "EXC_BAD_ACCESS")
    #expect(report.facts.exception.codes == [1, 8])
  }

  /// The text breaks off in the exception, behind the codes. The memory regions are those around
  /// the address of a bad access.
  @Test(arguments: [true, false])
  func cutException(hasRegion: Bool) throws {
    let region =
      #"  "vmRegionInfo" : "0x7ff84b1e9360 is in 0x7ff84b1e9000-0x7ff84b1e9380;  bytes after\n","#
    let report = try ParsedText(
      """
        "cpuType" : "X86-64",
        "procName" : "Board",
      \(hasRegion ? region : "  \"sip\" : \"enabled\",")
        "exception" : {"codes":"0x0000000000000002, 0x00007ff84b1e9360","rawCodes":[2,140704388911968],"ty
      """
    ).report
    expectEqual(report.facts.process.name, "Board")
    expectEqual(report.facts.exception.type, hasRegion ? "EXC_BAD_ACCESS" : nil)
    expectEqual(report.facts.exception.codes, [2, 0x7ff8_4b1e_9360])
  }

  /// The thread whose registers are those of the crash.
  @Test func middleOfAThread() throws {
    let report = try ParsedText(
      #"1},"pc":{"value":6608443584,"matchesCrashFrame":1},"far":{"value":0}},"frames":[{"imageOffset":16,"symbol":"turn","symbolLocation":4,"imageIndex":0},{"imageOff"#
    ).report
    #expect(report.crashedThread?.frames.first?.symbol?.name == "turn")
  }

  @Test func panicString() throws {
    let report = try ParsedText(
      "```\n  \"panicString\" : \"panic(cpu 1 caller 0xfffffff025aab984): watchdog\\nDebugger message: panic\\nMemory"
    ).report
    #expect(report.format == .ipsPanic)
  }

  /// Cr4shed, the crash reporter of jailbroken devices. Source: github.com/MuirEy03/Cr4shed.
  @Test func cr4shed() throws {
    let report = try ParsedText(
      """
      Date: 1/27/20, 1:55 PM
      Process: SpringBoard
      Bundle id: com.apple.springboard
      Device: iPhone X, iOS 13.3
      Bundle version: 1.0

      Exception type: EXC_BAD_ACCESS (SIGSEGV)
      Exception subtype: KERN_INVALID_ADDRESS: 0x10
      Exception codes: 0x0000000000000001, 0x0000000000000010
      Culprit: Tweak.dylib
      VM Protection: 0x10 is not in any region.

      Triggered by thread: 2
      Thread name: Dispatch queue: com.apple.main-thread
      Call stack:
      0   ???                000000000000000000 0 + 0
      1   Tweak.dylib        0x00000001043b4688 0x1043a4000 + 67208      \t// (null)

      """
    ).report
    let facts = report.facts
    #expect(facts.process.name == "SpringBoard" && facts.process.version == "1.0")
    #expect(facts.hardwareModel == "iPhone X" && facts.system.version == "13.3")
    #expect(facts.exception.type == "EXC_BAD_ACCESS" && facts.exception.codes == [1, 16])
    #expect(facts.memoryRegion == ["0x10 is not in any region."])
    #expect(report.crashedThread?.number == 2 && report.crashedThread?.frames.count == 2)
  }

  @Test func exceptionOfCr4shed() throws {
    let report = try ParsedText(
      """
      Process: SpringBoard
      Bundle id: com.apple.springboard

      Exception type: NSRangeException
      Reason: index 3
      Culprit: Tweak.dylib
      Call stack:
      0   CoreFoundation     0x00000001ce2969a4 __exceptionPreprocess
      1   Tweak.dylib        0x0000000105ed4098 turn()

      """
    ).report
    #expect(report.facts.exception.name == "NSRangeException")
    #expect(report.facts.exception.reason == "index 3" && report.facts.exception.type == nil)
    #expect(report.lastExceptionBacktrace?.frames.count == 2)
  }

  @Test(arguments: [
    "> *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'\n",
    "NSRangeException: index 3\nText.\n".replacing("Text", with: "*** First throw"),
  ])
  func exceptionAlone(text: String) throws {
    let facts = try ParsedText(text).report.facts
    #expect(facts.exception.name == "NSRangeException" && facts.exception.reason == "index 3")
  }

  @Test(arguments: [
    "Fatal error: no cards: file Game/Board.swift, line 25\n",
    "2023-05-01 10:00:00.0 Game[1:2] Fatal error: no cards: file Game/Board.swift, line 25\n",
    "Uncaught Kotlin exception: kotlin.Error: x\nno frame\n",
    "Main Thread Checker: UI API called on a background thread: -[UIView layout]\n",
    "-[MTLBuffer check]:135: failed assertion `offset'\n",
  ])
  func wordsAlone(text: String) throws {
    let report = try ParsedText("Some text.\n\(text)").report
    #expect(report.backtraces.isEmpty && report.facts.applicationInformation.count == 1)
  }

  @Test(arguments: [
    "Fatal error: disk full\n", "NSException is a class\n", "It panicked at noon.\n",
  ])
  func otherWords(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  @Test func limitOfMemory() throws {
    let facts = try ParsedText(
      "EXC_RESOURCE -> Game[478] exceeded mem limit: ActiveHard 24 MB (fatal)\n"
    ).report.facts
    #expect(facts.process.name == "Game" && facts.process.identifier == 478)
    #expect(facts.exception.type == "EXC_RESOURCE")
  }

  @Test func endForALimitOfMemory() throws {
    let line = "08:52:24.0  kernel  memorystatus: Game [478] exceeded mem limit: ActiveHard 24 MB"
    let facts = try ParsedText("\(line) (fatal)\nkernel  memorystatus: killing it\n").report.facts
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 478)
    expectEqual(facts.termination.namespace, "JETSAM")
    expectEqual(facts.termination.details, ["exceeded mem limit: ActiveHard 24 MB"])
    // The process went on.
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("\(line) (non-fatal)\n".utf8))
    }
  }

  @Test func terminationAlone() throws {
    let facts = try ParsedText(
      """
      Termination Reason:    Namespace DYLD, Code 1 Library missing
      Library not loaded: @rpath/Kit.framework/Kit
      Reason: no LC_RPATH's found

      """
    ).report.facts
    #expect(facts.termination.namespace == "DYLD")
    #expect(facts.termination.details.first == "Library not loaded: @rpath/Kit.framework/Kit")
  }

  @Test func headOfATombstone() throws {
    let facts = try ParsedText(
      """
      E/AndroidRuntime(30495): ABI: 'arm64'
      E/AndroidRuntime(30495): pid: 30495, tid: 31258, name: Main  >>> com.example.game <<<
      E/AndroidRuntime(30495): signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------

      """
    ).report.facts
    #expect(facts.process.name == "com.example.game" && facts.process.identifier == 30495)
    #expect(facts.exception.signal == "SIGABRT")
  }

  /// The last line of a text may end anywhere.
  @Test(arguments: ["@ob", "@ob\n"])
  func nameAtTheEnd(text: String) throws {
    let report = try ParsedText(
      """
      Thread 0 Crashed:
      0   Game   0x000000010d9e02d7 Board.turn() + 12
      1   Game   0x000000010d9e02ff \(text)
      """
    ).report
    #expect(report.allFrames.map { $0.symbol?.name } == ["Board.turn()", nil])
  }

  @Test(arguments: [
    "Thread 3 name: worker Crashed:", "Thread 3 (Crashed)", "Thread 3 (Crashed) name: worker",
  ])
  func headingsOfSentry(heading: String) throws {
    let report = try ParsedText(
      "Thread 2:\n0   Game   0x000000010d9e02d7 main + 1\n\n\(heading)\n0   Game   0x000000010d9e02d7 turn + 12\n"
    ).report
    #expect(report.crashedThread?.number == 3)
  }

  /// The end of a sanitizer's report: the stack is that of who created a thread.
  @Test func summaryOfASanitizer() throws {
    let report = try ParsedText(
      """
      Thread T6 created by T0 here:
          #0 0x000100bb9198 in pthread_create+0x60 (libclang_rt.asan_osx_dynamic.dylib:arm64e+0x39198)
          #1 0x0001001ed068 in main game.c:184

      SUMMARY: AddressSanitizer: heap-use-after-free board.c:29 in turn

      """
    ).report
    #expect(report.facts.exception.type == "AddressSanitizer")
    #expect(report.facts.exception.subtype == "heap-use-after-free board.c:29 in turn")
    #expect(report.crashedThread == nil)
  }

  /// Apple's fields with frames of somebody else's below them.
  @Test func headAboveATrace() throws {
    let report = try ParsedText(
      """
      Hardware Model:     iPhone14,2
      Process:            Game
      Exception Type:     EXC_BAD_ACCESS

      EXC_BAD_ACCESS: Attempted to dereference garbage pointer 0xb5421fc78bc0.

      0  libswiftCore.dylib +0x3da11c   __swift_release_dealloc
      1  Game +0x6d8e20                 -[Board turn] (Board.m:62)

      """
    ).report
    #expect(report.facts.process.name == "Game" && report.allFrames.count == 2)
    #expect(report.facts.exception.codes == [1, 0xb542_1fc7_8bc0])
  }

  /// Terminals and forms break long lines, also within the strings of JSON.
  @Test(arguments: [
    "7,\"symbol\":\"abort\",\"imageIndex\":3},{\"imageOffset\":26840,\"symbol\":\"turn\",\"imageInde\nx\":4},{\"imageOffset\":22060,\"symbol\":\"draw\",\"imageIndex\":0},{\"imageO",
    "7,\"imageIndex\":3},{\"imageOffset\":26840,\"symbol\":\"tu\r\nrn\",\"imageIndex\":4},{\"imageOffset\":22060,\"symbol\":\"draw\"}",
  ])
  func breaksInStrings(text: String) throws {
    let report = try ParsedText(text).report
    expectEqual(report.allFrames.suffix(2).map(\.symbol?.name), ["turn", "draw"])
  }

  /// In a comment of source code.
  @Test func membersInAComment() throws {
    let facts = try ParsedText(
      """
      // The log of the device says:
      //
      //     "termination": { "namespace":"DYLD", "indicator":"Library missing",
      //       "reasons":["Library not loaded: @rpath/Deck.framework/Deck"] }
      //
      import Deck

      """
    ).report.facts
    expectEqual(facts.termination.namespace, "DYLD")
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("// \"termination\" ends it\nlet a = 1\n".utf8))
    }
  }

  /// The report that a sentence quotes, with what a log has in the same sentence.
  @Test func reportInASentence() throws {
    let text =
      "The crash report says `EXC_BREAKPOINT (SIGTRAP)` in `Board Framework`, and Console shows `Check of the deck failed`. Deal again."
    let report = try ParsedText(text + "\n").report
    expectEqual(report.facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(report.facts.applicationInformation, ["Check of the deck failed"])
    expectEqual(report.allFrames.map(\.imageName), ["Board Framework"])
    for other in ["If the crash report says ", "Nobody says "] {
      #expect(throws: CrashLogParseError.self) {
        try CrashLogParser.parse(
          Array(text.replacing("The crash report says ", with: other).utf8))
      }
    }
  }
}
