import Foundation
import TestSupport
import Testing

/// Archives of reports, as `zip` and `tar` write them, in place of a directory.
struct ArchivedReportTests {
  private let directory: TemporaryDirectory
  private let symbolicated: [UInt8]

  /// Reports in folders and in a bundle of the Organizer, and files that are not reports.
  init() throws {
    directory = try TemporaryDirectory()
    symbolicated = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
    for folder in [
      "in/sub", "in/.hidden", "in/App.dSYM", "in/com.example.app", "in/Real.app",
      "in/P.xccrashpoint/Filters/F/Logs",
    ] {
      try directory.makeDirectory(folder)
    }
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    for name in [
      "in/a.crash", "in/sub/b.crash", "in/.hidden/x.crash", "in/App.dSYM/x.crash",
      "in/com.example.app/c.crash", "in/P.xccrashpoint/Filters/F/Logs/1.crash",
    ] {
      try directory.write(report, to: name)
    }
    try directory.write("notes\n".utf8, to: "in/notes.txt")
    try directory.write("{}".utf8, to: "in/P.xccrashpoint/Filters/F/PointInfo.json")
    try directory.write("<plist/>".utf8, to: "in/Real.app/Info.plist")
    try directory.copy(Fixtures.storyDwarfFile, to: "in/binary")
  }

  private static let results = [
    "P.xccrashpoint/Filters/F/Logs/1.crash", "a.crash", "com.example.app/c.crash", "sub/b.crash",
  ]

  private func shell(_ command: String) async throws {
    let result = try await Program.run(
      "/bin/sh", ["-c", command], workingDirectory: directory.path)
    try require(result.status == 0, "\(result.standardError)")
  }

  private func run(_ arguments: [String], input: [UInt8] = []) async throws -> ProgramResult {
    try await Program.symbolicate(
      arguments + ["-d", Fixtures.storyBundle], input: input, workingDirectory: directory.path)
  }

  @Test(arguments: [
    ("cd in && zip -qr ../r.zip .", "r.zip"), ("cd in && zip -0 -qr ../r.zip .", "r.zip"),
    ("tar cf r.tar -C in .", "r.tar"), ("tar czf r.tgz -C in .", "r.tgz"),
    ("tar cJf r.txz -C in .", "r.txz"), ("tar cf - -C in . | zstd -q > r.tar.zst", "r.tar.zst"),
    ("tar cjf r.tar.bz2 -C in .", "r.tar.bz2"),
  ])
  func resultsAreThoseOfTheDirectory(command: String, name: String) async throws {
    try await shell(command)
    let result = try await run([name, "--output-dir", "out"])
    expectEqual(result.status, 0)
    expectEmpty(result.standardOutput)
    let written = directory.files(below: "out")
    expectEqual(written.keys.sorted(), Self.results)
    for content in written.values { expectEqual(content, symbolicated) }
    let lines = result.standardError.split(separator: "\n").map(String.init)
    expectEqual(lines.first, "4 reports: 4 crash text")
    expectContains(lines, "symbolicate: note: 1 file holds no report: \(name)/notes.txt")
    expectContains(lines, "symbolicate: note: not read: 1 symbol file, 2 bundles")
  }

  @Test func theStreamIsThatOfTheDirectory() async throws {
    try await shell("cd in && zip -qr ../r.zip . && gzip -k sub/b.crash && rm sub/b.crash")
    let folder = try await run(["in"])
    let archive = try await run(["r.zip"])
    expectEqual(archive.status, 0)
    expectEqual(archive.standardOutput, folder.standardOutput)
    let piped = try await run([], input: directory.bytes(of: "r.zip"))
    expectEqual(piped.standardOutput, folder.standardOutput)
    expectContains(piped.standardError, "1 file holds no report: standard input/notes.txt")
    // Nothing is looked for beside standard input.
    try await shell("mkdir beside && zip -qr r2.zip in/a.crash")
    try directory.copy(Fixtures.storyBundle, to: "beside/Letter Shuffle.app.dSYM")
    let alone = try await Program.symbolicate(
      [], input: directory.bytes(of: "r2.zip"), workingDirectory: directory.path("beside"))
    try expectEqual(alone.standardOutput, directory.bytes(of: "in/a.crash"))
    let one = try await run(["r.zip", "-o", "all.crash"])
    expectEqual(one.status, 0)
    try expectEqual(directory.bytes(of: "all.crash"), folder.standardOutput)
  }

  /// An archive in the archive is read, too, with the reports in it that are compressed.
  @Test func archivesInArchives() async throws {
    try await shell("gzip in/a.crash; tar czf r.tgz -C in a.crash.gz; zip -q outer.zip r.tgz")
    let result = try await run(["outer.zip", "--output-dir", "out"])
    expectEqual(result.status, 0)
    expectEqual(directory.files(below: "out")["r.tgz/a.crash"], symbolicated)
    try await shell("zip -q more.zip outer.zip")
    let deep = try await run(["more.zip"])
    expectEqual(deep.status, 66)
    expectContains(deep.standardError, "more.zip/outer.zip/r.tgz")
  }

