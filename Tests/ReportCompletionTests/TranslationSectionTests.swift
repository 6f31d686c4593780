import TestSupport
import Testing

/// Sections that not every report has. The expected lines are modelled on texts of Apple's tools
/// (macOS 12 to 26) with these sections; the values are made up.
struct TranslationSectionTests {
  private let mac = TranslationBody.letters
  private let device = TranslationBody.letters.onDevice
  private let mac26 = TranslationBody.letters.onMac26

  private static let libraryMissing = """
    {"code":1,"flags":518,"namespace":"DYLD","indicator":"Library missing",\
    "details":["(terminated at launch; ignore backtrace)"],\
    "reasons":["Library not loaded: @rpath/Deck","Referenced from: <3D9E> /Letters"]}
    """

  // MARK: Exception and termination

  @Test func withoutTerminationItsBlankLineIsMissingToo() throws {
    var simulator = mac.removing("termination", "asi")
    simulator.platform = 7
    expectLines(
      """
      Exception Codes: 0x0000000000000001, 0x0000000000000000
      Triggered by Thread:  0

      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      """, in: try simulator.translation())
    expectLines(
      """
      Exception Codes:       0x0000000000000001, 0x0000000000000000

      Application Specific Information:
      """, in: try mac.removing("termination").translation())
    expectLines(
      """
      Exception Codes:   0x0000000000000001, 0x0000000000000000


      Application Specific Information:
      """, in: try mac26.removing("termination").translation())
  }

  @Test func reasonsAndDetailsFollowTheTerminationReason() throws {
    let lines = """
      Library not loaded: @rpath/Deck
      Referenced from: <3D9E> /Letters
      (terminated at launch; ignore backtrace)

      """
    expectLines(
      "Termination Reason:    Namespace DYLD, Code 1 Library missing\n\(lines)",
      in: try mac.setting("termination", Self.libraryMissing).translation())
    expectLines(
      """
      Termination Reason:  Namespace DYLD, Code 1, Library missing
      \(lines)
      Dyld Error Message:
        1


      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      """,
      in: try mac26.setting("termination", Self.libraryMissing).setting("fatalDyldError", "1")
        .removing("asi").translation())
  }

  @Test func withoutIndicatorTheSeparatorRemains() throws {
    let termination = #"{"code":2343432205,"namespace":"FRONTBOARD","reasons":["<scene>"]}"#
    expectLines(
      "Termination Reason:    Namespace FRONTBOARD, Code 2343432205 \n<scene>\n",
      in: try mac.setting("termination", termination).translation())
    expectLines(
      "Termination Reason:  Namespace FRONTBOARD, Code 2343432205, \n<scene>\n",
      in: try mac26.setting("termination", termination).translation())
  }

