import CrashLogParser
import SymbolicationModel
import Testing

/// What an `.ips` report says. Expected values are read off `IpsText.apple`.
struct IpsReportTests {
  private let text: ParsedText
  private let report: Report
  private let body: IpsBody

  init() throws {
    text = try ParsedText(IpsText.apple)
    report = try text.report
    body = IpsBody(try #require(report.json), header: report.header)
  }

  @Test func theReportHasHeaderAndBody() {
    #expect(report.format == .ipsCrash)
    #expect(report.faults.isEmpty)
    #expect(text[report.byteRange] == String(IpsText.apple.dropLast()))
    #expect(text.text(report.bodyRange) == IpsText.appleBody)
    #expect(report.header?.text("app_name") == "App")
    #expect(body.json["vmSummary"]?.string == "ReadOnly portion")
    #expect(body.json.isComplete)
    #expect(report.threadStates.isEmpty)
    expectNesting(report, "whole")
  }

  @Test func facts() {
    let facts = report.facts
    #expect(facts.bugType == "309")
    #expect(facts.incident == "6251125F")
    #expect(facts.crashReporterKey == "K")
    #expect(facts.process.name == "App")
    #expect(facts.process.path == "/private/var/App.app/App")
    #expect(facts.process.identifier == 1730)
    #expect(facts.parent.name == "launchd")
    #expect(facts.parent.identifier == 1)
    #expect(facts.process.role == "Foreground")
    #expect(facts.process.bundleIdentifier == "com.example.App")
    #expect(facts.process.bundleVersion == "7")
    #expect(facts.process.shortVersion == "1.0")
    #expect(facts.process.version == "1.0 (7)")
    #expect(facts.codeType == "ARM-64")
    #expect(facts.architecture == .arm64)
    #expect(facts.isTranslated == false)
    #expect(facts.date == "2022-08-04 01:11:01.2455 +0900")
    #expect(facts.launchDate == nil)
    #expect(facts.hardwareModel == "iPhone14,2")
    #expect(facts.system.name == "iPhone OS")
    #expect(facts.system.version == "16.0")
    #expect(facts.system.build == "20A362")
    #expect(facts.exception.type == "EXC_BREAKPOINT")
    #expect(facts.exception.signal == "SIGTRAP")
    #expect(facts.exception.codes == [1, .max])
    #expect(facts.exception.subtype == "S")
    #expect(facts.exception.message == "m")
    #expect(facts.termination.namespace == "SIGNAL")
    #expect(facts.termination.code == 5)
    #expect(facts.termination.indicator == "Trace/BPT trap: 5")
    #expect(facts.crashedThread == 1)
    #expect(facts.fields.first?.name == "uptime")
    #expect(facts.fields.first?.value == "25000")
    #expect(text.text(facts.fields.first?.byteRange) == #""uptime" : 25000"#)
  }

  /// What only the translation into text needs.
  @Test func valuesOfTheBody() {
    #expect(body.osTrain == "iPhone OS 16.0")
    #expect(body.json[.osVersion]?[.build]?.string == "20A362")
    #expect(body.isEmbedded)
    #expect(body.platform == 2)
    #expect(body.json[.exception]?[.codes]?.string == "0x1, 0x2")
    #expect(body.faultingThread == 1)
    #expect(body.bundleIdentifier == "com.example.App")
    #expect(body.bundleVersion == "7")
    #expect(body.bundleShortVersion == "1.0")
    #expect(body.string(.procName) == "App")
    #expect(body.number(.pid) == 1730)
    #expect(body.number(.procName) == nil)
    #expect(body.string(.pid) == nil)
  }

  @Test func threads() {
    #expect(report.threads.map(\.number) == [0, 1])
    #expect(report.threads.map { $0.json?[.id]?.unsignedInteger } == [207731, 207732])
    #expect(report.threads.map(\.name) == ["n", nil])
    #expect(report.threads.map(\.dispatchQueue) == [nil, "com.apple.main-thread"])
    #expect(report.threads.map(\.isCrashed) == [false, true])
    #expect(report.threads.map(\.frames.count) == [0, 4])
    #expect(report.threads.allSatisfy { $0.json?.isComplete == true })
    #expect(report.crashedThread?.number == 1)
    #expect(text[report.threads[0].byteRange] == #"{"id":207731,"name":"n","frames":[]}"#)
  }

  @Test func frames() {
    let frames = report.threads[1].frames
    #expect(frames.map(\.imageOffset) == [236404, 9_007_199_254_740_993, 16, 32])
    #expect(frames.map(\.imageIndex) == [0, 1, 1, 1])
    #expect(
      frames.map(\.address) == [
        LoadAddress(7_207_194_624 + 236_404),
        LoadAddress(4_303_175_680 + 9_007_199_254_740_993), LoadAddress(4_303_175_696),
        LoadAddress(4_303_175_712),
      ])
    let objects = frames.compactMap(\.object)
    #expect(objects.map(\.symbol) == ["main", nil, "f(_:)", "a\nb"])
    #expect(objects.map(\.symbolLocation) == [8, nil, 180, 0])
    #expect(objects.map(\.sourceFile) == [nil, nil, "main.swift", "vector"])
    #expect(objects.map(\.sourceLine) == [nil, nil, 10, nil])
    #expect(objects.map(\.isInline) == [false, false, false, true])
    #expect(
      frames.map(\.symbol) == [
        FrameSymbol(name: "main", offset: 8), nil,
        FrameSymbol(name: "f(_:)", offset: 180, file: "main.swift", line: 10),
        // The writer leaves out a line that is 0.
        FrameSymbol(name: "a\nb", offset: 0, file: "vector", line: 0, isInlined: true),
      ])
    #expect(frames.map(\.isInlined) == [false, false, false, true])
    #expect(
      frames.allSatisfy { $0.index == nil && $0.imageName == nil && $0.imageRelativeAddress == nil }
    )
    #expect(text.text(frames[1].byteRange) == #"{"imageOffset":9007199254740993,"imageIndex":1}"#)
    let exception = report.lastExceptionBacktrace
    #expect(exception?.frames.map(\.address) == [LoadAddress(4_303_175_728)])
    #expect(text.text(exception?.byteRange) == #"[{"imageOffset":48,"imageIndex":1}]"#)
    // With the two in the embedded text.
    #expect(report.allFrames.count == 7)
    #expect(
      report.backtraces.map(\.kind) == [
        .lastException, .applicationSpecific, .applicationSpecific, .thread, .thread,
      ])
  }

  /// TestFlight hides the names of the system's functions.
  @Test(arguments: ["<redacted>", ""])
  func aHiddenNameIsNotASymbol(name: String) throws {
    let report = try ParsedText(
      IpsText.body(
        frames: #"{"imageOffset":1,"symbol":"\#(name)","symbolLocation":4,"imageIndex":0}"#)
    ).report
    let frame = try #require(report.allFrames.first)
    #expect(frame.symbol == nil)
    #expect(frame.object?.symbol == name)
    #expect(frame.object?.symbolLocation == 4)
  }

  @Test func images() throws {
    let images = report.images
    #expect(images.map { $0.object?[.source]?.string } == ["P", "P", "A"])
    #expect(images.map(\.name) == ["libA.dylib", "App", nil])
    #expect(images.map(\.path) == ["/usr/lib/libA.dylib", "/private/var/App.app/App", nil])
    #expect(images.map(\.architecture) == [.arm64e, .arm64, nil])
    #expect(images.map(\.loadAddress.value) == [7_207_194_624, 4_303_175_680, 0])
    #expect(images.map(\.byteCount) == [5_337_088, 32768, 0])
    #expect(images.map(\.lastAddress.value) == [7_212_531_711, 4_303_208_447, 0])
    #expect(images.map(\.kind) == [.image, .image, .absolute])
    #expect(
      images.map { $0.identity?.description } == [
        "178BEEAF-85DC-35A7-B02C-B951EBA169CE", "82D13D98-219E-3040-B62A-07A297007A7C", nil,
      ])
    #expect(
      images[1].identityRange.map { text[$0] } == "82d13d98-219e-3040-b62a-07a297007a7c")
    #expect(images[1].bundleIdentifier == "com.example.App")
    #expect(images[1].object?[.bundleVersion]?.string == "7")
    #expect(images[1].version == "1.0")
  }

  @Test func imagesAreFoundByIndexAndAddress() {
    #expect(report.image(for: report.threads[1].frames[0])?.name == "libA.dylib")
    #expect(report.image(containing: LoadAddress(4_303_175_680))?.name == "App")
    #expect(report.image(containing: LoadAddress(4_303_208_447))?.name == "App")
    #expect(report.image(containing: LoadAddress(4_303_208_448)) == nil)
    #expect(report.image(containing: LoadAddress(0)) == nil)
  }

  /// TestFlight's copies lack most of these values.
  @Test func everythingMayBeMissing() throws {
    let bare = try ParsedText(#"{"threads":[{},{"frames":[{}]}],"usedImages":[{}]}"#).report
    #expect(bare.faults.isEmpty)
    #expect(bare.threads.map(\.frames.count) == [0, 1])
    #expect(bare.allFrames.map(\.address) == [nil])
    let frame = try #require(bare.allFrames.first?.object)
    #expect(frame.insertionPoints == nil)
    #expect(bare.images.map(\.kind) == [.absolute])
    #expect(bare.lastExceptionBacktrace == nil)
    #expect(bare.header == nil)
    #expect(bare.crashedThread == nil)
    let none = ReportFacts()
    #expect(bare.facts.exception == none.exception)
    #expect(bare.facts.termination == none.termination)
    #expect(bare.facts.process == none.process)
    #expect(bare.facts.system == none.system)
    #expect(bare.facts.crashedThread == nil)
    #expect(bare.facts.fields.isEmpty)
    let body = IpsBody(try #require(bare.json), header: nil)
    #expect(!body.isEmbedded)
    #expect(body.platform == nil)
    #expect(body.string(.procName) == nil)
  }

  @Test func theHeaderFillsInForTheBody() throws {
    let report = try ParsedText(
      IpsText.header + "\n" + IpsText.body(frames: #"{"imageOffset":1,"imageIndex":0}"#)
    ).report
    #expect(report.facts.incident == "I")
    #expect(report.facts.bugType == "309")
    #expect(report.facts.system.name == "iPhone OS")
    #expect(report.facts.system.version == "16.0")
    #expect(report.facts.system.build == "20A362")
  }

  @Test func theBodyNamesTheCrashedThread() throws {
    let report = try ParsedText(
      #"{"faultingThread":2,"threads":[{},7,{"id":5}],"usedImages":[]}"#
    ).report
    #expect(report.crashedThread?.json?[.id]?.unsignedInteger == 5)
    #expect(report.threads.map(\.number) == [0, 2])
    #expect(report.facts.crashedThread == 2)
  }

  @Test(
    arguments: [
      (#""base":18446744073709551615,"size":1"#, #""imageOffset":1"#, nil),
      (#""base":18446744073709551600,"size":1"#, #""imageOffset":15"#, UInt64.max),
      (#""base":4096"#, #""imageOffset":1.6e1"#, 4112), (#""size":16"#, #""imageOffset":1"#, nil),
      (#""source":"A","size":16"#, #""imageOffset":77"#, 77),
      (#""base":0,"size":0"#, #""imageOffset":0"#, 0),
    ] as [(String, String, UInt64?)])
  func addresses(image: String, offset: String, address: UInt64?) throws {
    let report = try ParsedText(
      #"{"threads":[{"frames":[{\#(offset),"imageIndex":0}]}],"usedImages":[{\#(image)}]}"#
    ).report
    #expect(report.allFrames.map(\.address) == [address.map { LoadAddress($0) }])
    #expect(report.faults.isEmpty)
  }

  @Test(arguments: [
    ("true", true), (#""true""#, true), ("1", true), ("false", false), (#""false""#, false),
    ("0", false), ("null", false),
  ])
  func inlineIsSpeltInManyWays(spelling: String, isInline: Bool) throws {
    let report = try ParsedText(
      IpsText.body(frames: #"{"imageOffset":1,"imageIndex":0,"inline":\#(spelling)}"#)
    ).report
    #expect(report.allFrames.map(\.object?.isInline) == [isInline])
    #expect(report.faults.isEmpty)
  }
}