  /// Symbols in the archive are found as those beside a report are.
  @Test func symbolsInTheArchive() async throws {
    try directory.copy(Fixtures.storyBundle, to: "Letter Shuffle.app.dSYM")
    try await shell("zip -qr mail.zip in/a.crash 'Letter Shuffle.app.dSYM'")
    let result = try await Program.symbolicate(["mail.zip"], workingDirectory: directory.path)
    expectEqual(result.standardOutput, symbolicated)
  }

  @Test func severalArchives() async throws {
    try directory.copy(Fixtures.storyBundle, to: "Letter Shuffle.app.dSYM")
    try await shell(
      "zip -q a.zip in/a.crash; tar czf b.tgz in/sub/b.crash; zip -qr s.zip 'Letter Shuffle.app.dSYM'"
    )
    for paths in [["a.zip", "b.tgz", "s.zip"], ["s.zip", "a.zip", "b.tgz"]] {
      let result = try await Program.symbolicate(paths, workingDirectory: directory.path)
      expectEqual(result.standardOutput, symbolicated + symbolicated)
    }
    // Beside a report, an archive has symbols.
    let beside = try await Program.symbolicate(
      ["in/a.crash", "s.zip", "a.zip"], workingDirectory: directory.path)
    expectEqual(beside.standardOutput, symbolicated)
    try await shell("mkdir both && mv a.zip both/ && cp in/a.crash both/")
    let folder = try await run(["both"])
    expectContains(
      folder.standardError, "not read: 1 archive (give its name to read reports in it)")
  }

  /// Names lead to no place outside of the directory for results.
  @Test func namesAreCleaned() async throws {
    let script = """
      import io, sys, tarfile, zipfile
      report = open(sys.argv[1], "rb").read()
      names = ["../../up.crash", sys.argv[2] + "/absolute.crash", "a/../../b.crash", "b.crash",
               "./b.crash", "..", "link/in.crash", "line\\nend.crash"]
      with tarfile.open("hostile.tar", "w") as tar:
          link = tarfile.TarInfo("link")
          link.type, link.linkname = tarfile.SYMTYPE, sys.argv[2]
          tar.addfile(link)
          hard = tarfile.TarInfo("hard.crash")
          hard.type, hard.linkname = tarfile.LNKTYPE, "/etc/passwd"
          tar.addfile(hard)
          for name in names:
              info = tarfile.TarInfo(name)
              info.size = len(report)
              tar.addfile(info, io.BytesIO(report))
      with zipfile.ZipFile("hostile.zip", "w", zipfile.ZIP_DEFLATED) as zip:
          link = zipfile.ZipInfo("link")
          link.create_system, link.external_attr = 3, 0o120777 << 16
          zip.writestr(link, sys.argv[2])
          for name in names: zip.writestr(zipfile.ZipInfo(name), report)
      """
    let victim = try directory.makeDirectory("victim")
    let made = try await Program.run(
      try require(Program.path(of: "python3")), ["-c", script, Fixtures.storyReport, victim],
      workingDirectory: directory.path)
    try require(made.status == 0, "\(made.standardError)")
    let own = String(victim.dropFirst()) + "/absolute.crash"
    for name in ["hostile.tar", "hostile.zip"] {
      let before = try directory.fileNames()
      let result = try await run([name, "--output-dir", "out"])
      expectEqual(result.status, 0)
      expectEqual(
        directory.files(below: "out").keys.sorted(),
        ([
          "a/b.crash", "b-2.crash", "b.crash", "file", "line\nend.crash", "link/in.crash",
          "up.crash",
        ]
          + [own]).sorted())
      try expectEqual(directory.fileNames(), (before + ["out"]).sorted())
      expectTrue(directory.files(below: "victim").isEmpty)
      try directory.remove("out")
    }
  }

  @Test func damageIsNamed() async throws {
    try await shell("cd in && zip -qr ../r.zip . && tar czf ../r.tgz .")
    var damaged = try directory.bytes(of: "r.zip")
    // Bytes of the compressed report, behind its local header.
    let place = try require(damaged.firstRange(of: Array("a.crash".utf8))).upperBound + 200
    for index in place..<(place + 8) { damaged[index] ^= 0x55 }
    try directory.write(damaged, to: "r.zip")
    let result = try await run(["r.zip", "--output-dir", "out"])
    expectEqual(result.status, 66)
    expectContains(result.standardError, "r.zip/a.crash")
    expectEqual(
      directory.files(below: "out").keys.sorted(), Self.results.filter { $0 != "a.crash" })
    try directory.write(try directory.bytes(of: "r.tgz").dropLast(300), to: "cut.tgz")
    let cut = try await run(["cut.tgz"])
    expectEqual(cut.status, 66)
    expectContains(cut.standardError, "symbolicate: error: cut.tgz")
  }

