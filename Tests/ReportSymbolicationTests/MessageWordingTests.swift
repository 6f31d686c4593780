import CrashLogParser
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing
import Wording

/// Counts, remedies and severities in what is said about a report.
struct MessageWordingTests {
  private func messages(
    _ text: String, with symbols: [String] = [], _ options: SymbolicationOptions = .init()
  ) -> [Message] {
    var job = ReportJob(symbolPaths: symbols, options: options)
    let result = job.symbolicate(Array(text.utf8), shownPath: "report")
    return result.problemMessages + result.outcomeMessages
  }

  private static let elf = "6bf4c0f2c1cbd9c3d4e5f60718293a4b5c6d7e8f"

  /// One frame of an image without symbols, whose path and identity are given.
  private func frame(of path: String, identity: String = "00112233445566778899aabbccddeeff")
    -> [Message]
  {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return messages(
      ReportFixture.report(
        frames: [ReportFixture.frame(0, 0x3_0000_1000, image: name, base: 0x3_0000_0000)],
        images: ["0x300000000 - 0x300003fff \(name) arm64  <\(identity)> \(path)"]))
  }

  @Test func counts() {
    let named = "0   App   0x0000000100001000 main + 4 (main.c:3)"
    let image = "0x100000000 - 0x100003fff App arm64  <00112233445566778899aabbccddeeff> /A.app/App"
    let one = messages(ReportFixture.report(frames: [named], images: [image]))
    expectEqual(one, [Message.plain("1 frame, already symbolicated").withTally])
    let two = messages(
      ReportFixture.report(
        frames: [named, named.replacing("0   App", with: "1   App")], images: [image]))
    expectEqual(two.map(\.text), ["2 frames, all already symbolicated"])
    let none = messages(ReportFixture.report(frames: [], images: [image]))
    expectEqual(none.map(\.text), ["the report has no stack frames"])
    var options = SymbolicationOptions()
    options.threads = .numbered([3])
    let unselected = messages(
      ReportFixture.report(frames: [named], images: [image]), options)
    expectEqual(
      unselected.map(\.text),
      ["the report's only frame is not selected", "the report has no thread 3"])
  }

  @Test func severities() throws {
    let own = frame(of: "/private/var/containers/Bundle/Application/1/App.app/App")
    expectEqual(own.map(\.severity), [.plain, .warning])
    let system = frame(of: "/usr/lib/libA.dylib")
    expectEqual(system.map(\.severity), [.plain, .note])
    let noReport = messages("hello\n", with: ["/missing"])
    expectEqual(noReport.map(\.severity), [.error, .error])
  }

  /// No debug package has the symbols of Swift's libraries; the toolchain's folder does.
  @Test(arguments: [
    "libswiftCore.so", "libFoundation.so", "libdispatch.so", "libswift_Concurrency.so",
  ])
  func swiftLibrariesOnLinux(name: String) {
    let remedy = "give the library folder of the same Swift toolchain with -d (usr/lib/swift/linux)"
    let installed = frame(of: "/usr/lib/swift/linux/\(name)", identity: Self.elf)
    expectEqual(
      installed.last,
      Message.note(
        "no symbols for 1 frame in system libraries (\(name) 1): \(remedy)"
      ).withTally)
    let bundled = frame(of: "/srv/app/\(name)", identity: Self.elf)
    expectEqual(bundled.last?.severity, .warning)
    expectEqual(bundled.last?.text.hasSuffix(": 1 frame unresolved; \(remedy)"), true)
  }

  @Test func otherLibrariesOnLinux() {
    expectEqual(
      frame(of: "/usr/lib/libc.so.6", identity: Self.elf).last?.text,
      "no symbols for 1 frame in system libraries (libc.so.6 1): install the debug packages of the distribution (-dbg, -dbgsym, -debuginfo)"
    )
  }

