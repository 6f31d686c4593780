import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// What an `.ips` report says. Expected values are read off `IpsText.apple`.
struct IpsReportTests {
  private let text: ParsedText
  private let report: Report
  private let body: IpsBody

  init() throws {
    text = try ParsedText(IpsText.apple)
    report = try text.report
    body = IpsBody(try require(report.json), header: report.header)
  }

  @Test func theReportHasHeaderAndBody() {
    expectEqual(report.format, .ipsCrash)
    expectEmpty(report.faults)
    expectEqual(text[report.byteRange], String(IpsText.apple.dropLast()))
    expectEqual(text.text(report.bodyRange), IpsText.appleBody)
    expectEqual(report.header?.text("app_name"), "App")
    expectEqual(body.json["vmSummary"]?.string, "ReadOnly portion")
    expectTrue(body.json.isComplete)
    expectEmpty(report.threadStates)
    expectNesting(report, "whole")
  }

  @Test func facts() {
    let facts = report.facts
    expectEqual(facts.bugType, "309")
    expectEqual(facts.incident, "6251125F")
    expectEqual(facts.crashReporterKey, "K")
    expectEqual(facts.process.name, "App")
    expectEqual(facts.process.path, "/private/var/App.app/App")
    expectEqual(facts.process.identifier, 1730)
    expectEqual(facts.parent.name, "launchd")
    expectEqual(facts.parent.identifier, 1)
    expectEqual(facts.process.role, "Foreground")
    expectEqual(facts.process.bundleIdentifier, "com.example.App")
    expectEqual(facts.process.bundleVersion, "7")
    expectEqual(facts.process.shortVersion, "1.0")
    expectEqual(facts.process.version, "1.0 (7)")
    expectEqual(facts.codeType, "ARM-64")
    expectEqual(facts.architecture, .arm64)
    expectEqual(facts.isTranslated, false)
    expectEqual(facts.date, "2022-08-04 01:11:01.2455 +0900")
    expectNil(facts.launchDate)
    expectEqual(facts.hardwareModel, "iPhone14,2")
    expectEqual(facts.system.name, "iPhone OS")
    expectEqual(facts.system.version, "16.0")
    expectEqual(facts.system.build, "20A362")
    expectEqual(facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(facts.exception.signal, "SIGTRAP")
    expectEqual(facts.exception.codes, [1, .max])
    expectEqual(facts.exception.subtype, "S")
    expectEqual(facts.exception.message, "m")
    expectEqual(facts.termination.namespace, "SIGNAL")
    expectEqual(facts.termination.code, 5)
    expectEqual(facts.termination.indicator, "Trace/BPT trap: 5")
    expectEqual(facts.crashedThread, 1)
    expectEqual(facts.fields.first?.name, "uptime")
    expectEqual(facts.fields.first?.value, "25000")
    expectEqual(text.text(facts.fields.first?.byteRange), #""uptime" : 25000"#)
  }

  /// What only the translation into text needs.
  @Test func valuesOfTheBody() {
    expectEqual(body.osTrain, "iPhone OS 16.0")
    expectEqual(body.json[.osVersion]?[.build]?.string, "20A362")
    expectTrue(body.isEmbedded)
    expectEqual(body.platform, 2)
    expectEqual(body.json[.exception]?[.codes]?.string, "0x1, 0x2")
    expectEqual(body.faultingThread, 1)
    expectEqual(body.bundleIdentifier, "com.example.App")
    expectEqual(body.bundleVersion, "7")
    expectEqual(body.bundleShortVersion, "1.0")
    expectEqual(body.string(.procName), "App")
    expectEqual(body.number(.pid), 1730)
    expectNil(body.number(.procName))
    expectNil(body.string(.pid))
  }

  @Test func threads() {
    expectEqual(report.threads.map(\.number), [0, 1])
    expectEqual(report.threads.map { $0.json?[.id]?.unsignedInteger }, [207731, 207732])
    expectEqual(report.threads.map(\.name), ["n", nil])
    expectEqual(report.threads.map(\.dispatchQueue), [nil, "com.apple.main-thread"])
    expectEqual(report.threads.map(\.isCrashed), [false, true])
    expectEqual(report.threads.map(\.frames.count), [0, 4])
    expectTrue(report.threads.allSatisfy { $0.json?.isComplete == true })
    expectEqual(report.crashedThread?.number, 1)
    expectEqual(text[report.threads[0].byteRange], #"{"id":207731,"name":"n","frames":[]}"#)
  }

  @Test func frames() {
    let frames = report.threads[1].frames
    expectEqual(frames.map(\.imageOffset), [236404, 9_007_199_254_740_993, 16, 32])
    expectEqual(frames.map(\.imageIndex), [0, 1, 1, 1])
    expectEqual(
      frames.map(\.address),
      [
        LoadAddress(7_207_194_624 + 236_404),
        LoadAddress(4_303_175_680 + 9_007_199_254_740_993), LoadAddress(4_303_175_696),
        LoadAddress(4_303_175_712),
      ])
    let objects = frames.compactMap(\.object)
    expectEqual(objects.map(\.symbol), ["main", nil, "f(_:)", "a\nb"])
    expectEqual(objects.map(\.symbolLocation), [8, nil, 180, 0])
    expectEqual(objects.map(\.sourceFile), [nil, nil, "main.swift", "vector"])
    expectEqual(objects.map(\.sourceLine), [nil, nil, 10, nil])
    expectEqual(objects.map(\.isInline), [false, false, false, true])
    expectEqual(
      frames.map(\.symbol),
      [
        FrameSymbol(name: "main", offset: 8), nil,
        FrameSymbol(name: "f(_:)", offset: 180, file: "main.swift", line: 10),
        // The writer leaves out a line that is 0.
        FrameSymbol(name: "a\nb", offset: 0, file: "vector", line: 0, isInlined: true),
      ])
    expectEqual(frames.map(\.isInlined), [false, false, false, true])
    expectTrue(
      frames.allSatisfy { $0.index == nil && $0.imageName == nil && $0.imageRelativeAddress == nil }
    )
    expectEqual(text.text(frames[1].byteRange), #"{"imageOffset":9007199254740993,"imageIndex":1}"#)
    let exception = report.lastExceptionBacktrace
    expectEqual(exception?.frames.map(\.address), [LoadAddress(4_303_175_728)])
    expectEqual(text.text(exception?.byteRange), #"[{"imageOffset":48,"imageIndex":1}]"#)
    // With the two in the embedded text.
    expectEqual(report.allFrames.count, 7)
    expectEqual(
      report.backtraces.map(\.kind),
      [
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
    let frame = try require(report.allFrames.first)
    expectNil(frame.symbol)
    expectEqual(frame.object?.symbol, name)
    expectEqual(frame.object?.symbolLocation, 4)
  }

  @Test func images() throws {
    let images = report.images
    expectEqual(images.map { $0.object?[.source]?.string }, ["P", "P", "A"])
    expectEqual(images.map(\.name), ["libA.dylib", "App", nil])
    expectEqual(images.map(\.path), ["/usr/lib/libA.dylib", "/private/var/App.app/App", nil])
    expectEqual(images.map(\.architecture), [.arm64e, .arm64, nil])
    expectEqual(images.map(\.loadAddress.value), [7_207_194_624, 4_303_175_680, 0])
    expectEqual(images.map(\.byteCount), [5_337_088, 32768, 0])
    expectEqual(images.map(\.lastAddress.value), [7_212_531_711, 4_303_208_447, 0])
    expectEqual(images.map(\.kind), [.image, .image, .absolute])
    expectEqual(
      images.map { $0.identity?.description },
      [
        "178BEEAF-85DC-35A7-B02C-B951EBA169CE", "82D13D98-219E-3040-B62A-07A297007A7C", nil,
      ])
    expectEqual(
      images[1].identityRange.map { text[$0] }, "82d13d98-219e-3040-b62a-07a297007a7c")
    expectEqual(images[1].bundleIdentifier, "com.example.App")
    expectEqual(images[1].object?[.bundleVersion]?.string, "7")
    expectEqual(images[1].version, "1.0")
  }

  @Test func imagesAreFoundByIndexAndAddress() {
    expectEqual(report.image(for: report.threads[1].frames[0])?.name, "libA.dylib")
    expectEqual(report.image(containing: LoadAddress(4_303_175_680))?.name, "App")
    expectEqual(report.image(containing: LoadAddress(4_303_208_447))?.name, "App")
    expectNil(report.image(containing: LoadAddress(4_303_208_448)))
    expectNil(report.image(containing: LoadAddress(0)))
  }

  /// TestFlight's copies lack most of these values.
  @Test func everythingMayBeMissing() throws {
    let bare = try ParsedText(#"{"threads":[{},{"frames":[{}]}],"usedImages":[{}]}"#).report
    expectEmpty(bare.faults)
    expectEqual(bare.threads.map(\.frames.count), [0, 1])
    expectEqual(bare.allFrames.map(\.address), [nil])
    let frame = try require(bare.allFrames.first?.object)
    expectNil(frame.insertionPoints)
    expectEqual(bare.images.map(\.kind), [.absolute])
    expectNil(bare.lastExceptionBacktrace)
    expectNil(bare.header)
    expectNil(bare.crashedThread)
    let none = ReportFacts()
    expectEqual(bare.facts.exception, none.exception)
    expectEqual(bare.facts.termination, none.termination)
    expectEqual(bare.facts.process, none.process)
    expectEqual(bare.facts.system, none.system)
    expectNil(bare.facts.crashedThread)
    expectEmpty(bare.facts.fields)
    let body = IpsBody(try require(bare.json), header: nil)
    expectFalse(body.isEmbedded)
    expectNil(body.platform)
    expectNil(body.string(.procName))
  }

  @Test func theHeaderFillsInForTheBody() throws {
    let report = try ParsedText(
      IpsText.header + "\n" + IpsText.body(frames: #"{"imageOffset":1,"imageIndex":0}"#)
    ).report
    expectEqual(report.facts.incident, "I")
    expectEqual(report.facts.bugType, "309")
    expectEqual(report.facts.system.name, "iPhone OS")
    expectEqual(report.facts.system.version, "16.0")
    expectEqual(report.facts.system.build, "20A362")
  }

  @Test func theBodyNamesTheCrashedThread() throws {
    let report = try ParsedText(
      #"{"faultingThread":2,"threads":[{},7,{"id":5}],"usedImages":[]}"#
    ).report
    expectEqual(report.crashedThread?.json?[.id]?.unsignedInteger, 5)
    expectEqual(report.threads.map(\.number), [0, 2])
    expectEqual(report.facts.crashedThread, 2)
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
    expectEqual(report.allFrames.map(\.address), [address.map { LoadAddress($0) }])
    expectEmpty(report.faults)
  }

  @Test(arguments: [
    ("true", true), (#""true""#, true), ("1", true), ("false", false), (#""false""#, false),
    ("0", false), ("null", false),
  ])
  func inlineIsSpeltInManyWays(spelling: String, isInline: Bool) throws {
    let report = try ParsedText(
      IpsText.body(frames: #"{"imageOffset":1,"imageIndex":0,"inline":\#(spelling)}"#)
    ).report
    expectEqual(report.allFrames.map(\.object?.isInline), [isInline])
    expectEmpty(report.faults)
  }
}
