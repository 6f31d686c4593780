import CrashLogParser
import Foundation
import ReportRuns
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Real reports, if SYMBOLICATE_CORPUS names a folder of them.
@Suite(
  .enabled(
    if: Corpus.path != nil, "SYMBOLICATE_CORPUS does not name the folder of real reports"))
struct CorpusSymbolicationTests {
  private static let kinds = [
    "crash-text", "crash-text-jsonheader", "plcrash-text", "ips-309", "swift-linux-text",
    "swift-linux-json",
  ]

  private func reports(_ kind: String) throws -> [String] {
    let folder = try require(Corpus.path) + "/reports/\(kind)"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    try require(!names.isEmpty)
    return names.map { "\(folder)/\($0)" }
  }

  @Test(arguments: kinds)
  func withoutSymbolsNothingChanges(kind: String) throws {
    var job = ReportJob(symbolPaths: [])
    for path in try reports(kind) {
      let bytes = try Fixtures.bytes(of: path)
      let result = job.symbolicate(bytes, shownPath: path)
      expectTrue(result.hasReport, "\(path)")
      expectEqual(result.output, bytes, "\(path)")
    }
  }

  @Test(arguments: kinds)
  func aSecondRunChangesNothing(kind: String) throws {
    var job = ReportJob(symbolPaths: [try require(Corpus.path) + "/symbols"])
    for path in try reports(kind) {
      let first = job.symbolicate(try Fixtures.bytes(of: path), shownPath: path)
      let second = job.symbolicate(first.output, shownPath: path)
      expectEqual(second.output, first.output, "\(path)")
    }
  }

  /// Every frame of an image with a symbol file gets a name. `PAIRS.tsv` says which reports go with
  /// which symbol files.
  @Test func everyFrameOfAnImageWithSymbolsResolves() throws {
    let corpus = try require(Corpus.path)
    let table = String(decoding: try Fixtures.bytes(of: "\(corpus)/PAIRS.tsv"), as: UTF8.self)
    var job = ReportJob(symbolPaths: ["\(corpus)/symbols"])
    var frameCount = 0
    for row in table.split(separator: "\n").dropFirst() {
      let columns = row.split(separator: "\t").map(String.init)
      try require(columns.count > 4)
      let isReadFormat = ["/crash-text", "/ips-309"].contains { columns[0].contains($0) }
      guard isReadFormat, columns[3] == "dSYM" else { continue }
      let identity = try require(ImageIdentity(hexadecimal: columns[1].utf8))
      let bytes = try Fixtures.bytes(of: "\(corpus)/\(columns[0])")
      let output = job.symbolicate(bytes, shownPath: columns[0]).output
      for report in try CrashLogParser.parse(output) {
        let names = Self.names(report, ofImage: identity)
        frameCount += names.count
        expectFalse(names.contains(nil), "\(columns[0])")
      }
    }
    #expect(frameCount > 50)
  }

  /// The names that the frames of an image show; nil for a frame without one.
  private static func names(_ report: Report, ofImage identity: ImageIdentity) -> [String?] {
    report.allFrames.filter { report.image(for: $0)?.identity == identity }.map(\.symbol?.name)
  }

  /// Apple's ReportCrash wrote names, files and lines into this report. After they are removed,
  /// symbolication restores them.
  @Test(arguments: ["crashdx-crashspike-stripped.ips", "crashdx-crashspike-unstripped.ips"])
  func restoresWhatAppleWrote(name: String) throws {
    let corpus = try require(Corpus.path)
    let bytes = try Fixtures.bytes(of: "\(corpus)/reports/ips-309/\(name)")
    let lineEnd = try require(bytes.firstIndex(of: 0x0a))
    var body = try Self.object(bytes[(lineEnd + 1)...])
    let images = try require(body["usedImages"] as? [[String: Any]])
    let own = try require(
      images.firstIndex {
        ($0["uuid"] as? String)?.uppercased() == "657A6675-2D2C-32CA-8C31-3A8C948DF5FE"
      })
    let written = Self.symbols(body, ofImage: own)
    try require(written.count == 4)

    var threads = try require(body["threads"] as? [[String: Any]])
    for index in threads.indices {
      threads[index]["frames"] = (threads[index]["frames"] as? [[String: Any]] ?? []).map { frame in
        frame["imageIndex"] as? Int == own ? frame.filter { !Self.keys.contains($0.key) } : frame
      }
    }
    body["threads"] = threads
    let left = Self.symbols(body, ofImage: own).filter { !$0.isEmpty }
    try require(left.isEmpty)
    let stripped =
      Array(bytes[...lineEnd]) + [UInt8](try JSONSerialization.data(withJSONObject: body))

    var job = ReportJob(
      symbolPaths: ["\(corpus)/symbols"], options: ReportFixture.withoutInlinedFrames)
    let output = job.symbolicate(stripped, shownPath: name).output
    let end = try require(output.firstIndex(of: 0x0a))
    let result = try Self.object(output[(end + 1)...])
    expectEqual(Self.symbols(result, ofImage: own), written)
  }

  private static func object(_ bytes: ArraySlice<UInt8>) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(bytes))
    return try require(value as? [String: Any])
  }

  private static let keys: Set = [
    "symbol", "symbolLocation", "sourceFile", "sourceLine", "inline",
  ]

  /// What the frames of an image say about their symbols.
  private static func symbols(_ body: [String: Any], ofImage image: Int) -> [[String: String]] {
    (body["threads"] as? [[String: Any]] ?? []).flatMap { thread in
      (thread["frames"] as? [[String: Any]] ?? []).filter { $0["imageIndex"] as? Int == image }
        .map { frame in frame.filter { keys.contains($0.key) }.mapValues { "\($0)" } }
    }
  }
}
