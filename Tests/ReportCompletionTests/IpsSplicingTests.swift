import ReportRuns
import ReportSymbolication
import TestSupport
import Testing

/// `.ips` reports written in the test, over the example's dSYM. Functions, files and lines are from
/// Fixtures/LetterShuffle/README.md, distances from `llvm-nm`; the keys, their order and types are
/// those of Apple's own reports.
struct IpsSplicingTests {
  private static let header = #"{"app_name":"Letter Shuffle","bug_type":"309"}"#
  private static let images =
    #""usedImages":[{"source":"P","arch":"arm64","base":4297228288,"size":278528,"uuid":"a4b1de49-70b3-301d-a644-58d6bc22f513","path":"\/x\/Letter Shuffle","name":"Letter Shuffle"},{"size":0,"source":"A","base":0,"uuid":"00000000-0000-0000-0000-000000000000"}]"#

  private func report(frames: String, more: String = "") -> String {
    "\(Self.header)\n{\"unknown\" : 1e3, \"threads\":[{\"id\":7,\"triggered\":true,\"frames\":[\(frames)]}],\(more)\(Self.images)}\n"
  }

  private func symbolicate(
    _ text: String, _ change: (inout SymbolicationOptions) -> Void = { _ in }
  ) -> String {
    var options = SymbolicationOptions()
    change(&options)
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options)
    let result = job.symbolicate(Array(text.utf8), shownPath: "report")
    return String(decoding: result.output, as: UTF8.self)
  }

  @Test func putsAppleMembersInAppleOrder() {
    // 0x2719c exact; 0x1d63c a return address. Line 0 has a file and no line.
    let before = report(
      frames: #"{"imageOffset":160156,"imageIndex":0},{"imageOffset":120380,"imageIndex":0}"#)
    let after = report(
      frames:
        #"{"imageOffset":160156,"sourceFile":"<compiler-generated>","symbol":"GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)","symbolLocation":164,"imageIndex":0},{"imageOffset":120380,"sourceLine":60,"sourceFile":"GameViewController.swift","symbol":"GameViewController.loadRound(_:)","imageIndex":0,"symbolLocation":28}"#
    )
    expectEqual(symbolicate(before), after)
    expectEqual(symbolicate(after), after)
  }

  @Test func putsInlinedCallsBeforeTheirFunction() {
    let first = #"{"imageOffset":0,"imageIndex":1}"#
    let before = report(frames: first + #", {"imageOffset" : 119796, "imageIndex" : 0}"#)
    let inlined =
      #"{"imageOffset" : 119796, "sourceLine" : 51, "sourceFile" : "GameViewController.swift", "symbol" : "GameViewController.startRound()", "imageIndex" : 0, "symbolLocation" : 16, "inline" : true}"#
    let function =
      #"{"imageOffset" : 119796, "sourceLine" : 37, "sourceFile" : "GameViewController.swift", "symbol" : "GameViewController.viewDidLoad()", "imageIndex" : 0, "symbolLocation" : 40}"#
    let after = report(frames: "\(first), \(inlined), \(function)")
    expectEqual(symbolicate(before), after)
    expectEqual(symbolicate(after), after)
    expectEqual(
      symbolicate(before) { $0.showsInlinedFrames = false }, report(frames: "\(first), \(function)")
    )
  }

  @Test func givesNamesTheirLines() {
    let first = #"{"imageOffset":0,"imageIndex":1},"#
    // The same function, spelt differently, keeps its name.
    let before = report(
      frames: first
        + #"{"imageOffset":120380,"symbol":"loadRound","symbolLocation":28,"imageIndex":0}"#)
    expectEqual(
      symbolicate(before),
      report(
        frames: first
          + #"{"imageOffset":120380,"sourceLine":60,"sourceFile":"GameViewController.swift","symbol":"loadRound","symbolLocation":28,"imageIndex":0}"#
      ))
  }

  @Test func replacesWrongNames() {
    let first = #"{"imageOffset":0,"imageIndex":1},"#
    let wrong =
      #"{"imageOffset":120380,"sourceLine":1,"sourceFile":"x.c","symbol":"x","imageIndex":0,"symbolLocation":5}"#
    let right =
      #"{"imageOffset":120380,"sourceLine":60,"sourceFile":"GameViewController.swift","symbol":"GameViewController.loadRound(_:)","imageIndex":0,"symbolLocation":28}"#
    expectEqual(symbolicate(report(frames: first + wrong)), report(frames: first + wrong))
    expectEqual(
      symbolicate(report(frames: first + wrong)) { $0.resymbolicates = true },
      report(frames: first + right))
  }

  @Test func replacesExistingInlinedCalls() {
    let first = #"{"imageOffset":0,"imageIndex":1},"#
    let function =
      #"{"imageOffset":120380,"sourceLine":60,"sourceFile":"GameViewController.swift","symbol":"GameViewController.loadRound(_:)","imageIndex":0,"symbolLocation":28}"#
    let inlined =
      #"{"imageOffset":120380,"symbol":"wrong","symbolLocation":0,"imageIndex":0,"inline":true},"#
    let before = report(frames: first + inlined + inlined + function)
    expectEqual(symbolicate(before), before)
    expectEqual(
      symbolicate(before) { $0.resymbolicates = true }, report(frames: first + function))
  }

  @Test func symbolicatesTheTextOfApplicationSpecificBacktraces() {
    func backtrace(_ first: String, _ second: String) -> String {
      "\"asiBacktraces\":[\"0   CoreFoundation                      0x00007ff812345670 __exceptionPreprocess + 242\\n\(first)\\n\(second)\"],"
    }
    let before = report(
      frames: "",
      more: backtrace(
        "1   Letter Shuffle                      0x00000001002474e0 Letter Shuffle + 128224",
        "2   libdyld.dylib                       0x00007fff6cf7bc76 start + 1"))
    let after = report(
      frames: "",
      more: backtrace(
        "1   Letter Shuffle                      0x00000001002474e0 one-time initialization function for rounds + 72 (GameData.swift:18)",
        "2   libdyld.dylib                       0x00007fff6cf7bc76 start + 1"))
    expectEqual(symbolicate(before), after)
  }

  /// Console's copy: the translated text, then the JSON, in one file.
  @Test func symbolicatesTextAndJsonOfOneFile() {
    let text = { (content: String) in
      """
      -------------------------------------
      Translated Report (Full Report Below)
      -------------------------------------

      Process:             Letter Shuffle [1]
      Report Version:      12

      Thread 0 Crashed:
      0   Letter Shuffle                	       0x10024f19c \(content)

      Binary Images:
             0x100228000 -        0x10026bfff Letter Shuffle (*) <a4b1de49-70b3-301d-a644-58d6bc22f513> /x/Letter Shuffle

      -----------
      Full Report
      -----------


      """
    }
    let name = "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)"
    let json = report(frames: #"{"imageOffset":160156,"imageIndex":0}"#)
    expectEqual(
      symbolicate(text("0x100228000 + 160156") + json + "\nModel: Mac14,2\n"),
      text("\(name) + 164 (<compiler-generated>:0)")
        + report(
          frames:
            "{\"imageOffset\":160156,\"sourceFile\":\"<compiler-generated>\",\"symbol\":\"\(name)\",\"symbolLocation\":164,\"imageIndex\":0}"
        ) + "\nModel: Mac14,2\n")
  }
}
