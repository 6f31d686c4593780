import Foundation
import Platform
import TestSupport
import Testing

/// An output that would replace a symbol file or an input is refused, with status 64, before
/// anything is written.
struct OutputGuardTests {
  private let directory: TemporaryDirectory
  private let report: [UInt8]
  private let dwarf: [UInt8]
  /// In the directory, with the DWARF file `X`.
  private let bundle: String
  private let dwarfFile: String

  init() throws {
    directory = try TemporaryDirectory()
    report = try Fixtures.bytes(of: Fixtures.storyReport)
    dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    try directory.makeDirectory("X.dSYM/Contents/Resources/DWARF")
    bundle = directory.path("X.dSYM")
    dwarfFile = try directory.write(dwarf, to: "X.dSYM/Contents/Resources/DWARF/X")
    try directory.write(report, to: "c.crash")
  }

  /// Runs in the directory, and expects a refusal that changes nothing.
  private func expectRefusal(
    _ arguments: [String], _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try snapshot()
    let result = try await Program.symbolicate(arguments, workingDirectory: directory.path)
    expectEqual(result.status, 64, sourceLocation: sourceLocation)
    expectEmpty(result.standardOutput, sourceLocation: sourceLocation)
    expectEqual(
      result.standardError, "symbolicate: error: \(message)\n", sourceLocation: sourceLocation)
    try expectEqual(snapshot(), before, sourceLocation: sourceLocation)
  }

