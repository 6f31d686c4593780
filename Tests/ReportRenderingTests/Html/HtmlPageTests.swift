import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportModel

/// Pages of whole reports. Functions and lines are those that `Fixtures/LetterShuffle/README.md`
/// lists.
struct HtmlPageTests {
  private func page(
    _ input: some Sequence<UInt8>, with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) -> String {
    var job = ReportJob(symbolPaths: symbols, options: options, form: .html)
    return String(
      decoding: job.symbolicate(Array(input), shownPath: "report").output, as: UTF8.self)
  }

  private func expect(
    _ page: String, has parts: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for part in parts {
      expectTrue(page.contains(part), "\(part)", sourceLocation: sourceLocation)
    }
  }

  @Test func saysWhatWhereAndWhy() throws {
    let page = page(try JsonFixture.story)
    expect(
      page,
      has: [
        "<title>Letter Shuffle 6 (1.3)</title>", "<h1>Letter Shuffle 6 (1.3)</h1>",
        "<p class=\"meta\">iPhone OS 12.4 (16G77) · arm64 · xxx · 2019-07-31 11:32:24.3585 -0700</p>",
        "<h2 class=\"why\">A failed check in Swift code (nil, index, overflow, cast or precondition) <small class=\"certainty\">(likely)</small></h2>",
        "<p class=\"where\"><a href=\"#r1-site\"><code>GameData.swift:18</code></a> in <code>one-time initialization function for rounds</code></p>",
        "<dt>Exception</dt>\n<dd>EXC_BREAKPOINT (SIGTRAP): codes 0x1 0x10024f19c</dd>",
        "<dt>Frames</dt>\n<dd>6 of 11 frames have a name</dd>",
        "<dt>Launched</dt>\n<dd>2019-07-31 11:32:24.1648 -0700, 0.194 s before</dd>",
        "<dt>Parent</dt>\n<dd>launchd [1]</dd>",
      ])
    // The signal is that of the exception.
    expectFalse(page.contains("<dt>Ended by</dt>"))
  }

  @Test func showsTheCrashedThread() throws {
    let page = page(try JsonFixture.story)
    expect(
      page,
      has: [
        "<details class=\"thread\" open><summary><b>Thread 0 crashed</b> <code>com.apple.main-thread</code> <span class=\"detail\">12 frames</span></summary>",
        "<li class=\"site\" id=\"r1-site\"><span class=\"no\">1</span> <span class=\"im\">Letter Shuffle</span> <b class=\"fn\">one-time initialization function for rounds</b> <span class=\"at\">GameData.swift:18</span> <span class=\"tag\">crash site</span> <span class=\"ad\">0x00000001002474e0</span></li>",
        "<li class=\"system\"><span class=\"no\">2</span> <span class=\"im\">libdispatch.dylib</span> <span class=\"fn\">0x1c646c000 + 395220</span> <span class=\"ad\">0x00000001c64cc7d4</span></li>",
        "<li class=\"inlined\"><span class=\"no\">7</span> <span class=\"im\">Letter Shuffle</span> <b class=\"fn\">GameViewController.<wbr>startRound()</b> <span class=\"at\">GameViewController.<wbr>swift:51</span> <span class=\"tag\">inlined</span>",
      ])
    expectEqual(page.components(separatedBy: "<b class=\"fn\">").count - 1, 7)
    expectEqual(page.components(separatedBy: "<li class=\"system\">").count - 1, 5)
  }

  @Test func saysWhichSymbolsWereFound() throws {
    let found = page(try JsonFixture.story)
    expect(
      found,
      has: [
        "<b>Letter Shuffle</b> <span class=\"good\">symbols found by UUID</span>",
        "<b>UIKitCore</b> <span class=\"detail\">operating system</span><span class=\"detail\"> · 2 frames</span>",
        "A4B1DE49-70B3-301D-A644-58D6BC22F513 arm64 0x0000000100228000 – 0x000000010026bfff",
      ])
    let missing = page(try JsonFixture.story, with: [])
    expect(
      missing,
      has: [
        "<h2>What is missing</h2>",
        "no symbols for Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64): 6 frames unresolved; give its dSYM with -d",
        "<code>mdfind &#39;com_apple_xcode_dsym_uuids == A4B1DE49-70B3-301D-A644-58D6BC22F513&#39;",
        "<code>symbolicate doctor report</code>",
        "<b>Letter Shuffle</b> <span class=\"bad\">no symbols for 6 frames</span>",
      ])
  }

