import Foundation
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// The trees that `symbolicate uuid` and `check` walk over.
struct InventoryTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func inventory() throws -> SymbolFileInventory {
    SymbolFileInventory(try FileTrees.open(path: directory.path))
  }

  /// A framework of macOS: two links lead to its binary, which counts once. A link to the folder
  /// above is not followed.
  @Test func linksCountOnce() throws {
    try directory.makeDirectory("Kit.framework/Versions/A")
    try directory.copy(
      Fixtures.path("MachO/libshapes.dylib"), to: "Kit.framework/Versions/A/Kit")
    try directory.link("Kit.framework/Versions/Current", to: "A")
    try directory.link("Kit.framework/Kit", to: "Versions/Current/Kit")
    try directory.link("Kit.framework/Loop", to: "..")
    try directory.link("nowhere", to: "nothing")
    let found = try inventory()
    expectEqual(found.slices.map(\.treePath), ["Kit.framework/Kit"])
    expectEqual(found.slices.first?.role, .library)
    expectEmpty(found.problems)
  }

  @Test func linkedFoldersCountOnce() throws {
    try directory.makeDirectory("tree/real")
    try directory.makeDirectory("elsewhere/deep")
    for (fixture, name) in [
      ("MachO/libshapes.dylib", "tree/real/z"), ("MachO/shapes-arm64", "elsewhere/deep/a"),
    ] {
      try directory.copy(Fixtures.path(fixture), to: name)
    }
    try directory.link("elsewhere/deep/back", to: directory.path("elsewhere"))
    try directory.link("tree/again", to: "real")
    try directory.link("tree/linked", to: directory.path("elsewhere"))
    try directory.link("tree/up", to: directory.path)
    let found = SymbolFileInventory(try FileTrees.open(path: directory.path("tree")))
    expectEqual(found.slices.map(\.treePath), ["linked/deep/a", "real/z"])
    expectEmpty(found.problems)
  }

  @Test func roles() throws {
    for (fixture, name) in [
      ("MachO/shapes-arm64", "a"), ("MachO/libshapes.dylib", "b"),
      ("MachO/shapes-arm64.object", "c"), ("Elf/shapes-pie.elf", "d"),
      ("Elf/shapes-fixed.elf", "e"),
      ("Fat/fat.dSYM/Contents/Resources/DWARF/Shapes", "f"),
    ] {
      try directory.copy(Fixtures.path(fixture), to: name)
    }
    try expectEqual(
      inventory().slices.map(\.role),
      [
        .executable, .library, .relocatable, .library, .executable, .debugSymbols, .debugSymbols,
        .debugSymbols,
      ])
  }

  @Test func dsymBundles() throws {
    try directory.makeDirectory("A.dSYM/Contents/Resources/DWARF")
    try directory.makeDirectory("B.app.dSYM/Contents/Resources/DWARF")
    try directory.write([], to: "B.app.dSYM/Contents/Resources/DWARF/B")
    try directory.write("text".utf8, to: "notes.txt")
    let found = try inventory()
    expectEqual(found.dsymBundles, ["B.app.dSYM", "A.dSYM"])
    expectEqual(found.unusableFiles.map(\.path), ["B.app.dSYM/Contents/Resources/DWARF/B"])
    expectEqual(found.unusableFiles.first?.problem.kind, .empty)
    expectEmpty(found.slices)
  }

  /// Version and build are those of the dSYM; the date is the archive's.
  @Test func originOfABuild() throws {
    let dwarf = "App 5-1.xcarchive/dSYMs/App.app.dSYM/Contents/Resources/DWARF"
    try directory.makeDirectory(dwarf)
    try directory.write(
      Self.list(
        """
        <key>CreationDate</key><date>2024-05-06T07:08:09Z</date>
        <key>ApplicationProperties</key><dict>
        <key>CFBundleIdentifier</key><string>com.example.app</string>
        <key>CFBundleShortVersionString</key><string>5.1</string>
        <key>CFBundleVersion</key><string>77</string></dict>
        """), to: "App 5-1.xcarchive/Info.plist")
    let path = directory.path(dwarf + "/App")
    let fromArchive = try require(BuildOrigin(ofFileAt: path))
    expectEqual(fromArchive.bundleIdentifier, "com.example.app")
    expectEqual(fromArchive.version, "5.1")
    expectEqual(fromArchive.build, "77")
    expectEqual(fromArchive.archivePath, directory.path("App 5-1.xcarchive"))
    expectEqual(fromArchive.archiveDate, 1_714_979_289)
    try directory.write(
      Self.list(
        """
        <key>CFBundleIdentifier</key><string>com.apple.xcode.dsym.com.example.kit</string>
        <key>CFBundleShortVersionString</key><string>2.0</string>
        """), to: "App 5-1.xcarchive/dSYMs/App.app.dSYM/Contents/Info.plist")
    let fromDsym = try require(BuildOrigin(ofFileAt: path))
    expectEqual(fromDsym.bundleIdentifier, "com.example.kit")
    expectEqual(fromDsym.version, "2.0")
    // A damaged list says nothing.
    try directory.write("<plist".utf8, to: "App 5-1.xcarchive/Info.plist")
    try expectNil(require(BuildOrigin(ofFileAt: path)).archiveDate)
    expectNil(BuildOrigin(ofFileAt: "/nonexistent/App"))
  }

  // MARK: - Archives

  private func pack(_ command: String) async throws {
    let result = try await Program.run(
      "/bin/sh", ["-c", command], workingDirectory: directory.path)
    try require(result.status == 0, "\(result.standardError)")
  }

  private func inventory(of name: String) throws -> SymbolFileInventory {
    SymbolFileInventory(try FileTrees.open(path: directory.path(name)))
  }

  /// Names that lead out of the archive are names, and nothing is written there. A damaged file, a
  /// dSYM without a DWARF file, and a deeper archive are what they are in a directory.
  @Test func archive() async throws {
    try directory.makeDirectory("in/B.dSYM/Contents")
    try directory.makeDirectory("in/C.dSYM/Contents/Resources/DWARF")
    try directory.copy(Fixtures.path("MachO/libshapes.dylib"), to: "in/lib")
    try directory.write("<plist/>".utf8, to: "in/B.dSYM/Contents/Info.plist")
    try directory.write(
      try Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(100),
      to: "in/C.dSYM/Contents/Resources/DWARF/C")
    try await pack(
      "zip -q x.zip in/lib && zip -q y.zip x.zip && mv y.zip in && tar -czf a --transform='s,^in,../../etc,' -P in"
    )
    let found = try inventory(of: "a")
    expectEqual(found.slices.map(\.treePath), ["../../etc/lib"])
    expectEqual(found.slices.map(\.shownPath), [directory.path("a") + "/../../etc/lib"])
    expectEqual(found.slices.first?.role, .library)
    expectEqual(found.dsymBundles, ["../../etc/B.dSYM", "../../etc/C.dSYM"])
    expectEqual(found.unusableFiles.map(\.path), ["../../etc/C.dSYM/Contents/Resources/DWARF/C"])
    expectEqual(found.problems.map(\.kind), [.unusableArchive(.nestedTooDeeply)])
    expectEqual(found.problems.map(\.path), [directory.path("a") + "/../../etc/y.zip/x.zip"])
  }

  @Test func archiveInAnArchive() async throws {
    try directory.copy(Fixtures.path("MachO/libshapes.dylib"), to: "lib")
    try await pack("tar -cf x.tar ./lib && zip -q a x.tar && mv a.zip a")
    let found = try inventory(of: "a")
    expectEqual(found.filePaths, ["x.tar/lib"])
    expectEqual(found.slices.map(\.treePath), ["x.tar/lib"])
    expectEmpty(found.problems)
  }

  /// A file that only begins like an archive, and one that is cut.
  @Test func damagedArchives() async throws {
    try directory.copy(Fixtures.path("MachO/libshapes.dylib"), to: "lib")
    try await pack("zip -q z lib && head -c 500 z.zip > cut && head -c 20 z.zip > start")
    for name in ["cut", "start"] {
      let found = try inventory(of: name)
      expectEmpty(found.slices)
      expectEqual(found.problems.map(\.kind), [.unusableArchive(.missingDirectory)])
    }
  }

  /// The lists in an archive say what those in a folder say.
  @Test func originOfABuildInAnArchive() async throws {
    let dwarf = "App.xcarchive/dSYMs/App.app.dSYM/Contents/Resources/DWARF"
    try directory.makeDirectory(dwarf)
    try directory.copy(Fixtures.path("MachO/libshapes.dylib"), to: dwarf + "/App")
    try directory.write(
      Self.list("<key>CreationDate</key><date>2024-05-06T07:08:09Z</date>"),
      to: "App.xcarchive/Info.plist")
    try directory.write(
      Self.list("<key>CFBundleVersion</key><string>77</string>"),
      to: "App.xcarchive/dSYMs/App.app.dSYM/Contents/Info.plist")
    try await pack("zip -qr a App.xcarchive && zip -q b a.zip && tar -cf c ./App.xcarchive")
    for archive in ["a.zip", "b.zip/a.zip", "c/."] {
      var origins = BuildOrigins()
      let found = origins.origin(ofFileAt: directory.path("\(archive)/\(dwarf)/App"))
      let origin = try require(found)
      expectEqual(origin.build, "77")
      expectEqual(origin.archivePath, directory.path(archive + "/App.xcarchive"))
      expectEqual(origin.archiveDate, 1_714_979_289)
      let other = origins.origin(ofFileAt: directory.path(archive + "/other"))
      expectNil(other)
    }
    var origins = BuildOrigins()
    let onDisk = origins.origin(ofFileAt: directory.path(dwarf + "/App"))
    expectEqual(onDisk?.build, "77")
    let nowhere = origins.origin(ofFileAt: "/nonexistent/App")
    expectNil(nowhere)
  }

  private static func list(_ members: String) -> [UInt8] {
    Array(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(members)</dict></plist>"
        .utf8)
  }
}