  /// Every file and folder in the directory; of files the content.
  private func snapshot() throws -> [String: [UInt8]] {
    var entries: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
      entries[path] = (try? directory.bytes(of: path)) ?? []
    }
    return entries
  }

  // MARK: Symbol files

  @Test(arguments: [[], ["--format", "json"], ["--format", "crash"], ["--summary"]])
  func aDwarfFile(form: [String]) async throws {
    let path = "X.dSYM/Contents/Resources/DWARF/X"
    try await expectRefusal(
      ["c.crash", "-o", path] + form,
      "\(path) is a symbol file and will not be overwritten; did you mean -d \(path)?")
  }

  /// Files with the first bytes of each kind, under a name that says nothing.
  @Test(arguments: [
    "MachO/shapes-arm64", "MachO/shapes-arm64.object",
    "Fat/fat.dSYM/Contents/Resources/DWARF/Shapes",
    "Elf/libshapes.elf",
  ])
  func symbolFilesByTheirContent(fixture: String) async throws {
    try directory.copy(Fixtures.path(fixture), to: "out")
    try await expectRefusal(
      ["c.crash", "-o", "out"],
      "out is a symbol file and will not be overwritten; did you mean -d out?")
  }

  @Test(arguments: ["!<arch>\n", "!<thin>\n", "GSYM", "MYSG", "\u{7f}ELF"])
  func symbolFilesByTheirFirstBytes(start: String) async throws {
    try directory.write(Array(start.utf8) + [0, 0, 0, 0], to: "out")
    try await expectRefusal(
      ["c.crash", "-o", "out"],
      "out is a symbol file and will not be overwritten; did you mean -d out?")
  }

  @Test func aLinkToASymbolFile() async throws {
    try directory.link("out.crash", to: dwarfFile)
    try await expectRefusal(
      ["c.crash", "-o", "out.crash"],
      "out.crash is a symbol file and will not be overwritten; did you mean -d out.crash?")
  }

  // MARK: Bundles

  @Test(arguments: ["X.dSYM", "X.dSYM/", "./X.dSYM", "Missing.dSYM"])
  func aBundleItself(path: String) async throws {
    try await expectRefusal(
      ["c.crash", "-o", path],
      "\(path) is a symbol file and will not be overwritten; did you mean -d \(path)?")
    // Several reports need a directory: the bundle would be one.
    try directory.write(report, to: "d.crash")
    try await expectRefusal(
      ["c.crash", "d.crash", "-o", path],
      "\(path) is a symbol file and will not be overwritten; did you mean -d \(path)?")
  }

  @Test(arguments: [
    "X.dSYM/out.crash", "X.dSYM/Contents/Resources/DWARF/out.crash", "X.dSYM/no/such/folder/out",
    "Missing.dSYM/out.crash",
  ])
  func aNewFileInABundle(path: String) async throws {
    let bundle = String(path.prefix(while: { $0 != "/" }))
    try await expectRefusal(
      ["c.crash", "-o", path],
      "\(path) lies in \(bundle), a symbol file that will not be changed; did you mean -d \(bundle)?"
    )
  }

  @Test(arguments: ["App.app", "Kit.framework", "App.xcarchive", "Share.appex"])
  func otherBundles(name: String) async throws {
    try directory.makeDirectory("\(name)/Contents")
    try await expectRefusal(
      ["c.crash", "-o", "\(name)/out.crash"],
      "\(name)/out.crash lies in \(name), a bundle that will not be changed; did you mean -d \(name)?"
    )
    try await expectRefusal(
      ["c.crash", "-o", name],
      "\(name) is a bundle and will not be overwritten; did you mean -d \(name)?")
  }

  /// `.app` is also the end of domain names.
  @Test func aFolderThatOnlyHasTheNameOfABundle() async throws {
    try directory.makeDirectory("example.app/reports")
    let result = try await Program.symbolicate(
      ["c.crash", "-o", "example.app/reports/out.crash"], workingDirectory: directory.path)
    expectEqual(result.status, 0)
    expectTrue(
      FileManager.default.fileExists(atPath: "\(directory.path)/example.app/reports/out.crash"))
  }

  /// The link's name says nothing, and its target need not exist.
  @Test func aLinkIntoABundle() async throws {
    try directory.link("link", to: "X.dSYM/Contents")
    try directory.link("dangling", to: "X.dSYM/out.crash")
    let real = try require(realPath(of: bundle))
    for path in ["link/out.crash", "dangling"] {
      try await expectRefusal(
        ["c.crash", "-o", path],
        "\(path) lies in \(real), a symbol file that will not be changed; did you mean -d \(real)?")
    }
  }

  @Test func aWorkingDirectoryInABundle() async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReport, "-o", "out.crash"], workingDirectory: bundle + "/Contents")
    expectEqual(result.status, 64)
    expectContains(result.standardError, "out.crash lies in ")
    expectFalse(FileManager.default.fileExists(atPath: bundle + "/Contents/out.crash"))
  }

  /// A path that leaves the bundle again does not lie in it.
  @Test func aPathThroughABundle() async throws {
    let result = try await Program.symbolicate(
      ["-", "-o", "X.dSYM/../out.crash"], input: report, workingDirectory: directory.path)
    expectEqual(result.status, 0)
    try expectEqual(directory.bytes(of: "out.crash"), report)
  }

  // MARK: Inputs

  @Test func theReportUnderAnotherPath() async throws {
    try directory.link("link.crash", to: "c.crash")
    try FileManager.default.linkItem(
      atPath: directory.path("c.crash"), toPath: directory.path("hard.crash"))
    for path in ["./c.crash", "link.crash", "hard.crash", directory.path("c.crash")] {
      try await expectRefusal(
        ["c.crash", "-o", path],
        "\(path) is the input c.crash under another path and will not be overwritten; use --in-place to replace reports"
      )
    }
  }

  @Test func theReportOnStandardInput() async throws {
    let result = try await Program.run(
      "/bin/sh",
      [
        "-c", "cd \"$1\" && exec \"$0\" -o c.crash <c.crash", Program.builtProgramPath,
        directory.path,
      ])
    expectEqual(result.status, 64)
    expectEqual(
      result.standardError,
      "symbolicate: error: c.crash is the report on standard input and will not be overwritten; use --in-place to replace reports\n"
    )
    try expectEqual(directory.bytes(of: "c.crash"), report)
  }

  /// As a report, the output replaces it; anything else would lose it.
  @Test(arguments: [["--summary"], ["--format", "json"], ["--format", "ndjson"]])
  func theReportItselfByAnExtract(form: [String]) async throws {
    try await expectRefusal(
      ["c.crash", "-o", "c.crash"] + form,
      "c.crash is the report itself and will not be overwritten; choose another output")
  }

  @Test func theDirectoryOfTheReports() async throws {
    try directory.makeDirectory("reports")
    try directory.write(report, to: "reports/a.crash")
    try directory.write(report, to: "reports/b.crash")
    try await expectRefusal(
      ["reports/a.crash", "reports/b.crash", "--output-dir", "reports"],
      "reports/a.crash is the report itself and will not be overwritten; use --in-place to replace reports"
    )
  }

  @Test func aFileGivenAsASymbolFile() async throws {
    try directory.write("not symbols\n".utf8, to: "notes")
    try await expectRefusal(
      ["c.crash", "-d", "notes", "-o", "./notes"],
      "./notes is the input notes under another path and will not be overwritten; choose another output"
    )
    try await expectRefusal(
      ["c.crash", "-d", "notes", "-o", "notes"],
      "notes is an input and will not be overwritten; choose another output"
    )
  }

  @Test func aFileGivenAsALineMap() async throws {
    try directory.write("{\"/a.cpp\": {}}".utf8, to: "map.json")
    try await expectRefusal(
      ["c.crash", "--il2cpp-map", "map.json", "-o", "map.json"],
      "map.json is an input and will not be overwritten; choose another output"
    )
  }

  @Test func aSymbolMap() async throws {
    try directory.makeDirectory("maps")
    try directory.write("BCSymbolMap Version: 2.0\n_main\n".utf8, to: "maps/a.bcsymbolmap")
    try await expectRefusal(
      ["c.crash", "-d", "maps", "-o", "maps/a.bcsymbolmap"],
      "maps/a.bcsymbolmap is a symbol file and will not be overwritten; did you mean -d maps/a.bcsymbolmap?"
    )
  }

  // MARK: Source files

  /// A copy of the sources of the story, where lines 14 and 18 are.
  private func makeSources() throws -> [String] {
    try directory.makeDirectory("src")
    try directory.write((1...30).flatMap { Array("line \($0)\n".utf8) }, to: "src/GameData.swift")
    return [
      "-d", Fixtures.storyBundle, "--source-context", "1",
      "--map-path", "/Users/builder/Letter Shuffle=\(directory.path("src"))",
    ]
  }

  /// Which files are sources is known only when they were read.
  @Test(arguments: [["--source-root", "src"], []], ["src/GameData.swift", "link"])
  func aSourceFile(root: [String], output: String) async throws {
    try directory.link("link", to: "src/GameData.swift")
    let options = try makeSources()
    let before = try snapshot()
    for form in [[], ["--summary"], ["--format", "json"], ["--format", "html"]] {
      let result = try await Program.symbolicate(
        ["c.crash", "-o", output] + options + root + form, workingDirectory: directory.path)
      expectEqual(result.status, 64)
      expectContains(
        result.standardError,
        "symbolicate: error: \(output) is a source file whose lines the result shows, and will not be overwritten; choose another output\n"
      )
      try expectEqual(snapshot(), before)
    }
  }

  /// The other results are written.
  @Test func aSourceFileInADirectoryOfResults() async throws {
    let options = try makeSources()
    try directory.makeDirectory("reports")
    try directory.write(report, to: "reports/GameData.swift")
    try directory.write(report, to: "reports/other.crash")
    let source = try directory.bytes(of: "src/GameData.swift")
    let result = try await Program.symbolicate(
      ["reports", "-o", "src/"] + options, workingDirectory: directory.path)
    expectEqual(result.status, 73)
    expectContains(
      result.standardError,
      "symbolicate: error: src/GameData.swift is a source file whose lines the result shows, and will not be overwritten; choose another output\n"
    )
    try expectEqual(directory.bytes(of: "src/GameData.swift"), source)
    let other = String(decoding: try directory.bytes(of: "src/other.crash"), as: UTF8.self)
    expectContains(other, "> 18│ line 18")
  }

  /// A new file beside the sources, and one that is not shown, are outputs like any other.
  @Test func otherFilesBesideSources() async throws {
    let options = try makeSources()
    try directory.write("old\n".utf8, to: "src/out.crash")
    for output in ["src/out.crash", "src/new.crash"] {
      let result = try await Program.symbolicate(
        ["c.crash", "-o", output, "--source-root", "src"] + options,
        workingDirectory: directory.path)
      expectEqual(result.status, 0)
    }
  }

  // MARK: Releases

  /// A release is read as a whole, whatever its files hold.
  @Test(arguments: ["release/Info.plist", "release/a.crash", "link", "release/sub/link"])
  func aFileOfAReleaseThatIsChecked(output: String) async throws {
    try directory.makeDirectory("release/sub")
    try directory.write(report, to: "release/a.crash")
    try directory.write("<plist/>".utf8, to: "release/Info.plist")
    try directory.write("notes".utf8, to: "notes")
    try directory.link("link", to: "release/a.crash")
    try directory.link("release/sub/link", to: "../../notes")
    try await expectRefusal(
      ["check", "release", "--junit", output],
      "\(output) is a file in the input release and will not be overwritten; choose another output")
    try await expectRefusal(
      ["check", "X.dSYM", "-d", "release", "--junit", output],
      "\(output) is a file in the input release and will not be overwritten; choose another output")
  }

  /// New, and from an earlier check.
  @Test func aResultOfACheckInTheRelease() async throws {
    try directory.makeDirectory("release")
    try directory.write(dwarf, to: "release/X")
    for _ in 0..<2 {
      let result = try await Program.symbolicate(
        ["check", "release", "--junit", "release/symbols.xml"], workingDirectory: directory.path)
      expectNotEqual(result.status, 64)
      expectPrefix(
        String(decoding: try directory.bytes(of: "release/symbols.xml"), as: UTF8.self), "<?xml ")
    }
  }

  /// Only what would be used of a directory is protected: symbol files.
  @Test func aFileInADirectoryOfSymbolFiles() async throws {
    try directory.makeDirectory("symbols")
    try directory.write(dwarf, to: "symbols/story")
    try await expectRefusal(
      ["c.crash", "-d", "symbols", "-o", "symbols/story"],
      "symbols/story is a symbol file and will not be overwritten; did you mean -d symbols/story?")
    let result = try await Program.symbolicate(
      ["c.crash", "-d", "symbols", "-o", "symbols/out.crash"], workingDirectory: directory.path)
    expectEqual(result.status, 0)
  }

  /// One of several results: nothing is written for the others, and the directory is not made.
  @Test func oneOfSeveralResults() async throws {
    try directory.makeDirectory("out")
    try directory.write(report, to: "d.crash")
    try directory.write(dwarf, to: "out/d.crash")
    try await expectRefusal(
      ["c.crash", "d.crash", "--output-dir", "out"],
      "out/d.crash is a symbol file and will not be overwritten; did you mean -d out/d.crash?")
  }

  /// A static library may hold the text of a report, whose frames would be resolved.
  @Test(arguments: ["!<arch>\n", "!<thin>\n", "GSYM", "\u{7f}ELF"])
  func aSymbolFileInPlace(start: String) async throws {
    try directory.write(Array(start.utf8) + report, to: "lib.a")
    let message = "lib.a is a symbol file and will not be overwritten; did you mean -d lib.a?"
    try await expectRefusal(["--in-place", "lib.a", "-d", "X.dSYM"], message)
    if start.hasPrefix("!") {
      try await expectRefusal(["--in-place", "c.crash", "lib.a", "-d", "X.dSYM"], message)
    }
  }

  /// It would wait for somebody who writes, and then for somebody who reads.
  @Test func aPipeInPlace() async throws {
    unsafe expectEqual(mkfifo(directory.path("pipe.crash"), 0o600), 0)
    let result = try await Program.symbolicate(
      ["pipe.crash", "--in-place"], workingDirectory: directory.path)
    expectEqual(result.status, 64)
    expectEqual(
      result.standardError,
      "symbolicate: error: pipe.crash is a pipe or a device, and --in-place replaces files; use standard output or -o\n"
    )
  }

  // MARK: Indexes

  @Test func theCacheInABundle() async throws {
    let before = try snapshot()
    let result = try await Program.symbolicate(
      ["index", dwarfFile], workingDirectory: directory.path, cache: bundle)
    expectEqual(result.status, 64)
    expectEqual(
      result.standardError,
      "symbolicate: error: \(bundle)/symbolicate lies in \(bundle), a symbol file that will not be changed; set XDG_CACHE_HOME to another directory\n"
    )
    try expectEqual(snapshot(), before)
  }

  @Test func indexesInABundle() async throws {
    for path in ["X.dSYM", "X.dSYM/"] {
      try await expectRefusal(
        ["index", bundle, "-o", path],
        "\(path) is a symbol file and will not be overwritten; symbol files are given without -o")
    }
    try await expectRefusal(
      ["index", bundle, "-o", "X.dSYM/Contents"],
      "X.dSYM/Contents lies in X.dSYM, a symbol file that will not be changed; symbol files are given without -o"
    )
  }

  @Test func indexesInPlaceOfASymbolFile() async throws {
    let path = "X.dSYM/Contents/Resources/DWARF/X"
    try await expectRefusal(
      ["index", bundle, "-o", path],
      "\(path) is a symbol file and will not be overwritten; symbol files are given without -o")
    try directory.makeDirectory("out")
    try directory.write(dwarf, to: "out/a4b1de4970b3301da64458d6bc22f513-arm64.gsym")
    try await expectRefusal(
      ["index", bundle, "-o", "out"],
      "out/a4b1de4970b3301da64458d6bc22f513-arm64.gsym is a symbol file and will not be overwritten; symbol files are given without -o"
    )
  }

  @Test func indexesReplaceOlderOnes() async throws {
    for _ in 0..<2 {
      let result = try await Program.symbolicate(
        ["index", bundle, "-o", "out"], workingDirectory: directory.path)
      expectEqual(result.status, 0)
    }
  }

  private func realPath(of path: String) -> String? {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
