import ReportTestSupport
import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// `symbolicate doctor`: libraries of the system, input that is no report, and the forms of its
/// answer.
struct DiagnosisTests {
  private let fixture: DiagnosisFixture

  init() throws { fixture = try DiagnosisFixture() }

  @Test func systemLibrary() throws {
    let result = fixture.diagnosis(
      DiagnosisFixture.report(
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
    let report = DiagnosisFixture.report(
      name: "libc.so.6", uuid: "000102030405060708090a0b0c0d0e0f10111213", architecture: "x86_64",
      path: "/usr/lib/x86_64-linux-gnu/libc.so.6")
    expectEqual(
      fixture.diagnosis(report, with: []).text,
      """
      crash.crash (libc.so.6): 0 of 2 frames have names

      libc.so.6 (build-id 000102030405060708090a0b0c0d0e0f10111213, x86_64), 2 frames: part of the operating system
          The distribution has its symbols in debug packages (-dbg, -dbgsym, -debuginfo), and on its debuginfod server.

      Next: symbolicate crash.crash

      """)
  }

  @Test func imageWithoutUuid() throws {
    let text = fixture.diagnosis(
      "0   Ledger 0x000000010024f19c 0x100228000 + 160156\n", with: []
    ).text
    expectContains(text, "Ledger (UUID unknown), 1 frame: its UUID is not known\n", "\(text)")
    expectSuffix(text, "\nNext: symbolicate crash.crash --explain\n")
  }

  @Test func notAReport() throws {
    let directory = fixture.archive.directory
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
      Array(DiagnosisFixture.report().utf8), shownPath: "-it's (1).crash",
      places: SymbolPlaces(paths: [fixture.archive.path], debugDirectories: []))
    expectSuffix(
      diagnosis.text, "\nNext: symbolicate './-it'\\''s (1).crash' -d \(fixture.archive.path)\n")
  }

  @Test(
    .enabled("python3-jsonschema is not installed (Scripts/install-packages.sh test)") {
      await DocumentSchema.isInstalled
    })
  func jsonFitsTheSchema() async throws {
    let good = fixture.diagnosis(with: [fixture.archive.path]).json
    expectTrue(good.contains(#""cause": "found""#))
    expectTrue(good.contains(#""place": "givenDirectory""#))
    var documents = [good, fixture.diagnosis("shopping list\n", with: []).json]
    expectTrue(documents[1].contains(#""report": false"#))
    try fixture.archive.patch(ReleaseArchive.appDwarf) {
      $0.replace("statement.c", with: "__hidden#1_", in: "__debug_str")
    }
    documents.append(fixture.diagnosis(with: [fixture.archive.path]).json)
    expectTrue(
      documents[2].contains(#""missingSymbolMap": "\#(ReleaseArchive.appUuid).bcsymbolmap""#))
    try fixture.archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try fixture.archive.remove(ReleaseArchive.app + "/ledger")
    let other = fixture.diagnosis(with: [fixture.archive.path]).json
    expectTrue(other.contains(#""cause": "otherBuild""#))
    expectTrue(other.contains(#""build": "34""#))
    documents.append(other)
    let system = DiagnosisFixture.report(name: "UIKitCore", path: "/System/Library/UIKitCore")
    for (report, symbols, cause) in [
      (DiagnosisFixture.report(), [], "noCandidate"),
      (DiagnosisFixture.report(), [Fixtures.path("DebugMap/x86_64-dwarf5.dSYM")], "otherSlices"),
      (system, [], "systemLibrary"),
      ("0   Ledger 0x000000010024f19c 0x100228000 + 160156\n", [], "unknownUuid"),
    ] {
      let json = fixture.diagnosis(report, with: symbols).json
      expectTrue(json.contains(#""cause": "\#(cause)""#), "\(json)")
      documents.append(json)
    }
    try fixture.archive.directory.write([], to: ReleaseArchive.appDwarf)
    documents.append(fixture.diagnosis(with: [fixture.archive.path]).json)
    expectEqual(documents.last?.contains(#""cause": "emptyDsym""#), true)
    for document in documents {
      try await expectEqual(
        DocumentSchema.complaints(Array(document.utf8), "doctor.schema.json"), "")
    }
  }
}
