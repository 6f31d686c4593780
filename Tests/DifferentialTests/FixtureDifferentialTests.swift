import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// Function, file, line and inline chain at every line-row address of the fixtures, against
/// `llvm-symbolizer --inlines`.
@Suite(
  .enabled(
    if: Referee.installed != nil,
    "needs llvm-symbolizer and llvm-dwarfdump (Debian's package llvm)"))
struct FixtureDifferentialTests {
  struct SymbolFile: CustomStringConvertible {
    let path: String
    var architecture: String?

    var description: String { path + (architecture.map { " (\($0))" } ?? "") }
  }

  static let files: [SymbolFile] =
    [
      SymbolFile(
        path: "LetterShuffle/Letter Shuffle.app.dSYM/Contents/Resources/DWARF/Letter Shuffle"),
      SymbolFile(path: "Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines"),
      SymbolFile(
        path: "ClangModule/ClangModule.dSYM/Contents/Resources/DWARF/Rack"),
      SymbolFile(path: "MachO/arm64_32.dSYM/Contents/Resources/DWARF/Shapes"),
    ]
    + ["arm64-dwarf2", "arm64-dwarf3", "arm64-dwarf4", "x86_64-dwarf4"].map {
      SymbolFile(path: "Dwarf/\($0).dSYM/Contents/Resources/DWARF/Shapes")
    }
    + ["arm64-dwarf5", "x86_64-dwarf5"].map {
      SymbolFile(path: "Dwarf/\($0).dSYM/Contents/Resources/DWARF/Shapes")
    }
    + ["Fat/fat.dSYM", "Fat/fat64.dSYM"].flatMap { bundle in
      ["x86_64", "arm64", "arm64e"].map {
        SymbolFile(path: "\(bundle)/Contents/Resources/DWARF/Shapes", architecture: $0)
      }
    }
    + [SymbolFile(path: "Elf/clerk-swift.elf")]
    + [
      "libshapes", "libshapes-zlib", "shapes-pie", "shapes-fixed", "shapes-aarch64", "shapes-gcc",
    ].map { SymbolFile(path: "Elf/\($0).elf") }

  @Test(arguments: files)
  func agreesAtEveryLineRow(file: SymbolFile) async throws {
    let referee = try #require(Referee.installed)
    let path = Fixtures.path(file.path)
    let addresses = try await referee.rowAddresses(of: path, architecture: file.architecture)
    let theirs = try await referee.answers(
      for: addresses, in: path, architecture: file.architecture)
    let resolver = try ImageResolver(
      symbolFile: path, architecture: file.architecture.map { Architecture(name: $0) })
    var comparison = Comparison()
    for (address, frames) in zip(addresses, theirs) {
      comparison.compare(
        address, ours: resolver.resolve(LinkAddress(address)), theirs: frames)
    }
    #expect(comparison.unexplainedCount == 0, "\(comparison.unexplained.joined(separator: "\n"))")
    #expect(resolver.problems.isEmpty)
    #expect(comparison.agreements > addresses.count / 2)
    print(
      "\(file): \(addresses.count) addresses, \(comparison.agreements) agree, \(comparison.explained)"
    )
  }
}
