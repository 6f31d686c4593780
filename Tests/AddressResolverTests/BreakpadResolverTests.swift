import AddressResolver
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Breakpad symbol files that are given as symbol files.
struct BreakpadResolverTests {
  private static let inlines = Fixtures.path(
    "Breakpad/Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym")

  /// The functions, files and lines of an answer: what the format holds.
  private static func content(_ answer: ResolvedAddress?) -> [String] {
    (answer?.frames ?? []).map { frame in
      "\(frame.name) \(frame.location.map { "\($0.path):\($0.line)" } ?? "")"
    }
  }

  /// `Fixtures/Breakpad/breakpad.py` made the files from the answers of llvm-symbolizer.
  @Test(
    arguments: [
      ("Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym", "Inlines/Inlines.dSYM"),
      (
        "Letter Shuffle/A4B1DE4970B3301DA64458D6BC22F5130/Letter Shuffle.sym",
        "LetterShuffle/Letter Shuffle.app.dSYM"
      ),
    ])
  func saysWhatTheDebugInformationSays(file: String, bundle: String) throws {
    let symbols = try ImageResolver(symbolFile: Fixtures.path("Breakpad/" + file))
    let dsym = try ImageResolver(symbolFile: Fixtures.path(bundle))
    let base = try require(dsym.linkBase())
    var named = 0
    var differences: [String] = []
    for range in dsym.objectFile.codeRanges {
      for address in stride(from: range.lowerBound.value, to: range.upperBound.value, by: 4) {
        let answer = symbols.resolve(LinkAddress(address - base.value))
        let expected = dsym.resolve(LinkAddress(address))
        guard expected?.origin == .dwarf else { continue }
        named += 1
        if Self.content(answer) != Self.content(expected) {
          differences.append(
            "\(address): \(Self.content(answer)), expected \(Self.content(expected))")
        } else {
          expectEqual(answer?.origin, .breakpad)
          expectEqual(
            answer?.function.rangeStart.value,
            expected.map { $0.function.rangeStart.value - base.value })
        }
      }
    }
    expectEmpty(differences, "\(differences.prefix(5).joined(separator: "\n"))")
    #expect(named > 150)
    expectEmpty(symbols.problems)
  }

  @Test func describesTheImage() throws {
    let resolver = try ImageResolver(symbolFile: Self.inlines)
    expectEqual(resolver.imageName, "Inlines")
    expectEqual(resolver.architecture, .arm64)
    expectEqual(resolver.linkBase(), LinkAddress(0))
    expectNil(resolver.assumedLinkBase)
    expectNil(resolver.linkBase(segmentName: "__TEXT"))
    expectTrue(resolver.hasAnySymbols)
    // The start of `__TEXT`, and the end of the code.
    expectTrue(resolver.contains(LinkAddress(0)))
    expectFalse(resolver.contains(LinkAddress(0x8000)))
    expectNil(resolver.signalTrampoline(beginningAt: LinkAddress(0x4000)))
  }

  @Test func otherArchitecturesAreRefused() {
    #expect(
      throws: SymbolFileProblem(
        path: Self.inlines, kind: .missingArchitecture(wanted: .x86_64, found: [.arm64]))
    ) {
      try ImageResolver(symbolFile: Self.inlines, architecture: .x86_64)
    }
    #expect(throws: Never.self) {
      try ImageResolver(symbolFile: Self.inlines, architecture: .arm64e)
    }
  }

  private func resolver(
    _ text: String, _ directory: TemporaryDirectory
  ) throws -> ImageResolver {
    try ImageResolver(
      symbolFile: directory.write(
        Array(("MODULE mac arm64 0123456789ABCDEF0123456789ABCDEF0 App\n" + text).utf8),
        to: "App.sym"))
  }

  @Test func namesAreDemangledIfTheyAreMangled() throws {
    let directory = try TemporaryDirectory()
    let resolver = try resolver(
      """
      INLINE_ORIGIN 0 $s3App4mainyyF
      INLINE_ORIGIN 1 std::vector<int>::push_back(int const&)
      FUNC 100 10 0 _ZN4core3fmt5writeE
      INLINE 0 1 0 0 100 8
      INLINE 1 1 0 1 100 8
      PUBLIC 200 0 -[View draw:]
      FUNC 300 10 0

      """, directory)
    expectEqual(
      resolver.resolve(LinkAddress(0x100))?.frames.map(\.name),
      ["std::vector<int>::push_back(int const&)", "main()", "core::fmt::write"])
    let symbol = try require(resolver.resolve(LinkAddress(0x204)))
    expectEqual(symbol.function.name, "-[View draw:]")
    expectEqual(symbol.origin, .symbolTable)
    expectEqual(symbol.function.rangeStart, LinkAddress(0x200))
    expectEqual(resolver.resolve(LinkAddress(0x300))?.function.name, "<unnamed>")
    expectNil(resolver.resolve(LinkAddress(0x110)))
  }

  /// The first of each kind: a damaged file may have one in each function. Lines that begin with
  /// nothing known, as `zz`, may be records of a later version.
  @Test func faultsAreProblems() throws {
    let directory = try TemporaryDirectory()
    let resolver = try resolver(
      "FUNC 1 x 0 bad\nFUNC 100 10 0 f\n100 10 1 5\nzz\n100\nFUNC 200 10 0 g\n200 10 1 6\n",
      directory)
    for address in [0x100, 0x200] as [UInt64] { _ = resolver.resolve(LinkAddress(address)) }
    func problem(_ offset: UInt64, _ detail: String) -> SymbolFileProblem {
      SymbolFileProblem(
        path: resolver.path,
        kind: .unreadableDebugInformation(
          section: "the Breakpad records", offset: offset, detail: detail))
    }
    expectEqual(
      resolver.problems,
      [
        problem(55, "1 FUNC record"), problem(100, "1 line record"),
        problem(70, "a function refers to file 5, which is missing"),
      ])
  }

  @Test func preparationChangesNothing() throws {
    let prepared = try ImageResolver(symbolFile: Self.inlines)
    let addresses = stride(from: UInt64(0x4000), to: 0x5600, by: 12).map { LinkAddress($0) }
    prepared.prepare(for: addresses, jobs: 4)
    let other = try ImageResolver(symbolFile: Self.inlines)
    for address in addresses.reversed() {
      expectEqual(prepared.resolve(address), other.resolve(address))
    }
  }
}
