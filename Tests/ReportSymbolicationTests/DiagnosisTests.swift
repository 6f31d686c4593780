import ReportSymbolication
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
    let folder = archive.directory.path + "/"
    let diagnosis = ReportDiagnosis(
      Array(report.utf8), shownPath: "crash.crash",
      places: SymbolPlaces(paths: symbols, debugDirectories: []))
    return (
      diagnosis.text.replacing(folder, with: ""), diagnosis.isComplete,
      diagnosis.json.replacing(folder, with: "")
    )
  }

  private static let heading = "ledger (UUID 4C4C44C6-5555-3144-A165-519FBE5C73F3, arm64), 2 frames"
  private static let search =
    "Next: mdfind 'com_apple_xcode_dsym_uuids == 4C4C44C6-5555-3144-A165-519FBE5C73F3'  # on the Mac that built it\n"

  private static func unresolved(_ headline: String, _ sentences: String...) -> String {
    "crash.crash (ledger): 0 of 2 frames have names\n\n\(heading): \(headline)\n"
      + sentences.map { "    \($0)\n" }.joined() + "\n" + search
  }

  @Test func found() throws {
    let result = diagnosis(with: [archive.path])
    #expect(result.isComplete)
    #expect(
      result.text == """
        crash.crash (ledger): 2 of 2 frames have names

        \(Self.heading): found
            Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger (com.example.Ledger 1.2 (34), in Ledger.xcarchive) has this UUID.
            It has debug information with line numbers.
            2 of 2 frames resolved, all with lines.

        Next: symbolicate crash.crash -d Ledger.xcarchive

        """)
  }

  @Test func noCandidate() throws {
    let result = diagnosis(with: [Fixtures.path("Fat")])
    #expect(!result.isComplete)
    #expect(
      result.text
        == Self.unresolved(
          "no symbols found",
          "No file in the places that were searched has this UUID, and none has the name ledger."))
    #expect(
      diagnosis(with: []).text
        == Self.unresolved(
          "no symbols found",
          "No place was searched. Give symbol files, or directories with them, with -d."))
  }

  @Test func otherBuild() throws {
    try archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try archive.remove(ReleaseArchive.app + "/ledger")
    #expect(
      diagnosis(with: [archive.path]).text
        == Self.unresolved(
          "only other builds found",
          "Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger is from another build: ledger (UUID 00010203-0405-0607-0809-0A0B0C0D0E0F, arm64), com.example.Ledger 1.2 (34), in Ledger.xcarchive.",
          "Only symbols of the very build that crashed fit, even if no source file changed."))
  }

  @Test func otherSlices() throws {
    let path = Fixtures.path("DebugMap/x86_64-dwarf5.dSYM")
    #expect(
      diagnosis(with: [path]).text
        == Self.unresolved(
          "only other architectures found",
          "\(path)/Contents/Resources/DWARF/ledger has no slice for arm64, only x86_64."))
  }

  @Test func emptyDsym() throws {
    try archive.remove(ReleaseArchive.app)
    try archive.directory.write([], to: ReleaseArchive.appDwarf)
    #expect(
      diagnosis(with: [archive.path]).text
        == Self.unresolved(
          "its dSYM is empty",
          "Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger has no DWARF file. It was made without debug information, or not copied completely."
        ))
  }

  /// The program itself is there, with its symbol table, and its dSYM is not.
  @Test func symbolsAlone() throws {
    let program = Fixtures.path("MachO/shapes-arm64")
    let uuid = "4C4C4421-5555-3144-A1AE-D843571BB5E2"
    let result = diagnosis(
      Self.report(
        name: "shapes-arm64", uuid: uuid, path: "/var/containers/Bundle/A.app/shapes-arm64"),
      with: [program])
    #expect(!result.isComplete)
    #expect(
      result.text.contains(
        """
        : found, but only with symbols
            \(program) has this UUID.
            It has a symbol table but no debug information, so there are names but no lines. The dSYM of the same build has them.

        """), "\(result.text)")
    #expect(
      result.text.hasSuffix(
        "\nNext: mdfind 'com_apple_xcode_dsym_uuids == \(uuid)'  # on the Mac that built it\n"))
  }

  @Test func hiddenNames() throws {
    try archive.patch(ReleaseArchive.appDwarf) {
      $0.replace("statement.c", with: "__hidden#1_", in: "__debug_str")
    }
    let result = diagnosis(with: [archive.path])
    #expect(!result.isComplete)
    #expect(result.text.contains("\(Self.heading): names are hidden\n"))
    #expect(
      result.text.contains(
        "    Its names are hidden (__hidden#…). The BCSymbolMap \(ReleaseArchive.appUuid).bcsymbolmap has the real ones; it is in BCSymbolMaps of the archive.\n"
      ))
    #expect(
      result.text.hasSuffix("\nNext: find ~ -name \(ReleaseArchive.appUuid).bcsymbolmap\n"))
  }

  @Test func systemLibrary() throws {
    let result = diagnosis(
      Self.report(
        name: "UIKitCore", path: "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore"),
      with: [])
    #expect(result.isComplete)
    #expect(
      result.text == """
        crash.crash (UIKitCore): 0 of 2 frames have names

        UIKitCore (UUID 4C4C44C6-5555-3144-A165-519FBE5C73F3, arm64), 2 frames: part of the operating system
            An app's dSYMs do not have the symbols of this system. A Mac has them in ~/Library/Developer/Xcode/*DeviceSupport after a device with that system was connected to it; 'ipsw' extracts them from the firmware.

        Next: symbolicate crash.crash

        """)
  }

  @Test func imageWithoutUuid() throws {
    let text = diagnosis(
      "0   Ledger 0x000000010024f19c 0x100228000 + 160156\n", with: []
    ).text
    #expect(text.contains("Ledger (UUID unknown), 1 frame: its UUID is not known\n"), "\(text)")
    #expect(text.hasSuffix("\nNext: symbolicate crash.crash --explain\n"))
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
        "bsdtar -tvf crash.crash"
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
      #expect(!diagnosis.isComplete)
      #expect(diagnosis.text == "\(sentence)\n\nNext: \(next)\n")
    }
  }

  /// A shell reads the path as one word.
  @Test func pathsAreQuoted() throws {
    let diagnosis = ReportDiagnosis(
      Array(Self.report().utf8), shownPath: "-it's (1).crash",
      places: SymbolPlaces(paths: [archive.path], debugDirectories: []))
    #expect(
      diagnosis.text.hasSuffix("\nNext: symbolicate './-it'\\''s (1).crash' -d \(archive.path)\n"))
  }

  @Test(
    .enabled("python3-jsonschema is not installed (Scripts/install-packages.sh test)") {
      await DocumentSchema.isInstalled
    })
  func jsonFitsTheSchema() async throws {
    let good = diagnosis(with: [archive.path]).json
    #expect(good.contains(#""cause": "found""#))
    try archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try archive.remove(ReleaseArchive.app + "/ledger")
    let other = diagnosis(with: [archive.path]).json
    #expect(other.contains(#""cause": "otherBuild""#))
    #expect(other.contains(#""build": "34""#))
    let none = diagnosis("shopping list\n", with: []).json
    #expect(none.contains(#""report": false"#))
    for document in [good, other, none] {
      #expect(try await DocumentSchema.complaints(Array(document.utf8), "doctor.schema.json") == "")
    }
  }
}
