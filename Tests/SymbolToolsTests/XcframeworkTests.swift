import ReportTestSupport
import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// What `symbolicate check` and `symbolicate doctor` say about a library whose vendor gave out no
/// dSYM with its xcframework.
struct XcframeworkTests {
  private let xcframework: VendorXcframework

  init() throws { xcframework = try VendorXcframework() }

  private func check(_ path: String, symbols: [String] = []) throws -> ReleaseCheck {
    let check = try ReleaseCheck(path: path, places: SymbolPlaces(paths: symbols))
    expectEmpty(check.problems)
    return check
  }

  private func shown(_ text: String) -> String {
    text.replacing(xcframework.directory.path + "/", with: "")
  }

  private static let missing =
    "There is no dSYM with UUID 4C4C440B-5555-3144-A174-35F176083CD8. "
  private static let unstated =
    "Inlines.xcframework/Info.plist states no DebugSymbolsPath for ios-arm64, so its vendor shipped no dSYM. Ask the vendor for it."
  private static let noFolder =
    "Inlines.xcframework/Info.plist states the DebugSymbolsPath dSYMs for ios-arm64, but Inlines.xcframework/ios-arm64 has no such folder. Copy the whole .xcframework, or ask its vendor for the dSYM."

  /// The simulator's dSYM of the same name is not one of another build.
  private static func table(_ sentence: String) -> String {
    """
    missing  arm64  4C4C440B-5555-3144-A174-35F176083CD8  ios-arm64/Inlines.framework/Inlines
        \(missing)\(sentence)
    ok       arm64  00010203-0405-0607-0809-0A0B0C0D0E0F  ios-arm64-simulator/Inlines.framework/Inlines
    Inlines.xcframework: 1 of 2 images have complete debug information; 1 does not

    """
  }

  @Test func checkSaysWhyThereIsNoDsym() throws {
    try expectEqual(shown(check(xcframework.path).text), Self.table(Self.unstated))
    try xcframework.write(debugSymbolsPath: "dSYMs")
    try expectEqual(shown(check(xcframework.path).text), Self.table(Self.noFolder))
    try xcframework.directory.makeDirectory(VendorXcframework.device + "/dSYMs")
    try expectEqual(
      shown(check(xcframework.path).text),
      Self.table(
        "Inlines.xcframework/Info.plist states the DebugSymbolsPath dSYMs for ios-arm64, but there is no dSYM in that folder of Inlines.xcframework/ios-arm64. Copy the whole .xcframework, or ask its vendor for the dSYM."
      ))
    try xcframework.write(debugSymbolsPath: "../x")
    try expectEqual(
      shown(check(xcframework.path).text),
      Self.table(
        "Inlines.xcframework/Info.plist states the DebugSymbolsPath ../x for ios-arm64, which leads out of Inlines.xcframework/ios-arm64 and is not followed. Ask the vendor for the dSYM."
      ))
    try xcframework.addDsym(to: VendorXcframework.device)
    try expectTrue(check(xcframework.path).isComplete)
  }

  /// A list that cannot be read explains nothing, and is no error.
  @Test func checkWithoutTheList() throws {
    try xcframework.directory.write("no list".utf8, to: VendorXcframework.name + "/Info.plist")
    try expectEqual(
      shown(check(xcframework.path).text),
      Self.table(
        "Build with DEBUG_INFORMATION_FORMAT=dwarf-with-dsym, or add the dSYM that came with Inlines."
      ))
  }

  /// In a folder, in a zip of it, and for a program in json.
  @Test func checkOfAFolderAndAZip() async throws {
    let folder = xcframework.directory.path
    let result = try await Program.run(
      "/bin/sh", ["-c", "mkdir a && mv Inlines.xcframework a && zip -qr a.zip a"],
      workingDirectory: folder)
    expectEqual(result.status, 0)
    for name in ["a", "a.zip"] {
      let release = try check(xcframework.directory.path(name))
      let path = name == "a" ? "a/" : "a.zip/a/"
      expectContains(
        shown(release.text), "    \(Self.missing)\(path)\(Self.unstated)\n", "\(release.text)")
      expectTrue(release.json.contains(#""defect": "noDsym""#))
      expectContains(shown(release.json), "\(path)Inlines.xcframework/Info.plist states no")
    }
  }

  /// The app has the framework; the xcframework that it comes from is given with `-d` or searched.
  @Test func checkOfAnAppWithTheFramework() throws {
    let archive = try ReleaseArchive()
    try archive.remove(ReleaseArchive.frameworkDsym)
    let given = try check(archive.path, symbols: [xcframework.path])
    expectContains(shown(given.text), "    \(Self.missing)\(Self.unstated)\n", "\(given.text)")
    let searched = try ReleaseCheck(
      path: archive.path, places: SymbolPlaces(searchDirectories: [xcframework.directory.path]))
    expectContains(
      shown(searched.text), "    \(Self.missing)\(Self.unstated)\n", "\(searched.text)")
  }

  private func diagnosis(_ symbols: [String]) -> String {
    let report = ReportFixture.report(
      frames: [
        ReportFixture.frame(0, 0x1_0000_0500, image: "Inlines", base: 0x1_0000_0000)
      ],
      images: [
        "0x100000000 - 0x10000ffff Inlines arm64  <4c4c440b55553144a17435f176083cd8> /var/containers/Bundle/A.app/Frameworks/Inlines.framework/Inlines"
      ])
    return shown(
      ReportDiagnosis(
        Array(report.utf8), shownPath: "crash.crash",
        places: SymbolPlaces(paths: symbols, debugDirectories: [])
      ).text)
  }

  @Test func doctorSaysWhyThereIsNoDsym() throws {
    let path = "    Inlines.xcframework/ios-arm64/Inlines.framework/Inlines has this UUID"
    let text = diagnosis([xcframework.path])
    expectTrue(text.contains(path), "\(text)")
    expectContains(text, "    \(Self.unstated)\n", "\(text)")
    try xcframework.write(debugSymbolsPath: "dSYMs")
    expectContains(diagnosis([xcframework.path]), "    \(Self.noFolder)\n")
    // The program's own copy is used, and the xcframework has another.
    let archive = try ReleaseArchive()
    try archive.remove(ReleaseArchive.frameworkDsym)
    let copy = diagnosis([archive.path, xcframework.path])
    expectContains(copy, "/Ledger.app/Frameworks/Inlines.framework/Inlines (in Led", "\(copy)")
    expectContains(copy, "    \(Self.noFolder)\n", "\(copy)")
    try xcframework.addDsym(to: VendorXcframework.device)
    expectFalse(diagnosis([xcframework.path]).contains("Info.plist states"))
  }
}
