import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// `--summary`. Functions and lines are from `Fixtures/LetterShuffle/README.md`.
struct SummaryTests {
  /// A file that may be the right one is named, and what is missing.
  @Test func joinThatWasRefused() {
    let file = Fixtures.path("Elf/shapes-pie.elf")
    let lines = summary(
      "* thread #1, stop reason = signal SIGSEGV\n"
        + "  * frame #0: 0x00005555555554f0 shapes-pie.elf`___lldb_unnamed_symbol1\n",
      with: [file])
    expectEqual(
      lines.suffix(2),
      [
        "not looked up: shapes-pie.elf: \(file) may be its symbol file; give -l 'shapes-pie.elf=0xADDRESS', where it was loaded",
        "0 of 1 frame resolved",
      ])
  }

  private static let story = """
    Letter Shuffle 6 (1.3), pid 57833, iPhone OS 12.4 (16G77), arm64, 2019-07-31 11:32:24.3585 -0700
    GameData.swift:18 in one-time initialization function for rounds — a failed check in Swift code (nil, index, overflow, cast or precondition)
    EXC_BREAKPOINT (SIGTRAP): codes 0x1 0x10024f19c
    xxx, incident DAB41DAD-9A48-42B0-9115-7AB25B8FC81F, 0.194 s after launch, Non UI, parent launchd [1]
    thread 0 crashed (com.apple.main-thread):
       0  Letter Shuffle      GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) (<compiler-generated>:0)
       1  Letter Shuffle      one-time initialization function for rounds (GameData.swift:18)
       2  libdispatch.dylib   0x1c646c000 + 395220
       3  libdispatch.dylib   0x1c646c000 + 16056
       4  libswiftCore.dylib  0x1f420d000 + 2780736
       5  Letter Shuffle      GameData.rounds.unsafeMutableAddressor (GameData.swift:14)
       6  Letter Shuffle      GameViewController.loadRound(_:) (GameViewController.swift:60)
       7  Letter Shuffle      GameViewController.startRound() (GameViewController.swift:51) [inlined]
       8  Letter Shuffle      GameViewController.viewDidLoad() (GameViewController.swift:37)
       9  Letter Shuffle      @objc GameViewController.viewDidLoad() (<compiler-generated>:0)
      10  UIKitCore           0x1f2810000 + 3224100
      11  UIKitCore           0x1f2810000 + 3225128
    signature 57732f7ac38603df: EXC_BREAKPOINT | GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) | one-time initialization function for rounds | GameData.rounds.unsafeMutableAddressor
    6 of 11 frames resolved; no symbols for 5 frames of system libraries
    """

