import Foundation
import TestSupport
import Testing

/// `symbolicate uuid`: its lines beside those of llvm-dwarfdump, reports, and its exit status.
struct UuidCommandTests {
  private static let dwarfdump = Program.path(of: "llvm-dwarfdump-19")

  /// Mach-O files of every kind, and bundles.
  private static let machOFixtures = [
    "Fat/fat.dSYM", "Fat/fat64.dSYM", "Fat/arm64e.dSYM", "Inlines/Inlines.dSYM",
    "LetterShuffle/Letter Shuffle.app.dSYM", "MachO/arm64_32.dSYM", "MachO/libshapes.dylib",
    "MachO/shapes-arm64-stripped", "DebugMap/x86_64-dwarf4/ledger", "DebugMap/x86_64-dwarf5.dSYM",
  ]

  @Test(
    .enabled("llvm-dwarfdump-19 is not installed (Scripts/install-packages.sh test)") {
      dwarfdump != nil
    })
  func linesAreThoseOfDwarfdump() async throws {
    let paths = Self.machOFixtures.map { "Fixtures/" + $0 }
    let theirs = try await Program.run(
      try require(Self.dwarfdump), ["--uuid"] + paths,
      workingDirectory: Fixtures.packageDirectory)
    let ours = try await Program.symbolicate(["uuid"] + paths)
    expectEqual(ours.status, 0)
    expectEqual(ours.standardError, "")
    expectEqual(ours.outputText, theirs.outputText)
    expectEqual(ours.outputText.split(separator: "\n").count, 14)
  }

  @Test(
    .enabled("there is no corpus, or no llvm-dwarfdump-19") {
      dwarfdump != nil && Corpus.path != nil
    })
  func linesAreThoseOfDwarfdumpInTheCorpus() async throws {
    let symbols = try require(Corpus.path) + "/symbols"
    let ours = try await Program.symbolicate(["uuid", symbols])
    var isMachO: [String: Bool] = [:]
    let lines = ours.outputText.split(separator: "\n").map(String.init).filter { line in
      // dwarfdump prints nothing for ELF files and indexes.
      guard let path = line.firstMatch(of: /^UUID: \S+ \(\S+\) (.*)/)?.1 else { return true }
      if let known = isMachO[String(path)] { return known }
      let start = FileHandle(forReadingAtPath: String(path))?.readData(ofLength: 4) ?? Data()
      let magic = [[0xcf, 0xfa], [0xce, 0xfa], [0xca, 0xfe]] as [[UInt8]]
      isMachO[String(path)] = magic.contains(Array(start.prefix(2)))
      return isMachO[String(path)] == true
    }
    let paths = lines.compactMap {
      $0.firstMatch(of: /^UUID: \S+ \(\S+\) (.*)/).map { String($0.1) }
    }
    try require(!paths.isEmpty)
    var distinct: [String] = []
    for path in paths where distinct.last != path { distinct.append(path) }
    let theirs = try await Program.run(
      try require(Self.dwarfdump), ["--uuid"] + distinct)
    expectEqual(theirs.outputText.split(separator: "\n").map(String.init), lines)
  }

  /// Files in a directory come in the order of their paths, in a file in the order of its slices.
  @Test func directory() async throws {
    let result = try await Program.symbolicate(["uuid", "Fixtures/Fat", "Fixtures/MachO"])
    expectEqual(result.status, 0)
    let paths = result.outputText.split(separator: "\n").map {
      $0.split(separator: ") ", maxSplits: 1).last.map(String.init) ?? ""
    }
    let folders = ["Fixtures/Fat/", "Fixtures/MachO/"]
    for folder in folders {
      let own = paths.filter { $0.hasPrefix(folder) }
      expectFalse(own.isEmpty)
      expectEqual(own, own.sorted())
    }
    expectEqual(paths.filter { $0.hasPrefix("Fixtures/Fat/fat.dSYM") }.count, 3)
    expectEqual(paths.first?.hasPrefix("Fixtures/Fat/"), true)
  }

  /// The build-ids are those that `readelf -n` prints.
  @Test func elfFiles() async throws {
    let path = Fixtures.path("Elf/libshapes.elf")
    let readelf = try await Program.run(
      try require(Program.path(of: "readelf")), ["-n", path])
    let buildId = try require(readelf.outputText.firstMatch(of: /Build ID: ([0-9a-f]+)/)).1
    let result = try await Program.symbolicate(["uuid", path])
    expectEqual(result.status, 0)
    expectEqual(result.outputText, "UUID: \(buildId) (x86_64) \(path)\n")
  }

