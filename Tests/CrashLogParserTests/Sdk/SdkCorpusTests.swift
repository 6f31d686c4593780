import CrashLogParser
import Foundation
import SymbolicationModel
import TestSupport
import Testing

/// Real reports of SDKs, which are not part of the project. Expected numbers are counted by
/// Tests/Scripts/count-sdk-reports.py.
@Suite(
  .enabled(if: Corpus.path != nil, "SYMBOLICATE_CORPUS does not name the folder of real reports"))
struct SdkCorpusTests {
  private static func paths() throws -> [String] {
    let root = try require(Corpus.path) + "/reports"
    var paths: [String] = []
    for folder in ["kscrash-json", "wild/kscrash-json", "plcrash-binary", "wild/pasted"] {
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").sorted()) ?? []
      for name in names {
        let isOfSdk = name.hasPrefix("bugsnag-") || name.hasPrefix("measure-")
        guard folder != "wild/pasted" || isOfSdk && name.hasSuffix(".json") else { continue }
        paths.append("\(root)/\(folder)/\(name)")
      }
    }
    return paths
  }

  @Test func everyReportHasThePartsThatAScriptCounts() throws {
    let paths = try Self.paths()
    #expect(paths.count >= 30)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Scripts/count-sdk-reports.py").path
    let process = try ChildProcess("/usr/bin/env", ["python3", script] + paths)
    let output = String(decoding: try process.allOutput(), as: UTF8.self)
    expectEqual(process.end(), 0)
    let lines = output.split(separator: "\n")
    expectEqual(lines.count, paths.count)
    for line in lines {
      let columns = line.split(separator: "\t").map(String.init)
      guard columns.count == 6 else {
        Issue.record("\(line)")
        continue
      }
      let path = columns[5]
      let name = URL(fileURLWithPath: path).lastPathComponent
      let reports = try CrashLogParser.parse([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      let frames = reports.flatMap(\.allFrames)
      let found = [
        reports.reduce(0) { $0 + $1.backtraces.count }, frames.count,
        reports.reduce(0) { $0 + $1.images.count }, frames.count { $0.symbol != nil },
      ]
      expectEqual(found.map { String($0) }, Array(columns[..<4]), "\(name)")
      let addresses = frames.reduce(0 as UInt64) { $0 &+ ($1.address?.value ?? 0) }
      expectEqual(String(addresses), columns[4], "\(name)")
      for report in reports {
        expectNesting(report, name)
        // Two reports have a comma that JSON does not allow, after the threads.
        let kinds = Set(report.faults.map(\.kind))
        expectEqual(kinds, name.contains("sigterm") ? [.damagedJson] : [], "\(name)")
      }
    }
  }

  @Test(arguments: [
    ("kscrash-json", [ReportFormat.ksCrashJson]),
    ("wild/kscrash-json", [.measureException, .ksCrashJson]),
    ("plcrash-binary", [.plCrashReporterBinary]),
  ])
  func formats(_ folder: String, _ formats: [ReportFormat]) throws {
    for path in try Self.paths() where path.contains("/reports/\(folder)/") {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let reports = try CrashLogParser.parse(bytes)
      expectTrue(!reports.isEmpty && reports.allSatisfy { formats.contains($0.format) }, "\(path)")
    }
  }
}
