import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Where reports begin and end.
struct ReportBoundaryTests {
  private static func full(_ name: String, thread: Int = 0) -> String {
    """
    Incident Identifier: \(name)
    CrashReporter Key:   K
    Hardware Model:      iPhone12,8
    Process:             \(name) [1]
    Path:                /\(name)

    Exception Type:  EXC_CRASH (SIGABRT)

    Thread \(thread) Crashed:
    0   \(name)   0x1010 0x1000 + 16

    Binary Images:
    0x1000 - 0x1fff \(name) arm64  <bde08a08d8cf3e6b8cee8ab2cf246ccb> /\(name)

    EOF
    """
  }

  @Test func textAroundAReportIsNotPartOfIt() throws {
    let text = try ParsedText(
      """
      Hello! My app crashes: please help.
      Thread 1: signal SIGABRT
      2020-10-15 15:35:13 App[2477:1361041] ptr is 0x36f93010201ddf8 + 2
      0   CoreFoundation  0x00007fff4590132b __exceptionPreprocess + 171
      Version: 12
      (lldb) detach

      \(Self.full("App"))

      Regards
      0   App   0x1020 f + 1
      """)
    expectEqual(text[try text.report.byteRange], Self.full("App"))
    try expectEqual(text.report.allFrames.count, 1)
    try expectEmpty(text.report.faults)
  }

  @Test(arguments: ["\n", "\n\nsome words\n\n", "\n-----\n"])
  func severalReportsFollowOneAnother(separator: String) throws {
    let parts = [
      Self.full("A"), Self.full("B"), "{\"bug_type\":\"109\"}\n" + Self.full("C"), Self.full("D"),
    ]
    let text = try ParsedText(parts.joined(separator: separator))
    expectEqual(text.reports.map { text[$0.byteRange] }, parts)
    expectEqual(text.reports.map(\.facts.process.name), ["A", "B", "C", "D"])
    expectEqual(text.reports.map { $0.images.map(\.name) }, [["A"], ["B"], ["C"], ["D"]])
    expectEqual(text.reports.map { $0.header?.bugType }, [nil, nil, "109", nil])
  }

  /// Without `EOF`, the next head ends a report.
  @Test func aHeadEndsTheReportBefore() throws {
    let part = String(Self.full("A").dropLast(5))
    let other = Self.full("B")
    let text = try ParsedText(part + "\n" + other)
    expectEqual(text.reports.map(\.facts.process.name), ["A", "B"])
    expectEqual(text[text.reports[1].byteRange], other)
  }

  @Test func headsWithoutThreadsAreReports() throws {
    let head = "Process: A [1]\nPath: /A\nIdentifier: a\nVersion: 1\n"
    let text = try ParsedText(head + "\n" + head.replacing("A", with: "B"))
    expectEqual(text.reports.map(\.facts.process.name), ["A", "B"])
  }

  /// The console shows an earlier end of the program, with the same words about another object.
  @Test(arguments: [true, false]) func wordsOfAnEarlierEnd(hasStack: Bool) throws {
    let words = "*** Terminating app due to uncaught exception 'DeckException', reason: 'no card in"
    let stack = """
      0   CoreFoundation   0x00007fff8fca9716 __exceptionPreprocess + 198
      1   libobjc.A.dylib  0x00007fff8dc63470 objc_exception_throw + 43
      2   Board            0x000000010da92786 Board + 681862
      """
    let text = try ParsedText(
      """
      2026-01-02 08:42:35.000 Board[423:107] \(words) 0x7fff75d0fab0'
      \(hasStack ? "*** First throw call stack:\n(\n\(stack)\n)" : "")

      Process:         Board [816]
      Path:            /Applications/Board.app/Contents/MacOS/Board
      Identifier:      com.example.board

      Exception Type:  EXC_CRASH (SIGABRT)

      Application Specific Information:
      \(words) 0x7fff7b2a2ab0'
      abort() called

      Application Specific Backtrace 1:
      \(stack)

      """)
    expectEqual(text.reports.last?.facts.process.identifier, 816)
    expectEqual(text.reports.last?.facts.exception.reason, "no card in 0x7fff7b2a2ab0")
    expectEqual(
      text.reports.dropLast().map(\.facts.exception.reason),
      hasStack ? ["no card in 0x7fff75d0fab0"] : [])
  }

  /// Words above a report stay its own if it has none, or only the beginning of them.
  @Test(arguments: [nil, "no card in"]) func wordsThatAReportLacks(own: String?) throws {
    let words = "*** Terminating app due to uncaught exception 'DeckException', reason: '"
    let report = try ParsedText(
      """
      2026-01-02 08:42:35.000 Board[816:107] \(words)no card in 0x7fff75d0fab0'

      Process:         Board [816]
      Path:            /Applications/Board.app/Contents/MacOS/Board
      Identifier:      com.example.board

      Exception Type:  EXC_CRASH (SIGABRT)

      \(own.map { "Application Specific Information:\n\(words)\($0)" } ?? "")

      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x00007fff8fca9716 __pthread_kill + 10

      """
    ).report
    expectEqual(report.facts.exception.reason, "no card in 0x7fff75d0fab0")
  }

