import CrashLogParser
import TestSupport
import Testing

/// What dyld prints, pasted alone. The words are those of dyld's sources, and of public issues.
struct LinkerMessageTests {
  @Test(
    arguments: [
      "dyld: Library not loaded: @rpath/Kit\n  Referenced from: /private/var/Game.app/Game\n  Reason: image not found\n",
      "dyld[42]: Library not loaded: @rpath/Kit\n  Referenced from: <4C4C44> /Applications/Game.app/Contents/MacOS/Game\n  Reason: tried: '/a' (no such file)\n",
      "It crashes:\n\n> May 15 06:13:40 phone ReportCrash[6] <Error>: Dyld Error Message:\n> Dyld Message: Library not loaded: @rpath/Kit\n> Referenced  from: /var/Game.app/Game\n> Reason: image not found\n> Dyld Version: 390.7\n",
      "Dyld Error Message:\n  Library not loaded: @rpath/Kit\n  Referenced from: /var/Game.app/Game\n  Reason: image not found\n",
    ])
  func messages(text: String) throws {
    let report = try ParsedText(text).report
    expectEqual(report.facts.process.name, "Game")
    expectEqual(report.facts.termination.namespace, "DYLD")
    expectEqual(report.facts.termination.details.first, "Library not loaded: @rpath/Kit")
    expectEqual(report.facts.termination.details.count, 3)
    expectEmpty(report.backtraces)
    expectEmpty(report.faults)
  }

  /// A page has the message on one line.
  @Test(arguments: [
    "<p><em>Dyld Error Message: Library not loaded: @rpath/Kit Referenced from: /var/Game.app/Game Reason: image not found</em></p><p>Why?</p>",
    "dyld[42]: Library not loaded: @rpath/Kit Referenced from: <4C4C44> /var/Game.app/Game Reason: image not found\n",
  ])
  func messagesOnALine(text: String) throws {
    let facts = try ParsedText(text).report.facts
    let details = facts.termination.details
    expectEqual(facts.process.name, "Game")
    expectEqual(details.count, 3)
    expectEqual(details.first, "Library not loaded: @rpath/Kit")
    expectEqual(details.last, "Reason: image not found")
  }

  /// Messages of one line, which name no program.
  @Test(arguments: [
    "Dyld Error Message:\nDyld Message: @\n", "```\nDyld Error Message:\nDyld Message: @\n```\n",
    "dyld: @\n", "dyld[42]: @\n", "May 15 06:13:40 phone Board[6]: dyld: @\n",
  ])
  func messagesOfALine(line: String) throws {
    for words in [
      "no cache image with name (/System/Library/Frameworks/Kit.framework/Kit)",
      "terminating because inserted dylib '/tmp/hook.dylib' could not be loaded: tried: '/tmp/hook.dylib' (no such file)",
      "could not load inserted library '/tmp/hook.dylib' because image not found",
      "Incompatible library version: Board requires version 8.0.0 or later, but libkit.dylib provides version 6.0.0",
      "missing symbol called", "lazy symbol binding failed: Symbol not found: _draw",
    ] {
      let facts = try ParsedText(line.replacing("@", with: words)).report.facts
      expectEqual(facts.termination.namespace, "DYLD")
      expectSuffix(words, facts.termination.details.first ?? "-")
      expectEqual(facts.process.path, nil)
    }
  }

  /// dyld writes a complaint with its number whatever it says: first with the file, then alone.
  @Test(arguments: [
    "missing LC_LOAD_DYLIB (must link with at least libSystem.dylib)",
    "in '/tmp/board' load command #3 string extends beyond end of load command",
    "unknown platform", "segment '__DATA' vm address out of range", "mmap(/tmp/board) failed",
  ])
  func otherComplaints(words: String) throws {
    for text in [
      "dyld[812]: \(words) in /tmp/board\ndyld[812]: \(words)\n",
      "> dyld[812]: \(words) in /tmp/board\n",
    ] {
      let reports = try ParsedText(text).reports
      expectEqual(reports.count, 1)
      expectEqual(reports.first?.facts.termination.details, ["\(words) in /tmp/board"])
      expectEqual(reports.first?.facts.process.identifier, 812)
    }
  }

