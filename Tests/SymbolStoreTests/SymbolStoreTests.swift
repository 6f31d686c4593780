import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// The search for the file of an image: which files fit, and which of several is used. The UUIDs
/// are those that `llvm-dwarfdump-19 --uuid` prints.
struct SymbolStoreTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  static let storyIdentity = "a4b1de4970b3301da64458d6bc22f513"
  static let shapesIdentity = "4C4C446C-5555-3144-A10C-A2F2CD27A19E"
  /// `MachO/shapes-arm64`, unstripped and stripped: neither has DWARF.
  static let executableIdentity = "4C4C4421-5555-3144-A1AE-D843571BB5E2"
  static let unknownIdentity = "00112233445566778899aabbccddeeff"

  static func image(
    _ identity: String?, _ names: Set<String> = ["App"], _ architecture: Architecture? = .arm64
  ) -> ImageDescription {
    ImageDescription(
      identity: identity.flatMap { ImageIdentity(hexadecimal: $0.utf8) },
      architecture: architecture,
      names: names)
  }

  /// A report may have thousands of images of one identity. If they had one hash, looking each up
  /// would take time that grows with the square.
  @Test func imagesOfOneIdentityHaveHashesOfTheirOwn() {
    let images = (0..<1_000).map { Self.image(Self.storyIdentity, ["App", "App\($0)"]) }
    #expect(Set(images.map(\.hashValue)).count > 990)
    expectEqual(images[7], Self.image(Self.storyIdentity, ["App7", "App"]))
    expectEqual(
      images[7].hashValue, Self.image(Self.storyIdentity, ["App7", "App"]).hashValue)
  }

  private func path(_ identity: String?, in paths: [String]) -> String? {
    SymbolStore(paths: paths).symbolFile(for: Self.image(identity))?.objectFile.path
  }

  /// The program and its dSYM, given in either order or found in a directory.
  @Test func theProgramComesWithItsDsym() throws {
    let program = Fixtures.path("DebugMap/swift/Inlines")
    let bundle = Fixtures.path("Inlines/Inlines.dSYM")
    let image = Self.image("4C4C440B-5555-3144-A174-35F176083CD8")
    for paths in [[program, bundle], [bundle, program], [Fixtures.path("")]] {
      let match = try require(SymbolStore(paths: paths).symbolFile(for: image))
      expectEqual(match.objectFile.path, bundle + "/Contents/Resources/DWARF/Inlines")
      expectEqual(match.program?.path, program)
    }
    let alone = try require(SymbolStore(paths: [program]).symbolFile(for: image))
    expectEqual(alone.objectFile.path, program)
    expectNil(alone.program)
    expectNil(SymbolStore(paths: [bundle]).symbolFile(for: image)?.program)
  }

  // MARK: - What may be given

  @Test(arguments: [
    Fixtures.storyBundle, Fixtures.storyBundle + "/", Fixtures.storyBundle + "//",
    Fixtures.storyDwarfFile, Fixtures.path("LetterShuffle"), Fixtures.path("LetterShuffle/"),
    Fixtures.path(""), Fixtures.storyBundle + "/Contents/Resources/DWARF",
  ])
  func filesBundlesAndDirectories(path: String) throws {
    let store = SymbolStore(paths: [path])
    let match = try require(store.symbolFile(for: Self.image(Self.storyIdentity)))
    expectEqual(match.basis, .identity)
    expectSuffix(match.objectFile.path, "/DWARF/Letter Shuffle")
    expectNil(store.symbolFile(for: Self.image(Self.unknownIdentity)))
    expectEmpty(store.problems)
  }

  @Test(arguments: ["a b", "[x] (y)", "Grüße ☕️", "-d", "quote'\"", "*?"])
  func namesOfEveryKind(name: String) throws {
    try directory.makeDirectory(name)
    try directory.copy(Fixtures.storyBundle, to: "\(name)/\(name).dSYM")
    for path in [directory.path(name), directory.path("\(name)/\(name).dSYM")] {
      expectTrue(self.path(Self.storyIdentity, in: [path]) != nil)
    }
  }

  @Test func linksStandForTheirTargets() throws {
    try directory.link("file", to: Fixtures.storyDwarfFile)
    try directory.link("Bundle.dSYM", to: Fixtures.storyBundle)
    try directory.link("folder", to: Fixtures.path("LetterShuffle"))
    for name in ["file", "Bundle.dSYM", "folder"] {
      expectTrue(path(Self.storyIdentity, in: [directory.path(name)]) != nil)
    }
  }

  @Test func fatFilesOfferEverySlice() throws {
    let store = SymbolStore(paths: [Fixtures.path("Fat/fat.dSYM")])
    let slices: [(String, Architecture)] = [
      ("4C4C4473-5555-3144-A1C3-422D28714C46", .x86_64), (Self.shapesIdentity, .arm64),
      ("4C4C442C-5555-3144-A14C-5D03E4A3AADC", .arm64e),
    ]
    for (identity, architecture) in slices {
      let match = store.symbolFile(for: Self.image(identity))
      expectEqual(match?.objectFile.architecture, architecture)
    }
    expectEqual(store.givenFiles.first?.candidates.map(\.architecture), slices.map(\.1))
  }

  /// Whoever made the slices of one identity: the architecture tells which one is meant.
  @Test func slicesOfOneIdentity() throws {
    let arm = try Fixtures.bytes(of: Fixtures.path("MachO/shapes-arm64"))
    var intel = arm
    // `CPU_TYPE_X86_64` and `CPU_SUBTYPE_X86_64_ALL` (`<mach/machine.h>`).
    intel.replaceSubrange(4..<12, with: [7, 0, 0, 1, 3, 0, 0, 0])
    for (index, slices) in [[arm, intel], [intel, arm]].enumerated() {
      let path = try directory.write(MachOPatch.fat(slices), to: "fat\(index)")
      let store = SymbolStore(paths: [path])
      for architecture in [Architecture.arm64, .x86_64] {
        let image = Self.image(Self.executableIdentity, ["App"], architecture)
        expectEqual(store.symbolFile(for: image)?.objectFile.architecture, architecture)
      }
    }
  }

  @Test func aBundleWithSeveralDwarfFiles() throws {
    let folder = "Two.dSYM/Contents/Resources/DWARF"
    try directory.makeDirectory(folder)
    try directory.copy(Fixtures.storyDwarfFile, to: folder + "/Letter Shuffle")
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: folder + "/Other")
    let store = SymbolStore(paths: [directory.path("Two.dSYM")])
    expectEqual(store.givenFiles.count, 1)
    for identity in [Self.storyIdentity, Self.executableIdentity] {
      expectTrue(store.symbolFile(for: Self.image(identity)) != nil)
    }
  }

  // MARK: - Which of several

  @Test func theFileWithDebugInformationWins() throws {
    // One UUID with and without DWARF: an executable and its dSYM.
    let stripped = try directory.write(
      try strippedOfDwarf(Fixtures.storyDwarfFile), to: "Letter Shuffle")
    expectEqual(path(Self.storyIdentity, in: [stripped]), stripped)
    let given = path(Self.storyIdentity, in: [stripped, Fixtures.storyDwarfFile])
    expectEqual(given, Fixtures.storyDwarfFile)
    // The same in a directory, and in a directory after a file given by name.
    try directory.copy(Fixtures.storyBundle, to: "z.dSYM")
    let inBundle = directory.path("z.dSYM/Contents/Resources/DWARF/Letter Shuffle")
    expectEqual(path(Self.storyIdentity, in: [directory.path]), inBundle)
    expectEqual(path(Self.storyIdentity, in: [stripped, directory.path]), inBundle)
  }

  @Test func theFirstGivenOfEqualFilesWins() throws {
    for version in [["2", "5"], ["5", "2"]] {
      let bundles = version.map { Fixtures.path("Dwarf/arm64-dwarf\($0).dSYM") }
      expectEqual(path(Self.shapesIdentity, in: bundles)?.hasPrefix(bundles[0]), true)
    }
    // In a directory, the first by path.
    expectEqual(
      path(Self.shapesIdentity, in: [Fixtures.path("Dwarf")])?.contains("arm64-dwarf2.dSYM"), true)
  }

  @Test func identityBeatsName() throws {
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "Letter Shuffle")
    let wrong = directory.path("Letter Shuffle")
    let image = Self.image(Self.storyIdentity, ["Letter Shuffle"])
    expectNil(SymbolStore(paths: [wrong]).symbolFile(for: image))
    let match = SymbolStore(paths: [wrong, Fixtures.storyBundle]).symbolFile(for: image)
    expectEqual(match?.objectFile.path, Fixtures.storyDwarfFile)
    expectEqual(match?.basis, .identity)
  }

  @Test func withoutAnIdentityTheNameAndArchitectureDecide() throws {
    let store = SymbolStore(paths: [Fixtures.storyBundle])
    let match = store.symbolFile(for: Self.image(nil, ["Letter Shuffle"]))
    expectEqual(match?.basis, .name)
    expectEqual(match?.objectFile.path, Fixtures.storyDwarfFile)
    for architecture in [Architecture.arm64e, nil] {
      expectTrue(
        store.symbolFile(for: Self.image(nil, ["x", "Letter Shuffle"], architecture)) != nil)
    }
    expectNil(store.symbolFile(for: Self.image(nil, ["Letter Shuffle"], .x86_64)))
    expectNil(store.symbolFile(for: Self.image(nil, ["Letter"])))
    // Only files given by name fit: a directory may hold any other build.
    let search = SymbolStore(paths: [Fixtures.path("LetterShuffle")])
    expectNil(search.symbolFile(for: Self.image(nil, ["Letter Shuffle"])))
  }

  @Test func byNameTheExactArchitectureWins() throws {
    // arm64 comes before arm64e in the file and would serve for it.
    let store = SymbolStore(paths: [Fixtures.path("Fat/fat.dSYM")])
    for architecture in [Architecture.arm64, .arm64e, .x86_64] {
      let match = store.symbolFile(for: Self.image(nil, ["Shapes"], architecture))
      expectEqual(match?.objectFile.architecture, architecture)
    }
  }

  @Test func namesFilesOfOtherBuilds() throws {
    let store = SymbolStore(paths: [Fixtures.path("LetterShuffle")])
    let image = Self.image(Self.unknownIdentity, ["Letter Shuffle"])
    expectNil(store.symbolFile(for: image))
    let others = store.filesOfSameName(as: image)
    expectEqual(others.map(\.name), ["Letter Shuffle"])
    expectEqual(others.first?.identity, ImageIdentity(hexadecimal: Self.storyIdentity.utf8))
  }

  /// The Mach-O file with the sections of its `__DWARF` segment renamed: it has no debug
  /// information.
  private func strippedOfDwarf(_ path: String) throws -> [UInt8] {
    var bytes = try Fixtures.bytes(of: path)
    let name = Array("__debug_".utf8)
    // Load commands end at 1984.
    for start in 32..<1984 where Array(bytes[start..<(start + name.count)]) == name {
      bytes[start + 2] = UInt8(ascii: "x")
    }
    return bytes
  }
}
