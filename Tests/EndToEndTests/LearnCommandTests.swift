import Foundation
import TestSupport
import Testing

/// `symbolicate index --learn REPORTS…`, and reports that are named from it.
struct LearnCommandTests {
  private let directory: TemporaryDirectory
  private static let uuid = "11111111-2222-3333-4444-555555555555"

  init() throws { directory = try TemporaryDirectory() }

  private static func report(named: Bool, incident: String = "A") -> String {
    let name = named ? #""symbol":"-[UIView layoutSubviews]","symbolLocation":64,"# : ""
    return """
      {"bug_type":"309","incident_id":"\(incident)","os_version":"iPhone OS 17.5 (21F79)"}
      {"incident":"\(incident)","cpuType":"ARM-64","procName":"App","faultingThread":0,\
      "usedImages":[{"source":"P","arch":"arm64e","base":6442450944,"size":1048576,\
      "uuid":"\(uuid)","path":"/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore",\
      "name":"UIKitCore"}],"threads":[{"triggered":true,"id":1,"frames":[\
      {"imageOffset":\(named ? 4160 : 4128),\(name)"imageIndex":0}]}]}

      """
  }

  private func run(_ arguments: [String], input: String = "") async throws -> ProgramResult {
    try await Program.symbolicate(
      arguments, input: Array(input.utf8), workingDirectory: directory.path,
      cache: directory.path("caches"))
  }

  private var file: String {
    directory.path(
      "caches/symbolicate/learnt/\(Self.uuid.replacing("-", with: "").lowercased()).learnt")
  }

  @Test func namesLaterReports() async throws {
    try directory.write(Self.report(named: false).utf8, to: "bare.ips")
    let before = try await run(["bare.ips", "--format", "crash"])
    expectFalse(before.outputText.contains("layoutSubviews"))
    let learnt = try await run(["index", "--learn"], input: Self.report(named: true))
    expectEqual(learnt.status, 0)
    expectEqual(learnt.outputText, file + "\n")
    expectEqual(
      learnt.standardError, "1 function of 1 system image learnt from 1 report\n")
    let after = try await run(["bare.ips", "--format", "crash"])
    expectContains(after.outputText, "-[UIView layoutSubviews] + 32")
    expectEqual(after.standardError, "1 of 1 frame resolved\n")
    let json = try await run(["bare.ips", "--format", "json"])
    expectContains(json.outputText, "\"origin\": \"learnt\"")
    expectContains(json.outputText, "\"learntFrom\": 1")
    let explained = try await run(["bare.ips", "--explain"])
    expectContains(
      explained.standardError,
      "names learnt from reports of \(file) (matched by UUID, learnt from 1 report)")
    let without = try await run(["bare.ips", "--format", "crash", "--no-index"])
    expectEqual(without.outputText, before.outputText)
    let doctor = try await run(["doctor", "bare.ips"])
    expectContains(doctor.outputText, "It is a file of names learnt from reports, which has names.")
    _ = try await run(["index", "--clean"])
    expectFalse(FileManager.default.fileExists(atPath: file))
  }

  /// Anyone can write a report that calls an app's image a part of the system.
  @Test func namesNothingOfAnApp() async throws {
    _ = try await run(["index", "--learn"], input: Self.report(named: true))
    let app = "/private/var/containers/Bundle/Application/X/UIKitCore.app/UIKitCore"
    let library = "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore"
    for path in [app, "/System/../\(app)", "/usr/lib/../..\(app)"] {
      try directory.write(
        Self.report(named: false).replacing(library, with: path).utf8, to: "app.ips")
      let result = try await run(["app.ips", "--format", "crash"])
      expectFalse(result.outputText.contains("layoutSubviews"), path)
    }
  }

  /// What no report has shown yet is as unnamed as before, and no fault of the learnt names.
  @Test func saysNoMoreThanBefore() async throws {
    let other = Self.report(named: false).replacing(":4128,", with: ":9000,")
    try directory.write(other.utf8, to: "bare.ips")
    let before = try await run(["bare.ips"])
    _ = try await run(["index", "--learn"], input: Self.report(named: true))
    let after = try await run(["bare.ips"])
    expectEqual(after.standardError, before.standardError)
    expectEqual(after.outputText, before.outputText)
  }

