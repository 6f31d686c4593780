import ReportTestSupport
import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// `symbolicate doctor`: what it says for each cause.
///
/// The report crashes in `ledger`, whose program and dSYM are fixtures; their UUID is the one that
/// llvm-dwarfdump prints.
struct DiagnosisTests {
  private let archive: ReleaseArchive

  init() throws { archive = try ReleaseArchive() }

  /// The report has two frames in the image: `main`, and one more.
  private static func report(
    name: String = "ledger", uuid: String = ReleaseArchive.appUuid, architecture: String = "arm64",
    path: String = "/var/containers/Bundle/Ledger.app/ledger"
  ) -> String {
    let identity = uuid.replacing("-", with: "").lowercased()
    return ReportFixture.report(
      frames: [0, 1].map {
        ReportFixture.frame($0, 0x1_0000_0500 + UInt64($0) * 16, image: name, base: 0x1_0000_0000)
      },
      images: ["0x100000000 - 0x10000ffff \(name) \(architecture)  <\(identity)> \(path)"]
    ).replacing("Letter Shuffle [1]", with: "\(name) [1]")
  }

  private func diagnosis(
    _ report: String = report(), with symbols: [String]
  ) -> (text: String, isComplete: Bool, json: String) {
    diagnosis(report, in: SymbolPlaces(paths: symbols, debugDirectories: []))
  }

  private func diagnosis(
    _ report: String = report(), in places: SymbolPlaces
  ) -> (text: String, isComplete: Bool, json: String) {
    let folder = archive.directory.path + "/"
    let diagnosis = ReportDiagnosis(
      Array(report.utf8), shownPath: "crash.crash", places: places)
    return (
      diagnosis.text.replacing(folder, with: "").replacing(archive.directory.path, with: "."),
      diagnosis.isComplete, diagnosis.json.replacing(folder, with: "")
    )
  }

  /// The text for a file that is found, with line numbers.
  private static func resolved(
    _ path: String, _ found: String, next: String,
    origin: String = " (com.example.Ledger 1.2 (34), in Ledger.xcarchive)"
  ) -> String {
    """
    crash.crash (ledger): 2 of 2 frames have names

    \(heading): found
        \(path)\(origin) has this UUID\(found).
        It has debug information with line numbers.
        2 of 2 frames resolved, all with lines.

    Next: symbolicate crash.crash\(next)

    """
  }

  private static let heading = "ledger (UUID 4C4C44C6-5555-3144-A165-519FBE5C73F3, arm64), 2 frames"
  private static let search =
    "Next: mdfind 'com_apple_xcode_dsym_uuids == 4C4C44C6-5555-3144-A165-519FBE5C73F3'  # on the Mac that built it\n"

  private static func unresolved(_ headline: String, _ sentences: String...) -> String {
    "crash.crash (ledger): 0 of 2 frames have names\n\n\(heading): \(headline)\n"
      + sentences.map { "    \($0)\n" }.joined() + "\n" + sources + "\n" + search
  }

  private static let sources = """
    Where more names can come from (docs/symbols.md, share/doc/symbolicate/symbols.md):
        2 frames: the app's dSYM or debug file (-d)
        2 frames: Symbols/UUID.symbols of the app's .ipa or .xcarchive (-d)

    """

  /// Frames of a trace whose image is nowhere: why, and not that it is a bad jump.
  @Test func traceWithoutAPlace() {
    let trace = """
      * thread #1, stop reason = signal SIGSEGV
        * frame #0: 0x00005555555554f0 shapes-pie.elf`___lldb_unnamed_symbol1

      """
    let file = Fixtures.path("Elf/shapes-pie.elf")
    let text = diagnosis(trace, with: [file]).text
    expectTrue(
      text.contains(
        "\nshapes-pie.elf: \(file) may be its symbol file; give -l 'shapes-pie.elf=0xADDRESS', where it was loaded\n"
      ), text)
    expectFalse(text.contains("bad jump"))
  }

