import ReportTestSupport
import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// `symbolicate doctor`: where a symbol file was found.
struct FoundDiagnosisTests {
  private let fixture: DiagnosisFixture

  init() throws { fixture = try DiagnosisFixture() }

  /// Frames of a trace whose image is nowhere: why, and not that it is a bad jump.
  @Test func traceWithoutAPlace() {
    let trace = """
      * thread #1, stop reason = signal SIGSEGV
        * frame #0: 0x00005555555554f0 shapes-pie.elf`___lldb_unnamed_symbol1

      """
    let file = Fixtures.path("Elf/shapes-pie.elf")
    let text = fixture.diagnosis(trace, with: [file]).text
    expectTrue(
      text.contains(
        "\nshapes-pie.elf: \(file) may be its symbol file; give -l 'shapes-pie.elf=0xADDRESS', where it was loaded\n"
      ), text)
    expectFalse(text.contains("bad jump"))
  }

  @Test func found() throws {
    let result = fixture.diagnosis(with: [fixture.archive.path])
    expectTrue(result.isComplete)
    expectEqual(
      result.text,
      DiagnosisFixture.resolved(
        ReleaseArchive.appDwarf, "; it was found in a directory given with -d",
        next: " -d Ledger.xcarchive"))
  }

  @Test func foundByName() throws {
    let path = fixture.archive.directory.path(ReleaseArchive.appDsym)
    expectEqual(
      fixture.diagnosis(with: [path]).text,
      DiagnosisFixture.resolved(ReleaseArchive.appDwarf, "", next: " -d \(ReleaseArchive.appDsym)"))
  }

  @Test func foundInASearchDirectory() throws {
    let result = fixture.diagnosis(
      in: SymbolPlaces(searchDirectories: [fixture.archive.directory.path], debugDirectories: []))
    expectEqual(
      result.text,
      DiagnosisFixture.resolved(
        ReleaseArchive.appDwarf, "; it was found in a search directory", next: " -s ."))
  }

  @Test func foundBesideTheReport() throws {
    let result = fixture.diagnosis(
      in: SymbolPlaces(reportFolders: [fixture.archive.directory.path], debugDirectories: []))
    expectEqual(
      result.text,
      DiagnosisFixture.resolved(
        ReleaseArchive.appDwarf, "; it was found beside the report", next: ""))
    expectTrue(result.json.contains(#""place": "reportFolder""#))
  }

  /// The symbol store that `_.dwarf/mach-uuid-sym-UUID/_.dwarf` leads to.
  @Test func foundByItsLayout() throws {
    let file = "store/_.dwarf/mach-uuid-sym-4c4c44c655553144a165519fbe5c73f3/_.dwarf"
    try fixture.archive.directory.makeDirectory(
      "store/_.dwarf/mach-uuid-sym-4c4c44c655553144a165519fbe5c73f3")
    try fixture.archive.directory.copy(
      fixture.archive.directory.path(ReleaseArchive.appDwarf), to: file)
    let result = fixture.diagnosis(
      in: SymbolPlaces(
        searchDirectories: [fixture.archive.directory.path("store")], debugDirectories: []))
    expectEqual(
      result.text,
      DiagnosisFixture.resolved(
        file, "; it was found without a search, at the path that follows from it",
        next: " -s store", origin: ""))
    // A file of another image at that path.
    try fixture.archive.patch(file) { $0.setUuid(Array(0..<16)) }
    expectEqual(
      fixture.diagnosis(
        in: SymbolPlaces(
          searchDirectories: [fixture.archive.directory.path("store")], debugDirectories: [])
      ).text,
      DiagnosisFixture.unresolved(
        "its symbols are not used",
        "\(file) is not used: of another build: 00010203-0405-0607-0809-0A0B0C0D0E0F instead of 4C4C44C6-5555-3144-A165-519FBE5C73F3."
      ))
  }

  /// Nothing in the report states the UUID, so the file that the user names is taken.
  @Test func foundByNameAlone() throws {
    let report = DiagnosisFixture.report().replacing(
      "<4c4c44c655553144a165519fbe5c73f3> ", with: "")
    let path = fixture.archive.directory.path(ReleaseArchive.appDsym)
    let text = fixture.diagnosis(report, with: [path]).text
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
      workingDirectory: fixture.archive.directory.path)
    expectEqual(result.status, 0, "\(result.standardError)")
  }

  /// The path is that of the archive and the member; the archive of Xcode in it states the build.
  @Test func foundInAZip() async throws {
    try await zip("dSYMs.zip", "Ledger.xcarchive")
    let zip = fixture.archive.directory.path("dSYMs.zip")
    expectEqual(
      fixture.diagnosis(with: [zip]).text,
      DiagnosisFixture.resolved(
        "dSYMs.zip/" + ReleaseArchive.appDwarf, "; it was found in an archive given with -d",
        next: " -d dSYMs.zip"))
    try fixture.archive.remove("Ledger.xcarchive")
    let result = fixture.diagnosis(
      in: SymbolPlaces(searchDirectories: [fixture.archive.directory.path], debugDirectories: []))
    expectEqual(
      result.text,
      DiagnosisFixture.resolved(
        "dSYMs.zip/" + ReleaseArchive.appDwarf,
        "; it was found in an archive in a folder that was searched", next: " -s ."))
  }

  @Test func otherBuildInAZip() async throws {
    try fixture.archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try fixture.archive.remove(ReleaseArchive.app + "/ledger")
    try await zip("dSYMs.zip", "Ledger.xcarchive")
    let zip = fixture.archive.directory.path("dSYMs.zip")
    expectEqual(
      fixture.diagnosis(with: [zip]).text,
      DiagnosisFixture.unresolved(
        "only other builds found",
        "dSYMs.zip/\(ReleaseArchive.appDwarf) is from another build: ledger (UUID 00010203-0405-0607-0809-0A0B0C0D0E0F, arm64), com.example.Ledger 1.2 (34), in Ledger.xcarchive.",
        "Only symbols of the very build that crashed fit, even if no source file changed."))
  }

  @Test func otherSlicesInAZip() async throws {
    try fixture.archive.directory.copy(Fixtures.path("DebugMap/x86_64-dwarf5.dSYM"), to: "x.dSYM")
    try await zip("x.zip", "x.dSYM")
    expectEqual(
      fixture.diagnosis(with: [fixture.archive.directory.path("x.zip")]).text,
      DiagnosisFixture.unresolved(
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
}
