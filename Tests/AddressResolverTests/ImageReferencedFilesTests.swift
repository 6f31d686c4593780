import ObjectFiles
import Platform
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

@testable import AddressResolver

/// Which of several files is used, and what is kept about those that are not.
@Suite struct ImageReferencedFilesTests {
  private let directory: TemporaryDirectory
  /// Stands in for `/usr/lib/debug`.
  private let debug: String

  init() throws {
    directory = try TemporaryDirectory()
    debug = try directory.makeDirectory("debug")
  }

  private func files(of program: String) throws -> ImageReferencedFiles {
    ImageReferencedFiles(
      try ObjectFile.openElf(statedPath: directory.path(program)),
      in: SymbolStore(debugDirectories: [debug]))
  }

  private func copy(_ fixture: String, to name: String) throws {
    try directory.copy(Fixtures.path(fixture), to: name)
  }

  private func search(
    _ problem: SymbolFileProblem?
  ) -> DebugFileSearch? {
    guard case .unusableDebugFile(let search) = problem?.kind else { return nil }
    return search
  }

  // MARK: - Supplementary files

  @Test(arguments: ["dwarf4", "dwarf5"])
  func sharedFileBesideTheProgram(folder: String) throws {
    try copy("Dwz/\(folder)/ledger.elf", to: "ledger.elf")
    try copy("Dwz/\(folder)/shared.debug", to: "shared.debug")
    let files = try files(of: "ledger.elf")
    expectEmpty(files.openedPaths)
    expectTrue(files.supplementarySections() != nil)
    expectTrue(files.supplementarySections() != nil)
    expectEqual(files.openedPaths, [directory.path("shared.debug")])
    expectEmpty(files.problems)
  }

  @Test func supplementaryFileOfDwarf5() throws {
    try copy("Dwz/supplementary/ledger.elf", to: "ledger.elf")
    try copy("Dwz/supplementary/shared.sup", to: "shared.sup")
    let files = try files(of: "ledger.elf")
    expectTrue(files.supplementarySections() != nil)
    expectEmpty(files.problems)
  }

  /// The build-ids are those that `readelf -n` prints.
  @Test func anotherBuildIsRefusedAndTheNextPathTried() throws {
    try copy("Dwz/dwarf5/ledger.elf", to: "ledger.elf")
    try copy("Dwz/dwarf4/shared.debug", to: "shared.debug")
    let refused = try files(of: "ledger.elf")
    expectNil(refused.supplementarySections())
    expectNil(refused.supplementarySections())
    expectEqual(refused.problems.count, 1)
    expectEqual(refused.problems.first?.path, directory.path("ledger.elf"))
    let byBuildId = "\(debug)/.build-id/69/0c0111b3593db64817a444a1655ebff0622398.debug"
    expectEqual(
      search(refused.problems.first),
      DebugFileSearch(
        purpose: .sharedInformation, name: "shared.debug",
        attempts: [
          .init(
            path: directory.path("shared.debug"),
            finding: .otherIdentity(
              found: ImageIdentity(
                hexadecimal: "46a155580b6faf70d878adc431ec1b887d9519fd".utf8),
              expected: ImageIdentity(
                hexadecimal: "690c0111b3593db64817a444a1655ebff0622398".utf8))),
          .init(path: byBuildId, finding: .absent),
        ]))

    try directory.makeDirectory("debug/.build-id/69")
    try copy(
      "Dwz/dwarf5/shared.debug",
      to: "debug/.build-id/69/0c0111b3593db64817a444a1655ebff0622398.debug")
    let found = try files(of: "ledger.elf")
    expectTrue(found.supplementarySections() != nil)
    expectEqual(found.openedPaths, [byBuildId])
    expectEmpty(found.problems)
  }

  @Test func aFileThatNamesNoOther() throws {
    try copy("Dwz/partial-dwarf5.elf", to: "program")
    let files = try files(of: "program")
    expectNil(files.supplementarySections())
    expectEmpty(files.problems)
  }

  // MARK: - Split units

  @Test(arguments: ["gcc-dwarf4", "gcc-dwarf5", "clang-dwarf4", "clang-dwarf5"])
  func splitUnitsBesideTheProgram(folder: String) throws {
    try copy("SplitDwarf/\(folder)/ledger.elf", to: "ledger.elf")
    try copy("SplitDwarf/\(folder)/tally.dwo", to: "tally.dwo")
    let files = try files(of: "ledger.elf")
    for _ in 1...2 {
      expectTrue(files.splitFile(name: "tally.dwo", compilationDirectory: "/nonexistent") != nil)
      expectNil(files.splitFile(name: "ledger.dwo", compilationDirectory: "/nonexistent"))
    }
    expectEqual(files.openedPaths, [directory.path("tally.dwo")])
    expectEqual(files.problems.count, 1)
    expectEqual(
      search(files.problems.first),
      DebugFileSearch(
        purpose: .splitUnits, name: "ledger.dwo",
        attempts: [
          .init(path: "/nonexistent/ledger.dwo", finding: .absent),
          .init(path: directory.path("ledger.dwo"), finding: .absent),
        ]))
  }

  @Test func theCompilationDirectoryComesFirst() throws {
    try copy("SplitDwarf/gcc-dwarf5/ledger.elf", to: "ledger.elf")
    try copy("SplitDwarf/gcc-dwarf5/tally.dwo", to: "tally.dwo")
    try directory.makeDirectory("build/objects")
    try copy("SplitDwarf/gcc-dwarf5/tally.dwo", to: "build/objects/tally.dwo")
    let files = try files(of: "ledger.elf")
    let build = directory.path("build")
    expectTrue(files.splitFile(name: "objects/tally.dwo", compilationDirectory: build) != nil)
    expectTrue(files.splitFile(name: "lost/tally.dwo", compilationDirectory: build) != nil)
    expectEqual(
      files.openedPaths, [directory.path("build/objects/tally.dwo"), directory.path("tally.dwo")])
    expectEmpty(files.problems)
  }