  @Test func onDevicesTheRegionIsPartOfTheException() throws {
    expectLines(
      """
      Exception Codes: 0x0000000000000001, 0x0000000000000000
      VM Region Info: 0 is not in any region.
      --->\u{20}\u{20}
      Termination Reason: SIGNAL 11 Segmentation fault: 11
      """,
      in: try device.setting("vmRegionInfo", #""0 is not in any region.\n--->  ""#).translation())
  }

  @Test func messageAndReasonOfTheException() throws {
    let body =
      mac26.setting(
        "exception",
        """
        {"codes":"0x2, 0x1","type":"EXC_BAD_ACCESS","signal":"SIGBUS","subtype":"KERN_PROTECTION_FAILURE",\
        "message":"Thread stack size exceeded"}
        """
      ).setting("exceptionReason", #"{"composed_message":"index 3 beyond bounds"}"#)
    expectLines(
      """
      Exception Type:    EXC_BAD_ACCESS (SIGBUS)
      Exception Subtype: KERN_PROTECTION_FAILURE
      Exception Message: Thread stack size exceeded
      Exception Codes:   0x2, 0x1
      Exception Reason:  index 3 beyond bounds

      """, in: try body.translation())
  }

  // MARK: Texts

  @Test func backtracesOfTheApplicationAndWhatFollows() throws {
    let body =
      mac.setting("asiBacktraces", #"["0   Letters      0x0000000104690010 deal + 16"]"#)
      .setting("asiSignatures", #"["Deck Misuse"]"#)
      .setting("reportNotes", #"["snapshot failed with 5"]"#)
      .setting("ktriageinfo", #""VM - pmap_enter failed\n""#)
      .setting("lastExceptionBacktrace", #"[{"imageOffset":16,"imageIndex":0}]"#)
    let translation = try body.translation()
    expectLines(
      """
      abort() called


      Application Specific Signatures:
      Deck Misuse

      Application Specific Backtrace 0:
      0   Letters      0x0000000104690010 deal + 16


      Error Formulating Crash Report:
      snapshot failed with 5

      Kernel Triage:
      VM - pmap_enter failed


      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      """, in: translation)
    expectLines(
      "Notes:\nsnapshot failed with 5\n\nCrashed Thread:        0  main  Dispatch queue: "
        + "com.apple.main-thread", in: translation)
    // The texts of macOS 12 to 15 never show it, with or without backtrace texts.
    expectFalse(translation.contains("Last Exception Backtrace:"))
  }

  @Test func onDevicesTheLastExceptionReplacesTexts() throws {
    let body =
      device.setting("asiBacktraces", #"["0   Letters      0x0000000104690010 deal + 16"]"#)
      .setting("lastExceptionBacktrace", #"[{"imageOffset":16,"imageIndex":0}]"#)
      .setting("ktriageinfo", #""VM - pmap_enter failed\n""#).removing("asi")
    expectLines(
      """
      Triggered by Thread:  0

      Last Exception Backtrace:
      0   Letters                       \t       0x104690010 0x104690000 + 16

      Kernel Triage:
      VM - pmap_enter failed


      Thread 0 name:   Dispatch queue: com.apple.main-thread
      """, in: try body.translation())
  }

  @Test func notesAreAtTheEndOnMac26() throws {
    let translation = try mac26.setting("reportNotes", #"["snapshot failed"]"#).translation()
    expectLines(
      "__TEXT             32K \n\n\nError Formulating Crash Report:\nsnapshot failed\n",
      in: translation)
  }

  // MARK: Registers

  @Test func aThreadWithoutStateSaysSo() throws {
    expectLines(
      """
      Thread 2:: idle


      No thread state (register information) available

      Binary Images:
      """, in: try mac.setting("threads", TranslationBody.threads(state: nil)).translation())
  }

  @Test func registersOfTranslatedCode() throws {
    let state = """
      {"flavor":"x86_THREAD_STATE","rax":{"value":1},"rbx":{"value":2},"rcx":{"value":3},\
      "rdx":{"value":4},"rsp":{"value":5},"rflags":{"value":514},\
      "rosetta":{"tmp0":{"value":6},"tmp1":{"value":7},"tmp2":{"value":8}}}
      """
    let translation = try mac.setting("threads", TranslationBody.threads(state: state))
      .translation()
    expectLines(
      """
        rax: 0x0000000000000001  rbx: 0x0000000000000002  rcx: 0x0000000000000003  rdx: \
      0x0000000000000004
        rsp: 0x0000000000000005
        rip: <unavailable>       rfl: 0x0000000000000202
       tmp0: 0x0000000000000006 tmp1: 0x0000000000000007 tmp2: 0x0000000000000008


      Binary Images:
      """, in: translation)
  }

  /// Not from a real report: the rows follow the texts of older systems.
  @Test func registersOf32Bits() throws {
    let registers = (0..<6).map { "{\"value\":\($0)}" }.joined(separator: ",")
    let state = """
      {"flavor":"ARM_THREAD_STATE","r":[\(registers)],"ip":{"value":12},"sp":{"value":13},\
      "lr":{"value":-1},"cpsr":{"value":48}}
      """
    let translation = try device.setting("threads", TranslationBody.threads(state: state))
      .translation()
    expectContains(translation, "\nThread 0 crashed with ARM Thread State (32-bit):\n    r0: 0x0")
    expectContains(translation, "\n  cpsr: 0x00000030\n")
  }
}