  @Test func ofTheStory() throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    expectEqual(summary(text, keepsSignature: true).joined(separator: "\n"), Self.story)
    expectEqual(
      summary(JsonFixture.ips, keepsSignature: true).joined(separator: "\n"),
      Self.story.replacing("6 (1.3)", with: "1.3 (6)")
        // Only there do the libraries have UUIDs.
        .replacing(
          "\n6 of 11",
          with:
            "\nsymbols that would help most: libdispatch.dylib (UUID 11111111-1111-1111-1111-111111111111, arm64), 2 frames of the crash (a system library)\n6 of 11"
        ))
    expectEqual(
      summary(text, with: []).last,
      "0 of 11 frames resolved; no symbols for Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64), 5 frames of system libraries"
    )
    var options = SymbolicationOptions()
    options.onlyUserCode = true
    let own = summary(text, with: [Fixtures.storyBundle], options)
    expectEqual(own.count, 13)
    expectEqual(own.last, "6 of 6 frames resolved")
  }

  @Test func severalReportsWithAnEmptyLineBetween() throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    let lines = summary(text + "\n" + text, keepsSignature: true)
    expectEqual(lines.joined(separator: "\n"), Self.story + "\n\n" + Self.story)
  }

  /// All frames of the app stay, but only the first of the system's.
  @Test func longBacktracesAreCut() throws {
    let system =
      "0x180000000 - 0x18000ffff libSystem arm64  <00112233445566778899aabbccddeeff> /usr/lib/libSystem"
    let frames = (0..<100).map { index in
      [50, 99].contains(index)
        ? ReportFixture.frame(index, 0x1_0024_5798)
        : ReportFixture.line(index, 0x1_8000_1000, image: "libSystem", "f\(index) + 1")
    }
    let lines = summary(
      ReportFixture.report(frames: frames, images: [ReportFixture.storyLine, system]),
      keepsSignature: true)
    // One line each for the process, the place, the incident, the thread, the two gaps, the
    // signature and the symbols.
    expectEqual(lines.count, 25)
    expectEqual(
      lines[1], "GameData.swift:14 in GameData.rounds.unsafeMutableAddressor — crashed in f0")
    expectEqual(lines[2], "incident 1")
    expectEqual(lines[4], "   0  libSystem       f0")
    expectEqual(lines[18], "  14  libSystem       f14")
    expectEqual(lines[19], "  … 35 frames …")
    expectEqual(
      lines[20], "  50  Letter Shuffle  GameData.rounds.unsafeMutableAddressor (GameData.swift:14)")
    expectEqual(lines[21], "  … 48 frames …")
    expectPrefix(lines[22], "  99  Letter Shuffle")

    let deep = (0..<5000).map {
      ReportFixture.line($0, 0x1_8000_1000, image: "libSystem", "f\($0 % 9) + 1")
    }
    let cut = summary(
      ReportFixture.report(frames: deep, images: [system]), keepsSignature: true)
    expectTrue(cut.count == 25 && cut[22] == "  … 4982 frames …")
    // Nothing but its innermost function is known of the crash.
    expectEqual(cut[1], "f0 in libSystem")
    expectPrefix(cut[4], "   0  libSystem  f0")
  }

  /// A gap of one frame would take as much room as the frame.
  @Test func gapsHaveSeveralFrames() {
    let system =
      "0x180000000 - 0x18000ffff libSystem arm64  <00112233445566778899aabbccddeeff> /usr/lib/libSystem"
    // Frames of the app and of the system in turn, then many of the system.
    let frames = (0..<60).map { index in
      index % 2 == 1 && index < 17
        ? ReportFixture.line(index, 0x1_0024_5798, "a\(index) + 1")
        : ReportFixture.line(index, 0x1_8000_1000, image: "libSystem", "f\(index) + 1")
    }
    let lines = summary(
      ReportFixture.report(frames: frames, images: [ReportFixture.storyLine, system]), with: [])
    expectFalse(lines.contains { $0.contains("… 1 frame …") })
    expectTrue(lines.contains { $0.hasSuffix("a15") })
    let omitted = lines.compactMap { line -> Int? in
      line.hasPrefix("  … ") ? Int(line.split(separator: " ")[1]) : nil
    }
    expectEqual(omitted.reduce(0, +) + lines.count { $0.contains("lib") || $0.contains("  a") }, 60)
  }

  /// Three or more frames in a row with the same function and line are one line.
  @Test func recursionIsFolded() {
    let frames = (0..<5000).map { ReportFixture.frame($0, 0x1_0024_5798) }
    let lines = summary(ReportFixture.report(frames: frames))
    let name = "Letter Shuffle  GameData.rounds.unsafeMutableAddressor"
    expectEqual(
      lines.dropFirst(4),
      [
        "  0  \(name) (GameData.swift:0)", "  1  \(name) (GameData.swift:14) × 4999",
        "5000 of 5000 frames resolved",
      ])
  }

  /// Functions that call each other are shown once, with how often they follow again.
  @Test func mutualRecursionIsFolded() {
    let frames = (0..<100).map { ReportFixture.line($0, 0x1_0024_5798, "f\($0 % 3) + 1") }
    let last = [ReportFixture.line(100, 0x1_0024_5798, "main + 1")]
    let lines = summary(ReportFixture.report(frames: frames + last), with: [])
    // 33 rounds are 99 frames; frame 99 begins another.
    expectEqual(
      lines.dropFirst(4).dropLast(),
      [
        "    0  Letter Shuffle  f0", "    1  Letter Shuffle  f1", "    2  Letter Shuffle  f2",
        "  … these 3 frames repeat 32 times …", "   99  Letter Shuffle  f0",
        "  100  Letter Shuffle  main",
      ])
  }

  /// Without names, frames at one address are the same.
  @Test func recursionWithoutSymbolsIsFolded() {
    let frames = (0..<300).map { ReportFixture.frame($0, 0x1_0024_5798) }
    let lines = summary(ReportFixture.report(frames: frames), with: [])
    expectContains(lines, "  0  Letter Shuffle  0x100228000 + 120728 × 300")
    // Two frames are no recursion.
    let two = summary(ReportFixture.report(frames: Array(frames.prefix(2))), with: [])
    expectContains(two, "  1  Letter Shuffle  0x100228000 + 120728")
  }

  @Test func whatHappened() {
    let text = """
      Process: App [1]
      Version: ???
      Code Type: ARM-64
      Exception Type: EXC_CRASH (SIGABRT)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      Report Version: 104

      Application Specific Information:
      dyld3 mode
      Fatal error: Index out of range

      Last Exception Backtrace:
      0   Letter Shuffle   0x0000000100245798 0x100228000 + 120728

      Thread 0 Crashed:
      0   libsystem   0x0000000180001000 __pthread_kill + 8

      Binary Images:
      \(ReportFixture.storyLine)

      """
    expectEqual(
      summary(text),
      [
        "App, pid 1, arm64",
        "GameData.rounds.unsafeMutableAddressor in GameData.swift — Fatal error: Index out of range",
        "EXC_CRASH (SIGABRT)", "last exception:",
        // Frame 0 is not a return address: its line is that of the instruction there.
        "  0  Letter Shuffle  GameData.rounds.unsafeMutableAddressor (GameData.swift:0)",
        "2 of 2 frames resolved",
      ])
    let thrown = text.replacing(
      "Fatal error: Index out of range",
      with: "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'no'")
    expectEqual(
      summary(thrown)[1],
      "GameData.rounds.unsafeMutableAddressor in GameData.swift — NSRangeException: no")
    // The selected thread, if there is one.
    var options = SymbolicationOptions()
    options.threads = .numbered([0])
    expectEqual(
      summary(text, with: [], options).suffix(3),
      [
        "thread 0 crashed:", "  0  libsystem  __pthread_kill", "1 frame, already symbolicated",
      ])
  }

  @Test func frameLinesAlone() {
    expectEqual(
      summary("3   Letter Shuffle 0x0000000100245798 0x100228000 + 120728\n"),
      [
        "process with Letter Shuffle",
        "GameData.swift:14 in GameData.rounds.unsafeMutableAddressor",
        "frames:",
        "  3  Letter Shuffle  GameData.rounds.unsafeMutableAddressor (GameData.swift:14)",
        "1 of 1 frame resolved",
      ])
  }

  /// KSCrash keeps the class of the last object that was freed at an address.
  @Test func notesOfKsCrash() {
    let lines = summary(
      #"{"report":{"version":"3.3"},"process":{},"system":{"process_name":"Game"},"binary_images":[{"image_addr":6442450944,"image_size":65536,"name":"/usr/lib/libobjc.A.dylib","uuid":"A4B1DE49-70B3-301D-A644-58D6BC22F513"}],"crash":{"diagnosis":"Possible zombie\nin call","error":{"type":"mach","address":16,"mach":{"exception":1,"exception_name":"EXC_BAD_ACCESS","code":1,"subcode":16},"signal":{"name":"SIGSEGV","signal":11}},"threads":[{"index":0,"crashed":true,"registers":{"basic":{"pc":6442451000}},"notable_addresses":{"x0":{"address":1,"type":"unknown","last_deallocated_obj":"__NSArrayI"},"x1":{"address":2,"type":"string","value":"count"}},"backtrace":{"contents":[{"instruction_addr":6442451000,"object_addr":6442450944,"object_name":"libobjc.A.dylib","symbol_addr":6442450980,"symbol_name":"objc_msgSend"}]}}]}}"#,
      with: [])
    expectEqual(
      lines[1],
      "an object was used that was freed or overwritten before (objc_msgSend, selector count), where an object of the class __NSArrayI was freed"
    )
    expectTrue(lines.contains("KSCrash's diagnosis: Possible zombie; in call"))
  }

  @Test func crashedThreadsWithoutANumber() {
    let lines = summary(
      "Crashed: com.apple.main-thread\n0  Game  0x246e35c Page.load() + 45 (Page.swift:45)\n",
      with: [])
    expectEqual(lines[0], "process with Game")
    expectTrue(lines.contains("crashed thread (com.apple.main-thread):"))
  }

  @Test func reportsWithoutFrames() {
    expectEqual(
      summary("Process: A [1]\nIdentifier: b\nVersion: 2\nReport Version: 104\n"),
      ["A 2, pid 1", "no stack frames"])
  }

  /// Untrusted names: no escape sequence reaches the terminal, and lines are limited in length.
  @Test func hostileNames() {
    let name = String(repeating: "n", count: 5000)
    let body =
      #"{"procName":"A\u001b[2J\n\#(name)","threads":[{"triggered":true,"name":"\u009bt","frames":[{"imageOffset":0,"imageIndex":0,"symbol":"\u001b]\#(name)","symbolLocation":0,"sourceFile":"\#(name)","sourceLine":1}]}],"usedImages":[{"base":4096,"size":16,"name":"\#(name)"}]}"#
    let lines = summary(body, keepsSignature: true)
    expectEqual(lines.count, 6)
    expectTrue(lines.allSatisfy { $0.count < 320 })
    expectTrue(
      lines.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    expectPrefix(lines[0], "A\u{fffd}[2J\u{fffd}nnn")
  }

  @Test func manyImagesWithoutSymbols() {
    let images = (1...5).map {
      "0x\($0)00000000 - 0x\($0)0000ffff A\($0) arm64  <0000000000000000000000000000000\($0)> /private/var/A\($0)"
    }
    let frames = (1...5).map {
      ReportFixture.frame(
        $0 - 1, UInt64($0) << 32 | 0x1000, image: "A\($0)", base: UInt64($0) << 32)
    }
    expectEqual(
      summary(ReportFixture.report(frames: frames, images: images), with: []).last,
      "0 of 5 frames resolved; no symbols for A1 (UUID 00000000-0000-0000-0000-000000000001, arm64), A2 (UUID 00000000-0000-0000-0000-000000000002, arm64), 3 more images"
    )
  }
}

/// The lines of the summary of a text, without that of the signature.
func summary(
  _ text: String, with symbols: [String] = [Fixtures.storyBundle],
  _ options: SymbolicationOptions = SymbolicationOptions(), keepsSignature: Bool = false
) -> [String] {
  let output = JsonFixture.output(text.utf8, as: .summary, with: symbols, options)
  expectSuffix(output, "\n")
  let lines = output.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
  return lines.map(String.init).filter { keepsSignature || !$0.hasPrefix("signature ") }
}
