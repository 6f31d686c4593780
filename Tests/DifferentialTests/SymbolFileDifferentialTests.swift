import SymbolicationModel
import TestSupport
import Testing

/// Compares function, file, line, column and inline chain with `llvm-symbolizer --inlines`, and our
/// two readers with each other.
@Suite(
  .enabled(
    if: LlvmTools.installed != nil, "needs the llvm tools (Debian's package llvm-19)"))
enum SymbolFileDifferentialTests {
  @Suite(PrintsTables(title: "Fixtures"))
  struct FixtureTests {
    static let title = "Fixtures"
    /// Files that cannot be compared on their own, by the start or end of their path, and why.
    static let leftOut = [
      (beginning: "Malformed/", end: "", reason: "damaged on purpose"),
      (beginning: "", end: ".dwo", reason: "has no addresses: split units of another file"),
      (beginning: "", end: ".dwp", reason: "has no addresses: split units of another file"),
      (beginning: "Dwz/", end: "/shared.debug", reason: "has no addresses: what other files share"),
      (beginning: "Dwz/", end: "/shared.sup", reason: "has no addresses: what other files share"),
      (
        beginning: "Bitcode/", end: "",
        reason: "its names are in a symbol map, which llvm-symbolizer does not read"
      ),
    ]

    static let files = SymbolFileDiscovery.symbolFiles(below: Fixtures.path(""))
      .filter { file in
        !leftOut.contains {
          file.description.hasPrefix($0.beginning) && file.description.hasSuffix($0.end)
        }
      }

    @Test func findsTheFixtures() {
      #expect(Self.files.count >= 30)
    }

    @Test(arguments: files)
    func allVoicesAgree(file: SymbolFile) async throws { try await examine(file, for: Self.title) }
  }

  @Suite(
    PrintsTables(title: "Corpus"),
    .enabled(if: Corpus.path != nil, "there is no corpus"),
    .enabled(if: AddressSample.isWhole, "files of the corpus are read by `make referee`"))
  struct CorpusTests {
    static let title = "Corpus"
    static let files = SymbolFileDiscovery.symbolFiles(below: (Corpus.path ?? "") + "/symbols")

    @Test(arguments: files)
    func allVoicesAgree(file: SymbolFile) async throws { try await examine(file, for: Self.title) }
  }

  @Suite(
    PrintsTables(title: "Debian"),
    .enabled(if: AddressSample.isWhole, "files of Debian packages are read by `make referee`"))
  struct DebianTests {
    static let title = "Debian"

    @Test func allVoicesAgreeOnTheCLibrary() async throws {
      try await examineAll("libc6-dbg") { try await $0.ofCLibrary() }
    }

    @Test func allVoicesAgreeOnPython() async throws {
      try await examineAll("python3-dbg") { try await $0.ofPython() }
    }

    private func examineAll(
      _ package: String, _ files: (DebianSymbolFiles) async throws -> [SymbolFile]
    ) async throws {
      let tools = try require(LlvmTools.installed)
      guard let debian = DebianSymbolFiles(tools) else {
        print("Debian: this is another system; \(package) is left out")
        return
      }
      let files = try await files(debian)
      expectFalse(files.isEmpty, "\(package) is not installed")
      for file in files {
        try await SymbolFileDifferentialTests.examine(file, for: Self.title)
      }
    }
  }

  /// Names that do not come from DWARF.
  @Suite(PrintsTables(title: "Without debug information"))
  struct StrippedFileTests {
    static let title = "Without debug information"
    static let files =
      StrippedFile.copies(of: FixtureTests.files)
      + (AddressSample.isWhole ? ofCorpus + StrippedFile.ofSystem : [])

    private static var ofCorpus: [StrippedFile] {
      StrippedFile.copies(
        of: SymbolFileDiscovery.symbolFiles(below: (Corpus.path ?? "/nonexistent") + "/symbols"))
    }

    @Test(arguments: files)
    func allVoicesAgree(file: StrippedFile) async throws {
      let tools = try require(LlvmTools.installed)
      let folder = try TemporaryDirectory()
      guard let copy = try await file.make(in: folder, tools) else { return }
      try await examine(copy, for: Self.title, hasNames: false, isWhole: file.isWhole)
    }
  }

  private static func examine(
    _ file: SymbolFile, for title: String, hasNames: Bool = true, isWhole: Bool = true
  ) async throws {
    let tools = try require(LlvmTools.installed)
    for slice in try await tools.slices(of: file) {
      let examination = try await Examination(
        of: slice, with: tools, SymbolicVoice.installed, hasNames: hasNames)
      if examination.comparisons.isEmpty {
        // No fixture is such a file, but a dSYM may be.
        expectNotEqual(title, "Fixtures", "\(slice) has no code")
        print("\(title): \(slice) has no code and is left out")
      }
      await Scoreboard.shared.add(slice, examination, to: title)
      for (pair, comparison) in examination.comparisons {
        expectEqual(
          comparison.unexplainedCount, 0,
          "\(slice), \(pair.rawValue): \(comparison.unexplained.joined(separator: "\n"))")
      }
      // Apple's dSYMs of bitcode builds came without their symbol maps. Hidden names are compared
      // as they are.
      let problems = examination.problems.filter {
        switch $0.kind {
        case .hiddenNames(.absent): false
        default: true
        }
      }
      if isWhole { expectEmpty(problems, "\(slice)") }
    }
  }
}
