import Foundation
import ReportRuns
import TestSupport
import Testing

/// Lets the programs of `Fixtures/SwiftBacktrace` crash with the runtime of the toolchain here, and
/// compares what is found for its backtrace without symbols with its own backtrace of another run
/// with symbols. Addresses differ from run to run.
struct SwiftRuntimeTests {
  /// The toolchain's libraries; nil if it is not there, or cannot print backtraces.
  private static let libraries: String? = {
    guard let compiler = Program.path(of: "swiftc") else { return nil }
    let root = URL(fileURLWithPath: compiler).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let tool = root + "/libexec/swift/linux/swift-backtrace"
    return FileManager.default.isExecutableFile(atPath: tool) ? root + "/lib/swift/linux" : nil
  }()

  /// What the program prints while it crashes. Its folder and its name have spaces.
  private static func log(
    _ program: String, _ settings: String, in directory: TemporaryDirectory
  ) async throws -> String {
    try directory.makeDirectory("a place")
    let path = try await directory.makeProgram(
      "a place/the \(program)", from: SwiftBacktraceTests.path("\(program).elf"))
    let common = "enable=yes,interactive=no,sanitize=no,preset=full,threads=crashed,registers=none"
    let result = try await Program.run(
      "/usr/bin/env",
      [
        "-u", "SWIFT_ROOT", "LD_LIBRARY_PATH=\(libraries ?? "")",
        "SWIFT_BACKTRACE=\(common),images=mentioned,\(settings)", path,
      ])
    return result.standardError.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("swift-runtime: ") }.joined(separator: "\n")
  }

  private static func symbolicated(_ text: String, _ program: String) -> String {
    var job = ReportJob(symbolPaths: [SwiftBacktraceTests.path("\(program).elf")])
    return String(
      decoding: job.symbolicate(Array(text.utf8), shownPath: "log").output, as: UTF8.self)
  }

  /// Where processes must not trace each other, the runtime prints none.
  private static func isBacktrace(_ text: String) -> Bool {
    let isThere = text.contains("Program crashed") || text.contains("crashReport")
    if !isThere { print("Nothing compared: the Swift runtime printed no backtrace: \(text)") }
    return isThere
  }

  /// Without what differs from run to run.
  private static func steady(_ text: String) -> String {
    text.replacing(/0x[0-9a-f]+/, with: "0x").replacing(/took [0-9.]+s/, with: "took")
      .replacing(/[0-9]+ omitted/, with: "omitted")
  }

  /// Every byte, with colours and without, with and without limits.
  @Test(
    .enabled(if: libraries != nil, "no Swift toolchain that prints backtraces"),
    arguments: ["no", "yes"], ["limit=12,top=4", "limit=64"])
  func isWrittenAsByTheRuntime(color: String, limits: String) async throws {
    let directory = try TemporaryDirectory()
    let settings = "color=\(color),\(limits),symbolicate="
    let bare = try await Self.log("ladder", settings + "off", in: directory)
    guard Self.isBacktrace(bare) else { return }
    let full = try await Self.log("ladder", settings + "full", in: directory)
    let ours = Self.symbolicated(bare, "ladder")
    expectNotEqual(ours, bare)
    expectEqual(Self.steady(ours), Self.steady(full))
  }

  /// Function by function. The runtime leaves out some inlined calls, and has symbols for its own
  /// libraries.
  @Test(
    .enabled(if: libraries != nil, "no Swift toolchain that prints backtraces"),
    arguments: ["bank", "workers"], ["fast", "full"])
  func namesTheSameFunctions(program: String, mode: String) async throws {
    let directory = try TemporaryDirectory()
    let settings = "color=no,symbolicate="
    let bare = try await Self.log(program, settings + "off", in: directory)
    guard Self.isBacktrace(bare) else { return }
    let theirs = Self.functions(try await Self.log(program, settings + mode, in: directory))
    let ours = Self.functions(Self.symbolicated(bare, program))
    expectTrue(ours.count == theirs.count && ours.count > 3)
    for (one, other) in zip(ours, theirs) where !other.contains(" in libswift") {
      guard mode != "full" else {
        expectEqual(one, other.replacing("at //<", with: "at /<"))
        continue
      }
      // The place may be that of an inlined call, which this mode does not show.
      let image = " in the \(program)"
      expectEqual(one.prefix(upTo: image), other.prefix(upTo: image))
    }
  }

  private static func functions(_ text: String) -> [String] {
    text.split(separator: "\n").filter {
      $0.contains(/^ *[0-9]+ .*0x[0-9a-f]{16}/) && !$0.contains("[inlined]")
    }.map { line in
      steady(line.split(separator: " ").dropFirst().joined(separator: " "))
        .replacing("[system] ", with: "").replacing("[thunk] ", with: "")
    }
  }

  @Test(
    .enabled(if: libraries != nil, "no Swift toolchain that prints backtraces"),
    arguments: ["bank", "ladder", "workers"])
  func namesTheSameFunctionsInJson(program: String) async throws {
    let directory = try TemporaryDirectory()
    let settings = "color=no,format=json,symbolicate="
    let bare = try await Self.log(program, settings + "off", in: directory)
    guard Self.isBacktrace(bare) else { return }
    let full = try await Self.log(program, settings + "full", in: directory)
    let ours = try Self.frames(Self.symbolicated(bare, program))
    let theirs = try Self.frames(full)
    expectTrue(ours.count == theirs.count && ours.count > 3)
    for (one, other) in zip(ours, theirs) where !other.image.hasPrefix("libswift") {
      expectEqual(one.symbol, other.symbol)
      expectEqual(one.line, other.line)
    }
  }

  private struct Frame {
    let symbol: String?
    let image: String
    let line: Int?
  }

  /// The frames of the crashed thread that are not inlined calls.
  private static func frames(_ text: String) throws -> [Frame] {
    let start = try require(text.firstIndex(of: "{"), "\(text)")
    let end = try require(text.lastIndex(of: "}"))
    let object = try JSONSerialization.jsonObject(with: Data(text[start...end].utf8))
    let threads = (object as? [String: Any])?["threads"] as? [[String: Any]] ?? []
    let crashed = try require(threads.first { $0["crashed"] as? Bool == true })
    return (crashed["frames"] as? [[String: Any]] ?? []).compactMap { frame in
      guard frame["address"] != nil, frame["inlined"] as? Bool != true else { return nil }
      let place = frame["sourceLocation"] as? [String: Any]
      return Frame(
        symbol: frame["symbol"] as? String, image: frame["image"] as? String ?? "",
        line: place?["line"] as? Int)
    }
  }
}

extension String {
  /// What precedes the text; nil if the text is not there.
  fileprivate func prefix(upTo text: String) -> Substring? {
    firstRange(of: text).map { self[..<$0.lowerBound] }
  }
}
