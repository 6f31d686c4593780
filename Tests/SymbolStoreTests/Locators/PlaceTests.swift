import FileSystem
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

@testable import SymbolStore

/// Each place in which the file of an image may lie, with real files.
@Suite struct PlaceTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let story = SymbolStoreTests.storyIdentity
  private static let elfIdentity = (1...20).map { UInt8($0) }
  private static let elfDigits = "0102030405060708090a0b0c0d0e0f1011121314"

  private func image(
    _ identity: String = story, _ names: Set<String> = ["Letter Shuffle"],
    _ architecture: Architecture? = .arm64
  ) -> ImageDescription { SymbolStoreTests.image(identity, names, architecture) }

  private func store(
    given: [String] = [], search: [String] = [], reports: [String] = [], debug: [String] = []
  ) -> SymbolStore {
    SymbolStore(
      SymbolPlaces(
        paths: given, searchDirectories: search, reportFolders: reports, debugDirectories: debug))
  }

  private func found(_ image: ImageDescription, _ store: SymbolStore) -> String? {
    store.symbolFile(for: image)?.objectFile.path
  }

  // MARK: - Search directories

  @Test func searchDirectoriesComeAfterGivenPaths() throws {
    try directory.makeDirectory("given")
    try directory.makeDirectory("searched/deep")
    try directory.copy(Fixtures.storyDwarfFile, to: "given/App")
    try directory.copy(Fixtures.storyDwarfFile, to: "searched/deep/App")
    let (given, searched) = (directory.path("given"), directory.path("searched"))
    expectEqual(found(image(), store(search: [searched])), searched + "/deep/App")
    expectEqual(found(image(), store(given: [given], search: [searched])), given + "/App")
    expectEqual(found(image(), store(search: [searched, given])), searched + "/deep/App")
  }

  @Test func searchDirectoriesThatAreAbsentOrEmptyAreNoProblem() throws {
    let empty = try directory.makeDirectory("empty")
    let store = store(search: [directory.path("missing"), empty, Fixtures.storyReport])
    expectNil(found(image(), store))
    expectEmpty(store.problems)
    expectEmpty(store.searchProblems)
  }

  @Test func aDirectoryInAnotherIsSearchedOnce() throws {
    try directory.makeDirectory("a/b")
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "a/b/Letter Shuffle")
    let store = store(
      given: [directory.path("a")], search: [directory.path("a/b"), directory.path("a")])
    expectNil(found(image(), store))
    expectEqual(store.filesOfSameName(as: image()).count, 1)
  }

  /// `iOS DeviceSupport/16.0 (20A362)/Symbols/usr/lib/…`, given as a folder above it.
  @Test func deviceSupport() throws {
    let folder = "Xcode/iOS DeviceSupport/16.0 (20A362) arm64e/Symbols/usr/lib/system"
    try directory.makeDirectory(folder)
    let library = "Signals/libsystem_platform.dylib"
    try directory.copy(Fixtures.path(library), to: folder + "/libsystem_platform.dylib")
    let slice = try require(SymbolFileHeaders.read(path: Fixtures.path(library)).slices.first)
    let image = ImageDescription(
      identity: slice.identity, architecture: slice.architecture,
      names: ["libsystem_platform.dylib"])
    for root in ["Xcode", "Xcode/iOS DeviceSupport"] {
      expectEqual(
        found(image, store(search: [directory.path(root)])),
        directory.path(folder + "/libsystem_platform.dylib"))
    }
  }

  // MARK: - Bundles

  @Test(arguments: [
    "App.xcarchive/dSYMs/Letter Shuffle.app.dSYM",
    "Kit.xcframework/ios-arm64/dSYMs/Letter Shuffle.framework.dSYM",
    "Letter Shuffle.app.dSYM",
  ]) func dsymsInBundles(path: String) throws {
    try directory.makeDirectory(
      "bundles/" + path.split(separator: "/").dropLast().joined(separator: "/"))
    try directory.copy(Fixtures.storyBundle, to: "bundles/" + path)
    let file = directory.path("bundles/\(path)/Contents/Resources/DWARF/Letter Shuffle")
    let outermost = directory.path("bundles/" + path.split(separator: "/")[0])
    expectEqual(found(image(), store(given: [outermost])), file)
    expectEqual(found(image(), store(search: [outermost])), file)
    expectEqual(found(image(), store(reports: [directory.path("bundles")])), file)
  }

  @Test(arguments: ["App.app", "App.appex", "App.framework"])
  func programsInBundles(name: String) throws {
    try directory.makeDirectory("x/" + name)
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "x/\(name)/App")
    let image = image(SymbolStoreTests.executableIdentity, ["App"])
    for store in [
      store(given: [directory.path("x/\(name)")]), store(search: [directory.path("x")]),
      store(reports: [directory.path("x")]),
    ] {
      expectEqual(found(image, store), directory.path("x/\(name)/App"))
    }
  }

  // MARK: - The folder of the report

  @Test func onlyTheReportFoldersOwnEntriesCount() throws {
    try directory.makeDirectory("folder")
    try directory.makeDirectory("Other.app")
    try directory.copy(Fixtures.storyDwarfFile, to: "folder/App")
    try directory.write("text".utf8, to: "report.crash")
    try directory.write(Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(900), to: "damaged")
    let store = store(reports: [directory.path, directory.path("")])
    expectNil(found(image(), store))
    expectEmpty(store.searchProblems)
    try directory.copy(Fixtures.storyDwarfFile, to: "DWARF")
    expectEqual(found(image(), self.store(reports: [directory.path])), directory.path("DWARF"))
  }

  @Test func otherBuildsInTheReportFolderAreNamed() throws {
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "Letter Shuffle")
    let store = store(reports: [directory.path])
    expectNil(found(image(), store))
    expectEqual(store.filesOfSameName(as: image()).map(\.path), [directory.path("Letter Shuffle")])
  }

  // MARK: - Layouts

  /// LLDB's folders hold a link to the DWARF file.
  @Test func lldbFolders() throws {
    let folder = "A4B1/DE49/70B3/301D/A644"
    try directory.makeDirectory("map/" + folder)
    try directory.link("map/\(folder)/58D6BC22F513", to: Fixtures.storyDwarfFile)
    // A broken dSYM elsewhere shows that nothing is searched.
    try directory.write(Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(900), to: "map/broken")
    for store in [
      store(search: [directory.path("map")]), store(given: [directory.path("map")]),
    ] {
      expectEqual(found(image(), store), directory.path("map/\(folder)/58D6BC22F513"))
      expectEmpty(store.searchProblems)
    }
  }

  @Test(arguments: [
    "_.dwarf/mach-uuid-sym-\(story)/_.dwarf",
    "_/_.dwarf/mach-uuid-sym-\(story)/_.dwarf",
    "no-layout/mach-uuid-sym-\(story)/_.dwarf",
    "Letter Shuffle/mach-uuid-\(story)/Letter Shuffle",
    "Le/Letter Shuffle/mach-uuid-\(story)/Letter Shuffle",
    "a4/b1de4970b3301da64458d6bc22f513/debuginfo",
    "letter shuffle/mach-uuid-\(story)/letter shuffle",
  ]) func stores(path: String) throws {
    let parts = path.split(separator: "/")
    try directory.makeDirectory(parts.dropLast().joined(separator: "/"))
    try directory.copy(Fixtures.storyDwarfFile, to: path)
    let store = store(search: [directory.path])
    let finding = try require(store.findings(for: image()).first)
    expectEqual(finding.path, directory.path(path))
    expectEqual(finding.outcome, .used(by: .identity))
    expectEqual(finding.place, path.hasPrefix("no-layout/") ? .searchDirectory : .layout)
  }

  @Test(arguments: [
    ".build-id/01/02030405060708090a0b0c0d0e0f1011121314.debug",
    "01/02030405060708090a0b0c0d0e0f1011121314.debug",
    "_.debug/elf-buildid-sym-\(elfDigits)/_.debug",
  ]) func elfLayouts(path: String) throws {
    try directory.makeDirectory(path.split(separator: "/").dropLast().joined(separator: "/"))
    try directory.write(TinyElf.bytes(buildId: Self.elfIdentity), to: path)
    let store = store(search: [directory.path])
    expectEqual(found(image(Self.elfDigits, ["x"], nil), store), directory.path(path))
  }

  @Test func systemDebugDirectories() throws {
    try directory.makeDirectory(".build-id/01")
    let path = ".build-id/01/02030405060708090a0b0c0d0e0f1011121314.debug"
    try directory.write(TinyElf.bytes(buildId: Self.elfIdentity), to: path)
    let store = store(debug: ["/nonexistent", directory.path])
    let findings = store.findings(for: image(Self.elfDigits, ["x"], nil))
    expectEqual(findings.map(\.path), [directory.path(path)])
    expectEqual(findings.map(\.place), [.systemDebugDirectory])
  }

  @Test func aLyingFileIsRefused() throws {
    let path = "A4B1/DE49/70B3/301D/A644/58D6BC22F513"
    try directory.makeDirectory("A4B1/DE49/70B3/301D/A644")
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: path)
    let store = store(search: [directory.path])
    expectNil(found(image(), store))
    let expected = try require(ImageIdentity(hexadecimal: Self.story.utf8))
    let found = ImageIdentity(hexadecimal: SymbolStoreTests.executableIdentity.utf8)
    expectEqual(
      store.searchProblems,
      [
        SymbolFileProblem(
          path: directory.path(path), kind: .otherImage(found: found, expected: expected))
      ])
  }

  @Test func aLinkInACircleIsReported() throws {
    try directory.makeDirectory("A4B1/DE49/70B3/301D/A644")
    try directory.link("A4B1/DE49/70B3/301D/A644/58D6BC22F513", to: "58D6BC22F513")
    try directory.copy(Fixtures.storyDwarfFile, to: "App")
    let store = store(search: [directory.path])
    expectEqual(found(image(), store), directory.path("App"))
    expectEqual(store.searchProblems.map(\.kind), [.inaccessible(errno: 40)])  // ELOOP
  }

  // MARK: - One identity, several files

  @Test func filesThatContradictEachOtherAreReportedOnce() throws {
    let image = image(SymbolStoreTests.shapesIdentity, ["Shapes"])
    for folder in [4, 5] {
      try directory.makeDirectory("d")
      try directory.copy(Fixtures.path("Dwarf/arm64-dwarf\(folder).dSYM"), to: "d/\(folder).dSYM")
    }
    try directory.copy(Fixtures.path("Dwarf/arm64-dwarf4.dSYM"), to: "d/6.dSYM")
    let store = store(search: [directory.path("d")])
    let path = try require(found(image, store))
    _ = found(image, store)
    expectContains(path, "/4.dSYM/")
    let identity = try require(image.identity)
    expectEqual(
      store.searchProblems,
      [
        SymbolFileProblem(
          path: path, architecture: .arm64,
          kind: .ambiguousIdentity(
            identity, otherPath: path.replacing("/4.dSYM/", with: "/5.dSYM/")))
      ])
  }

  // MARK: - Findings

  @Test func findingsNameEveryCandidate() throws {
    try directory.makeDirectory("s/Letter Shuffle.app.dSYM/Contents/Resources/DWARF")
    try directory.copy(Fixtures.storyDwarfFile, to: "s/copy")
    try directory.makeDirectory("s/old")
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "s/old/Letter Shuffle")
    try directory.makeDirectory("s/sim")
    try directory.copy(
      Fixtures.path("Dwarf/x86_64-dwarf5.dSYM/Contents/Resources/DWARF/Shapes"),
      to: "s/sim/Letter Shuffle")
    let store = store(given: [Fixtures.storyBundle], search: [directory.path("s")])
    let findings = store.findings(for: image())
    expectEqual(
      findings.map(\.path),
      [
        Fixtures.storyDwarfFile, directory.path("s/copy"), directory.path("s/old/Letter Shuffle"),
        directory.path("s/sim/Letter Shuffle"), directory.path("s/Letter Shuffle.app.dSYM"),
      ])
    expectEqual(
      findings.map(\.outcome),
      [
        .used(by: .identity), .fits(by: .identity), .otherBuild, .otherArchitectures([.x86_64]),
        .emptyBundle,
      ])
    expectEqual(findings.map(\.place), [.given] + Array(repeating: .searchDirectory, count: 4))
    expectEqual(findings.map(\.hasDebugInfo), [true, true, false, true, nil])
  }

  @Test func findingsIncludeTheDsymOfAProgram() throws {
    try directory.copy(Fixtures.path("DebugMap/swift/Inlines"), to: "Inlines")
    try directory.copy(Fixtures.path("Inlines/Inlines.dSYM"), to: "Inlines.dSYM")
    let store = store(given: [directory.path("Inlines")])
    let findings = store.findings(
      for: image("4C4C440B-5555-3144-A174-35F176083CD8", ["Inlines"]))
    expectEqual(findings.map(\.place), [.given, .companion])
    expectEqual(findings.map(\.hasDebugInfo), [false, true])
  }

  @Test func withoutAnIdentityOnlyGivenFilesAreCandidates() {
    let store = store(given: [Fixtures.storyBundle], search: [Fixtures.path("LetterShuffle")])
    let image = SymbolStoreTests.image(nil, ["Letter Shuffle"])
    expectEqual(store.findings(for: image).map(\.outcome), [.used(by: .name)])
  }

  // MARK: - Limits

  /// 600 files that fit, and few descriptors.
  @Test func descriptorsDoNotRunOut() throws {
    try directory.makeDirectory("many")
    for number in 0..<600 {
      try directory.copy(Fixtures.storyDwarfFile, to: "many/\(number)")
    }
    let answer = store(search: [directory.path("many")]).locate(.image(image()))
    expectEqual(answer.files.count, 4)
  }
}
