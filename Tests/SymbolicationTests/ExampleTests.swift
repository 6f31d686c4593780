import AddressResolver
import CrashLogParser
import Foundation
import Symbolication
import SymbolicationModel
import TestSupport
import Testing

/// The examples in docs/library.md are what a program would compile, and do what the document says.
struct ExampleTests {
  /// Expected: llvm-symbolizer's answers for these addresses, which the golden report holds too.
  @Test func framesOfTheCrashedThread() throws {
    let lines = try symbolicateOneReport(
      Fixtures.bytes(of: Fixtures.storyReport), dsym: Fixtures.storyBundle)
    expectEqual(
      lines.prefix(4),
      [
        "0 Letter Shuffle GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
        "  <compiler-generated>:0",
        "1 Letter Shuffle one-time initialization function for rounds",
        "  GameData.swift:18",
      ])
    expectContains(lines, "7 Letter Shuffle GameViewController.startRound()")
    expectTrue(
      lines.contains {
        $0.hasPrefix("2 libdispatch.dylib no symbol file for libdispatch.dylib")
      })
  }

  @Test func renderedBytes() throws {
    let (bytes, notes) = try renderReport(
      Fixtures.bytes(of: Fixtures.storyReport), dsym: Fixtures.storyBundle)
    let object = try require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    expectEqual(object["schema"] as? String, "symbolicate-report")
    expectEqual(object["input"] as? String, "letter-shuffle.crash")
    expectEqual(notes.first, "6 of 11 frames resolved")
    // Two sentences: the tally, and the system's libraries.
    expectEqual(notes.count, 2)
    expectFalse(String(decoding: bytes, as: UTF8.self).contains("\"lookupAddress\""))
  }

  /// Expected values are read off the report.
  @Test func parsedReport() throws {
    let lines = try parseReport(Fixtures.bytes(of: Fixtures.storyReport))
    expectEqual(
      lines,
      [
        "Letter Shuffle on iPhone OS",
        "Letter Shuffle A4B1DE49-70B3-301D-A644-58D6BC22F513",
        "Letter Shuffle + 160156",
      ])
  }

  /// Expected: llvm-symbolizer's answer for the byte before the address, which the golden report
  /// holds too.
  @Test func resolvedAddress() throws {
    try expectEqual(
      resolveAddress(dsym: Fixtures.storyBundle),
      [
        "GameViewController.startRound() GameViewController.swift:51",
        "GameViewController.viewDidLoad() GameViewController.swift:37",
      ])
  }

  /// The code blocks of the document are the marked parts of Examples.swift.
  @Test func theDocumentHasTheseExamples() throws {
    let source = try text(of: "Tests/SymbolicationTests/Examples.swift")
    let document = try text(of: "docs/library.md")
    let examples = source.components(separatedBy: "  // EXAMPLE ").dropFirst().map { part in
      part.components(separatedBy: "  // END")[0].split(separator: "\n").dropFirst()
        .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : String($0) }
    }
    let blocks = document.components(separatedBy: "```swift\n").dropFirst().map { part in
      part.components(separatedBy: "```")[0].split(separator: "\n").map(String.init)
        .filter { !$0.hasPrefix("import ") }
    }.filter { !$0.isEmpty && !$0[0].hasPrefix(".") }
    expectFalse(blocks.isEmpty)
    expectEqual(blocks, examples.map { Array($0) })
  }

  private func text(of path: String) throws -> String {
    String(
      decoding: try Fixtures.bytes(of: "\(Fixtures.packageDirectory)/\(path)"), as: UTF8.self)
  }
}

struct SymbolicatorTests {
  @Test func noReport() {
    var symbolicator = Symbolicator(symbolPaths: [])
    #expect(throws: CrashLogParseError.noReportFound(.unknown)) {
      try symbolicator.symbolicate(Array("nothing".utf8))
    }
  }

  @Test func aPathThatCannotBeUsedIsAProblem() throws {
    var symbolicator = Symbolicator(symbolPaths: ["/does/not/exist.dSYM"])
    let input = try symbolicator.symbolicate(try Fixtures.bytes(of: Fixtures.storyReport))
    expectEqual(input.problems.count, 1)
    expectContains(input.problems[0], "/does/not/exist.dSYM")
    expectFalse(input.isComplete)
    try expectEqual(input.bytes, Fixtures.bytes(of: Fixtures.storyReport))
    let missing = try require(input.reports.first?.missingImages.first)
    expectEqual(missing.name, "Letter Shuffle")
    expectEqual(missing.frameCount, 6)
    expectEqual(missing.identity?.description, "A4B1DE49-70B3-301D-A644-58D6BC22F513")
  }

  @Test func unsymbolicatedFramesSayWhy() throws {
    var options = SymbolicatorOptions()
    var symbolicator = Symbolicator(symbolPaths: [], options: options)
    let bytes = try Fixtures.bytes(of: Fixtures.storyReport)
    let frame = try require(
      symbolicator.symbolicate(bytes).reports.first?.crashedThread?.frames.first)
    expectTrue(frame.function == nil && frame.origin == nil)
    expectEqual(frame.imageOffset, 160_156)
    expectEqual(frame.problem?.hasPrefix("no symbol file for Letter Shuffle"), true)
    options.explains = false
    symbolicator = Symbolicator(symbolPaths: [], options: options)
    let unexplained = try symbolicator.symbolicate(bytes).reports.first?.crashedThread?.frames
    expectNil(unexplained?.first?.problem)
  }

  @Test func originsAndInlinedCalls() throws {
    var symbolicator = Symbolicator(symbolPaths: [Fixtures.storyBundle])
    let input = try symbolicator.symbolicate(try Fixtures.bytes(of: Fixtures.storyReport))
    let frames = try require(input.reports.first?.crashedThread).frames
    expectEqual(frames.filter(\.isInlined).map(\.function), ["GameViewController.startRound()"])
    expectTrue(frames[0].origin == .dwarf && frames[2].origin == nil)
    expectEqual(frames[0].offset, 164)
    expectEqual(input.reports[0].report.facts.process.identifier, 57833)
  }
}

struct ImageResolverTests {
  @Test func foundByUuid() throws {
    let uuid = try require(ImageIdentity(hexadecimal: "a4b1de4970b3301da64458d6bc22f513".utf8))
    let image = try require(ImageResolver(identity: uuid, in: [Fixtures.path("LetterShuffle")]))
    expectEqual(image.architecture, .arm64)
    expectEqual(image.imageName, "Letter Shuffle")
    let other = try require(ImageIdentity(hexadecimal: "00000000000000000000000000000001".utf8))
    expectNil(ImageResolver(identity: other, in: [Fixtures.path("LetterShuffle")]))
  }

  @Test func aFileThatCannotBeOpenedSaysWhy() {
    do {
      _ = try ImageResolver(symbolFile: "/does/not/exist")
      Issue.record("a file that does not exist was opened")
    } catch {
      expectEqual(error.sentence, "cannot read /does/not/exist: No such file or directory")
    }
  }

  @Test func noReportSaysWhat() {
    expectEqual(
      CrashLogParseError.emptyInput.sentence(path: "a.crash"),
      "a.crash is empty; expected a crash report")
  }
}
