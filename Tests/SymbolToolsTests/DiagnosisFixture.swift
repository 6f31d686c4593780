import ReportTestSupport
import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// What the tests of `symbolicate doctor` ask, and what it answers.
///
/// The report crashes in `ledger`, whose program and dSYM are fixtures; their UUID is the one that
/// llvm-dwarfdump prints.
struct DiagnosisFixture {
  let archive: ReleaseArchive

  init() throws { archive = try ReleaseArchive() }

  /// The report has two frames in the image: `main`, and one more.
  static func report(
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

  func diagnosis(
    _ report: String = report(), with symbols: [String]
  ) -> (text: String, isComplete: Bool, json: String) {
    diagnosis(report, in: SymbolPlaces(paths: symbols, debugDirectories: []))
  }

  func diagnosis(
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
  static func resolved(
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

  static let heading = "ledger (UUID 4C4C44C6-5555-3144-A165-519FBE5C73F3, arm64), 2 frames"
  static let search =
    "Next: mdfind 'com_apple_xcode_dsym_uuids == 4C4C44C6-5555-3144-A165-519FBE5C73F3'  # on the Mac that built it\n"

  static func unresolved(_ headline: String, _ sentences: String...) -> String {
    "crash.crash (ledger): 0 of 2 frames have names\n\n\(heading): \(headline)\n"
      + sentences.map { "    \($0)\n" }.joined() + "\n" + sources + "\n" + search
  }

  static let sources = """
    Where more names can come from (docs/symbols.md, share/doc/symbolicate/symbols.md):
        2 frames: the app's dSYM or debug file (-d)
        2 frames: Symbols/UUID.symbols of the app's .ipa or .xcarchive (-d)

    """
}
