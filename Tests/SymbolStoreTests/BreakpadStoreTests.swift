import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Breakpad symbol files among symbol files.
struct BreakpadStoreTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let buildId = "b060ad20c6b47781552708aa192e7739fac7c84a"
  /// The first 16 bytes of the build-id as a little-endian GUID.
  private static let debugId = "20AD60B0B4C68177552708AA192E77390"

  private func match(_ image: ImageDescription, _ paths: [String]) -> String? {
    SymbolStore(paths: paths).symbolFile(for: image)?.objectFile.path
  }

  /// The layout of Electron's and Mozilla's symbols.
  @Test func foundInTheLayoutOfSymbolServers() {
    let file = Fixtures.path("Breakpad/Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym")
    let image = SymbolStoreTests.image("4C4C440B-5555-3144-A174-35F176083CD8", ["Other"])
    expectEqual(match(image, [file]), file)
    expectEqual(match(image, [Fixtures.path("Breakpad")]), file)
    expectNil(
      match(SymbolStoreTests.image(SymbolStoreTests.unknownIdentity), [Fixtures.path("Breakpad")]))
    // By its name, which is in the file.
    let renamed = SymbolStoreTests.image(nil, ["Inlines"])
    expectEqual(match(renamed, [file]), file)
  }

  @Test func foundByBuildId() throws {
    let short = try directory.write(
      Array("MODULE Linux x86_64 \(Self.debugId) libfoo.so\nFUNC 100 10 0 f\n".utf8),
      to: "short.sym")
    let whole = try directory.write(
      Array(
        "MODULE Linux x86_64 \(Self.debugId) libfoo.so\nINFO CODE_ID \(Self.buildId.uppercased())\n"
          .utf8), to: "whole.sym")
    let image = SymbolStoreTests.image(Self.buildId, ["libfoo.so"], .x86_64)
    expectEqual(match(image, [whole]), whole)
    // 16 bytes of the build-id are enough, and do not make the file one of another build.
    expectEqual(match(image, [short]), short)
    expectEmpty(SymbolStore(paths: [short]).otherBuilds(of: image))
    expectEqual(match(image, [short, whole]), whole)
    let other = SymbolStoreTests.image("b060ad20c6b47781552708aa192e7738fac7c84a", ["libfoo.so"])
    expectNil(match(other, [short]))
    expectNil(match(other, [whole]))
  }

  /// DWARF wins, then an index, then a Breakpad symbol file, then a program with symbols alone.
  @Test func preference() {
    let file = Fixtures.path("Breakpad/Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym")
    let dwarf = Fixtures.path("Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines")
    let index = Fixtures.path("Gsym/inlines-version2.gsym")
    let program = Fixtures.path("DebugMap/swift/Inlines")
    let image = SymbolStoreTests.image("4C4C440B-5555-3144-A174-35F176083CD8")
    expectEqual(match(image, [file, dwarf]), dwarf)
    expectEqual(match(image, [file, index]), index)
    expectEqual(match(image, [program, file]), file)
  }

  @Test func textsThatBeginWithTheWordAreIgnored() throws {
    try directory.write(Array("MODULE solver\nEND MODULE\n".utf8), to: "solver.f90")
    let store = SymbolStore(paths: [directory.path])
    expectNil(store.symbolFile(for: SymbolStoreTests.image(SymbolStoreTests.storyIdentity)))
    expectEqual(
      store.searchProblems, [SymbolFileProblem(path: directory.path, kind: .noSymbolFiles)])
    expectEqual(SymbolFileKind(path: directory.path("solver.f90")), .other)
    let file = Fixtures.path("Breakpad/Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym")
    expectEqual(SymbolFileKind(path: file), .breakpad)
  }

  /// No index is made from one, and a message says so; in a directory they are skipped.
  @Test func listedForIndexes() {
    let folder = Fixtures.path("Breakpad/Inlines/4C4C440B55553144A17435F176083CD80")
    let given = SymbolFileListing(paths: [folder + "/Inlines.sym"])
    expectEmpty(given.files)
    expectEqual(
      given.problems.map(\.problem),
      [SymbolFileProblem(path: folder + "/Inlines.sym", kind: .notIndexed)])
    let searched = SymbolFileListing(paths: [folder])
    expectEqual(
      searched.problems.map(\.problem), [SymbolFileProblem(path: folder, kind: .noSymbolFiles)])
  }
}
