import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Stackshots as JSON (bug type 288).
struct StackshotTests {
  static let text = """
    {"bug_type":"288","timestamp":"2025-06-12 08:04:25.00 +0300","os_version":"iPhone OS 18.5 (22F76)"}
    {
      "build" : "iPhone OS 18.5 (22F76)",
      "product" : "iPhone17,3",
      "incident" : "A9A64939-BA36-45FF-8F04-4CA35FF15651",
      "date" : "2025-06-12 08:04:24.88 +0300",
      "processByPid" : {
        "1" : {"procname":"launchd","pid":1,"threadById":{
          "752":{"id":752,"name":"main","dispatch_queue_label":"com.apple.main-thread",
            "userFrames":[[2,10889200],[3,16],[1,0]],"kernelFrames":[[0,7460888],[0,32]]},
          "753":{"id":753,"userFrames":[[2,10889200]],
            "resampledUserFrames":[[2,10889200],[3,48]]}}},
        "107" : {"pid":107,"procname":"audiomxd","threadById":{
          "885":{"id":885,"userFrames":[[4,64],[3,80]]}}}
      },
      "binaryImages" : [
        ["82a79c55-f20d-fafb-ff21-af70e9788640",18446743936270598144,"U"],
        ["00000000-0000-0000-0000-000000000000",0,"A"],
        ["770d1dd7-e917-3822-a714-b0d76347d120",6442450944,"S"],
        ["9b11e903-1644-3221-86d4-0daf57302045",4296949760,"P"],
        ["b7a6f9ca-567f-33d9-a677-6808920c7b2b",4330110976,"P"]
      ]
    }

    """

  /// `pid` is that of the process that somebody asked about.
  @Test func reasonsAreOfOneProcess() throws {
    func information(_ more: String) throws -> [[String]] {
      let text = Self.text.replacing("{\n  \"build\"", with: "{\n  \(more)\"build\"")
      return try ParsedText(text).reports.map(\.facts.applicationInformation)
    }
    let reason = "\"reason\" : \"XPC message timeout, probably deadlocked.\", "
    expectEqual(
      try information(reason + "\"pid\" : 107, "),
      [[], ["XPC message timeout, probably deadlocked."]])
    expectEqual(
      try information(reason), [["XPC message timeout, probably deadlocked."], []])
    expectEqual(try information(reason + "\"pid\" : 5, "), [[], []])
    expectEqual(try information(""), [[], []])
  }

  @Test func everyProcessIsAReport() throws {
    let parsed = try ParsedText(Self.text)
    let reports = parsed.reports
    expectEqual(reports.map(\.format), [.ipsStackshot, .ipsStackshot])
    expectEqual(reports.map(\.facts.process.name), ["launchd", "audiomxd"])
    expectEqual(reports.map(\.facts.process.identifier), [1, 107])
    expectEqual(reports.map(\.facts.event), [.sample, .sample])
    expectEqual(reports.map(\.facts.bugType), ["288", "288"])
    expectEqual(reports.map(\.facts.system.build), ["22F76", "22F76"])
    expectEqual(
      reports.map(\.facts.date), Array(repeating: "2025-06-12 08:04:24.88 +0300", count: 2))
    expectEqual(reports[0].byteRange.lowerBound, 0)
    expectEqual(reports[1].byteRange.upperBound, Self.text.utf8.count - 1)
    expectEmpty(reports.flatMap(\.faults))
    let threads = reports[0].backtraces
    expectEqual(threads.map(\.number), [752, 752, 753, 753])
    expectEqual(threads.map(\.name), ["main", "main, kernel", nil, "sampled again"])
    expectEqual(threads.map(\.isCallTree), [false, false, false, false])
    expectEqual(threads[0].dispatchQueue, "com.apple.main-thread")
  }

  /// The address is the start of the image plus the distance. `[1,0]` ends a stack.
  @Test func framesAndTheirImages() throws {
    let reports = try ParsedText(Self.text).reports
    let frames = reports[0].backtraces.map(\.frames)
    expectEqual(frames.map(\.count), [2, 2, 1, 2])
    let addresses: [UInt64?] = [6_442_450_944 + 10_889_200, 4_296_949_760 + 16]
    expectEqual(frames[0].map(\.address?.value), addresses)
    expectEqual(frames[0].map(\.addressKind), [.programCounter, .returnAddress])
    expectEqual(
      reports.map { $0.images.map { $0.loadAddress.value } },
      [
        [6_442_450_944, 4_296_949_760, 18_446_743_936_270_598_144], [4_330_110_976, 4_296_949_760],
      ])
    expectEqual(reports[0].images.map(\.name), ["dyld shared cache", nil, "kernel"])
    expectEqual(
      frames[0].map { reports[0].image(for: $0)?.identity?.description.prefix(8) },
      ["770D1DD7", "9B11E903"])
  }

  @Test(arguments: [
    ("[3,48]", "[9,48]", ParseFault.Kind.imageIndexOutOfRange),
    ("[3,48]", "[3]", .unexpectedJsonValue),
    ("[3,48]", "[3,-1]", .unexpectedJsonValue),
    ("[3,48]", "[0,18446744073709551615]", .unexpectedJsonValue),
  ])
  func damagedFrame(old: String, new: String, kind: ParseFault.Kind) throws {
    let reports = try ParsedText(Self.text.replacing(old, with: new)).reports
    expectEqual(reports.flatMap(\.faults).map(\.kind), [kind])
    expectEqual(reports[1].backtraces[0].frames.count, 2)
  }

  /// Without the list of images, frames have no addresses; the break is reported once.
  @Test func cutBeforeTheImages() throws {
    let end = try require(Self.text.firstRange(of: "\"binaryImages\""))
    let reports = try ParsedText(String(Self.text[..<end.lowerBound])).reports
    expectEqual(reports.count, 2)
    expectEqual(reports.flatMap(\.faults).map(\.kind), [.damagedJson])
    expectTrue(reports.flatMap(\.allFrames).allSatisfy { $0.address == nil })
  }

  @Test func damageEverywhere() {
    let bytes = Array(Self.text.utf8)
    for end in 0...bytes.count { _ = try? CrashLogParser.parse(Array(bytes[..<end])) }
    for place in bytes.indices {
      var changed = bytes
      changed[place] = [0x20, 0x0a, 0x5b, 0x39][place % 4]
      _ = try? CrashLogParser.parse(changed)
    }
  }
}