  @Test func indexes() async throws {
    let directory = try TemporaryDirectory()
    let index = try await Program.symbolicate(
      ["index", Fixtures.storyBundle, "-o", directory.path])
    let path = index.outputText.trimmingCharacters(in: .newlines)
    let result = try await Program.symbolicate(["uuid", path])
    expectEqual(result.status, 0)
    // An index of this program states the architecture in its name only.
    expectPrefix(result.outputText, "UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 (")
    expectSuffix(result.outputText, ") \(path)\n")
  }

  /// A Breakpad file names its image and its UUID with an age.
  @Test func breakpadFiles() async throws {
    let path =
      "Fixtures/Breakpad/Letter Shuffle/A4B1DE4970B3301DA64458D6BC22F5130/Letter Shuffle.sym"
    let result = try await Program.symbolicate(["uuid", path])
    expectEqual(result.status, 0)
    expectEqual(result.outputText, "UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 (arm64) \(path)\n")
    let json = try await Program.symbolicate(["uuid", "--json", path])
    expectTrue(json.outputText.contains(#""kind": "breakpad""#))
  }

  /// The lines of an archive are those of the folder that was packed, with its path in front.
  @Test(arguments: ["zip -qr a.zip MachO", "tar -czf a.zip MachO", "tar -cf a.zip ./MachO"])
  func archives(_ command: String) async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("MachO"), to: "MachO")
    let packed = try await Program.run(
      "/bin/sh", ["-c", command], workingDirectory: directory.path)
    expectEqual(packed.status, 0)
    func lines(_ path: String) async throws -> Set<Substring> {
      let result = try await Program.symbolicate(
        ["uuid", path], workingDirectory: directory.path, cache: directory.path("cache"))
      expectEqual(result.status, 0)
      expectEqual(result.standardError, "")
      return Set(result.outputText.replacing("/./", with: "/").split(separator: "\n"))
    }
    let expected = Set(
      try await lines("MachO").map { $0.replacing(") MachO", with: ") a.zip/MachO")[...] })
    expectEqual(expected.count, 5)
    try await expectEqual(lines("a.zip"), expected)
  }