  @Test func limits() async throws {
    try await shell("zip -q r.zip in/a.crash in/sub/b.crash")
    let small = try await run(["r.zip", "--limit", "report-size=2K"])
    expectEqual(small.status, 66)
    expectContains(small.standardError, "2 files cannot be read: r.zip/in/a.crash")
    // Of an archive of so few bytes, 250 times its size are more than the reports have.
    try await shell(
      "head -c 3000000 /dev/zero > in/zeros; rm r.zip; zip -q r.zip in/zeros in/a.crash")
    let bomb = try await run(["r.zip", "--limit", "unpacked-size=100K"])
    expectEqual(bomb.status, 66)
    expectContains(bomb.standardError, "r.zip is not unpacked further")
  }

  /// Its zeros are never in memory.
  @Test func aBombIsNotUnpacked() async throws {
    try await shell("head -c 300000000 /dev/zero > zeros; zip -q r.zip zeros in/a.crash")
    let result = try await Program.run(
      "/bin/sh", ["-c", "ulimit -v 400000; exec \"$0\" r.zip", Program.builtProgramPath],
      workingDirectory: directory.path)
    expectEqual(result.status, 66)
    expectContains(result.standardError, "1 file cannot be read: r.zip/zeros")
    expectContains(result.standardError, "1 report: 1 crash text")
  }

  @Test func outputsKeepTheArchive() async throws {
    try await shell("zip -q r.zip in/a.crash")
    let before = try directory.bytes(of: "r.zip")
    let inPlace = try await run(["r.zip", "--in-place"])
    expectEqual(inPlace.status, 64)
    expectContains(
      inPlace.standardError,
      "--in-place replaces files, not those in an archive; use --output-dir for the reports in r.zip"
    )
    let output = try await run(["r.zip", "-o", "r.zip"])
    expectEqual(output.status, 64)
    try expectEqual(directory.bytes(of: "r.zip"), before)
  }

  @Test func withoutReports() async throws {
    try await shell("zip -q none.zip in/notes.txt; tar cf none.tar in/notes.txt")
    for name in ["none.zip", "none.tar"] {
      let result = try await run([name])
      expectEqual(result.status, 65)
      expectEmpty(result.standardOutput)
      expectContains(
        result.standardError,
        "\(name) is an archive without crash reports; symbol files are given after the report or with -d"
      )
    }
    // Other commands read one report.
    try await shell("zip -q two.zip in/a.crash in/sub/b.crash")
    let doctor = try await Program.symbolicate(
      ["doctor", "two.zip"], workingDirectory: directory.path)
    expectEqual(doctor.status, 66)
    expectContains(
      doctor.standardError,
      "two.zip is an archive with 2 crash reports (the first is in/a.crash); unpack it and give one of them; 'symbolicate' and 'symbolicate group' read all of them"
    )
  }

  @Test func groups() async throws {
    try await shell("cd in && zip -qr ../r.zip .")
    let folder = try await run(["group", "in", "--format", "csv"])
    let archive = try await run(["group", "r.zip", "--format", "csv"])
    expectEqual(archive.status, 0)
    expectEqual(
      archive.outputText.replacing("r.zip/", with: "in/"), folder.outputText)
    let pages = try await run(["group", "r.zip", "--format", "html", "--output-dir", "pages"])
    expectEqual(pages.status, 0)
    expectEqual(directory.files(below: "pages").keys.count { $0.hasSuffix(".html") }, 2)
  }

  @Test func indexesOfWhatTheReportsNeed() async throws {
    try await shell("cd in && zip -qr ../r.zip .")
    let result = try await run(["index", "--from", "r.zip", "-o", "indexes"])
    expectEqual(result.status, 0)
    expectSuffix(result.outputText, ".gsym\n")
  }

  /// A page of a report that cannot be opened by its path names no command for it.
  @Test func pagesOfMembersNameNoCommand() async throws {
    try await shell("zip -q r.zip in/a.crash")
    let result = try await Program.symbolicate(
      ["r.zip", "--format", "html", "--output-dir", "out"], workingDirectory: directory.path)
    expectEqual(result.status, 0)
    let page = try directory.bytes(of: "out/in/a.html")
    expectFalse(String(decoding: page, as: UTF8.self).contains("symbolicate doctor"))
  }

  /// Xcode's result bundles keep files in `Data`, as they are or compressed with zstd.
  @Test func resultBundles() async throws {
    try directory.makeDirectory("T.xcresult/Data")
    try await shell(
      "zstd -q < in/a.crash > 'T.xcresult/Data/data.0~aGFzaA=='; cp in/a.crash 'T.xcresult/Data/data.0~b3RoZXI='; echo '{}' | zstd -q > 'T.xcresult/Data/data.0~ZQ=='; echo '<plist/>' > T.xcresult/Info.plist"
    )
    try await shell("zip -qr T.zip T.xcresult")
    for path in ["T.xcresult", ".", "T.zip"] {
      let result = try await run([path, "--output-dir", "out"])
      expectEqual(result.status, 0)
      let written = directory.files(below: "out").filter { $0.key.contains("data.0~") }
      expectEqual(written.count, 2)
      for content in written.values { expectEqual(content, symbolicated) }
      try directory.remove("out")
    }
  }
}
