import AddressResolver
import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Programs without debug information, and the files that have it.
///
/// Answers are those of `llvm-symbolizer-19 --inlines` over the debug files. Identities are those
/// that `llvm-dwarfdump-19 --uuid` and `readelf -n` print.
struct SeparateDebugFileTests {
  private let directory: TemporaryDirectory
  /// Stands in for `/usr/lib/debug`.
  private let debug: String

  init() throws {
    directory = try TemporaryDirectory()
    debug = try directory.makeDirectory("debug")
  }

  private func copy(_ fixture: String, to name: String) throws {
    if let slash = name.lastIndex(of: "/") { try directory.makeDirectory(String(name[..<slash])) }
    try directory.copy(Fixtures.path(fixture), to: name)
  }

  private func program(_ name: String) throws -> ObjectFile {
    try require(ObjectContainer.open(path: directory.path(name)).objectFiles.first)
  }

  private func resolver(_ name: String, indexUse: IndexUse = .never) throws -> ImageResolver {
    ImageResolver(
      try program(name), indexUse: indexUse, store: SymbolStore(debugDirectories: [debug]))
  }

  private func chain(_ resolver: ImageResolver, _ address: UInt64) -> [String] {
    resolver.resolve(LinkAddress(address))?.frames.map { frame in
      frame.name + (frame.location.map { " \($0.fileName):\($0.line)" } ?? "")
    } ?? []
  }

  private func search(_ problem: SymbolFileProblem?) -> DebugFileSearch? {
    guard case .unusableDebugFile(let search) = problem?.kind else { return nil }
    return search
  }

  // MARK: - dSYM

  private static let dwarf = "Contents/Resources/DWARF"
  private static let uuid = ImageIdentity(
    hexadecimal: "4C4C44C6-5555-3144-A165-519FBE5C73F3".utf8)
  /// In `rounded`, in C++.
  private static let address: UInt64 = 0x1_0000_0550
  private static let answer = ["long rounded<long>(long) rounding.h:8"]

  @Test(arguments: [
    ("ledger", "ledger.dSYM"),
    ("ledger", "ledger.app.dSYM"),
    ("Books.app/ledger", "Books.app.dSYM"),
    ("Books.app/Contents/MacOS/ledger", "Books.app.dSYM"),
    ("Books.framework/Versions/A/ledger", "Books.framework.dSYM"),
    ("Books.app/PlugIns/Day.appex/ledger", "Day.appex.dSYM"),
    ("B.xcarchive/Products/Applications/B.app/ledger", "B.xcarchive/dSYMs/B.app.dSYM"),
  ])
  func dsyms(program: String, bundle: String) throws {
    try copy("DebugMap/arm64-dwarf5/ledger", to: program)
    if bundle.contains("/") { try directory.makeDirectory("B.xcarchive/dSYMs") }
    try directory.copy(Fixtures.path("DebugMap/arm64-dwarf5.dSYM"), to: bundle)
    let resolver = try resolver(program)
    let dsym = directory.path("\(bundle)/\(Self.dwarf)/ledger")
    expectEqual(chain(resolver, Self.address), Self.answer)
    expectEqual(resolver.separateDebugFilePath, dsym)
    expectEqual(resolver.debugInformationPath(for: LinkAddress(Self.address)), dsym)
    expectEqual(resolver.imageName, "ledger")
    expectEqual(resolver.path, directory.path(program))
    expectEmpty(resolver.problems)
    expectEqual(resolver.debugInformationSearches.count, 1)
  }

  /// The program has stubs, and its dSYM has none.
  @Test func stubsAndFunctionStartsComeFromTheProgram() throws {
    try copy("DebugMap/arm64-dwarf5/ledger", to: "ledger")
    try copy("DebugMap/arm64-dwarf5.dSYM", to: "ledger.dSYM")
    let resolver = try resolver("ledger")
    expectEqual(chain(resolver, 0x1_0000_05dc), ["DYLD-STUB$$imported"])
    expectEqual(
      resolver.functionStart(containing: LinkAddress(0x1_0000_0552)), LinkAddress(0x1_0000_0548))
    let dsym = try program("ledger.dSYM/\(Self.dwarf)/ledger")
    expectEqual(chain(ImageResolver(dsym), 0x1_0000_05dc), [])
    let both = ImageResolver(dsym, program: try program("ledger"))
    expectEqual(chain(both, 0x1_0000_05dc), ["DYLD-STUB$$imported"])
    expectEqual(chain(both, Self.address), Self.answer)
  }