  /// `index` and `atos` read no archives, and say what to do.
  @Test func archivesElsewhere() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("text".utf8, to: "text")
    for command in ["zip -q a.zip text", "tar -cf a.tar text"] {
      _ = try await Program.run("/bin/sh", ["-c", command], workingDirectory: directory.path)
    }
    for name in ["a.zip", "a.tar"] {
      for arguments in [["index", name], ["atos", "-o", name, "0x1000"]] {
        let result = try await Program.symbolicate(
          arguments, workingDirectory: directory.path, cache: directory.path("cache"))
        expectEqual(result.status, arguments[0] == "index" ? 65 : 1)
        expectTrue(
          result.standardError.contains(
            "\(name) is an archive, and not a symbol file; unpack it and give the dSYM, DWARF file, executable or ELF file that is in it\n"
          ), "\(result.standardError)")
      }
    }
  }

  @Test func report() async throws {
    let result = try await Program.symbolicate(
      ["uuid", "Fixtures/LetterShuffle/letter-shuffle.crash"])
    expectEqual(result.status, 0)
    expectEqual(result.standardError, "")
    expectEqual(
      result.outputText,
      """
      UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 (arm64) Letter Shuffle 0x100228000-0x10026bfff: 6 frames without names in thread 0 (crashed) [Fixtures/LetterShuffle/letter-shuffle.crash]
      UUID: unknown (arm64) libdispatch.dylib 0x1c646c000: 2 frames without names in thread 0 (crashed); system library [Fixtures/LetterShuffle/letter-shuffle.crash]
      UUID: unknown (arm64) libswiftCore.dylib 0x1f420d000: 1 frame without a name in thread 0 (crashed); system library [Fixtures/LetterShuffle/letter-shuffle.crash]
      UUID: unknown (arm64) UIKitCore 0x1f2810000: 2 frames without names in thread 0 (crashed); system library [Fixtures/LetterShuffle/letter-shuffle.crash]

      """)
  }

  /// Standard input is a report, and reports and symbol files may stand beside each other.
  @Test func severalKinds() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    let result = try await Program.symbolicate(
      ["uuid", Fixtures.storyBundle, "-"], input: report)
    expectEqual(result.status, 0)
    let lines = result.outputText.split(separator: "\n")
    expectEqual(
      lines.first, "UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 (arm64) \(Fixtures.storyDwarfFile)")
    expectTrue(lines.dropFirst().allSatisfy { $0.hasSuffix(" [standard input]") })
    #expect(lines.count > 1)
  }

  /// Apple's `.symbols`, and the frameworks and dSYMs of an xcframework.
  @Test func otherBundlesAndFiles() async throws {
    let xcframework = try VendorXcframework()
    let symbols = Fixtures.path("CoreSymbolication/names.symbols")
    let result = try await Program.symbolicate(["uuid", symbols, xcframework.path])
    expectEqual(result.status, 0)
    expectEmpty(result.standardError)
    let lines = result.outputText.split(separator: "\n").map(String.init)
    // From symbols.py and VendorXcframework.
    expectPrefix(lines[0], "UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 ")
    expectSuffix(lines[0], symbols)
    let own = xcframework.path + "/ios-arm64/Inlines.framework/Inlines"
    expectContains(lines, "UUID: \(VendorXcframework.deviceUuid) (arm64) \(own)")
    let simulator = xcframework.path + "/ios-arm64-simulator"
    for file in [
      "Inlines.framework/Inlines",
      "dSYMs/Inlines.framework.dSYM/Contents/Resources/DWARF/Inlines",
    ] {
      expectContains(
        lines, "UUID: \(VendorXcframework.simulatorUuid) (arm64) \(simulator)/\(file)")
    }
  }

  /// Files that begin like symbol files, or lie where they do.
  @Test func saysWhatAFileIs() async throws {
    let directory = try TemporaryDirectory()
    try directory.write([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 16], to: "Main.class")
    try directory.write("int a;\n".utf8, to: "a.c")
    try directory.write([0x42, 0x43, 0xC0, 0xDE, 1, 2], to: "a.bc")
    try directory.write([], to: "empty")
    try directory.copy(Fixtures.storyReport, to: "x.crash")
    _ = try await Program.run(
      "/bin/sh", ["-c", "zip -q a.zip x.crash; gzip a.c"], workingDirectory: directory.path)
    let names = ["Main.class", "a.c.gz", "a.bc", "empty", "a.zip"]
    let result = try await Program.symbolicate(["uuid"] + names, workingDirectory: directory.path)
    expectEqual(result.status, 65)
    expectEqual(
      result.standardError,
      """
      symbolicate: error: Main.class is a Java class, and neither a symbol file nor a report
      symbolicate: error: a.c.gz is text, and neither a symbol file nor a report
      symbolicate: error: a.bc is LLVM bitcode, and neither a symbol file nor a report
      symbolicate: error: empty is empty, and neither a symbol file nor a report
      symbolicate: error: no Mach-O or ELF file was found in a.zip or below it; it holds 1 crash report

      """)
  }

  @Test func failures() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("shopping list\n".utf8, to: "notes.txt")
    try directory.makeDirectory("empty")
    let object = Fixtures.path("MachO/shapes-arm64.object")
    let result = try await Program.symbolicate(
      ["uuid", directory.path("notes.txt"), directory.path("empty"), object, Fixtures.storyBundle])
    expectEqual(result.status, 65)
    expectEqual(result.outputText.split(separator: "\n").count, 1)
    expectEqual(
      result.standardError,
      """
      symbolicate: error: \(directory.path("notes.txt")) is text, and neither a symbol file nor a report
      symbolicate: error: no Mach-O or ELF file was found in \(directory.path("empty")) or below it
      symbolicate: error: \(object) (arm64) has no UUID and no build-id; give the linked program or its dSYM

      """)
    let absent = try await Program.symbolicate(["uuid", "/no/such/file", "/no/such/folder"])
    expectEqual(absent.status, 66)
    expectTrue(
      absent.standardError.hasPrefix(
        "symbolicate: error: cannot read /no/such/file: No such file or directory\n"))
    let damaged = directory.path("damaged")
    try directory.write(
      try Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(100), to: "damaged")
    let cut = try await Program.symbolicate(["uuid", damaged])
    expectEqual(cut.status, 66)
    expectContains(cut.standardError, "is cut short or damaged")
    let nothing = try await Program.symbolicate(["uuid"])
    expectEqual(nothing.status, 64)
  }

  @Test(
    .enabled("python3-jsonschema is not installed (Scripts/install-packages.sh test)") {
      await DocumentSchema.isInstalled
    })
  func json() async throws {
    let result = try await Program.symbolicate(
      ["uuid", "--json", Fixtures.storyBundle, Fixtures.storyReport, "Fixtures/Elf"])
    expectEqual(result.status, 0)
    let complaints = try await DocumentSchema.complaints(result.standardOutput, "uuid.schema.json")
    expectEqual(complaints, "")
    let document = try require(
      JSONSerialization.jsonObject(with: Data(result.standardOutput)) as? [String: Any])
    let files = try require(document["files"] as? [[String: Any]])
    expectEqual(files.first?["uuid"] as? String, "A4B1DE49-70B3-301D-A644-58D6BC22F513")
    expectEqual(files.first?["kind"] as? String, "dSYM")
    expectEqual(files.first?["debugInformation"] as? Bool, true)
    let report = try require((document["reports"] as? [[String: Any]])?.first)
    let image = try require((report["images"] as? [[String: Any]])?.first)
    expectEqual(image["loadAddress"] as? String, "0x100228000")
    expectEqual(image["frames"] as? Int, 6)
    expectEqual(image["system"] as? Bool, false)
  }
}
