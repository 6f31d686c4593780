import SymbolTools
import SymbolicationModel
import TestSupport
import Testing

/// `symbolicate check`: what it says about a sound archive and about broken ones.
///
/// The archive is put together from a program and its dSYM as clang and dsymutil made them. UUIDs
/// and slices are those that llvm-dwarfdump prints for these files.
struct ReleaseCheckTests {
  private let archive: ReleaseArchive

  init() throws { archive = try ReleaseArchive() }

  /// The text without the path of the temporary folder.
  private func text(
    symbols: [String] = [], allowing names: [String] = []
  ) throws -> (text: String, isComplete: Bool) {
    let check = try ReleaseCheck(
      path: archive.path, places: SymbolPlaces(paths: symbols), allowedNames: names)
    expectEmpty(check.problems)
    return (check.text.replacing(archive.directory.path + "/", with: ""), check.isComplete)
  }

  private static let framework =
    "arm64  4C4C440B-5555-3144-A174-35F176083CD8  Products/Applications/Ledger.app/Frameworks/Inlines.framework/Inlines\n"
  private static let library =
    "apple    arm64  4C4C4414-5555-3144-A15F-E299962BFAF0  Products/Applications/Ledger.app/Frameworks/libswiftCore.dylib\n"
  private static let app =
    "arm64  4C4C44C6-5555-3144-A165-519FBE5C73F3  Products/Applications/Ledger.app/ledger\n"

  /// The table if only the app has a defect.
  private static func table(_ sentence: String, note: String = "") -> String {
    "ok       " + framework + library + "missing  " + app + "    \(sentence)\n" + note
      + "Ledger.xcarchive: 1 of 3 images have complete debug information; 1 does not; 1 from Apple, without dSYMs\n"
  }

  @Test func soundArchive() throws {
    let result = try text()
    expectTrue(result.isComplete)
    expectEqual(
      result.text,
      "ok     " + Self.framework
        + Self.library.replacing("apple    ", with: "apple  ")
        + "ok     " + Self.app
        + "Ledger.xcarchive: 2 of 3 images have complete debug information; 1 from Apple, without dSYMs\n"
    )
  }

  @Test func missingDsym() throws {
    try archive.remove(ReleaseArchive.appDsym)
    let result = try text()
    expectFalse(result.isComplete)
    expectEqual(
      result.text,
      Self.table(
        "There is no dSYM with UUID 4C4C44C6-5555-3144-A165-519FBE5C73F3. Build with DEBUG_INFORMATION_FORMAT=dwarf-with-dsym, or add the dSYM that came with ledger."
      ))
  }

  @Test func dsymOfAnotherBuild() throws {
    try archive.patch(ReleaseArchive.appDwarf) { $0.setUuid(Array(0..<16)) }
    try expectEqual(
      text().text,
      Self.table(
        "Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger is from another build: it has UUID 00010203-0405-0607-0809-0A0B0C0D0E0F, but ledger has UUID 4C4C44C6-5555-3144-A165-519FBE5C73F3. Use the dSYM of the same build.",
        note:
          "note: dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger (UUID 00010203-0405-0607-0809-0A0B0C0D0E0F) belongs to no image here.\n"
      ))
  }

  @Test func emptyDsym() throws {
    try archive.remove(ReleaseArchive.appDwarf)
    // The name of the bundle is all that is left.
    try expectEqual(
      text().text,
      Self.table(
        "Ledger.xcarchive/dSYMs/Ledger.app.dSYM is empty: it has no DWARF file. Build ledger with debug information (-g), and run dsymutil again."
      ))
  }

  @Test func emptyDwarfFile() throws {
    try archive.directory.write([], to: ReleaseArchive.appDwarf)
    let sentence = try require(
      text().text.split(separator: "\n").first { $0.hasPrefix("    ") })
    expectEqual(
      sentence,
      "    Ledger.xcarchive/dSYMs/Ledger.app.dSYM is empty: it has no DWARF file. Build ledger with debug information (-g), and run dsymutil again."
    )
  }

  @Test func damagedDwarfFile() throws {
    let bytes = try archive.directory.bytes(of: ReleaseArchive.appDwarf)
    try archive.directory.write(bytes.prefix(20), to: ReleaseArchive.appDwarf)
    let text = try text().text
    expectContains(text, "    The dSYM of ledger cannot be read: ", "\(text)")
    expectContains(text, "is cut short or damaged", "\(text)")
  }

  @Test func dsymWithoutDebugInformation() throws {
    try archive.patch(ReleaseArchive.appDwarf) { $0.emptySections(["__debug_info"]) }
    try expectEqual(
      text().text,
      Self.table(
        "Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger has the right UUID but no debug information. Build ledger with debug information (-g); run dsymutil before strip, and while the object files still exist."
      ))
  }