  @Test func brokenMessage() throws {
    let text =
      "dyld[42]: terminating because inserted dylib '/tmp/hook.dylib' could not be\nloaded: tried: '/a'\n"
    expectEqual(
      try ParsedText(text).report.facts.termination.details,
      ["terminating because inserted dylib '/tmp/hook.dylib' could not be loaded: tried: '/a'"])
  }

  @Test(arguments: [
    "What does `dyld: no cache` mean?\n", "dyld: launch, loading dependent libraries\n",
    "dyld[42]: <4C4C44> /usr/lib/libkit.dylib\n", "no cache image with name (/a)\n",
    // What dyld writes with the variables DYLD_PRINT_….
    "dyld[42]: running initializer 0x10 in /usr/lib/libkit.dylib\n",
    "dyld[42]: find path \"/usr/lib/libkit.dylib\"\n",
    "dyld[42]:   not found: \"/usr/lib/libkit.dylib\"\n", "dyld[42]: Kernel mapped /bin/board\n",
    "dyld[42]: dlopen(\"libkit.dylib\", 0x00000001)\n", "dyld[42]:   no such library\n",
    "dyld[42]: dyld cache '(null)' not loaded\n", "dyld: missing library\n",
    "dyld[42]: could not use the closure of the last start\n",
  ])
  func noMessages(text: String) {
    expectEmpty((try? ParsedText(text).reports) ?? [])
  }

  /// The reason goes on in the next line.
  @Test func reasonsOfTwoLines() throws {
    let text = """
      dyld: Library not loaded: @rpath/Kit
        Referenced from: /private/var/Game.app/Game
        Reason: no suitable image found.  Did find:
      \t/private/var/Game.app/Kit: mremap_encrypted() => -1, errno=12 for /private/var/Game.app/Kit
        Dyld Version: 390.6

      """
    let details = try ParsedText(text).report.facts.termination.details
    expectEqual(details.count, 4)
    expectContains(details.last ?? "", "mremap_encrypted()")
  }

  /// All that is left of a report besides may be its images.
  @Test func messageAboveImages() throws {
    for gap in ["\n", "\n\n"] {
      let text = """
        Dyld Error Message:
        Dyld Message: Library not loaded: @rpath/Kit
          Referenced from: /private/var/Game.app/Game
          Reason: no suitable image found.  Did find:
        \t/private/var/Game.app/Kit: mmap() errno=1 validating first page of '/private/var/Game.app/Kit'
          Dyld Version: 369.12\(gap)Binary Images:
        0x100054000 - 0x100063fff Game arm64  <f5696f5e7d7b3087a5fbd57da3fdff32> /private/var/Game.app/Game

        """
      let facts = try ParsedText(text).report.facts
      expectEqual(facts.termination.namespace, "DYLD")
      expectEqual(facts.termination.details.first, "Library not loaded: @rpath/Kit")
      expectContains(facts.termination.details.last ?? "", "validating first page")
    }
    // Of another program, far above.
    let far = String(repeating: "line\n", count: 20)
    let other = try ParsedText(
      "Dyld Error Message:\n  Library not loaded: a\n\(far)Thread 0:\n0   App 0x10 f + 1\n"
    ).report
    expectNil(other.facts.termination.namespace)
  }

  /// A report says more, and other lines are no message.
  @Test func onlyIfThereIsNoReport() throws {
    let message = "dyld: Library not loaded: @rpath/Kit\n  Referenced from: /var/Game.app/Game\n"
    let report = "Process: App [1]\nPath: /App\n\nThread 0:\n0   App 0x10 f + 1\n"
    expectEqual(try CrashLogParser.parse(Array("\(message)\n\(report)".utf8)).count, 1)
    for text in [
      "dyld: Library not loaded: @rpath/Kit\n",
      "Library not loaded: @rpath/Kit\n  Referenced from: /var/Game.app/Game\n",
      "dyld: Library not loaded: @rpath/Kit\nReason: image not found\n",
      "dyld: Library not loaded: @rpath/Kit\n  Referenced from: nobody",
    ] {
      #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
    }
    let two = try CrashLogParser.parse(Array("\(message)\n\(message)".utf8))
    expectEqual(two.count, 2)
    expectTrue(two[0].byteRange.upperBound <= two[1].byteRange.lowerBound)
  }
}