  /// Console puts a banner above the text and the JSON below it.
  @Test func translatedReports() throws {
    let text = try ParsedText(
      """
      -------------------------------------
      Translated Report (Full Report Below)
      -------------------------------------
      Process:             zwire [2230]
      Path:                /Applications/zwire
      Identifier:          zwire

      Triggered by Thread: 0  main, Dispatch Queue: q

      Thread 0 Crashed:: main Dispatch queue: q
      0   zwire   0x1010 0x1000 + 16

      Binary Images:
                 0x1000 -             0x1fff zwire (*) <bde08a08-d8cf-3e6b-8cee-8ab2cf246ccb> /z

      -----------
      Full Report
      -----------

      {"app_name":"zwire","bug_type":"309"}
      {
        "threads" : [{"id":1}]
      }

      Model: Mac17,6
      """)
    expectEqual(text.reports.map(\.format), [.crashText, .ipsCrash])
    let report = try require(text.reports.first)
    expectPrefix(text[report.byteRange], "Process:")
    expectSuffix(text[report.byteRange], "/z")
    expectEqual(report.crashedThread?.name, "main")
    expectNil(report.header)
    // A reader that sees only the text finds the same.
    let alone = try CrashLogParser.parse(
      text.bytes, with: [AppleTextReader()])
    expectEqual(alone.map(\.byteRange), [report.byteRange])
  }

  @Test(arguments: [
    "Exception Type:  00000020\nException Codes: 0xc00010ff\nHighlighted Thread:  0\n\nThread 0:\n",
    "Thread 0:\n", "Thread 0 name:  q\nThread 0:\n", "\n\n\nThread 0:\n",
    "Last Exception Backtrace:\n",
  ])
  func theHeadMayBeMissing(start: String) throws {
    let text = try ParsedText(start + "0   App 0x1010 f + 16\n")
    let report = try text.report
    expectEqual(report.allFrames.count, 1)
    expectEqual(report.format, .crashText)
    expectSuffix(text[report.byteRange], "0x1010 f + 16")
  }

  @Test func imagesAlone() throws {
    let report = try ParsedText(
      "Binary Images:\n0x1000 - 0x1fff A arm64  <bde08a08d8cf3e6b8cee8ab2cf246ccb> /A"
    ).report
    expectEqual(report.images.map(\.name), ["A"])
  }

  @Test func framesAlone() throws {
    let text = try ParsedText(
      """
      It says:

      5   UIKitCore     0x00000001b81d6464 -[UIView f] + 4
      6   Letter Shuffle   0x000000010024f19c 0x100228000 + 160156
      7   Letter Shuffle   0x00000001002474e0 0x100228000 + 128224

      What can I do?
      """)
    let report = try text.report
    expectEqual(report.format, .frameFragment)
    expectEqual(report.threads.map(\.number), [nil])
    expectEqual(report.threads.first?.frames.map(\.index), [5, 6, 7])
    expectPrefix(text[report.byteRange], "5   UIKitCore")
    expectSuffix(text[report.byteRange], "128224")
  }

  /// A symbol proves nothing, nor do numbers that do not add up.
  @Test(arguments: [
    "0   CoreFoundation  0x00007fff4590132b __exceptionPreprocess + 171\n",
    "0   App  0x1010 0x1000 + 17\n", "0   App  0x10 0 + 16\n", "Process: App [1]\n",
    "Version: 1\nRole: Foreground\n", "Thread 0: hello\nThread 1: hello\n", "\n \n", "\u{feff}",
  ])
  func noReport(text: String) {
    #expect(throws: CrashLogParseError.noReportFound(.unknown)) { try ParsedText(text) }
  }

  @Test func noBytes() {
    #expect(throws: CrashLogParseError.emptyInput) { try CrashLogParser.parse([]) }
  }

  @Test func aPropertyListAroundAReport() throws {
    let text = try ParsedText(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>description</key>
      <string>Incident Identifier: 2A
      CrashReporter Key:   K
      Process:         AppleTV [26]
      Path:            /Applications/AppleTV.app/AppleTV

      Thread 0 Crashed:
      0   libc.dylib  0x30001010 0x30001000 + 16

      Binary Images:
      0x30001000 - 0x30001fff  libc.dylib armv7  &lt;bde08a08d8cf3e6b8cee8ab2cf246ccb&gt; /usr/lib/libc.dylib
      </string>
      """)
    let report = try text.report
    expectEqual(report.facts.process.name, "AppleTV")
    expectTrue(report.images.first?.identity != nil)
    #expect(throws: CrashLogParseError.noReportFound(.propertyList)) {
      try ParsedText("<?xml version=\"1.0\"?>\n<plist></plist>\n")
    }
  }
}