  @Test func dsymWithoutLines() throws {
    try archive.patch(ReleaseArchive.appDwarf) { $0.emptySections(["__debug_line"]) }
    let text = try text().text
    expectEqual(
      text,
      Self.table(
        "Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger has no line numbers for the code of ledger. Build it with -g, or at least with -gline-tables-only."
      ))
  }

  @Test func hiddenNames() throws {
    try archive.patch(ReleaseArchive.appDwarf) {
      $0.replace("statement.c", with: "__hidden#1_", in: "__debug_str")
    }
    try expectEqual(
      text().text,
      Self.table(
        "The names in Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger are hidden (__hidden#…), and BCSymbolMaps/4C4C44C6-5555-3144-A165-519FBE5C73F3.bcsymbolmap is missing. Add that file from the archive or from App Store Connect."
      ))
    try archive.directory.write(
      "BCSymbolMap Version: 2.0\n_main\n".utf8,
      to: "Ledger.xcarchive/BCSymbolMaps/4C4C44C6-5555-3144-A165-519FBE5C73F3.bcsymbolmap")
    try expectTrue(text().isComplete)
  }

  /// A program for two processors, and a dSYM for one of them.
  @Test func missingSlice() throws {
    let other = try Fixtures.bytes(of: Fixtures.path("DebugMap/x86_64-dwarf5/ledger"))
    let own = try Fixtures.bytes(of: ReleaseArchive.program)
    try archive.directory.write(
      MachOPatch.fat([other, own]), to: ReleaseArchive.app + "/ledger")
    let text = try text().text
    expectTrue(
      text.contains(
        """
        missing  x86_64  \(Self.intelUuid)  Products/Applications/Ledger.app/ledger
            Ledger.xcarchive/dSYMs/Ledger.app.dSYM/Contents/Resources/DWARF/ledger has no x86_64 slice with UUID \(Self.intelUuid), only arm64. Build the dSYM for all architectures of ledger.
        ok       arm64   4C4C44C6-5555-3144-A165-519FBE5C73F3  Products/Applications/Ledger.app/ledger

        """), "\(text)")
    // Another folder has the dSYM of that slice.
    try expectTrue(self.text(symbols: [Fixtures.path("DebugMap/x86_64-dwarf5.dSYM")]).isComplete)
  }

  private static let intelUuid = "4C4C44CD-5555-3144-A1E7-6344D779E11B"

  @Test func programWithoutUuid() throws {
    try archive.patch(ReleaseArchive.app + "/ledger") { $0.removeUuid() }
    let text = try text().text
    expectTrue(
      text.contains(
        """
        missing  arm64  no UUID                               Products/Applications/Ledger.app/ledger
            ledger has no UUID, so no dSYM can be matched to it. Link it without -no_uuid.

        """), "\(text)")
  }

  @Test(arguments: ["Inlines", "Inlines.framework"])
  func allowedFramework(name: String) throws {
    try archive.remove(ReleaseArchive.frameworkDsym)
    let result = try text(allowing: [name, "Absent.framework"])
    expectTrue(result.isComplete)
    expectEqual(
      result.text,
      "allowed  " + Self.framework
        + "    There is no dSYM with UUID 4C4C440B-5555-3144-A174-35F176083CD8. Build with DEBUG_INFORMATION_FORMAT=dwarf-with-dsym, or add the dSYM that came with Inlines.\n"
        + Self.library + "ok       " + Self.app
        + "note: No image is called Absent.framework, which --allow names.\n"
        + "Ledger.xcarchive: 1 of 3 images have complete debug information; 1 allowed without it; 1 from Apple, without dSYMs\n"
    )
    try expectFalse(text(allowing: ["Inline"]).isComplete)
  }

  /// Only in the folders where Xcode puts Swift's libraries is a library of such a name Apple's.
  @Test func libraryWithTheNameOfSwifts() throws {
    try archive.directory.copy(
      Fixtures.path("MachO/libshapes.dylib"), to: "Ledger.xcarchive/libswiftShapes.dylib")
    try archive.remove(ReleaseArchive.app + "/Frameworks/libswiftCore.dylib")
    let result = try text()
    expectFalse(result.isComplete)
    expectContains(result.text, "missing  arm64  \(ReleaseArchive.libraryUuid)  libswiftShapes")
  }

  // MARK: - Archives and search directories

  private func pack(_ command: String) async throws {
    let result = try await Program.run(
      "/bin/sh", ["-c", command], workingDirectory: archive.directory.path)
    expectEqual(result.status, 0, "\(result.standardError)")
  }