  @Test func found() throws {
    let result = diagnosis(with: [archive.path])
    expectTrue(result.isComplete)
    expectEqual(
      result.text,
      Self.resolved(
        ReleaseArchive.appDwarf, "; it was found in a directory given with -d",
        next: " -d Ledger.xcarchive"))
  }

  @Test func foundByName() throws {
    let path = archive.directory.path(ReleaseArchive.appDsym)
    expectEqual(
      diagnosis(with: [path]).text,
      Self.resolved(ReleaseArchive.appDwarf, "", next: " -d \(ReleaseArchive.appDsym)"))
  }

  @Test func foundInASearchDirectory() throws {
    let result = diagnosis(
      in: SymbolPlaces(searchDirectories: [archive.directory.path], debugDirectories: []))
    expectEqual(
      result.text,
      Self.resolved(
        ReleaseArchive.appDwarf, "; it was found in a search directory", next: " -s ."))
  }

  @Test func foundBesideTheReport() throws {
    let result = diagnosis(
      in: SymbolPlaces(reportFolders: [archive.directory.path], debugDirectories: []))
    expectEqual(
      result.text,
      Self.resolved(ReleaseArchive.appDwarf, "; it was found beside the report", next: ""))
    expectTrue(result.json.contains(#""place": "reportFolder""#))
  }

  /// The symbol store that `_.dwarf/mach-uuid-sym-UUID/_.dwarf` leads to.
  @Test func foundByItsLayout() throws {
    let file = "store/_.dwarf/mach-uuid-sym-4c4c44c655553144a165519fbe5c73f3/_.dwarf"
    try archive.directory.makeDirectory(
      "store/_.dwarf/mach-uuid-sym-4c4c44c655553144a165519fbe5c73f3")
    try archive.directory.copy(archive.directory.path(ReleaseArchive.appDwarf), to: file)
    let result = diagnosis(
      in: SymbolPlaces(
        searchDirectories: [archive.directory.path("store")], debugDirectories: []))
    expectEqual(
      result.text,
      Self.resolved(
        file, "; it was found without a search, at the path that follows from it",
        next: " -s store", origin: ""))
    // A file of another image at that path.
    try archive.patch(file) { $0.setUuid(Array(0..<16)) }
    expectEqual(
      diagnosis(
        in: SymbolPlaces(
          searchDirectories: [archive.directory.path("store")], debugDirectories: [])
      ).text,
      Self.unresolved(
        "its symbols are not used",
        "\(file) is not used: of another build: 00010203-0405-0607-0809-0A0B0C0D0E0F instead of 4C4C44C6-5555-3144-A165-519FBE5C73F3."
      ))
  }

  /// Nothing in the report states the UUID, so the file that the user names is taken.
  @Test func foundByNameAlone() throws {
    let report = Self.report().replacing("<4c4c44c655553144a165519fbe5c73f3> ", with: "")
    let path = archive.directory.path(ReleaseArchive.appDsym)
    let text = diagnosis(report, with: [path]).text
    expectTrue(
      text.contains(
        """
        ledger (UUID unknown, arm64), 2 frames: found
            \(ReleaseArchive.appDwarf) (com.example.Ledger 1.2 (34), in Ledger.xcarchive) has this name; the report does not state a UUID, so it may be another build.
            It has debug information with line numbers.
            2 of 2 frames resolved, all with lines.

        Next: symbolicate crash.crash -d \(ReleaseArchive.appDsym)

        """), "\(text)")
  }

  private func zip(_ name: String, _ content: String) async throws {
    let result = try await Program.run(
      try require(Program.path(of: "zip")), ["-qr", name, content],
      workingDirectory: archive.directory.path)
    expectEqual(result.status, 0, "\(result.standardError)")
  }

  /// The path is that of the archive and the member; the archive of Xcode in it states the build.
  @Test func foundInAZip() async throws {
    try await zip("dSYMs.zip", "Ledger.xcarchive")
    let zip = archive.directory.path("dSYMs.zip")
    expectEqual(
      diagnosis(with: [zip]).text,
      Self.resolved(
        "dSYMs.zip/" + ReleaseArchive.appDwarf, "; it was found in an archive given with -d",
        next: " -d dSYMs.zip"))
    try archive.remove("Ledger.xcarchive")
    let result = diagnosis(
      in: SymbolPlaces(searchDirectories: [archive.directory.path], debugDirectories: []))
    expectEqual(
      result.text,
      Self.resolved(
        "dSYMs.zip/" + ReleaseArchive.appDwarf,
        "; it was found in an archive in a folder that was searched", next: " -s ."))
  }

  @Test func otherBuildInAZip() async throws {
    try archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try archive.remove(ReleaseArchive.app + "/ledger")
    try await zip("dSYMs.zip", "Ledger.xcarchive")
    let zip = archive.directory.path("dSYMs.zip")
    expectEqual(
      diagnosis(with: [zip]).text,
      Self.unresolved(
        "only other builds found",
        "dSYMs.zip/\(ReleaseArchive.appDwarf) is from another build: ledger (UUID 00010203-0405-0607-0809-0A0B0C0D0E0F, arm64), com.example.Ledger 1.2 (34), in Ledger.xcarchive.",
        "Only symbols of the very build that crashed fit, even if no source file changed."))
  }

  @Test func otherSlicesInAZip() async throws {
    try archive.directory.copy(Fixtures.path("DebugMap/x86_64-dwarf5.dSYM"), to: "x.dSYM")
    try await zip("x.zip", "x.dSYM")
    expectEqual(
      diagnosis(with: [archive.directory.path("x.zip")]).text,
      Self.unresolved(
        "only other architectures found",
        "x.zip/x.dSYM/Contents/Resources/DWARF/ledger has no slice for arm64, only x86_64."))
  }

  @Test func breakpadFile() throws {
    let path = Fixtures.path(
      "Breakpad/Letter Shuffle/A4B1DE4970B3301DA64458D6BC22F5130/Letter Shuffle.sym")
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    let text = ReportDiagnosis(
      report, shownPath: "crash.crash", places: SymbolPlaces(paths: [path], debugDirectories: [])
    ).text
    expectTrue(
      text.contains(
        """
            \(path) has this UUID.
            It is a Breakpad symbol file, which has functions and lines.
            6 of 6 frames resolved, all with lines.

        """), "\(text)")
  }

  @Test func noCandidate() throws {
    let result = diagnosis(with: [Fixtures.path("Fat")])
    expectFalse(result.isComplete)
    expectEqual(
      result.text,
      Self.unresolved(
        "no symbols found",
        "No file in the places that were searched has this UUID, and none has the name ledger.",
        Self.noServer))
    expectEqual(
      diagnosis(with: []).text,
      Self.unresolved(
        "no symbols found",
        "No folder was searched. Give symbol files with -d, or a directory to search with -s.",
        Self.noServer))
    try archive.directory.makeDirectory("reports")
    let beside = SymbolPlaces(
      reportFolders: [archive.directory.path("reports")], debugDirectories: [])
    expectEqual(
      diagnosis(in: beside).text,
      Self.unresolved(
        "no symbols found",
        "Nothing beside the report fits, and no other folder was searched. Give symbol files with -d, or a directory to search with -s.",
        Self.noServer))
  }

  private static let noServer = "No symbol server was asked; --symbol-server names one."

  /// The servers are not asked here, so this says what is true of earlier answers only.
  @Test func noCandidateOffline() throws {
    var places = SymbolPlaces(paths: [Fixtures.path("Fat")], debugDirectories: [])
    places.servers = [try SymbolServer("https://user:secret@symbols.invalid,ssqp")]
    places.isOffline = true
    let result = diagnosis(in: places)
    expectEqual(
      result.text,
      Self.unresolved(
        "no symbols found",
        "No file in the places that were searched has this UUID, and none has the name ledger.",
        "No symbol server was asked, because of --offline. What servers delivered earlier does not have it."
      ))
    let pointer = ReportDiagnosis.pointer(report: "it's.crash", places: places)
    expectEqual(
      pointer,
      "to see why: symbolicate doctor 'it'\\''s.crash' -d \(Fixtures.path("Fat")) --symbol-server https://symbols.invalid,ssqp --offline"
    )
  }

  @Test func otherBuild() throws {
    try archive.directory.write(
      Self.archiveList.utf8, to: "Ledger.xcarchive/Info.plist")
    try archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try archive.remove(ReleaseArchive.app + "/ledger")
    expectEqual(
      diagnosis(with: [archive.path]).text,
      Self.unresolved(
        "only other builds found",
        "Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger is from another build: ledger (UUID 00010203-0405-0607-0809-0A0B0C0D0E0F, arm64), com.example.Ledger 1.2 (34), in Ledger.xcarchive of 2024-05-06 07:08:09 UTC.",
        "Only symbols of the very build that crashed fit, even if no source file changed."))
  }

  private static let archiveList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>CreationDate</key><date>2024-05-06T07:08:09Z</date></dict></plist>
    """

  @Test func otherSlices() throws {
    let path = Fixtures.path("DebugMap/x86_64-dwarf5.dSYM")
    expectEqual(
      diagnosis(with: [path]).text,
      Self.unresolved(
        "only other architectures found",
        "\(path)/Contents/Resources/DWARF/ledger has no slice for arm64, only x86_64."))
  }

  @Test func emptyDsym() throws {
    try archive.remove(ReleaseArchive.app)
    try archive.directory.write([], to: ReleaseArchive.appDwarf)
    expectEqual(
      diagnosis(with: [archive.path]).text,
      Self.unresolved(
        "its dSYM is empty",
        "\(ReleaseArchive.appDsym) has no DWARF file, or an empty one. It was made without debug information, or not copied completely."
      ))
    // The same beside the report, and for a dSYM that is given itself.
    let beside = SymbolPlaces(reportFolders: [archive.directory.path], debugDirectories: [])
    expectContains(diagnosis(in: beside).text, "\(Self.heading): its dSYM is empty\n")
    let given = diagnosis(with: [archive.directory.path(ReleaseArchive.appDsym)])
    expectContains(given.text, "\(Self.heading): its dSYM is empty\n", "\(given.text)")
  }

  @Test func damagedDsym() throws {
    try archive.remove(ReleaseArchive.app)
    let bytes = try archive.directory.bytes(of: ReleaseArchive.appDwarf)
    try archive.directory.write(bytes.prefix(100), to: ReleaseArchive.appDwarf)
    let text = diagnosis(with: [archive.path]).text
    expectContains(text, "\(Self.heading): its symbols cannot be read\n", "\(text)")
    expectContains(
      text, "    \(ReleaseArchive.appDwarf) (arm64) is cut short or damaged: ", "\(text)")
  }

  /// The program itself is there, with its symbol table, and its dSYM is not.
  @Test func symbolsAlone() throws {
    let program = Fixtures.path("MachO/shapes-arm64")
    let uuid = "4C4C4421-5555-3144-A1AE-D843571BB5E2"
    let result = diagnosis(
      Self.report(
        name: "shapes-arm64", uuid: uuid, path: "/var/containers/Bundle/A.app/shapes-arm64"),
      with: [program])
    expectFalse(result.isComplete)
    expectTrue(
      result.text.contains(
        """
        : found, but only with symbols
            \(program) has this UUID.
            It has a symbol table but no debug information, so there are names but no lines. The dSYM of the same build has them.

        """), "\(result.text)")
    expectTrue(
      result.text.hasSuffix(
        "\nNext: mdfind 'com_apple_xcode_dsym_uuids == \(uuid)'  # on the Mac that built it\n"))
  }

  @Test func hiddenNames() throws {
    try archive.patch(ReleaseArchive.appDwarf) {
      $0.replace("statement.c", with: "__hidden#1_", in: "__debug_str")
    }
    let result = diagnosis(with: [archive.path])
    expectFalse(result.isComplete)
    expectContains(result.text, "\(Self.heading): names are hidden\n")
    expectTrue(
      result.text.contains(
        "    Its names are hidden (__hidden#…). The BCSymbolMap \(ReleaseArchive.appUuid).bcsymbolmap has the real ones; it is in BCSymbolMaps of the archive.\n"
      ))
    expectSuffix(result.text, "\nNext: find ~ -name \(ReleaseArchive.appUuid).bcsymbolmap\n")
    let map = "Ledger.xcarchive/BCSymbolMaps/\(ReleaseArchive.appUuid).bcsymbolmap"
    try archive.directory.write("no map\n".utf8, to: map)
    let unusable = diagnosis(with: [archive.path])
    expectTrue(
      unusable.text.contains(
        "    Its names are hidden (__hidden#…), and \(map) cannot replace them: it begins with 6e 6f 20 6d 61 70 0a and not with 'BCSymbolMap Version: 2.0'.\n"
      ), "\(unusable.text)")
    try archive.directory.write("BCSymbolMap Version: 2.0\n_a\n_b\n".utf8, to: map)
    let cured = diagnosis(with: [archive.path])
    expectTrue(cured.isComplete)
    expectContains(cured.text, "\(Self.heading): found\n")
  }

  /// `DBGOriginalUUID` of the dSYM's property list names the map.
  @Test func hiddenNamesOfRecompiledBitcode() throws {
    let report = Self.report(
      name: "Inlines", uuid: "0B17C0DE-5555-3144-A174-35F176083CD8",
      path: "/var/containers/A.app/Inlines")
    try archive.directory.copy(Fixtures.path("Bitcode/Inlines.xcarchive"), to: "Bitcode.xcarchive")
    let places = [archive.directory.path("Bitcode.xcarchive")]
    expectContains(diagnosis(report, with: places).text, "2 frames: found\n")
    try archive.remove("Bitcode.xcarchive/BCSymbolMaps")
    let text = diagnosis(report, with: places).text
    expectTrue(
      text.contains(
        "The BCSymbolMap 0B17C0DE-0000-3000-8000-00000000C0DE.bcsymbolmap has the real"), "\(text)")
  }

  @Test func systemLibrary() throws {
    let result = diagnosis(
      Self.report(
        name: "UIKitCore", path: "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore"),
      with: [])
    expectTrue(result.isComplete)
    expectEqual(
      result.text,
      """
      crash.crash (UIKitCore): 0 of 2 frames have names

      UIKitCore (UUID 4C4C44C6-5555-3144-A165-519FBE5C73F3, arm64), 2 frames: part of the operating system
          An app's dSYMs do not have the symbols of this system. A Mac has them in ~/Library/Developer/Xcode/*DeviceSupport after a device with that system was connected to it; 'ipsw' extracts them from the firmware.

      Where more names can come from (docs/symbols.md, share/doc/symbolicate/symbols.md):
          2 frames: the folder of this system in Xcode's DeviceSupport (-d)
          2 frames: the dyld shared cache of this system
          up to 2 frames: .ips reports from this system (symbolicate index --learn REPORTS)

      Next: symbolicate crash.crash

      """)
  }

  @Test func linuxLibrary() throws {
    let report = Self.report(
      name: "libc.so.6", uuid: "000102030405060708090a0b0c0d0e0f10111213", architecture: "x86_64",
      path: "/usr/lib/x86_64-linux-gnu/libc.so.6")
    expectEqual(
      diagnosis(report, with: []).text,
      """
      crash.crash (libc.so.6): 0 of 2 frames have names

      libc.so.6 (build-id 000102030405060708090a0b0c0d0e0f10111213, x86_64), 2 frames: part of the operating system
          The distribution has its symbols in debug packages (-dbg, -dbgsym, -debuginfo), and on its debuginfod server.

      Next: symbolicate crash.crash

      """)
  }

  @Test func imageWithoutUuid() throws {
    let text = diagnosis(
      "0   Ledger 0x000000010024f19c 0x100228000 + 160156\n", with: []
    ).text
    expectContains(text, "Ledger (UUID unknown), 1 frame: its UUID is not known\n", "\(text)")
    expectSuffix(text, "\nNext: symbolicate crash.crash --explain\n")
  }

  @Test func notAReport() throws {
    let directory = archive.directory
    for (bytes, sentence, next) in [
      (
        try Fixtures.bytes(of: ReleaseArchive.program),
        "crash.crash is a Mach-O or ELF file; give the report first, and symbol files after it or with -d",
        "symbolicate uuid crash.crash"
      ),
      (
        Array("PK\u{3}\u{4}".utf8), "crash.crash is compressed; unpack it first",
        "symbolicate uuid crash.crash"
      ),
      ([], "crash.crash is empty; expected a crash report", "file crash.crash"),
      (
        Array(#"{"bug_type":"298"}"#.utf8) + [0x0a] + Array(#"{"pageSize":1}"#.utf8),
        "crash.crash is a jetsam report, which lists the memory use of processes and has no stack to symbolicate",
        "file crash.crash"
      ),
    ] {
      let diagnosis = ReportDiagnosis(
        bytes, shownPath: "crash.crash", places: SymbolPlaces(paths: [directory.path]))
      expectFalse(diagnosis.isComplete)
      expectEqual(diagnosis.text, "\(sentence)\n\nNext: \(next)\n")
    }
  }

  /// A shell reads the path as one word.
  @Test func pathsAreQuoted() throws {
    let diagnosis = ReportDiagnosis(
      Array(Self.report().utf8), shownPath: "-it's (1).crash",
      places: SymbolPlaces(paths: [archive.path], debugDirectories: []))
    expectSuffix(diagnosis.text, "\nNext: symbolicate './-it'\\''s (1).crash' -d \(archive.path)\n")
  }

  @Test(
    .enabled("python3-jsonschema is not installed (Scripts/install-packages.sh test)") {
      await DocumentSchema.isInstalled
    })
  func jsonFitsTheSchema() async throws {
    let good = diagnosis(with: [archive.path]).json
    expectTrue(good.contains(#""cause": "found""#))
    expectTrue(good.contains(#""place": "givenDirectory""#))
    var documents = [good, diagnosis("shopping list\n", with: []).json]
    expectTrue(documents[1].contains(#""report": false"#))
    try archive.patch(ReleaseArchive.appDwarf) {
      $0.replace("statement.c", with: "__hidden#1_", in: "__debug_str")
    }
    documents.append(diagnosis(with: [archive.path]).json)
    expectTrue(
      documents[2].contains(#""missingSymbolMap": "\#(ReleaseArchive.appUuid).bcsymbolmap""#))
    try archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try archive.remove(ReleaseArchive.app + "/ledger")
    let other = diagnosis(with: [archive.path]).json
    expectTrue(other.contains(#""cause": "otherBuild""#))
    expectTrue(other.contains(#""build": "34""#))
    documents.append(other)
    let system = Self.report(name: "UIKitCore", path: "/System/Library/UIKitCore")
    for (report, symbols, cause) in [
      (Self.report(), [], "noCandidate"),
      (Self.report(), [Fixtures.path("DebugMap/x86_64-dwarf5.dSYM")], "otherSlices"),
      (system, [], "systemLibrary"),
      ("0   Ledger 0x000000010024f19c 0x100228000 + 160156\n", [], "unknownUuid"),
    ] {
      let json = diagnosis(report, with: symbols).json
      expectTrue(json.contains(#""cause": "\#(cause)""#), "\(json)")
      documents.append(json)
    }
    try archive.directory.write([], to: ReleaseArchive.appDwarf)
    documents.append(diagnosis(with: [archive.path]).json)
    expectEqual(documents.last?.contains(#""cause": "emptyDsym""#), true)
    for document in documents {
      try await expectEqual(
        DocumentSchema.complaints(Array(document.utf8), "doctor.schema.json"), "")
    }
  }
}
