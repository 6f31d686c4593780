import Foundation
import TestSupport
import Testing

/// No option that writes a file replaces an input, whatever the input is and whatever path leads to
/// it.
///
/// The options are those that the program itself lists: one that takes a path and is not sorted
/// here into those that read and those that write fails the first test.
struct EveryOutputTests {
  /// What an option names that writes.
  private enum Shape { case file, results, pages, indexes }

  /// Options that write, as `COMMAND OPTION`. Each shape has a test below.
  private static let writing: [String: Shape] = [
    "symbolicate output": .file, "symbolicate output-dir": .results, "index output": .indexes,
    "check junit": .file, "group output": .file, "group output-dir": .pages, "worker stats": .file,
  ]

  private static let writingFiles = writing.filter { $0.value == .file }.keys.sorted()

  /// Options and operands whose files and directories are read. Below `--cache-dir` the program
  /// makes files, with names that nobody chooses.
  private static let reading: Set = [
    "symbolicate dsym", "symbolicate search", "symbolicate rules", "symbolicate source-root",
    "symbolicate il2cpp-map", "symbolicate index-dir", "symbolicate cache-dir",
    "atos argument", "index uuids", "index dsym", "index search", "index path", "uuid path",
    "check dsym", "check search", "check path",
    "doctor dsym", "doctor search", "doctor report",
    "group dsym", "group search", "group rules", "group index-dir", "group cache-dir", "group path",
    "dsym-for-uuid dsym", "dsym-for-uuid search", "dsym-for-uuid uuid",
    "worker dsym", "worker search", "worker index-dir", "worker cache-dir",
  ]

