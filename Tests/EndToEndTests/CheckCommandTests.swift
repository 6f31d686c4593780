import Foundation
import TestSupport
import Testing

/// `symbolicate check` as a CI job runs it: output, files, and exit status.
struct CheckCommandTests {
  private let archive: ReleaseArchive

  init() throws { archive = try ReleaseArchive() }

  private func run(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.symbolicate(
      ["check"] + arguments, workingDirectory: archive.directory.path)
  }

  @Test func soundArchive() async throws {
    let result = try await run(["Ledger.xcarchive"])
    expectEqual(result.status, 0)
    expectEqual(result.standardError, "")
    expectTrue(
      result.outputText.hasSuffix(
        "Ledger.xcarchive: 2 of 3 images have complete debug information; 1 from Apple, without dSYMs\n"
      ))
  }

  @Test func brokenArchive() async throws {
    try archive.remove(ReleaseArchive.appDsym)
    try archive.remove(ReleaseArchive.frameworkDsym)
    let result = try await run(["Ledger.xcarchive", "--allow", "Inlines.framework"])
    expectEqual(result.status, 2)
    expectEqual(result.standardError, "")
    expectContains(result.outputText, "missing  arm64  \(ReleaseArchive.appUuid)")
    let allowed = try await run([
      "Ledger.xcarchive", "--allow", "Inlines.framework", "--allow", "Ledger.app",
    ])
    expectEqual(allowed.status, 0)
    // The dSYMs may also be elsewhere.
    let elsewhere = try await run([
      "Ledger.xcarchive", "-d", Fixtures.path("DebugMap"), "--dsym", Fixtures.path("Inlines"),
    ])
    expectEqual(elsewhere.status, 0)
  }

  @Test func packedArchives() async throws {
    let good = try await Program.run(
      "/bin/sh", ["-c", "zip -qr good.zip Ledger.xcarchive"],
      workingDirectory: archive.directory.path)
    expectEqual(good.status, 0)
    let sound = try await run(["good.zip"])
    expectEqual(sound.status, 0)
    expectEqual(sound.standardError, "")
    expectTrue(
      sound.outputText.hasSuffix(
        "good.zip: 2 of 3 images have complete debug information; 1 from Apple, without dSYMs\n"))
    try archive.remove(ReleaseArchive.appDsym)
    _ = try await Program.run(
      "/bin/sh",
      ["-c", "zip -qr broken.zip Ledger.xcarchive && head -c 5000 broken.zip > cut.zip"],
      workingDirectory: archive.directory.path)
    let broken = try await run(["broken.zip"])
    expectEqual(broken.status, 2)
    expectTrue(
      broken.outputText.contains(
        "missing  arm64  \(ReleaseArchive.appUuid)  \(ReleaseArchive.app)/ledger\n"))
    // What is missing there is in the other archive.
    try await expectEqual(run(["broken.zip", "-d", "good.zip"]).status, 0)
    let searched = try await run(["broken.zip", "-s", "."])
    expectEqual(searched.status, 0, "\(searched.standardError)\(searched.outputText)")
    let cut = try await run(["cut.zip"])
    expectEqual(cut.status, 66)
    expectPrefix(cut.standardError, "symbolicate: error: cut.zip is cut short: ")
    // Nothing of it is overwritten.
    try await expectEqual(run(["good.zip", "--junit", "good.zip"]).status, 64)
  }

  /// The file is well-formed, and has what CI systems read.
  @Test(.enabled("python3 is not installed") { Program.path(of: "python3") != nil })
  func junit() async throws {
    try archive.remove(ReleaseArchive.appDsym)
    try archive.directory.copy(archive.path, to: "A & \"B\" <C>.xcarchive")
    let result = try await run([
      "A & \"B\" <C>.xcarchive", "--junit", "result.xml", "--allow", "Inlines",
    ])
    expectEqual(result.status, 2)
    let script = """
      import sys, xml.etree.ElementTree as tree
      root = tree.parse(sys.argv[1]).getroot()
      suite = root[0]
      print(root.tag, suite.tag, suite.get("name"))
      for node in (root, suite):
          print(*[node.get(key) for key in ("tests", "failures", "errors", "skipped")])
      for case in suite:
          print(case.tag, case.get("classname"), "|", case.get("name"), "|", *[(child.tag, child.get("type"), child.get("message")[:40], child.text) for child in case])
      """
    let read = try await Program.run(
      try require(Program.path(of: "python3")),
      ["-c", script, archive.directory.path("result.xml")])
    let missing =
      "There is no dSYM with UUID \(ReleaseArchive.appUuid). Build with DEBUG_INFORMATION_FORMAT=dwarf-with-dsym, or add the dSYM that came with ledger."
    expectEqual(
      read.outputText,
      """
      testsuites testsuite A & "B" <C>.xcarchive
      3 1 0 1
      3 1 0 1
      testcase Products/Applications/Ledger.app/Frameworks/Inlines.framework | Inlines (arm64) |
      testcase Products/Applications/Ledger.app/Frameworks | libswiftCore.dylib (arm64) | ('skipped', None, 'Apple gives out no dSYM for it.', None)
      testcase Products/Applications/Ledger.app | ledger (arm64) | ('failure', 'noDsym', '\(missing.prefix(40))', '\(missing)')

      """, "\(read.standardError)")
  }

  @Test(
    .enabled("python3-jsonschema is not installed (Scripts/install-packages.sh test)") {
      await DocumentSchema.isInstalled
    })
  func json() async throws {
    try archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(1...16)) }
    let result = try await run(["Ledger.xcarchive", "--json", "--allow", "Absent"])
    expectEqual(result.status, 2)
    try await expectEqual(DocumentSchema.complaints(result.standardOutput, "check.schema.json"), "")
    let document = try require(
      JSONSerialization.jsonObject(with: Data(result.standardOutput)) as? [String: Any])
    expectEqual(document["complete"] as? Bool, false)
    expectEqual(document["unusedAllowances"] as? [String], ["Absent"])
    let images = try require(document["images"] as? [[String: Any]])
    expectEqual(images.map { $0["verdict"] as? String }, ["ok", "apple", "missing"])
    expectEqual(images.last?["defect"] as? String, "otherBuild")
    expectEqual(images.last?["debugFile"] as? String, ReleaseArchive.appDwarf)
    let strays = try require(document["strayDsyms"] as? [[String: Any]])
    expectEqual(strays.first?["uuids"] as? [String], ["01020304-0506-0708-090A-0B0C0D0E0F10"])
  }

  @Test func otherStatuses() async throws {
    try await expectEqual(run([]).status, 64)
    try await expectEqual(run(["Ledger.xcarchive", "--allow", ""]).status, 64)
    try await expectEqual(run(["absent.xcarchive"]).status, 66)
    try await expectEqual(run(["Ledger.xcarchive", "-d", "absent"]).status, 66)
    try await expectEqual(run(["Ledger.xcarchive/Info.plist"]).status, 65)
    try await expectEqual(run(["Ledger.xcarchive", "--junit", "absent/result.xml"]).status, 73)
    // Nothing of the release is overwritten.
    let inside = try await run(["Ledger.xcarchive", "--junit", "Ledger.xcarchive/Info.plist"])
    expectEqual(inside.status, 64)
    expectEqual(inside.outputText, "")
    let program = try await run([
      "Ledger.xcarchive", "--junit", "\(ReleaseArchive.app)/ledger",
    ])
    expectEqual(program.status, 64)
    try expectEqual(
      archive.directory.bytes(of: ReleaseArchive.app + "/ledger"),
      Fixtures.bytes(of: ReleaseArchive.program))
  }
}
