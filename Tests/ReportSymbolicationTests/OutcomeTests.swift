import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// The notes and problems besides the report, which also determine the exit status.
struct OutcomeTests {
  private let crash: UInt64 = 0x1_0024_f19c
  private static let wanted = "Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64)"

  private func story(_ symbols: [String]) throws -> ReportJob.Result {
    ReportFixture.symbolicate(
      String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self), with: symbols)
  }

  @Test func withoutSymbols() throws {
    let result = try story([])
    expectTrue(result.hasReport)
    expectFalse(result.isComplete)
    expectFalse(result.hasUnfitSymbolFile)
    expectFalse(result.hasUnreadableSymbolFile)
    expectEmpty(result.problems)
    expectEqual(
      result.notes,
      [
        "0 of 11 frames resolved",
        "no symbols for \(Self.wanted): 6 frames unresolved; give its dSYM with -d",
        "no symbols for 5 frames in system libraries (libdispatch.dylib 2, libswiftCore.dylib 1, UIKitCore 2): this is normal, because an app's dSYMs do not have the symbols of the operating system",
      ])
  }

  /// Five of the story's frames lie in libraries of the operating system, which no one has symbols
  /// for; a frame in no image at all is not one of them.
  @Test func completeOutsideTheSystem() throws {
    let withSymbols = try story([Fixtures.storyBundle])
    expectFalse(withSymbols.isComplete)
    expectTrue(withSymbols.isCompleteOutsideSystem)
    try expectFalse(story([]).isCompleteOutsideSystem)
    let outside = ReportFixture.symbolicate(
      ReportFixture.report(frames: [ReportFixture.line(0, 0x10, "0x10 + 0")]))
    expectFalse(outside.isCompleteOutsideSystem)
    let linux = ReportFixture.symbolicate(
      ReportFixture.report(
        frames: [
          ReportFixture.frame(0, 0x3_0000_1000, image: "libc.so.6", base: 0x3_0000_0000)
        ],
        images: [
          "0x300000000 - 0x300003fff libc.so.6 arm64  <6bf4c0f2c1cbd9c3d4e5f60718293a4b5c6d7e8f> /usr/lib/libc.so.6"
        ]))
    expectFalse(linux.isComplete)
    expectTrue(linux.isCompleteOutsideSystem)
  }

  @Test func aCutReport() {
    // Cut in its second frame, before the list of images.
    let body = #"{"threads":[{"triggered":true,"frames":[{"imageOffset":16,"imageIndex":0},{"im"#
    let text = #"{"bug_type":"309"}"# + "\n" + body
    let result = ReportFixture.symbolicate(text, with: [])
    expectEqual(String(decoding: result.output, as: UTF8.self), text)
    expectEqual(result.notes.first, "0 of 1 frame resolved")
    expectEqual(result.notes.count, 3)
    expectEqual(
      result.notes.dropFirst().first?.hasPrefix(
        "the report is cut short or damaged: its JSON cannot be read from byte "), true)
    expectEqual(
      result.notes.last, "1 frame is outside every listed image: the list of images is incomplete")
  }

  @Test func aMissingThread() throws {
    var options = SymbolicationOptions()
    options.threads = .numbered([0, 99, 7])
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options)
    let notes = job.symbolicate(
      try Fixtures.bytes(of: Fixtures.storyReport), shownPath: "report"
    ).notes
    expectEqual(notes.dropFirst().first, "the report has no thread 7, 99")
  }

  /// Frames that the options leave out are neither counted nor reported as missing: 6 of the
  /// story's 11 frames are the app's.
  @Test func excludedFramesAreNotCounted() throws {
    let story = try Fixtures.bytes(of: Fixtures.storyReport)
    var userCode = SymbolicationOptions()
    userCode.onlyUserCode = true
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: userCode)
    let ofTheApp = job.symbolicate(story, shownPath: "report")
    expectEqual(ofTheApp.notes, ["6 of 6 frames resolved"])
    expectTrue(ofTheApp.isComplete)
    var noThread = SymbolicationOptions()
    noThread.threads = .numbered([1])
    job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: noThread)
    let ofNone = job.symbolicate(story, shownPath: "report")
    expectEqual(
      ofNone.notes, ["none of the report's 11 frames is selected", "the report has no thread 1"])
    expectTrue(ofNone.isComplete)
  }

  /// A report as text and as JSON in one input: the text names a bundle, the JSON a file.
  @Test func anImageWithTwoNamesIsReportedOnce() {
    let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"
    let text = ReportFixture.report(
      frames: [ReportFixture.frame(0, 0x3_0000_1000, image: "com.example.A", base: 0x3_0000_0000)],
      images: ["0x300000000 - 0x300003fff com.example.A (1.0) <\(uuid)> /Applications/A.app/A"])
    let json =
      #"{"bug_type":"309"}"# + "\n"
      + #"{"threads":[{"frames":[{"imageOffset":16,"imageIndex":0}]}],"usedImages":[{"source":"P","base":12884901888,"size":16384,"name":"A","path":"/Applications/A.app/A","uuid":"\#(uuid)"}]}"#
    let notes = ReportFixture.symbolicate(text + "\n" + json + "\n", with: []).notes
    expectEqual(notes.count, 2)
    expectEqual(notes.last?.hasPrefix("no symbols for com.example.A (UUID \(uuid)"), true)
    expectEqual(notes.last?.hasSuffix("2 frames unresolved; give its dSYM with -d"), true)
  }

  @Test func aFileFromADifferentBuild() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "Letter Shuffle")
    let file = directory.path("Letter Shuffle")
    let found = "Letter Shuffle (UUID 4C4C4421-5555-3144-A1AE-D843571BB5E2, arm64)"
    let given = try story([file])
    expectTrue(given.hasUnfitSymbolFile)
    expectEqual(
      given.unfitFiles.last?.message,
      "\(file) is from a different build: it is \(found); the report needs \(Self.wanted); find the dSYM of that build"
    )
    // If it was found in a directory, it is mentioned but is not a user error.
    let searched = try story([directory.path])
    expectFalse(searched.hasUnfitSymbolFile)
    expectTrue(
      searched.notes.contains(
        "no symbols for \(Self.wanted): 6 frames unresolved; \(file) is from a different build: it is \(found)"
      ))
    // Together with the right file, it is not a problem.
    let both = try story([file, Fixtures.storyBundle])
    expectFalse(both.hasUnfitSymbolFile)
    expectEqual(
      both.unfitFiles.last?.message, "\(file) matches no image of the report: it is \(found)")
  }

  @Test func aFileWithoutANameForTheAddress() {
    // 0x100030000 is in __DATA.
    let text = ReportFixture.report(frames: [
      ReportFixture.frame(0, 0x1_0025_8000), ReportFixture.frame(1, 0x1_0025_8000),
    ])
    let result = ReportFixture.symbolicate(text)
    expectEqual(String(decoding: result.output, as: UTF8.self), text)
    expectEqual(
      result.notes,
      [
        "0 of 2 frames resolved",
        "\(Fixtures.storyDwarfFile) has no function at 2 frames of Letter Shuffle (0x100258000)",
      ])
  }

  @Test(arguments: [
    ("/usr/lib/libA.dylib", true), ("/System/Library/Frameworks/A.framework/A", true),
    ("/Library/Developer/CoreSimulator/RuntimeRoot/usr/lib/libA.dylib", true),
    ("/private/var/containers/Bundle/Application/1/App.app/Frameworks/libA.dylib", false),
    ("/Users/me/usr/lib/libA.dylib", false), ("/Applications/App.app/Contents/MacOS/A", false),
    ("/usr/local/lib/libA.dylib", false),
  ])
  func imagesThatBelongToTheSystem(path: String, isSystem: Bool) {
    let image = "0x300000000 - 0x300003fff A arm64  <00112233445566778899aabbccddeeff> \(path)"
    let text = ReportFixture.report(
      frames: [ReportFixture.frame(0, 0x3_0000_1000, image: "A", base: 0x3_0000_0000)],
      images: [image])
    let notes = ReportFixture.symbolicate(text).notes
    expectEqual(
      notes.contains { $0.hasPrefix("no symbols for 1 frame in system libraries (A 1)") }, isSystem)
    expectNotEqual(notes.contains { $0.hasPrefix("no symbols for A (UUID 00112233-") }, isSystem)
  }

  @Test func anImageOfSeveralReportsIsReportedOnce() {
    let report = ReportFixture.report(frames: [ReportFixture.frame(0, crash)])
    let notes = ReportFixture.symbolicate(report + "\n" + report, with: []).notes
    expectEqual(
      notes,
      [
        "0 of 2 frames resolved",
        "no symbols for \(Self.wanted): 2 frames unresolved; give its dSYM with -d",
      ])
  }

  @Test func inputsWithoutAReport() {
    for (text, message) in [
      ("", "report is empty; expected a crash report"),
      (
        "hello\n",
        "report has no crash report: expected 'Thread N:' with frames, or 'Binary Images:'"
      ),
    ] {
      let result = ReportFixture.symbolicate(text, with: ["/missing"])
      expectFalse(result.hasReport)
      expectFalse(result.isComplete)
      expectTrue(result.hasUnreadableSymbolFile)
      expectEqual(result.output, Array(text.utf8))
      expectEqual(result.problems, ["cannot read /missing: No such file or directory", message])
    }
  }

  @Test func damagedSymbolFiles() throws {
    let directory = try TemporaryDirectory()
    let dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    // `__DWARF` begins at 8192: the names come from the symbol table.
    let cut = try directory.write(dwarf.prefix(8192), to: "cut")
    // The second time, it is found in a directory and first read on lookup.
    for symbols in [cut, directory.path] {
      let result = try story([symbols])
      expectTrue(result.hasUnreadableSymbolFile)
      expectTrue(
        result.problems.contains {
          $0.hasPrefix("\(cut) (arm64) is cut short or damaged: segment __DWARF")
        })
      expectEqual(Set(result.problems).count, result.problems.count)
      expectEqual(result.notes.first, "6 of 11 frames resolved")
    }
  }
}