  /// A packed archive gives the table of the folder.
  @Test(arguments: [
    "zip -qr packed Ledger.xcarchive && mv packed.zip packed",
    "tar -cf packed Ledger.xcarchive", "tar -czf packed ./Ledger.xcarchive",
    "zip -qr inner.zip Ledger.xcarchive && zip -q packed inner.zip && mv packed.zip packed",
  ])
  func packedArchive(_ command: String) async throws {
    let sound = try text().text
    try await pack(command)
    let folder = command.contains("inner") ? "inner.zip/Ledger.xcarchive/" : "Ledger.xcarchive/"
    func packed() throws -> (text: String, isComplete: Bool) {
      let check = try ReleaseCheck(path: archive.directory.path("packed"))
      expectEmpty(check.problems)
      let text = check.text.replacing(archive.directory.path + "/", with: "")
      return (
        text.replacing(folder + "Products", with: "Products")
          .replacing("packed:", with: "Ledger.xcarchive:"), check.isComplete
      )
    }
    try expectTrue(packed() == (sound, true))
    try await pack("rm -f packed inner.zip")
    try archive.remove(ReleaseArchive.appDsym)
    try await pack(command)
    let broken = try packed()
    expectFalse(broken.isComplete)
    try expectEqual(broken.text, text().text)
  }

  /// An `.ipa`, with its dSYMs in a zip, as App Store Connect hands them out.
  @Test func ipaAndZip() async throws {
    let directory = archive.directory
    try directory.makeDirectory("Payload")
    try directory.copy(directory.path(ReleaseArchive.app), to: "Payload/Ledger.app")
    try await pack("zip -qr L.ipa Payload && cd Ledger.xcarchive/dSYMs && zip -qr ../../d.zip .")
    let alone = try ReleaseCheck(path: directory.path("L.ipa"))
    expectFalse(alone.isComplete)
    expectTrue(alone.isIpa)
    let check = try ReleaseCheck(
      path: directory.path("L.ipa"), places: SymbolPlaces(paths: [directory.path("d.zip")]))
    expectTrue(check.isComplete)
    expectEqual(check.images.last?.path, "Payload/Ledger.app/ledger")
  }

  @Test func searchDirectory() throws {
    let directory = archive.directory
    try directory.makeDirectory("elsewhere/deep")
    for name in ["Ledger.app.dSYM", "Inlines.framework.dSYM"] {
      try directory.copy(
        directory.path("Ledger.xcarchive/dSYMs/" + name), to: "elsewhere/deep/" + name)
      try archive.remove("Ledger.xcarchive/dSYMs/" + name)
    }
    let places = SymbolPlaces(searchDirectories: [directory.path("elsewhere")])
    let check = try ReleaseCheck(path: archive.path, places: places)
    expectTrue(check.isComplete)
    expectEmpty(check.strayDsyms)
    try archive.patch("elsewhere/deep/Ledger.app.dSYM/Contents/Resources/DWARF/ledger") {
      $0.replace("statement.c", with: "__hidden#1_", in: "__debug_str")
    }
    let hidden = try ReleaseCheck(path: archive.path, places: places)
    expectEqual(
      hidden.images.last?.defect,
      .hiddenNames(
        path: directory.path("elsewhere/deep/Ledger.app.dSYM/Contents/Resources/DWARF/ledger"),
        map: "\(ReleaseArchive.appUuid).bcsymbolmap"))
  }

  /// `DBGOriginalUUID` of the dSYM's property list names the map.
  @Test(arguments: [false, true])
  func mapOfRecompiledBitcode(isPacked: Bool) async throws {
    let directory = archive.directory
    try archive.remove(ReleaseArchive.frameworkDsym)
    // The fixture's own UUID.
    try archive.patch(ReleaseArchive.framework + "/Inlines") {
      $0.setUuid([
        0x0b, 0x17, 0xc0, 0xde, 0x55, 0x55, 0x31, 0x44, 0xa1, 0x74, 0x35, 0xf1, 0x76, 8, 0x3c, 0xd8,
      ])
    }
    try directory.copy(Fixtures.path("Bitcode/Inlines.xcarchive"), to: "Bitcode.xcarchive")
    func check() async throws -> ReleaseCheck {
      guard isPacked else {
        return try ReleaseCheck(
          path: archive.path, places: SymbolPlaces(paths: [directory.path("Bitcode.xcarchive")]))
      }
      try await pack("rm -f b.zip && zip -qr b.zip Bitcode.xcarchive")
      return try ReleaseCheck(
        path: archive.path, places: SymbolPlaces(paths: [directory.path("b.zip")]))
    }
    try await expectTrue(check().isComplete)
    try archive.remove("Bitcode.xcarchive/BCSymbolMaps")
    let without = try await check()
    expectTrue(
      without.text.contains(
        "are hidden (__hidden#…), and BCSymbolMaps/0B17C0DE-0000-3000-8000-00000000C0DE.bcsymbolmap is missing."
      ), "\(without.text)")
  }