  @Test func everyOptionWithAPathIsSorted() async throws {
    let output = try await Program.symbolicate(["--experimental-dump-help"]).standardOutput
    let document = try require(JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
    let program = try require(document["command"] as? [String: Any])
    let commands = [program] + (program["subcommands"] as? [[String: Any]] ?? [])
    var found: Set<String> = []
    for command in commands {
      let commandName = try require(command["commandName"] as? String)
      for argument in command["arguments"] as? [[String: Any]] ?? [] {
        let completion = argument["completionKind"] as? [String: Any] ?? [:]
        let valueName = argument["valueName"] as? String ?? ""
        guard
          completion["file"] != nil || completion["directory"] != nil
            || ["file", "directory", "path"].contains(valueName)
        else { continue }
        // The first long name, or what an operand is called.
        let names = argument["names"] as? [[String: Any]] ?? []
        let name = names.compactMap { $0["name"] as? String }.first { $0.count > 1 }
        found.insert("\(commandName) \(name ?? valueName)")
      }
    }
    expectEqual(found, Self.reading.union(Self.writing.keys))
  }

  // MARK: Outputs

  /// How the path of an input is reached.
  enum Way: String, CaseIterable {
    case itself, otherSpelling, symbolicLink, hardLink
  }

  private let directory: TemporaryDirectory

  /// The inputs, by what they are.
  private static let inputs = [
    "report": "in/report.crash", "symbol file": "in/X.dSYM/Contents/Resources/DWARF/X",
    "symbols with another name": "in/plain-symbols", "archive": "in/archive.zip",
    "a file of a directory of symbols": "in/symbols/story",
    "property list of a dSYM": "in/X.dSYM/Contents/Info.plist",
    "map of C#": "in/map.json", "rules": "in/rules.txt", "list of images": "in/uuids.txt",
    "symbol map": "in/symbols/a.bcsymbolmap", "breakpad": "in/symbols/app.sym",
  ]

  init() throws {
    directory = try TemporaryDirectory()
    for folder in ["in/X.dSYM/Contents/Resources/DWARF", "in/symbols", "out/pages"] {
      try directory.makeDirectory(folder)
    }
    let dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    try directory.write(Fixtures.bytes(of: Fixtures.storyReport), to: "in/report.crash")
    try directory.write(dwarf, to: "in/X.dSYM/Contents/Resources/DWARF/X")
    try directory.write("<plist/>".utf8, to: "in/X.dSYM/Contents/Info.plist")
    try directory.write(dwarf, to: "in/plain-symbols")
    try directory.write(dwarf, to: "in/symbols/story")
    // The end of an empty zip archive.
    try directory.write(
      [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18), to: "in/archive.zip")
    try directory.write("{\"/a.cpp\": {}}".utf8, to: "in/map.json")
    try directory.write("drop nothing*\n".utf8, to: "in/rules.txt")
    try directory.write("a4b1de49-70b3-301d-a644-58d6bc22f513\n".utf8, to: "in/uuids.txt")
    try directory.write(
      "BCSymbolMap Version: 2.0\n_main\n".utf8, to: "in/symbols/a.bcsymbolmap")
    try directory.write(
      "MODULE Linux x86_64 000000000000000000000000000000000 app\n".utf8,
      to: "in/symbols/app.sym")
  }

  /// A run of an option that would write `path`. All inputs are among its arguments.
  private struct Run {
    let arguments: [String]
    var input: [UInt8] = []
  }

  private func run(of option: String, writing path: String) throws -> Run {
    let symbols = [
      "-d", "in/X.dSYM", "-d", "in/symbols", "-d", "in/plain-symbols", "-d", "in/archive.zip",
    ]
    let rules = ["--rules", "in/rules.txt"]
    // A file named on the command line, whatever is in it, is an input.
    let others = ["-d", "in/uuids.txt", "-d", "in/map.json", "-d", "in/rules.txt"]
    switch option {
    case "symbolicate output":
      return Run(
        arguments: ["in/report.crash", "--summary", "--il2cpp-map", "in/map.json", "-d"]
          + ["in/uuids.txt", "-o", path] + rules + symbols)
    case "group output":
      return Run(
        arguments: ["group", "in/report.crash", "-d", "in/uuids.txt", "-d", "in/map.json"]
          + ["-o", path] + rules + symbols)
    case "check junit":
      return Run(
        arguments: ["check", "in", "--junit", path, "-d", "in", "-d", "in/report.crash"] + symbols
          + others)
    case "worker stats":
      let record = Array("{\"id\": 1, \"path\": \"in/report.crash\"}\n".utf8)
      return Run(arguments: ["worker", "--stats", path] + symbols, input: record)
    default: throw UnknownOption(name: option)
    }
  }

  private struct UnknownOption: Error { let name: String }

  private func snapshot() throws -> [String: [UInt8]] {
    var entries: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
      entries[path] = (try? directory.bytes(of: path)) ?? []
    }
    return entries
  }

  /// Another path of the input.
  private func path(of input: String, by way: Way) throws -> String {
    switch way {
    case .itself: return input
    case .otherSpelling: return "./in/../" + input
    case .symbolicLink:
      try directory.link("link", to: input)
      return "link"
    case .hardLink:
      try FileManager.default.linkItem(
        atPath: directory.path(input), toPath: directory.path("hard"))
      return "hard"
    }
  }

  /// Runs in the directory, and expects a refusal that changes nothing.
  private func expectRefusal(
    _ run: Run, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try snapshot()
    let result = try await Program.symbolicate(
      run.arguments, input: run.input, workingDirectory: directory.path)
    expectEqual(
      result.status, 64, "\(what): \(result.standardError)", sourceLocation: sourceLocation)
    expectContains(result.standardError, "will not be", sourceLocation: sourceLocation)
    try expectEqual(snapshot(), before, "\(what)", sourceLocation: sourceLocation)
  }

  /// Options that name one file.
  @Test(arguments: writingFiles, Way.allCases)
  func aFile(option: String, way: Way) async throws {
    for (kind, input) in Self.inputs {
      // The property list protects itself by lying in a bundle, which a hard link does not.
      if way == .hardLink, kind == "property list of a dSYM", option != "worker stats" { continue }
      let path = try path(of: input, by: way)
      try await expectRefusal(run(of: option, writing: path), "\(option), \(kind), \(way)")
      if path == "link" || path == "hard" { try directory.remove(path) }
    }
  }

