import CrashLogParser
import Foundation
import SymbolicationModel
import TestSupport
import Testing

private func files(of folder: String) throws -> [String] {
  guard let corpus = Corpus.path else { return [] }
  let path = "\(corpus)/reports/\(folder)"
  return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { "\(path)/\($0)" }
}

private func textReports() throws -> [String] {
  try files(of: "crash-text") + files(of: "crash-text-jsonheader") + files(of: "plcrash-text")
    + files(of: "").filter { $0.contains("/letter-shuffle") }
}

private func bytes(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

private func outputOfPython(_ arguments: [String]) throws -> String {
  let process = try ChildProcess("/usr/bin/env", ["python3"] + arguments)
  let output = try process.allOutput()
  expectEqual(process.end(), 0)
  return String(decoding: output, as: UTF8.self)
}

/// Real reports, which are not part of the project. Expected numbers are counted by
/// Tests/Scripts/count-crash-text.py.
@Suite(
  .enabled(if: Corpus.path != nil, "SYMBOLICATE_CORPUS does not name the folder of real reports"))
struct CorpusTests {
  private struct Counts: Equatable {
    var threads = 0
    var frames = 0
    var images = 0
    var addresses: UInt64 = 0
  }

  @Test func everyTextReportHasTheThreadsFramesAndImagesThatAScriptCounts() throws {
    let paths = try textReports()
    #expect(paths.count >= 80)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Scripts/count-crash-text.py").path
    let output = try outputOfPython([script] + paths)
    let lines = output.split(separator: "\n")
    expectEqual(lines.count, paths.count)
    for line in lines {
      let columns = line.split(separator: "\t")
      guard columns.count == 5, let threads = Int(columns[0]), let frames = Int(columns[1]),
        let images = Int(columns[2]), let addresses = UInt64(columns[3])
      else {
        Issue.record("\(line)")
        continue
      }
      let path = String(columns[4])
      let name = URL(fileURLWithPath: path).lastPathComponent
      let expected = Counts(
        threads: threads, frames: frames, images: images, addresses: addresses)
      var found = Counts()
      for report in try CrashLogParser.parse(bytes(of: path)) where report.isAppleText {
        // The script counts lines, not the addresses of a list.
        let frames = report.allFrames.filter { $0.line != nil }
        found.threads += report.threads.count
        found.frames += frames.count
        found.images += report.images.count
        found.addresses = frames.reduce(found.addresses) { $0 &+ ($1.address?.value ?? 0) }
        expectNesting(report, name)
      }
      expectEqual(found, expected, "\(name)")
    }
  }

  /// Expected numbers are counted by Tests/Scripts/count-crash-json.py.
  @Test func everyIpsReportHasTheThreadsFramesAndImagesThatAScriptCounts() throws {
    // The folder of such reports, and the texts that have their JSON below them.
    let paths =
      try files(of: "ips-309")
      + (files(of: "crash-text") + files(of: "other")).filter {
        String(decoding: try bytes(of: $0), as: UTF8.self).contains("\nFull Report\n")
      }
    #expect(paths.count >= 15)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Scripts/count-crash-json.py").path
    let lines = try outputOfPython([script] + paths).split(separator: "\n")
    expectEqual(lines.count, paths.count)
    for line in lines {
      let columns = line.split(separator: "\t")
      guard columns.count == 6 else {
        Issue.record("\(line)")
        continue
      }
      let path = String(columns[5])
      let name = URL(fileURLWithPath: path).lastPathComponent
      let parsed = try CrashLogParser.parse(bytes(of: path))
      let reports = parsed.filter { $0.format == .ipsCrash }
      let report = try require(reports.first, "\(name)")
      expectEqual(reports.count, 1, "\(name)")
      expectEqual(parsed.count, path.contains("/ips-309/") ? 1 : 2, "\(name)")
      // The script counts objects, not the frames in embedded texts.
      let frames = report.allFrames.filter { $0.object != nil }
      let addresses = frames.reduce(0 as UInt64) { $0 &+ ($1.address?.value ?? 0) }
      let found = [
        report.threads.count, frames.count, report.images.count,
        frames.filter { $0.object?.symbol != nil }.count,
      ]
      expectEqual(found.map { String($0) }, columns[..<4].map { String($0) }, "\(name)")
      expectEqual(String(addresses), String(columns[4]), "\(name)")
      expectEmpty(report.faults, "\(name)")
      expectNesting(report, name)
      for frame in frames.compactMap(\.object) { expectKeyOrder(frame, name) }
    }
  }

  /// The keys of real frames have the order in which new ones are written.
  private func expectKeyOrder(_ frame: IpsFrame, _ name: String) {
    let keys = frame.value.members.map(\.key)
    let order = IpsFrame.keyOrder(
      of: Set(IpsFrame.addedKeys).intersection(keys.compactMap { IpsKey(rawValue: $0) }))
    let expected =
      ["imageOffset"] + order.afterImageOffset.map(\.rawValue) + ["imageIndex"]
      + order.afterImageIndex.map(\.rawValue)
    if keys != expected { Issue.record("\(name): \(keys)") }
  }

  /// Expected numbers are counted by Tests/Scripts/count-metrickit.py.
  @Test func everyMetricKitDiagnosticHasTheFramesThatAScriptCounts() throws {
    let paths = try files(of: "metrickit") + files(of: "wild/metrickit")
    #expect(paths.count >= 10)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Scripts/count-metrickit.py").path
    let lines = try outputOfPython([script] + paths).split(separator: "\n")
    expectEqual(lines.count, paths.count)
    for line in lines {
      let columns = line.split(separator: "\t").map { String($0) }
      guard columns.count == 8 else {
        Issue.record("\(line)")
        continue
      }
      let name = URL(fileURLWithPath: columns[7]).lastPathComponent
      let reports = try CrashLogParser.parse(bytes(of: columns[7]))
      let frames = reports.flatMap(\.allFrames)
      let addresses = frames.reduce(0 as UInt64) { $0 &+ ($1.address?.value ?? 0) }
      let found = [
        reports.count, reports.reduce(0) { $0 + $1.backtraces.count }, frames.count,
        reports.reduce(0) { $0 + $1.images.count }, Int(addresses),
        frames.reduce(0) { $0 + ($1.sampleCount ?? 0) },
      ]
      expectEqual(found.map { String($0) }, Array(columns.prefix(6)), "\(name)")
      for report in reports { expectNesting(report, name) }
      let isDamaged = columns[6] == "-"
      expectEqual(reports.contains { !$0.faults.isEmpty }, isDamaged, "\(name)")
      if !isDamaged {
        let depths = reports.flatMap(\.backtraces).map { backtrace in
          backtrace.isCallTree
            ? backtrace.frames.compactMap(\.depth).max() ?? 0 : max(0, backtrace.frames.count - 1)
        }
        expectEqual(depths.max().map { String($0) }, columns[6], "\(name)")
      }
    }
  }

  @Test func otherJsonIsNotAnIpsCrash() throws {
    for folder in ["ips-other", "kscrash-json", "metrickit", "swift-linux-json"] {
      for path in try files(of: folder) {
        let reports = (try? CrashLogParser.parse(bytes(of: path))) ?? []
        expectFalse(reports.contains { $0.format == .ipsCrash }, "\(path)")
      }
    }
  }

  @Test(arguments: [
    ("ips-309", [ReportFormat.ipsCrash]),
    (
      "ips-other",
      [
        .ipsJetsam, .ipsPanic, .ipsStackshot, .ips(bugType: "185"), .ips(bugType: "211"),
        .crashTextWithJsonHeader,
      ]
    ),
    ("kscrash-json", [.ksCrashJson]), ("metrickit", [.metricKit]),
    ("microstackshot-diag", [.microstackshots]), ("sample", [.sample]),
    ("spindump", [.spindump]), ("swift-linux-json", [.swiftBacktraceJson]),
    ("swift-linux-text", [.swiftBacktrace]), ("plcrash-binary", [.plCrashReporterBinary]),
  ])
  func everyFormatIsRecognised(folder: String, formats: [ReportFormat]) throws {
    for path in try files(of: folder) {
      let format = ReportFormat.detect(try bytes(of: path))
      expectTrue(formats.contains(format), "\(path): \(format)")
    }
  }
}
