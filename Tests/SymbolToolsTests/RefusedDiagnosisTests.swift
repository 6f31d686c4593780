import ReportTestSupport
import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// `symbolicate doctor`: why an image has no names.
struct RefusedDiagnosisTests {
  private let fixture: DiagnosisFixture

  init() throws { fixture = try DiagnosisFixture() }

  @Test func noCandidate() throws {
    let result = fixture.diagnosis(with: [Fixtures.path("Fat")])
    expectFalse(result.isComplete)
    expectEqual(
      result.text,
      DiagnosisFixture.unresolved(
        "no symbols found",
        "No file in the places that were searched has this UUID, and none has the name ledger.",
        Self.noServer))
    expectEqual(
      fixture.diagnosis(with: []).text,
      DiagnosisFixture.unresolved(
        "no symbols found",
        "No folder was searched. Give symbol files with -d, or a directory to search with -s.",
        Self.noServer))
    try fixture.archive.directory.makeDirectory("reports")
    let beside = SymbolPlaces(
      reportFolders: [fixture.archive.directory.path("reports")], debugDirectories: [])
    expectEqual(
      fixture.diagnosis(in: beside).text,
      DiagnosisFixture.unresolved(
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
    let result = fixture.diagnosis(in: places)
    expectEqual(
      result.text,
      DiagnosisFixture.unresolved(
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
    try fixture.archive.directory.write(
      Self.archiveList.utf8, to: "Ledger.xcarchive/Info.plist")
    try fixture.archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try fixture.archive.remove(ReleaseArchive.app + "/ledger")
    expectEqual(
      fixture.diagnosis(with: [fixture.archive.path]).text,
      DiagnosisFixture.unresolved(
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
      fixture.diagnosis(with: [path]).text,
      DiagnosisFixture.unresolved(
        "only other architectures found",
        "\(path)/Contents/Resources/DWARF/ledger has no slice for arm64, only x86_64."))
  }

  @Test func emptyDsym() throws {
    try fixture.archive.remove(ReleaseArchive.app)
    try fixture.archive.directory.write([], to: ReleaseArchive.appDwarf)
    expectEqual(
      fixture.diagnosis(with: [fixture.archive.path]).text,
      DiagnosisFixture.unresolved(
        "its dSYM is empty",
        "\(ReleaseArchive.appDsym) has no DWARF file, or an empty one. It was made without debug information, or not copied completely."
      ))
    // The same beside the report, and for a dSYM that is given itself.
    let beside = SymbolPlaces(reportFolders: [fixture.archive.directory.path], debugDirectories: [])
    expectContains(
      fixture.diagnosis(in: beside).text, "\(DiagnosisFixture.heading): its dSYM is empty\n")
    let given = fixture.diagnosis(with: [fixture.archive.directory.path(ReleaseArchive.appDsym)])
    expectContains(given.text, "\(DiagnosisFixture.heading): its dSYM is empty\n", "\(given.text)")
  }

  @Test func damagedDsym() throws {
    try fixture.archive.remove(ReleaseArchive.app)
    let bytes = try fixture.archive.directory.bytes(of: ReleaseArchive.appDwarf)
    try fixture.archive.directory.write(bytes.prefix(100), to: ReleaseArchive.appDwarf)
    let text = fixture.diagnosis(with: [fixture.archive.path]).text
    expectContains(text, "\(DiagnosisFixture.heading): its symbols cannot be read\n", "\(text)")
    expectContains(
      text, "    \(ReleaseArchive.appDwarf) (arm64) is cut short or damaged: ", "\(text)")
  }

  /// The program itself is there, with its symbol table, and its dSYM is not.
  @Test func symbolsAlone() throws {
    let program = Fixtures.path("MachO/shapes-arm64")
    let uuid = "4C4C4421-5555-3144-A1AE-D843571BB5E2"
    let result = fixture.diagnosis(
      DiagnosisFixture.report(
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
    try fixture.archive.patch(ReleaseArchive.appDwarf) {
      $0.replace("statement.c", with: "__hidden#1_", in: "__debug_str")
    }
    let result = fixture.diagnosis(with: [fixture.archive.path])
    expectFalse(result.isComplete)
    expectContains(result.text, "\(DiagnosisFixture.heading): names are hidden\n")
    expectTrue(
      result.text.contains(
        "    Its names are hidden (__hidden#…). The BCSymbolMap \(ReleaseArchive.appUuid).bcsymbolmap has the real ones; it is in BCSymbolMaps of the archive.\n"
      ))
    expectSuffix(result.text, "\nNext: find ~ -name \(ReleaseArchive.appUuid).bcsymbolmap\n")
    let map = "Ledger.xcarchive/BCSymbolMaps/\(ReleaseArchive.appUuid).bcsymbolmap"
    try fixture.archive.directory.write("no map\n".utf8, to: map)
    let unusable = fixture.diagnosis(with: [fixture.archive.path])
    expectTrue(
      unusable.text.contains(
        "    Its names are hidden (__hidden#…), and \(map) cannot replace them: it begins with 6e 6f 20 6d 61 70 0a and not with 'BCSymbolMap Version: 2.0'.\n"
      ), "\(unusable.text)")
    try fixture.archive.directory.write("BCSymbolMap Version: 2.0\n_a\n_b\n".utf8, to: map)
    let cured = fixture.diagnosis(with: [fixture.archive.path])
    expectTrue(cured.isComplete)
    expectContains(cured.text, "\(DiagnosisFixture.heading): found\n")
  }

  /// `DBGOriginalUUID` of the dSYM's property list names the map.
  @Test func hiddenNamesOfRecompiledBitcode() throws {
    let report = DiagnosisFixture.report(
      name: "Inlines", uuid: "0B17C0DE-5555-3144-A174-35F176083CD8",
      path: "/var/containers/A.app/Inlines")
    try fixture.archive.directory.copy(
      Fixtures.path("Bitcode/Inlines.xcarchive"), to: "Bitcode.xcarchive")
    let places = [fixture.archive.directory.path("Bitcode.xcarchive")]
    expectContains(fixture.diagnosis(report, with: places).text, "2 frames: found\n")
    try fixture.archive.remove("Bitcode.xcarchive/BCSymbolMaps")
    let text = fixture.diagnosis(report, with: places).text
    expectTrue(
      text.contains(
        "The BCSymbolMap 0B17C0DE-0000-3000-8000-00000000C0DE.bcsymbolmap has the real"), "\(text)")
  }
}