  @Test func theDsymOfAnotherBuildIsRefused() throws {
    try copy("DebugMap/swift/Inlines", to: "ledger")
    try copy("DebugMap/arm64-dwarf5.dSYM", to: "ledger.dSYM")
    let resolver = try resolver("ledger")
    _ = resolver.resolve(LinkAddress(0x1_0000_42dc))
    expectNil(resolver.separateDebugFilePath)
    expectEqual(
      resolver.problems.first,
      SymbolFileProblem(
        path: directory.path("ledger"),
        kind: .unusableDebugFile(
          DebugFileSearch(
            purpose: .debugInformation, name: "ledger.dSYM",
            attempts: [
              .init(
                path: directory.path("ledger.dSYM/\(Self.dwarf)/ledger"),
                finding: .otherIdentity(
                  found: Self.uuid,
                  expected: ImageIdentity(
                    hexadecimal: "4C4C440B-5555-3144-A174-35F176083CD8".utf8)))
            ]))))
  }

  @Test func theDsymOfAnotherArchitectureIsRefused() throws {
    try copy("DebugMap/arm64-dwarf5/ledger", to: "ledger")
    try copy("DebugMap/x86_64-dwarf5.dSYM", to: "ledger.dSYM")
    let resolver = try resolver("ledger")
    _ = resolver.resolve(LinkAddress(Self.address))
    expectEqual(
      search(resolver.problems.first)?.attempts.map(\.finding),
      [.otherArchitecture(found: [.x86_64], expected: .arm64)])
  }

  @Test func aRefusedDsymDoesNotEndTheSearch() throws {
    try copy("DebugMap/arm64-dwarf5/ledger", to: "ledger")
    try directory.makeDirectory("ledger.dSYM/\(Self.dwarf)")
    try directory.write("no Mach-O".utf8, to: "ledger.dSYM/\(Self.dwarf)/ledger")
    try copy("DebugMap/arm64-dwarf5.dSYM", to: "ledger.app.dSYM")
    let resolver = try resolver("ledger")
    expectEqual(chain(resolver, Self.address), Self.answer)
    expectEmpty(resolver.problems)
    expectEqual(
      resolver.debugInformationSearches.first?.attempts.first,
      .init(
        path: directory.path("ledger.dSYM/\(Self.dwarf)/ledger"), finding: .notMachO))
  }

  /// Nothing is searched for before a question, or for a file that has debug information.
  @Test func nothingIsSearchedForBeforeAQuestion() throws {
    try copy("MachO/shapes-arm64", to: "shapes")
    let resolver = try resolver("shapes")
    _ = resolver.linkBase()
    _ = resolver.contains(LinkAddress(0x1_0000_4044))
    expectEmpty(resolver.problems)
    expectEmpty(resolver.debugInformationSearches)
    expectEqual(chain(resolver, 0x1_0000_4044), ["table_lookup"])
    // It is no problem that a program has no dSYM.
    expectEmpty(resolver.problems)
    expectEqual(
      resolver.debugInformationSearches.first?.attempts.allSatisfy { $0.finding == .absent }, true)
    let dsym = try require(ObjectContainer.open(path: Fixtures.storyDwarfFile).objectFiles.first)
    let own = ImageResolver(dsym)
    _ = own.resolve(LinkAddress(0x1_0000_9004))
    expectEmpty(own.debugInformationSearches)
    expectEqual(own.debugInformationPath(for: LinkAddress(0)), Fixtures.storyDwarfFile)
  }

  // MARK: - ELF

  private static let buildId = "6d8e22cf8306af072138fc23a59eecf13c73474e"
  private static let chainOfFive = [
    "clamp shapes.h:0", "scale shapes.h:24", "rectangle shapes.c:15", "area_of shapes.c:28",
    "sum_of_areas shapes.c:34",
  ]