  /// What an `.ipa` holds: the app in `Payload`, and no dSYMs.
  @Test func symbolsOfAnIpa() throws {
    let directory = archive.directory
    try directory.makeDirectory("Ipa/Payload")
    try directory.copy(directory.path(ReleaseArchive.app), to: "Ipa/Payload/Ledger.app")
    let dsyms = directory.path("Ledger.xcarchive/dSYMs")
    let without = try ReleaseCheck(
      path: directory.path("Ipa"), places: SymbolPlaces(paths: [dsyms]))
    expectTrue(without.isComplete)
    expectTrue(
      without.text.contains(
        "note: The .ipa has no Symbols folder: App Store Connect gets no symbols with it. Export it with uploadSymbols to include them.\n"
      ))
    try directory.makeDirectory("Ipa/Symbols")
    try directory.write([], to: "Ipa/Symbols/\(ReleaseArchive.appUuid).symbols")
    let with = try ReleaseCheck(path: directory.path("Ipa"), places: SymbolPlaces(paths: [dsyms]))
    expectTrue(
      with.text.contains(
        "note: Symbols/\(ReleaseArchive.frameworkUuid).symbols is missing for Inlines (arm64).\n"))
    expectFalse(with.text.contains(ReleaseArchive.appUuid + ".symbols"))
    expectEqual(
      with.images.compactMap(\.symbolsFile), ["Symbols/\(ReleaseArchive.appUuid).symbols"])
  }

  @Test func releaseWithoutPrograms() throws {
    let directory = try TemporaryDirectory()
    let check = try ReleaseCheck(path: directory.path)
    expectEmpty(check.images)
    expectEqual(
      check.text,
      "\(directory.path): there is no Mach-O program, library or dSYM in it; give an .xcarchive, an .ipa, an app or a dSYM\n"
    )
    expectFalse(check.isComplete)
    expectTrue(check.json.contains("\"failure\": \"There is no Mach-O program"))
    Self.expectError(in: check.junit, "There is no Mach-O program, library or dSYM in it.")
  }

  /// An archive is found by its content, which begins as every zip does.
  @Test func directoryOfArchives() throws {
    let directory = try TemporaryDirectory()
    try directory.write([0x50, 0x4b, 0x05, 0x06] + [UInt8](repeating: 0, count: 18), to: "dSYMs")
    let end = "; archives are read if they are named, such as \(directory.path("dSYMs"))"
    let check = try ReleaseCheck(path: directory.path)
    expectSuffix(check.text, "give an .xcarchive, an .ipa, an app or a dSYM\(end)\n")
    expectContains(check.junit, "or a dSYM\(end).")
    let listing = UuidListing(paths: [directory.path]) { _ in .success([]) }
    expectEqual(
      listing.problems,
      ["no Mach-O or ELF file was found in \(directory.path) or below it\(end)"])
  }

  @Test func releaseThatIsNotThere() {
    do throws(SymbolFileProblem) {
      let check = try ReleaseCheck(path: "/no/such/App.app")
      Issue.record("\(check.text)")
    } catch {
      let check = ReleaseCheck(path: "/no/such/App.app", unreadable: error)
      expectFalse(check.isComplete)
      Self.expectError(in: check.junit, "cannot read /no/such/App.app: No such file or directory")
    }
  }

  /// The part that can be read must not make the whole green.
  @Test func releaseThatIsPartlyUnreadable() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyBundle, to: "App.dSYM")
    let program = try archive.directory.bytes(of: "\(ReleaseArchive.app)/ledger")
    try directory.write(program.prefix(40), to: "ledger")
    let junit = try ReleaseCheck(path: directory.path).junit
    expectTrue(junit.contains("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"0\""), junit)
    expectTrue(junit.contains("<error type=\"unreadable\" message="), junit)
    expectTrue(junit.contains("/ledger (arm64) is cut short or damaged"), junit)
  }

  /// A file without test cases, or with cases that all pass, is green in every CI system.
  private static func expectError(in junit: String, _ words: String) {
    expectTrue(junit.contains("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""), junit)
    expectTrue(junit.contains("<error type=\"nothing-checked\" message=\"\(words)"), junit)
  }

  @Test func dsymsAlone() throws {
    let check = try ReleaseCheck(path: archive.directory.path("Ledger.xcarchive/dSYMs"))
    expectTrue(check.isComplete)
    expectEqual(
      Set(check.images.compactMap { $0.identity.map { "\($0)" } }),
      [ReleaseArchive.appUuid, ReleaseArchive.frameworkUuid])
    expectTrue(
      check.text.contains(
        "note: Only dSYMs are here. Give the .xcarchive, .ipa or app to check that each program has one.\n"
      ))
    expectEmpty(check.strayDsyms)
  }
}