  /// A directory of results, in which the name of a result is an input.
  @Test(arguments: [Way.itself, .symbolicLink, .hardLink])
  func aDirectory(way: Way) async throws {
    for (kind, input) in Self.inputs where !input.contains(".dSYM/") {
      try put(input, at: "out/report.crash", by: way)
      try await expectRefusal(
        Run(
          arguments: [
            "in/report.crash", "--output-dir", "out", "-d", "in/uuids.txt", "-d", "in/symbols",
            "--rules", "in/rules.txt", "--il2cpp-map", "in/map.json",
          ] + (way == .itself ? ["-d", "out/report.crash"] : [])), "\(kind), \(way)")
      try directory.remove("out/report.crash")
    }
  }

  @Test(arguments: ["index.html", "pages/0123.html"], [Way.itself, .symbolicLink, .hardLink])
  func pages(name: String, way: Way) async throws {
    for (kind, input) in Self.inputs where !input.contains(".dSYM/") {
      let path = "out/" + name
      try put(input, at: path, by: way)
      let places = ["-d", "in/uuids.txt", "-d", "in/map.json", "-d", "in/symbols"]
      try await expectRefusal(
        Run(
          arguments: ["group", "in/report.crash", "--format", "html", "--output-dir", "out"]
            + ["--rules", kind == "rules" && way == .itself ? path : "in/rules.txt"] + places
            + (way == .itself ? ["-d", path] : [])), "\(kind), \(way)")
      if kind == "report" {
        try await expectRefusal(
          Run(
            arguments: ["group", "--merge", way == .itself ? path : input]
              + ["--format", "html", "--output-dir", "out"]), "merge, \(way)")
      }
      try directory.remove(path)
    }
  }

  /// An index takes the place of a link, so what the link leads to stays.
  @Test(arguments: [Way.itself, .hardLink])
  func indexes(way: Way) async throws {
    for (kind, input) in Self.inputs where !input.contains(".dSYM/") {
      // `Fixtures.storyDwarfFile` has this UUID.
      let path = "out/a4b1de4970b3301da64458d6bc22f513-arm64.gsym"
      try put(input, at: path, by: way)
      let named = way == .itself ? path : input
      let isReport = kind == "report"
      let isList = kind == "list of images"
      try await expectRefusal(
        Run(
          arguments: ["index", "-o", "out", "-d", "in/X.dSYM"]
            + (isReport ? ["--from", named] : ["--uuids", isList ? named : "in/uuids.txt"])
            + (isReport || isList ? [] : ["-d", named])), "\(kind), \(way)")
      try directory.remove(path)
    }
  }

  /// Puts what an input holds at `path`, or a link to the input.
  private func put(_ input: String, at path: String, by way: Way) throws {
    switch way {
    case .itself, .otherSpelling: try directory.write(directory.bytes(of: input), to: path)
    case .symbolicLink:
      let up = String(repeating: "../", count: path.split(separator: "/").count - 1)
      try directory.link(path, to: up + input)
    case .hardLink:
      try FileManager.default.linkItem(
        atPath: directory.path(input), toPath: directory.path(path))
    }
  }

  // MARK: Statistics

  /// A worker does not know its inputs in advance.
  @Test func statisticsReplaceStatisticsAlone() async throws {
    let record = Array("{\"id\": 1}\n".utf8)
    for (content, isReplaced) in [
      ("", true), ("{\"schema\":\"symbolicate-worker-statistics\",\"version\":1}\n", true),
      ("{\"schema\":\"symbolicate\"}\n", false), ("a", false), ("\n", false),
    ] {
      try directory.write(content.utf8, to: "stats")
      let result = try await Program.symbolicate(
        ["worker", "--stats", "stats"], input: record, workingDirectory: directory.path)
      expectEqual(result.status, isReplaced ? 0 : 64, content)
      let written = try String(decoding: directory.bytes(of: "stats"), as: UTF8.self)
      if isReplaced {
        expectContains(written, "\"records\":1,")
      } else {
        expectEqual(
          result.standardError,
          "symbolicate: error: stats exists and holds no statistics, so it will not be overwritten; choose another output\n"
        )
        expectEqual(written, content)
      }
    }
  }
}
