import CrashLogParser
import SymbolicationModel
import Testing

/// What a report as JSON says. Expected values are read off `IpsText.apple`.
struct IpsReportTests {
  private let text: ParsedReports
  private let report: IpsReport

  init() throws {
    text = try ParsedReports(IpsText.apple)
    report = try text.report
  }

  @Test func theReportHasHeaderAndBody() {
    #expect(report.faults.isEmpty)
    #expect(text[report.byteRange] == String(IpsText.apple.dropLast()))
    #expect(text[report.bodyRange] == IpsText.appleBody)
    #expect(report.header?.text("app_name") == "App")
    #expect(report.body["vmSummary"]?.string == "ReadOnly portion")
    #expect(report.damage == nil)
    expectNesting(report, "whole")
  }

  @Test func fields() {
    #expect(report.bugType == "309")
    #expect(report.incidentIdentifier == "6251125F")
    #expect(report.crashReporterKey == "K")
    #expect(report.processName == "App")
    #expect(report.processPath == "/private/var/App.app/App")
    #expect(report.processIdentifier == 1730)
    #expect(report.parentProcessName == "launchd")
    #expect(report.parentProcessIdentifier == 1)
    #expect(report.role == "Foreground")
    #expect(report.bundleIdentifier == "com.example.App")
    #expect(report.bundleVersion == "7")
    #expect(report.bundleShortVersion == "1.0")
    #expect(report.cpuType == "ARM-64")
    #expect(report.isTranslated == false)
    #expect(report.captureTime == "2022-08-04 01:11:01.2455 +0900")
    #expect(report.launchTime == nil)
    #expect(report.hardwareModel == "iPhone14,2")
    #expect(report.osTrain == "iPhone OS 16.0")
    #expect(report.osBuild == "20A362")
    #expect(report.isEmbedded)
    #expect(report.platform == 2)
    #expect(report.exceptionType == "EXC_BREAKPOINT")
    #expect(report.exceptionSignal == "SIGTRAP")
    #expect(report.exceptionCodes == "0x1, 0x2")
    #expect(report.exceptionRawCodes == [1, .max])
    #expect(report.exceptionSubtype == "S")
    #expect(report.exceptionMessage == "m")
    #expect(report.terminationNamespace == "SIGNAL")
    #expect(report.terminationCode == 5)
    #expect(report.terminationIndicator == "Trace/BPT trap: 5")
    #expect(report.faultingThreadIndex == 1)
  }

  @Test func threads() {
    #expect(report.threads.map(\.index) == [0, 1])
    #expect(report.threads.map(\.identifier) == [207731, 207732])
    #expect(report.threads.map(\.name) == ["n", nil])
    #expect(report.threads.map(\.dispatchQueue) == [nil, "com.apple.main-thread"])
    #expect(report.threads.map(\.isTriggered) == [false, true])
    #expect(report.threads.map(\.frames.count) == [0, 4])
    #expect(report.threads.allSatisfy { $0.isComplete })
    #expect(report.crashedThread?.index == 1)
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
    #expect(frames.map(\.symbol) == ["main", nil, "f(_:)", "a\nb"])
    #expect(frames.map(\.symbolLocation) == [8, nil, 180, 0])
    #expect(frames.map(\.sourceFile) == [nil, nil, "main.swift", "vector"])
    #expect(frames.map(\.sourceLine) == [nil, nil, 10, nil])
    #expect(frames.map(\.isInline) == [false, false, false, true])
    #expect(text[frames[1].byteRange] == #"{"imageOffset":9007199254740993,"imageIndex":1}"#)
    #expect(report.lastExceptionBacktrace?.map(\.address) == [LoadAddress(4_303_175_728)])
    #expect(report.allFrames.count == 5)
  }

  @Test func images() throws {
    let images = report.images
    #expect(images.map(\.sourceCode) == ["P", "P", "A"])
    #expect(images.map(\.name) == ["libA.dylib", "App", nil])
    #expect(images.map(\.path) == ["/usr/lib/libA.dylib", "/private/var/App.app/App", nil])
    #expect(images.map(\.architecture) == [.arm64e, .arm64, nil])
    #expect(images.map(\.loadAddress.value) == [7_207_194_624, 4_303_175_680, 0])
    #expect(images.map(\.byteCount) == [5_337_088, 32768, 0])
    #expect(images.map(\.lastAddress.value) == [7_212_531_711, 4_303_208_447, 0])
    #expect(images.map(\.isAbsolutePseudoImage) == [false, false, true])
    #expect(
      images.map { $0.identity?.description } == [
        "178BEEAF-85DC-35A7-B02C-B951EBA169CE", "82D13D98-219E-3040-B62A-07A297007A7C", nil,
      ])
    #expect(
      images[1].identityRange.map { text[$0] } == "82d13d98-219e-3040-b62a-07a297007a7c")
    #expect(images[1].bundleIdentifier == "com.example.App")
    #expect(images[1].bundleVersion == "7")
    #expect(images[1].bundleShortVersion == "1.0")
  }

  @Test func imagesAreFoundByNumberAndAddress() {
    #expect(report.image(for: report.threads[1].frames[0])?.name == "libA.dylib")
    #expect(report.image(containing: LoadAddress(4_303_175_680))?.name == "App")
    #expect(report.image(containing: LoadAddress(4_303_208_447))?.name == "App")
    #expect(report.image(containing: LoadAddress(4_303_208_448)) == nil)
    #expect(report.image(containing: LoadAddress(0)) == nil)
  }

  @Test func backtracesAsText() {
    let backtraces = report.applicationSpecificBacktraces
    #expect(backtraces.map(\.text) == ["0   A\t0x1010 f + 1\n1   B\t0x2010 g + 2\n", "é"])
    #expect(backtraces.map { text[$0.byteRange] }.last == #""\u00e9""#)
  }

  /// TestFlight's copies lack most of this.
  @Test func everythingMayBeMissing() throws {
    let bare = try ParsedReports(#"{"threads":[{},{"frames":[{}]}],"usedImages":[{}]}"#).report
    #expect(bare.faults.isEmpty)
    #expect(bare.threads.map(\.frames.count) == [0, 1])
    #expect(bare.allFrames.map(\.address) == [nil])
    #expect(bare.allFrames[0].insertionPoints == nil)
    #expect(bare.images.map(\.isAbsolutePseudoImage) == [true])
    #expect(bare.lastExceptionBacktrace == nil)
    #expect(bare.header == nil)
    #expect(bare.crashedThread == nil)
    #expect(bare.exceptionRawCodes.isEmpty)
    #expect(!bare.isEmbedded)
    #expect(bare.platform == nil)
    #expect(bare.processName == nil)
  }

  @Test func theHeaderStandsInForTheBody() throws {
    let report = try ParsedReports(
      IpsText.header + "\n" + IpsText.body(frames: #"{"imageOffset":1,"imageIndex":0}"#)
    ).report
    #expect(report.incidentIdentifier == "I")
    #expect(report.bugType == "309")
  }

  @Test func theReportPointsAtTheThread() throws {
    let report = try ParsedReports(
      #"{"faultingThread":2,"threads":[{},7,{"id":5}],"usedImages":[]}"#
    ).report
    #expect(report.crashedThread?.identifier == 5)
    #expect(report.threads.map(\.index) == [0, 2])
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
    let report = try ParsedReports(
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
    let report = try ParsedReports(
      IpsText.body(frames: #"{"imageOffset":1,"imageIndex":0,"inline":\#(spelling)}"#)
    ).report
    #expect(report.allFrames.map(\.isInline) == [isInline])
    #expect(report.faults.isEmpty)
  }
}