  /// The frames of a page are those of JSON: numbers, functions and addresses, in order.
  @Test(arguments: [SymbolicationOptions.ThreadSelection.all, .crashed])
  func framesAreThoseOfJson(threads: SymbolicationOptions.ThreadSelection) throws {
    var options = SymbolicationOptions()
    options.threads = threads
    let input = Array(JsonFixture.ips.utf8)
    let json = try JsonFixture.document(input, options).reports.flatMap(\.backtraces)
      .flatMap(\.frames)
    expectEqual(json.count, 12)
    let page = page(input, options)
    let addresses = page.matches(of: /class="ad">0x([0-9a-f]{16})</).compactMap {
      UInt64($0.output.1, radix: 16)
    }
    expectEqual(
      addresses, json.compactMap { UInt64($0.address?.dropFirst(2) ?? "", radix: 16) })
  }

  /// Two processes of a spindump that is about the second one. The form is that of macOS 14; the
  /// functions are made up.
  private static let hang = """
    Date/Time:        2024-03-05 10:11:12.123 +0100
    OS Version:       macOS 14.3 (Build 23D56)
    Architecture:     arm64e
    Report Version:   41

    Command:          Ledger
    Path:             /Applications/Ledger.app/Contents/MacOS/Ledger
    PID:              812

    Event:            hang
    Duration:         8.33s
    Steps:            83 (100ms sampling interval)

    Process:          accountsd [323]
    Path:             /System/Library/Frameworks/Accounts.framework/Versions/A/Support/accountsd

      Thread 0x9e8    DispatchQueue "com.apple.main-thread"(1)    83 samples (1-83)
      83  start + 1 (libdyld.dylib + 21045) [0x104720235]
        83  __CFRunLoopServiceMachPort + 420 (CoreFoundation + 553236) [0x7fff7e0b4114]

    Process:          Ledger [812]
    Path:             /Applications/Ledger.app/Contents/MacOS/Ledger

      Thread 0xa11    DispatchQueue "com.apple.main-thread"(1)    83 samples (1-83)
      83  start + 1903 (dyld + 21045) [0x104720235]
        83  main + 40 (Ledger + 4096) [0x100001000]
          83  Store.save() + 88 (Ledger + 8192) [0x100002000]
            83  __psynch_mutexwait + 8 (libsystem_kernel.dylib + 17000) [0x180b74268]

      Thread 0xa12    83 samples (1-83)
      83  Store.import(_:) + 12 (Ledger + 9000) [0x100002328]


    """

  /// Who hung, for how long, and what the main thread was doing.
  @Test func aHangNamesTheProcessAndWhatItDid() {
    let page = page(Self.hang.utf8, with: [])
    expect(
      page,
      has: [
        "<title>Ledger: hang of 8.33s</title>", "<h1>Ledger: hang of 8.33s</h1>",
        "<a href=\"#r2\">Ledger, pid 812: the main thread was waiting for a lock, in Store.save()</a>",
        // The other process was only watched.
        "<a href=\"#r1\">accountsd</a> <span class=\"detail\">sample of 8.33s</span>",
        "<h3 class=\"why\">Hang of 8.33s</h3>",
        "<p class=\"where\">The main thread was waiting for a lock, in <a href=\"#r2-site\"><code>Store.save()</code></a></p>",
        "<p class=\"where\">The main thread was waiting in its run loop</p>",
        "<span class=\"tag\">here</span>",
      ])
    // Nothing hung where no process is named.
    let watched = self.page(
      Self.hang.replacing("Command:          Ledger\n", with: "").replacing(
        "PID:              812\n", with: ""
      ).replacing("hang\n", with: "shutdown stall\n").utf8,
      with: [])
    expectContains(watched, "<h1>Shutdown stall of 8.33s: 2 processes</h1>")
  }

  /// What the heading says is not said again.
  @Test func aMessageIsThereOnce() {
    let report = ReportFixture.report(
      frames: [ReportFixture.line(0, 0x1_0024_5798, "abort + 1")]
    ).replacing(
      "Thread 0", with: "Application Specific Information:\nThe board has no tiles\n\nThread 0",
      maxReplacements: 1)
    let page = page(report.utf8, with: [])
    expectContains(page, "<h2 class=\"why\">The board has no tiles")
    expectEqual(page.components(separatedBy: "The board has no tiles").count, 2)
    expectContains(page, "<dd>what the app or a library wrote</dd>")
  }

