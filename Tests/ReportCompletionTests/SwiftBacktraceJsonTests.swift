import CrashLogParser
import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Swift backtraces as JSON, of the crash in `Fixtures/SwiftBacktrace/bank.elf`. Expected values
/// are from the runtime's own `bank-full.json`; inlined calls are those of `bank-off.log` in
/// `SwiftBacktraceTests`.
struct SwiftBacktraceJsonTests {
  private static let symbols = [SwiftBacktraceTests.path("bank.elf")]

  private static func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: SwiftBacktraceTests.path("Reports/\(name).json"))
  }

  private static func symbolicated(
    _ bytes: [UInt8], resymbolicates: Bool = false
  ) -> [UInt8] {
    var options = SymbolicationOptions()
    options.resymbolicates = resymbolicates
    var job = ReportJob(symbolPaths: symbols, options: options)
    return job.symbolicate(bytes, shownPath: "report").output
  }

  /// The object after the line that the runtime prints first.
  private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
    let start = try require(bytes.firstIndex(of: UInt8(ascii: "{")))
    let value = try JSONSerialization.jsonObject(with: Data(bytes[start...]))
    return try require(value as? [String: Any])
  }

  private static func frames(_ bytes: [UInt8]) throws -> [NSDictionary] {
    let threads = try require(object(bytes)["threads"] as? [[String: Any]])
    return try require(threads.first?["frames"] as? [NSDictionary])
  }

  private static func report(_ bytes: [UInt8]) throws -> Report {
    let reports = try CrashLogParser.parse(bytes)
    try require(reports.count == 1)
    return reports[0]
  }

  @Test func isRead() throws {
    let json = try Self.report(Self.bytes("bank-full"))
    let text = try Self.report(Array(SwiftBacktraceTests.log("bank-full").utf8))
    expectEqual(json.format, .swiftBacktraceJson)
    expectEqual(text.format, .swiftBacktrace)
    expectEqual(json.facts.date?.hasPrefix("2026-"), true)
    expectEqual(json.facts.exception.subtype, text.facts.exception.subtype)
    expectEqual(json.facts.system, text.facts.system)
    expectEqual(json.facts.architecture, .x86_64)
    expectEqual(json.images.map(\.name), text.images.map(\.name))
    expectEqual(json.images.map(\.identity), text.images.map(\.identity))
    expectEqual(json.images.map(\.lastAddress), text.images.map(\.lastAddress))
    let (frames, expected) = (
      try require(json.crashedThread).frames, try require(text.crashedThread).frames
    )
    expectEqual(frames.map(\.index), expected.map(\.index))
    expectEqual(frames.map(\.addressKind), expected.map(\.addressKind))
    expectEqual(frames.map(\.address), expected.map(\.address))
    expectEqual(frames.map(\.imageName), expected.map(\.imageName))
    expectEqual(frames.map(\.symbol?.name), expected.map(\.symbol?.name))
    expectEqual(frames.map(\.symbol?.line), expected.map(\.symbol?.line))
    expectEqual(frames.map(\.symbol?.column), expected.map(\.symbol?.column))
    expectEqual(frames.map(\.values?.isSystem), expected.map(\.values?.isSystem))
    expectEqual(frames.map(\.values?.isThunk), expected.map(\.values?.isThunk))
    // The report has only the crashed thread, and does not give its number.
    expectTrue(json.crashedThread?.number == nil && json.crashedThread?.omissions.count == 1)
  }

  /// Functions with code of their own are written exactly as by the runtime, except for the two
  /// slashes before `<compiler-generated>`.
  @Test func isWrittenAsByTheRuntime() throws {
    let output = Self.symbolicated(try Self.bytes("bank-off"))
    let ours = try Self.frames(output)
    expectEqual(ours.count, 13)
    let functions = ours.filter { $0["inlined"] == nil }
    let runtime = try Self.frames(Self.bytes("bank-full")).filter { $0["inlined"] == nil }
    expectEqual(functions.count, runtime.count)
    for (frame, expected) in zip(functions, runtime) {
      // No symbol file was given.
      if expected["image"] as? String == "libswift_Concurrency.so" { continue }
      let text = try require(
        String(
          data: try JSONSerialization.data(
            withJSONObject: expected, options: [.sortedKeys, .withoutEscapingSlashes]),
          encoding: .utf8))
      let value = try JSONSerialization.jsonObject(
        with: Data(text.replacing("//<", with: "/<").utf8))
      expectEqual(frame, value as? NSDictionary)
    }
    expectEqual(
      ours.filter { $0["inlined"] != nil }.compactMap { $0["symbol"] as? String }.last,
      "$s4Bank5total_4upToSiSaySiG_SitF")
    // The keys are in the runtime's order.
    let text = String(decoding: output, as: UTF8.self)
    expectTrue(
      text.contains(
        #"{ "kind": "returnAddress", "address": "0x00005555555573a0", "symbol": "$s4Bank7AccountC7balanceyS2iYaFTY1_", "offset": 47, "description": "Account.balance(_:) + 47", "image": "bank", "sourceLocation": { "file": "/home/builder/crash/Bank.swift", "line": 13, "column": 12 } }, "#
      ))
  }

  /// Everything except the frames is unchanged.
  @Test func theRestIsUnchanged() throws {
    let input = try Self.bytes("bank-off")
    expectPrefix(String(decoding: Self.symbolicated(input), as: UTF8.self), "\n*** Signal 4: ")
    var (before, after) = (try Self.object(input), try Self.object(Self.symbolicated(input)))
    before["threads"] = nil
    after["threads"] = nil
    expectEqual(before as NSDictionary, after as NSDictionary)
    let again = Self.symbolicated(Self.symbolicated(input))
    expectEqual(again, Self.symbolicated(input))
  }

  @Test func resymbolicated() throws {
    let fromFull = try Self.frames(
      Self.symbolicated(Self.bytes("bank-full"), resymbolicates: true))
    let fromOff = try Self.frames(Self.symbolicated(Self.bytes("bank-off")))
    expectEqual(fromFull.dropLast(2), fromOff.dropLast(2))
  }

  /// Each value on its own line, as `jq` and others write it. Inserted values follow this style.
  @Test func indented() throws {
    let object = try Self.object(Self.bytes("bank-off"))
    let pretty = try JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    // `kind` comes first, as in the runtime's output.
    let text = String(decoding: pretty, as: UTF8.self).replacing(
      /("address" : "[0-9a-fx]+"),(\s+)("kind" : "[A-Za-z]+")/
    ) { "\($0.3),\($0.2)\($0.1)" }
    let output = Self.symbolicated(Array(text.utf8))
    let frames = try Self.frames(output)
    try expectEqual(frames, Self.frames(Self.symbolicated(Self.bytes("bank-off"))))
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    expectTrue(lines.contains { $0.hasSuffix("\"offset\" : 47,") })
  }

  @Test func withoutSymbolsNothingChanges() throws {
    for name in ["bank-off", "bank-full"] {
      var job = ReportJob(symbolPaths: [])
      let bytes = try Self.bytes(name)
      let result = job.symbolicate(bytes, shownPath: "report")
      expectTrue(result.hasReport)
      expectEqual(result.output, bytes)
    }
  }

  /// Everything before the cut is read. An input without a readable report is returned unchanged.
  @Test func cutAnywhere() throws {
    let whole = try Self.bytes("bank-full")
    let start = try require(whole.firstIndex(of: UInt8(ascii: "{")))
    var job = ReportJob(symbolPaths: Self.symbols)
    for length in stride(from: start, to: whole.count, by: 7) {
      let bytes = Array(whole.prefix(length))
      let result = job.symbolicate(bytes, shownPath: "report")
      if !result.hasReport { expectEqual(result.output, bytes) }
    }
    let cut = try Self.report(Array(whole.prefix(whole.count - 200)))
    expectEqual(cut.faults.map(\.kind), [.damagedJson])
    expectEqual(cut.threads.first?.frames.count, 10)
  }

  @Test func asJsonAndSummary() throws {
    let document = try JsonFixture.document(Self.bytes("bank-off"), with: Self.symbols)
    let report = try require(document.reports.first)
    expectEqual(report.format, "swiftBacktraceJson")
    expectEqual(report.date?.hasPrefix("2026-"), true)
    expectEqual(report.backtraces.first?.frames.map(\.index), Array(0..<12))
    expectEqual(report.backtraces.first?.frames[6].function, "transfer(_:)")
    let summary = JsonFixture.output(try Self.bytes("bank-off"), as: .summary, with: Self.symbols)
    expectContains(summary, "Illegal instruction at 0x0000555555557198")
  }
}
