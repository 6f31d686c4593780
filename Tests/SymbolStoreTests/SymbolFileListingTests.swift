import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// All images in some paths. `llvm-dwarfdump-19 --uuid` and `readelf -n` print the identities of
/// the fixtures.
struct SymbolFileListingTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func names(_ paths: [String]) -> [String] {
    SymbolFileListing(paths: paths).files.map {
      "\($0.candidate.name) \($0.candidate.architecture)"
    }
  }

  @Test func everySliceOfAFatFileInABundle() {
    expectEqual(
      names([Fixtures.path("Fat/fat.dSYM")]), ["Shapes x86_64", "Shapes arm64", "Shapes arm64e"])
  }

  /// `libshapes-stripped.elf` and `libshapes.debug` were one file.
  @Test(arguments: [false, true]) func anImageIsListedByItsFileWithDebugInformation(
    debugFirst: Bool
  ) {
    let stripped = Fixtures.path("Elf/libshapes-stripped.elf")
    let debug = Fixtures.path("Elf/libshapes.debug")
    let listing = SymbolFileListing(paths: debugFirst ? [debug, stripped] : [stripped, debug])
    expectEqual(listing.files.map(\.candidate.name), ["libshapes.debug"])
    expectEqual(listing.files.map(\.pathIndex), [debugFirst ? 0 : 1])
    expectEmpty(listing.problems)
  }

  @Test func theSameFileTwice() {
    expectEqual(names([Fixtures.storyDwarfFile, Fixtures.storyBundle]), ["Letter Shuffle arm64"])
  }

  @Test func unlinkedObjectFilesAreIgnoredInDirectories() throws {
    try directory.makeDirectory("deep/er")
    try directory.copy(Fixtures.storyDwarfFile, to: "deep/er/story")
    try directory.copy(Fixtures.path("MachO/shapes-arm64.object"), to: "deep/shapes.o")
    try directory.write(Array("text".utf8), to: "deep/text")
    try directory.write(TinyElf.bytes(buildId: []), to: "deep/nameless-1")
    try directory.write(TinyElf.bytes(buildId: []), to: "deep/nameless-2")
    let listing = SymbolFileListing(paths: [Fixtures.storyReport, directory.path])
    expectEqual(listing.files.map(\.candidate.name), ["story", "nameless-1", "nameless-2"])
    expectEqual(listing.files.map(\.pathIndex), [1, 1, 1])
    expectEqual(listing.searchedPaths, [1])
    expectEqual(listing.problems.map(\.pathIndex), [0])
    // Given by name, it is listed.
    expectEqual(names([directory.path("deep/shapes.o")]), ["shapes.o arm64"])
  }

  @Test func absentPathsAreReported() throws {
    let missing = directory.path("missing")
    try directory.makeDirectory("empty")
    let listing = SymbolFileListing(paths: [missing, directory.path("empty")])
    expectEmpty(listing.files)
    expectEqual(
      listing.problems.map(\.problem),
      [
        SymbolFileProblem(path: missing, kind: .inaccessible(errno: 2)),
        SymbolFileProblem(path: directory.path("empty"), kind: .noSymbolFiles),
      ])
  }
}