  /// The rounds of a recursion after the first are folded, and all frames are in the page.
  @Test func recursionIsFolded() {
    let frames =
      [ReportFixture.line(0, 0x1_0024_5798, "abort + 1")]
      + (1...100).map { ReportFixture.line($0, 0x1_0024_5798, "f\($0 % 2) + 1") }
      + (101...300).map { ReportFixture.line($0, 0x1_0024_5798, "g + 1") }
      + [ReportFixture.line(301, 0x1_0024_5798, "main + 1")]
    let page = page(ReportFixture.report(frames: frames).utf8, with: [])
    expect(
      page,
      has: [
        "<details class=\"again\"><summary>The 2 frames above repeat 49 times</summary>",
        "<details class=\"again\"><summary>The frame above repeats 199 times</summary>",
      ])
    let numbers = page.matches(of: /class="no">([0-9]+)</).compactMap { Int($0.output.1) }
    expectEqual(numbers, Array(0...301))
    // abort, one round, and what follows it.
    let parts = page.components(separatedBy: "<ol class=\"frames\"")
      .map { $0.components(separatedBy: "class=\"no\"").count - 1 }
    expectEqual(parts.filter { $0 > 0 }, [3, 98, 1, 199, 1])
    // A few frames that repeat are no trouble to read.
    let short = self.page(
      ReportFixture.report(
        frames: (0..<8).map { ReportFixture.line($0, 0x1_0024_5798, "g + 1") }
      ).utf8, with: [])
    expectFalse(short.contains("class=\"again\""))
  }

  /// Frame 7 of the report is `...`, and frame 19 follows it.
  @Test func framesThatTheReportLeavesOutAreCounted() throws {
    let path = Fixtures.path("SwiftBacktrace/Reports/ladder-off.log")
    let page = page(try Fixtures.bytes(of: path), with: [])
    let parts = page.components(
      separatedBy: "<p class=\"detail\">… 12 frames left out by the report …</p>")
    let numbers = parts.map { part in
      part.matches(of: /class="no">([0-9]+)</).compactMap { Int($0.output.1) }
    }
    expectEqual(numbers, [Array(0...6), Array(19...22)])
  }

  @Test func sameInputSameBytes() throws {
    let story = try JsonFixture.story
    let first = page(story, with: [])
    expectEqual(first, page(story, with: []))
    expectContains(first, "r1-site")
  }

  // MARK: Hostile reports

  /// Each kind of text in a report and a symbol file, with what would end an element, an attribute
  /// or the script, hide text, or reach a terminal.
  @Test func everyTextIsEscaped() {
    let attack = "</script><script>alert(1)</script>\"'\u{202e}\u{7}b"
    let report = """
      Incident Identifier: I\(attack)
      Hardware Model:      H\(attack)
      Process:             P\(attack) [1]
      Path:                /\(attack)
      Identifier:          B\(attack)
      Version:             V\(attack)
      Code Type:           ARM-64 (Native)
      Date/Time:           D\(attack)
      OS Version:          O\(attack)
      Exception Type:      E\(attack)
      Exception Subtype:   S\(attack)
      Termination Reason:  T\(attack)
      Application Specific Information:
      A\(attack)

      Thread 0 name:  N\(attack)
      Thread 0 Crashed:
      0   M\(attack)  \t0x0000000100001010 F\(attack) + 12 (f\(attack).c:3)

      Binary Images:
      0x100000000 - 0x10000ffff M\(attack) arm64  <0123456789abcdef0123456789abcdef> /M\(attack)

      """
    let page = page(report.utf8, with: [])
    expectEqual(page.components(separatedBy: "<script>").count, 2)
    expectEqual(page.components(separatedBy: "</script>").count, 2)
    expectFalse(page.contains("\u{202e}"))
    expectFalse(page.contains("\u{7}"))
    // The texts are there, and can be read.
    let escaped =
      "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;<span class=\"ch\">U+202E</span><span class=\"ch\">U+0007</span>b"
    for letter in ["H", "D", "A"] {
      expectContains(page, "\(letter)\(escaped)", "\(letter)")
    }
    // Titles hold no elements.
    expectContains(page, "&quot;&#39;U+202EU+0007b</title>")
  }

  /// An input that is not a report may be a page itself: it is not passed on.
  @Test func inputWithoutReportIsNotPassedOn() {
    let page = page("<html><script>alert(1)</script></html>".utf8, with: [])
    expectFalse(page.contains("alert"))
    expect(page, has: ["<h1>No report found</h1>", "report"])
  }

  // MARK: Parts

  @Test func severalReports() throws {
    let story = String(decoding: try JsonFixture.story, as: UTF8.self)
    let other = story.replacing("DAB41DAD", with: "DAB41DAE")
    let page = page((story + "\n" + other).utf8)
    expect(
      page,
      has: [
        "<h1>Letter Shuffle 6 (1.3): 2 reports</h1>",
        "<li><a href=\"#r1\">Letter Shuffle 6 (1.3)</a>",
        "<li><a href=\"#r2\">Letter Shuffle 6 (1.3)</a>",
        "<section id=\"r2\" aria-label=\"Letter Shuffle 6 (1.3), report 2\">",
        "<h2>Letter Shuffle 6 (1.3)</h2>", "id=\"r1-site\"", "id=\"r2-site\"",
      ])
    expectEqual(page.components(separatedBy: "<h1>").count, 2)
  }

