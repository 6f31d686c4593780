import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Which binary a path leads to, for `-o` of `atos`.
struct SymbolFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func opened(_ path: String, _ architecture: Architecture? = nil) throws -> String {
    try SymbolFile.open(path: path, architecture: architecture).objectFile.path
  }

  @Test(arguments: [
    ("X.app", "X.app/X"), ("X.app", "X.app/Contents/MacOS/X"), ("X.framework", "X.framework/X"),
    ("X.framework", "X.framework/Versions/A/X"), ("X Y.appex", "X Y.appex/X Y"),
    ("X.bundle", "X.bundle/Contents/MacOS/X"),
  ])
  func bundlesOfBinaries(bundle: String, binary: String) throws {
    let folder = binary.split(separator: "/").dropLast().joined(separator: "/")
    try directory.makeDirectory(folder)
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: binary)
    try expectEqual(opened(directory.path(bundle)), directory.path(binary))
    try expectTrue(opened(directory.path(bundle) + "/").hasSuffix(binary))
  }

  @Test func theFileNamedLikeTheDsymIsUsed() throws {
    let folder = "Shapes.app.dSYM/Contents/Resources/DWARF"
    try directory.makeDirectory(folder)
    try directory.copy(Fixtures.path("MachO/libshapes.dylib"), to: folder + "/A")
    try directory.copy(
      Fixtures.path("Fat/fat.dSYM/Contents/Resources/DWARF/Shapes"), to: folder + "/Shapes")
    let bundle = directory.path("Shapes.app.dSYM")
    try expectSuffix(opened(bundle), "/Shapes")
    try expectSuffix(opened(bundle, .x86_64), "/Shapes")
    let all = try SymbolFile.open(path: bundle, architecture: nil).architectures
    expectEqual(all, [.x86_64, .arm64, .arm64e])
  }

  @Test func theFileWithTheArchitectureIsUsed() throws {
    let folder = "Shapes.dSYM/Contents/Resources/DWARF"
    try directory.makeDirectory(folder)
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: folder + "/Shapes")
    try directory.copy(
      Fixtures.path("Dwarf/x86_64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes"),
      to: folder + "/Tool")
    try expectSuffix(opened(directory.path("Shapes.dSYM"), .x86_64), "/Tool")
    #expect(
      throws: SymbolFileProblem(
        path: directory.path(folder + "/Shapes"),
        kind: .missingArchitecture(wanted: .armv7, found: [.arm64]))
    ) {
      try opened(directory.path("Shapes.dSYM"), .armv7)
    }
  }

  @Test func directoriesWithoutSymbolFiles() throws {
    try directory.makeDirectory("X.app")
    for path in [directory.path, directory.path("X.app")] {
      #expect(throws: SymbolFileProblem(path: path, kind: .directory)) { try opened(path) }
    }
  }
}