  @Test func throughALinkToTheProgram() throws {
    try directory.makeDirectory("real")
    try copy("SplitDwarf/gcc-dwarf5/ledger.elf", to: "real/ledger.elf")
    try copy("SplitDwarf/gcc-dwarf5/tally.dwo", to: "real/tally.dwo")
    try directory.link("link", to: directory.path("real/ledger.elf"))
    let files = try files(of: "link")
    expectTrue(files.splitFile(name: "tally.dwo", compilationDirectory: nil) != nil)
    expectEqual(files.openedPaths.first?.hasSuffix("/real/tally.dwo"), true)
  }

  @Test(arguments: ["ledger.elf", "ledger.debug"])
  func aPackageComesBeforeTheUnits(program: String) throws {
    try copy("SplitDwarf/gcc-dwarf5-package/ledger.elf", to: program)
    let package = program == "ledger.elf" ? "ledger.elf.dwp" : "ledger.dwp"
    try copy("SplitDwarf/gcc-dwarf5-package/ledger.elf.dwp", to: package)
    try copy("SplitDwarf/gcc-dwarf5/tally.dwo", to: "tally.dwo")
    let files = try files(of: program)
    expectTrue(files.splitFile(name: "tally.dwo", compilationDirectory: nil) != nil)
    expectTrue(files.splitFile(name: "another.dwo", compilationDirectory: nil) != nil)
    expectEqual(files.openedPaths, [directory.path(package)])
    expectEmpty(files.problems)
  }

  @Test func aFileThatIsNotAPackageIsReportedAndTheUnitsAreUsed() throws {
    try copy("SplitDwarf/gcc-dwarf5/ledger.elf", to: "ledger.elf")
    try copy("SplitDwarf/gcc-dwarf5/tally.dwo", to: "tally.dwo")
    try copy("SplitDwarf/gcc-dwarf5/ledger.dwo", to: "ledger.elf.dwp")
    let files = try files(of: "ledger.elf")
    expectTrue(files.splitFile(name: "tally.dwo", compilationDirectory: nil) != nil)
    expectEqual(files.openedPaths, [directory.path("tally.dwo")])
    expectEqual(
      files.problems.map(search),
      [
        DebugFileSearch(
          purpose: .splitUnits, name: "ledger.elf.dwp",
          attempts: [
            .init(
              path: directory.path("ledger.elf.dwp"),
              finding: .missingSection(".debug_cu_index"))
          ])
      ])
  }

  /// Threads ask for the files of units in any order.
  @Test(arguments: [["a.dwo", "b.dwo", "c.dwo"], ["c.dwo", "a.dwo", "b.dwo", "a.dwo"]])
  func problemsDoNotDependOnTheOrderOfQuestions(names: [String]) throws {
    try copy("SplitDwarf/gcc-dwarf5/ledger.elf", to: "ledger.elf")
    let files = try files(of: "ledger.elf")
    for name in names { expectNil(files.splitFile(name: name, compilationDirectory: nil)) }
    expectEqual(files.problems.map { search($0)?.name }, ["a.dwo", "b.dwo", "c.dwo"])
    // A later question adds to them.
    expectNil(files.splitFile(name: "ab.dwo", compilationDirectory: "/x"))
    expectEqual(files.problems.map { search($0)?.name }, ["a.dwo", "ab.dwo", "b.dwo", "c.dwo"])
  }

  // MARK: - Paths that strangers state

  @Test func onlyRegularElfFilesAreRead() throws {
    try copy("SplitDwarf/gcc-dwarf5/ledger.elf", to: "ledger.elf")
    let secret = try directory.write("password".utf8, to: "secret")
    let folder = try directory.makeDirectory("folder")
    let pipe = directory.path("pipe")
    unsafe expectEqual(mkfifo(pipe, 0o600), 0)
    let files = try files(of: "ledger.elf")
    // Tests may run as root, who never gets EACCES.
    for (path, finding) in [
      ("/dev/zero", DebugFileSearch.Finding.unreadable(.specialFile)),
      (secret, .notElf),
      // What the kernel shows as files is no file of anybody's.
      ("/proc/self/environ", .unreadable(.specialFile)),
      ("/proc/self/mem", .unreadable(.specialFile)),
      (pipe, .unreadable(.specialFile)),
      (folder, .unreadable(.directory)),
      (directory.path("ledger.elf"), .missingSection(".debug_info.dwo")),
    ] {
      expectNil(files.splitFile(name: path, compilationDirectory: nil))
      expectEqual(
        files.problems.compactMap(search).first { $0.name == path }?.attempts.first,
        DebugFileSearch.Attempt(path: path, finding: finding))
    }
    expectEmpty(files.openedPaths)
  }

  @Test func severalThreads() async throws {
    try copy("SplitDwarf/gcc-dwarf5/ledger.elf", to: "ledger.elf")
    try copy("SplitDwarf/gcc-dwarf5/tally.dwo", to: "tally.dwo")
    let files = try files(of: "ledger.elf")
    await withTaskGroup { group in
      for index in 0..<16 {
        group.addTask {
          let name = index % 2 == 0 ? "tally.dwo" : "missing.dwo"
          return (files.splitFile(name: name, compilationDirectory: nil) != nil)
            == (index % 2 == 0)
        }
      }
      for await isAsExpected in group { expectTrue(isAsExpected) }
    }
    expectEqual(files.openedPaths.count, 1)
    expectEqual(files.problems.count, 1)
  }
}