  @Test func otherThreadsAreFolded() {
    let text = ReportFixture.report(frames: [ReportFixture.frame(0, 0x1_0024_f19c)])
      .replacing(
        "\n\nBinary Images:",
        with: """

          Thread 1 name:  Dispatch queue: com.example.queue
          Thread 1:
          \(ReportFixture.frame(0, 0x1_0024_5798))
          \(ReportFixture.frame(1, 0x1_0024_563c))

          Binary Images:
          """)
    expect(
      page(text.utf8),
      has: [
        "<h2>Other threads (1)</h2>",
        "<details class=\"thread\"><summary><b>Thread 1</b> <code>com.example.queue</code> <span class=\"detail\">2 frames</span> <code class=\"detail\">GameData.<wbr>rounds.<wbr>unsafeMutableAddressor</code></summary>",
      ])
  }

  @Test func registers() {
    let text = ReportFixture.report(frames: [ReportFixture.frame(0, 0x1_0024_f19c)])
      .replacing(
        "\n\nBinary Images:",
        with: """


          Thread 0 crashed with ARM Thread State (64-bit):
              x0: 0x0000000000000001   x1: 0xffffffffffffffff
              sp: 0x000000016fdff000   pc: 0x000000010024f19c cpsr: 0x60000000
             esr: 0x92000046 (Data Abort) byte write Translation fault

          Binary Images:
          """)
    let page = page(text.utf8)
    let found = page.matches(of: /<dt>([a-z0-9]+)<\/dt>\n<dd>(0x[0-9a-f]+)<\/dd>/).map {
      "\($0.output.1) \($0.output.2)"
    }
    expectEqual(
      found,
      [
        "x0 0x0000000000000001", "x1 0xffffffffffffffff", "sp 0x000000016fdff000",
        "pc 0x000000010024f19c", "cpsr 0x0000000060000000", "esr 0x0000000092000046",
      ])
  }

  @Test func registersOfIps() {
    let ips = JsonFixture.ips.replacing(
      #""triggered":true,"#,
      with:
        #""triggered":true,"threadState":{"x":[{"value":5},{"value":-1}],"flavor":"ARM_THREAD_STATE64","pc":{"value":4297388444,"matchesCrashFrame":1}},"#
    )
    expect(
      page(ips.utf8),
      has: [
        "<dt>x0</dt>\n<dd>0x0000000000000005</dd>", "<dt>x1</dt>\n<dd>0xffffffffffffffff</dd>",
        "<dt>pc</dt>\n<dd>0x000000010024f19c</dd>",
      ])
  }

  @Test func sourceLines() throws {
    let directory = try TemporaryDirectory()
    let lines = (1...30).map { $0 == 18 ? "\tlet a = b < c" : "line \($0)" }
    try directory.write(lines.map { $0 + "\n" }.joined().utf8, to: "GameData.swift")
    var options = SymbolicationOptions()
    options.sourceContext = SourceContext(lineCount: 1)
    options.sourcePaths = SourcePathRules(
      mappings: [try require(PathMapping("/Users/builder/Letter Shuffle=\(directory.path)"))],
      strippedPrefixes: [try require(PathPrefix(directory.path))])
    expect(
      page(try JsonFixture.story, options),
      has: [
        "<pre class=\"source\">17  line 17\n<b class=\"hit\">18      let a = b &lt; c</b>\n19  line 19</pre>"
      ])
  }

  @Test func reportsWithoutStacks() {
    expect(
      page(EventSummaryTests.jetsam.utf8, with: []),
      has: [
        "<h1>jetsam event</h1>",
        "JETSAM ended Letters (pid 812), 256.1 MB (per-process-limit: used more memory than its own limit)",
        "<dt>Details</dt>\n<dd><pre>largest process: Letters (pid 812), 256.1 MB\nmemory: active 10.0 MB, free 1.5 MB",
      ])
  }

  /// A tree has counts in place of numbers, and is indented.
  @Test func callTrees() throws {
    expect(
      page(ReportFixture.sample.utf8),
      has: [
        "<h2>Most sampled thread</h2>",
        "<details class=\"thread\" open><summary><b>Thread 9</b> <code>com.apple.main-thread</code> <span class=\"detail\">2705 samples, 7 frames</span></summary>",
        "<ol class=\"frames tree\" role=\"list\">",
        "<li class=\"d2\"><span class=\"no\">2000</span> <b class=\"fn\">GameViewController.<wbr>viewDidLoad()</b> <span class=\"im\">Letter Shuffle</span> <span class=\"at\">GameViewController.<wbr>swift:37</span>",
        "<li class=\"inlined d2\"><span class=\"no\">2000</span> <b class=\"fn\">GameViewController.<wbr>startRound()</b>",
        "<li class=\"d3\"><span class=\"no\">2000</span> <b class=\"fn\">GameViewController.<wbr>loadRound(_:)</b>",
      ])
  }
}