  @Test(arguments: [
    "libshapes.debug", ".debug/libshapes.debug",
    "debug/.build-id/6d/8e22cf8306af072138fc23a59eecf13c73474e.debug",
  ])
  func elf(place: String) throws {
    try copy("Elf/libshapes-stripped.elf", to: "libshapes.so")
    try copy("Elf/libshapes.debug", to: place)
    let resolver = try resolver("libshapes.so")
    expectEqual(chain(resolver, 0x16e8), Self.chainOfFive)
    expectEqual(resolver.separateDebugFilePath, directory.path(place))
    expectEmpty(resolver.problems)
    expectTrue(resolver.hasAnySymbols)
  }

  @Test func belowADebugDirectory() throws {
    try copy("Elf/libshapes-stripped.elf", to: "usr/lib/libshapes.so")
    let folder = try require(program("usr/lib/libshapes.so").realPath)
      .dropLast("/libshapes.so".count)
    try copy("Elf/libshapes.debug", to: "debug\(folder)/libshapes.debug")
    expectEqual(chain(try resolver("usr/lib/libshapes.so"), 0x16e8), Self.chainOfFive)
  }

  /// The build-id that `readelf -n` prints for the fixture.
  @Test func anotherBuildIdIsRefused() throws {
    try copy("Elf/libshapes-stripped.elf", to: "libshapes.so")
    try copy("Elf/shapes-pie.elf", to: "libshapes.debug")
    let resolver = try resolver("libshapes.so")
    expectNotEqual(resolver.resolve(LinkAddress(0x16e8))?.origin, .dwarf)
    let expected = ImageIdentity(hexadecimal: Self.buildId.utf8)
    let found = try ObjectFile.openElf(statedPath: Fixtures.path("Elf/shapes-pie.elf")).identity
    let problem = try require(search(resolver.problems.first))
    expectEqual(problem.name, "libshapes.debug")
    expectEqual(
      problem.attempts.prefix(3),
      [
        .init(
          path: "\(debug)/.build-id/6d/8e22cf8306af072138fc23a59eecf13c73474e.debug",
          finding: .absent),
        .init(
          path: directory.path("libshapes.debug"),
          finding: .otherIdentity(found: found, expected: expected)),
        .init(path: directory.path(".debug/libshapes.debug"), finding: .absent),
      ])
    expectEqual(resolver.problems.count, 1)
  }

  /// A file that the program itself names is reported if it is missing.
  @Test func aMissingFileIsReported() throws {
    try copy("Elf/libshapes-stripped.elf", to: "libshapes.so")
    let resolver = try resolver("libshapes.so")
    _ = resolver.resolve(LinkAddress(0x16e8))
    let problem = try require(search(resolver.problems.first))
    expectTrue(problem.attempts.allSatisfy { $0.finding == .absent })
    #expect(problem.attempts.count >= 4)
    // A program that names no file has no problem, with or without a build-id.
    try copy("Elf/libshapes-nodebug.elf", to: "nodebug.so")
    let other = try self.resolver("nodebug.so")
    expectEqual(chain(other, 0x14b4), ["table_lookup"])
    expectEmpty(other.problems)
  }

  // MARK: - The checksum, if there is no build-id

  /// `llvm-symbolizer-19 --inlines` at 0x4011f0; it follows the link like gdb 13.1.
  @Test func withoutBuildIdTheChecksumDecides() throws {
    try copy("Elf/shapes-separate.elf", to: "shapes")
    try copy("Elf/shapes-separate.debug", to: "shapes-separate.debug")
    let found = try resolver("shapes")
    expectEqual(chain(found, 0x40_11f0), ["rectangle shapes.c:16", "area_of shapes.c:28"])
    expectEqual(found.separateDebugFilePath, directory.path("shapes-separate.debug"))
    expectEmpty(found.problems)
  }