  /// `llvm-nm` lists no symbol of `shapes-arm64-stripped` at 0x100008000.
  @Test func aStrippedProgram() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("MachO/shapes-arm64-stripped"), to: "shapes")
    let image =
      "0x100000000 - 0x10000ffff shapes arm64  <4c4c442155553144a1aed843571bb5e2> /A.app/shapes"
    let text = ReportFixture.report(
      frames: [
        ReportFixture.frame(0, 0x1_0000_c000, image: "shapes", base: 0x1_0000_0000),
        ReportFixture.frame(1, 0x1_0000_c000, image: "shapes", base: 0x1_0000_0000),
      ], images: [image])
    let path = directory.path("shapes")
    expectEqual(
      messages(text, with: [path]).map(\.text),
      [
        "0 of 2 frames resolved",
        "\(path) has no symbols for 2 frames of shapes (0x10000c000); use its dSYM",
      ])
  }

  /// The directories and archives that were searched are named; files and bundles are not.
  @Test func searchedDirectories() throws {
    let directory = try TemporaryDirectory()
    for name in ["dSYMs", "more", "Other.dSYM"] { try directory.makeDirectory(name) }
    let places = SymbolPlaces(
      paths: [directory.path("dSYMs"), directory.path("Other.dSYM"), Fixtures.storyDwarfFile],
      searchDirectories: [directory.path("more")], debugDirectories: [])
    expectEqual(places.searchedPaths, [directory.path("dSYMs"), directory.path("more")])
    var job = ReportJob(
      places: SymbolPlaces(paths: [directory.path("dSYMs")], debugDirectories: []))
    let result = job.symbolicate(
      try Fixtures.bytes(of: Fixtures.storyReport), shownPath: "report")
    expectTrue(
      result.notes.contains {
        $0.hasSuffix(": 6 frames unresolved; its dSYM was not found in \(directory.path("dSYMs"))")
      }, "\(result.notes)")
  }

  /// What is not a report is called by its name.
  @Test(arguments: [
    (
      "{\\rtf1\\ansi Dear colleagues,\\par it crashed.}",
      "is rich text (RTF) without a crash report; save the report as plain text"
    ),
    (
      "\n<!DOCTYPE html>\n<html><body>Sign in</body></html>\n",
      "is a web page (HTML) without a crash report; save the report itself as a file"
    ),
    (
      "<HTML><P>Sign in",
      "is a web page (HTML) without a crash report; save the report itself as a file"
    ),
    (
      "<note>hello</note>",
      "has no crash report: expected 'Thread N:' with frames, or 'Binary Images:'"
    ),
  ])
  func namesOfOtherFiles(text: String, message: String) {
    expectEqual(messages(text).map(\.text), ["report \(message)"])
  }

  /// Five images are named, and the others counted.
  @Test(arguments: [(6, 6, ""), (7, 5, "2 more images"), (40, 5, "35 more images")])
  func contradictions(images: Int, named: Int, rest: String) {
    let bases = (0..<images).map { UInt64(0x3_0000_0000 + $0 * 0x10000) }
    let text = ReportFixture.report(
      frames: bases.enumerated().map { index, base in
        ReportFixture.line(
          index, base + 0x100, image: "K\(index)", "0x\(String(base, radix: 16)) + 1")
      },
      images: bases.enumerated().map { index, base in
        "0x\(String(base, radix: 16)) - 0x\(String(base + 0xffff, radix: 16)) K\(index) arm64  <\(String(repeating: "0", count: 28))\(4096 + index)> /A.app/K\(index)"
      })
    let found = messages(text).map(\.text).filter { $0.hasPrefix("the report contradicts itself") }
    expectEqual(found.filter { $0.contains("the address was looked up") }.count, named)
    expectEqual(
      found.dropFirst(named),
      rest.isEmpty ? [] : ["the report contradicts itself in frames of \(rest)"])
  }

  @Test func linesOfVerbose() throws {
    var options = SymbolicationOptions()
    options.namesFiles = true
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options)
    let result = job.symbolicate(
      try Fixtures.bytes(of: Fixtures.storyReport), shownPath: "report")
    expectEqual(
      result.explanations.first,
      .note(
        "Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64): \(Fixtures.storyDwarfFile), matched by UUID"
      ))
    expectEqual(result.explanations.count, 4)
    expectTrue(
      result.explanations.dropFirst().allSatisfy {
        $0.text.hasSuffix(": no symbols found (part of the operating system)")
      })
  }
}

extension Message {
  /// The same, as a part of the tally of several reports.
  fileprivate var withTally: Message {
    var message = self
    message.isInTally = true
    return message
  }
}