  /// MetricKit has no names at all.
  @Test func namesAMetricKitPayload() async throws {
    try directory.write(
      """
      {"crashDiagnostics":[{"version":"1.0.0","callStackTree":{"callStackPerThread":true,\
      "callStacks":[{"threadAttributed":true,"callStackRootFrames":[{"binaryUUID":"\(Self.uuid)",\
      "offsetIntoBinaryTextSegment":4128,"sampleCount":1,"binaryName":"UIKitCore",\
      "address":6442455072}]}]},"diagnosticMetaData":{"osVersion":"iPhone OS 17.5 (21F79)"}}]}
      """.utf8, to: "payload.json")
    let before = try await run(["payload.json", "--format", "crash"])
    expectFalse(before.outputText.contains("layoutSubviews"))
    _ = try await run(["index", "--learn", "-"], input: Self.report(named: true))
    let after = try await run(["payload.json", "--format", "crash"])
    expectContains(after.outputText, "-[UIView layoutSubviews] + 32")
  }

  /// Archives in a directory are opened, and other files are passed over.
  @Test func readsDirectoriesAndArchives() async throws {
    try directory.makeDirectory("reports")
    try directory.write(Self.report(named: true, incident: "A").utf8, to: "reports/a.ips")
    try directory.write(Self.report(named: true, incident: "B").utf8, to: "b.ips")
    try directory.write("notes\n".utf8, to: "reports/notes.txt")
    // An archive of symbol files, as it lies beside reports.
    let symbols = try await Program.run(
      try require(Program.path(of: "tar")),
      ["-czf", directory.path("reports/dsyms.tgz"), "-C", Fixtures.storyBundle, "Contents"])
    expectEqual(symbols.status, 0)
    let packed = directory.path("reports/b.tgz")
    let tar = try await Program.run(
      try require(Program.path(of: "tar")), ["-czf", packed, "-C", directory.path, "b.ips"])
    expectEqual(tar.status, 0)
    let result = try await run(["index", "--learn", "reports", "--index-dir", "indexes"])
    expectEqual(result.status, 0)
    expectEqual(
      result.standardError, "1 function of 1 system image learnt from 2 reports\n")
    let again = try await run(["index", "--learn", "reports", "--index-dir", "indexes"])
    expectEqual(again.outputText, "")
    expectEqual(
      again.standardError,
      "1 function of 1 system image learnt from 0 reports; 2 more were known\n")
    try directory.write(Self.report(named: false).utf8, to: "bare.ips")
    let named = try await run(["bare.ips", "--format", "crash", "--index-dir", "indexes"])
    expectContains(named.outputText, "-[UIView layoutSubviews] + 32")
  }

  @Test func saysWhatIsNotAReport() async throws {
    let result = try await run(["index", "--learn"], input: "notes\n")
    expectEqual(result.status, 65)
    expectContains(result.standardError, "standard input")
    let usage = try await run(["index", "--learn", "--from", "a.ips"])
    expectEqual(usage.status, 64)
    let missing = try await run(["index", "--learn", "missing.ips"])
    expectEqual(missing.status, 66)
    let text = try await run(["index", "--learn", Fixtures.storyReport])
    expectEqual(text.status, 0)
    expectPrefix(
      text.standardError, "symbolicate: note: names are learnt only from .ips reports in")
  }

  /// A damaged file is reported, replaced by the next run, and names nothing meanwhile.
  @Test func damage() async throws {
    _ = try await run(["index", "--learn"], input: Self.report(named: true))
    var bytes = try Fixtures.bytes(of: file)
    bytes[70] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try directory.write(Self.report(named: false).utf8, to: "bare.ips")
    let result = try await run(["bare.ips"])
    expectEqual(result.status, 0)
    expectContains(result.standardError, "warning: ignoring the index \(file)")
    expectContains(result.standardError, "checksum of the learnt names")
    let again = try await run(["index", "--learn"], input: Self.report(named: true))
    expectContains(again.standardError, "warning: ignoring the index \(file)")
    let fixed = try await run(["bare.ips", "--format", "crash"])
    expectContains(fixed.outputText, "-[UIView layoutSubviews] + 32")
  }
}