  /// `objdump -s -j .gnu_debuglink` shows the stated checksum.
  @Test func aFileOfAnotherChecksumIsRefused() throws {
    try copy("Elf/shapes-separate.elf", to: "shapes")
    var bytes = try Fixtures.bytes(of: Fixtures.path("Elf/shapes-separate.debug"))
    bytes.append(0)
    let path = try directory.write(bytes, to: "shapes-separate.debug")
    let resolver = try resolver("shapes")
    expectEqual(chain(resolver, 0x40_11f0), ["area_of"])
    let attempt = try require(search(resolver.problems.first)?.attempts.first)
    expectEqual(attempt.path, path)
    guard case .otherChecksum(let found, expected: 0xd436_1922) = attempt.finding else {
      Issue.record("\(attempt.finding)")
      return
    }
    expectNotEqual(found, 0xd436_1922)
  }

  /// If both have a build-id, it alone decides: later changes to the file change no answer.
  @Test func theChecksumDoesNotCountBesideBuildIds() throws {
    try copy("Elf/libshapes-stripped.elf", to: "libshapes.so")
    try directory.write(
      try Fixtures.bytes(of: Fixtures.path("Elf/libshapes.debug")) + [0], to: "libshapes.debug")
    expectEqual(chain(try resolver("libshapes.so"), 0x16e8), Self.chainOfFive)
  }

  /// A symbol table alone is better than nothing: `llvm-nm-19` has `midpoint` at 0x15f0, a local
  /// symbol.
  @Test func aDebugFileIsARegularElfFileWithSymbols() throws {
    try copy("Elf/libshapes-stripped.elf", to: "libshapes.so")
    try directory.link("libshapes.debug", to: "/dev/zero")
    let alone = try resolver("libshapes.so")
    expectEqual(chain(alone, 0x15f4), [])
    expectEqual(
      search(alone.problems.first)?.attempts.dropFirst().first?.finding, .unreadable(.specialFile))
    try copy("Elf/libshapes-nodebug.elf", to: ".debug/libshapes.debug")
    let resolver = try resolver("libshapes.so")
    expectEqual(chain(resolver, 0x15f4), ["midpoint"])
    expectEmpty(resolver.problems)
  }

  // MARK: - Indexes

  /// With an index of the debug file, of the program, or of both, answers are the same as without.
  @Test func indexes() throws {
    try copy("Elf/libshapes-stripped.elf", to: "libshapes.so")
    try copy("Elf/libshapes.debug", to: "libshapes.debug")
    let cache = IndexCache(directory: directory.path("indexes"))
    let use = IndexUse.cached(directory: directory.path("indexes"))
    let indexer = ImageIndexer(
      cache: cache, jobs: 1, store: SymbolStore(debugDirectories: [debug]))
    let program = try program("libshapes.so")
    let outcome = try indexer.index(
      path: program.path, architecture: program.architecture, identity: program.identity)
    expectEmpty(outcome.problems)
    let debugFile = try self.program("libshapes.debug")
    try expectTrue(cache.find(for: debugFile) != nil)
    let resolver = try resolver("libshapes.so", indexUse: use)
    expectEqual(chain(resolver, 0x16e8), Self.chainOfFive)
    expectEmpty(resolver.problems)
    // The index answered, and the debug information was not asked.
    expectEqual(resolver.debugInformationSearches.count, 1)
  }

  @Test func anIndexOfTheProgramDoesNotHideItsDebugFile() throws {
    try copy("Elf/libshapes-nodebug.elf", to: "libshapes.so")
    let cache = IndexCache(directory: directory.path("indexes"))
    let program = try program("libshapes.so")
    _ = try ImageIndexer(
      cache: cache, jobs: 1, store: SymbolStore(debugDirectories: [debug])
    ).index(
      path: program.path, architecture: program.architecture, identity: program.identity)
    let use = IndexUse.cached(directory: directory.path("indexes"))
    expectEqual(chain(try resolver("libshapes.so", indexUse: use), 0x14b4), ["table_lookup"])
    try copy(
      "Elf/libshapes.debug", to: "debug/.build-id/6d/8e22cf8306af072138fc23a59eecf13c73474e.debug")
    let resolver = try resolver("libshapes.so", indexUse: use)
    expectEqual(chain(resolver, 0x16e8), Self.chainOfFive)
    expectEmpty(resolver.problems)
  }
}
