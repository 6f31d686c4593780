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
    var isDwarf5 = false

    var description: String { path + (architecture.map { " (\($0))" } ?? "") }
  }

  static let files: [SymbolFile] =
    [
      SymbolFile(path: "LetterShuffle/Letter Shuffle.app.dSYM/Contents/Resources/DWARF/Letter Shuffle"),
      SymbolFile(path: "Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines", isDwarf5: true),
      SymbolFile(
        path: "ClangModule/ClangModule.dSYM/Contents/Resources/DWARF/Rack", isDwarf5: true),
      SymbolFile(path: "MachO/arm64_32.dSYM/Contents/Resources/DWARF/Shapes"),
    ]
    + ["arm64-dwarf2", "arm64-dwarf3", "arm64-dwarf4", "x86_64-dwarf4"].map {
      SymbolFile(path: "Dwarf/\($0).dSYM/Contents/Resources/DWARF/Shapes")
    }
    + ["arm64-dwarf5", "x86_64-dwarf5"].map {
      SymbolFile(path: "Dwarf/\($0).dSYM/Contents/Resources/DWARF/Shapes", isDwarf5: true)
    }
    + ["Fat/fat.dSYM", "Fat/fat64.dSYM"].flatMap { bundle in
      ["x86_64", "arm64", "arm64e"].map {
        SymbolFile(path: "\(bundle)/Contents/Resources/DWARF/Shapes", architecture: $0)
      }
    }
    + [SymbolFile(path: "Elf/clerk-swift.elf")]
    + [
      "libshapes", "libshapes-zlib", "shapes-pie", "shapes-fixed", "shapes-aarch64", "shapes-gcc",
    ].map { SymbolFile(path: "Elf/\($0).elf", isDwarf5: true) }

  @Test(arguments: files)
  func agreesAtEveryLineRow(file: SymbolFile) async throws {
    let referee = try #require(Referee.installed)
    let path = Fixtures.path(file.path)
    let rows = try await referee.rows(of: path, architecture: file.architecture)
    let addresses = rows.map(\.address)
    let theirs = try await referee.answers(
      for: addresses, in: path, architecture: file.architecture)
    let resolver = try ImageResolver(
      symbolFile: path, architecture: file.architecture.map { Architecture(name: $0) })
    var comparison = Comparison()
    for (row, frames) in zip(rows, theirs) {
      comparison.compare(
        row, ours: resolver.resolve(LinkAddress(row.address)), theirs: frames,
        isDwarf5: file.isDwarf5)
    }
    #expect(comparison.unexplainedCount == 0, "\(comparison.unexplained.joined(separator: "\n"))")
    #expect(resolver.problems.isEmpty)
    #expect(comparison.agreements > addresses.count / 2)
    print(
      "\(file): \(addresses.count) addresses, \(comparison.agreements) agree, \(comparison.explained)")
  }
}
