import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// Answers whose names, calls or functions are in another file than the image. The expected answers
/// are those of `llvm-symbolizer-19 --inlines`, which reads packages of split DWARF, and, for files
/// that dwz wrote, those of binutils' `addr2line -ifC` 2.40 over the variants of the same programs
/// that it reads.
@Suite struct ReferencedDwarfTests {
  private func frames(of resolver: ImageResolver, at address: UInt64) -> [String]? {
    resolver.resolve(LinkAddress(address)).map { answer in
      (answer.inlinedFrames + [answer.function]).map { frame in
        let place = frame.location.map { "\($0.path.lastPathComponent):\($0.line)" } ?? "?"
        return "\(frame.name) \(place)"
      }
    }
  }

  @Test(arguments: [
    "clang-dwarf4", "clang-dwarf5", "clang-dwarf4-package", "clang-dwarf5-package",
  ])
  func splitByClang(folder: String) throws {
    let resolver = try ImageResolver(
      symbolFile: Fixtures.path("SplitDwarf/\(folder)/ledger.elf"))
    expectEqual(
      frames(of: resolver, at: 0x2011cf),
      [
        "long tally::limited<long>(long, long) tally.h:0",
        "tally::Account::weight(tally::Entry const&) tally.h:38",
        "tally::Account::deposit(tally::Entry const&) tally.h:26",
        "monthly(long) ledger.cpp:7",
      ])
    expectEqual(
      frames(of: resolver, at: 0x201260),
      [
        "tally::total(tally::Entry const*, long) tally.cpp:13"
      ])
    expectEqual(resolver.resolve(LinkAddress(0x201260))?.origin, .dwarf)
    expectEmpty(resolver.problems)
  }

  /// 0x20132d is the cold part of `total`, in its second range.
  @Test(arguments: ["gcc-dwarf4", "gcc-dwarf5", "gcc-dwarf4-package", "gcc-dwarf5-package"])
  func splitByGcc(folder: String) throws {
    let resolver = try ImageResolver(
      symbolFile: Fixtures.path("SplitDwarf/\(folder)/ledger.elf"))
    expectEqual(
      frames(of: resolver, at: 0x2011cf),
      [
        "tally::Account::deposit(tally::Entry const&) tally.h:26", "monthly(long) ledger.cpp:7",
      ])
    expectEqual(
      frames(of: resolver, at: 0x20132d),
      [
        "tally::total(tally::Entry const*, long) tally.cpp:15"
      ])
    expectEmpty(resolver.problems)
  }

  @Test(arguments: ["dwarf4", "dwarf5", "supplementary"])
  func sharedByDwz(folder: String) throws {
    let resolver = try ImageResolver(symbolFile: Fixtures.path("Dwz/\(folder)/ledger.elf"))
    expectEqual(
      frames(of: resolver, at: 0x400258),
      [
        "tally::Account::deposit(tally::Entry const&) tally.h:27",
        "tally::total(tally::Entry const*, long) tally.cpp:19",
      ])
    expectEqual(
      frames(of: resolver, at: 0x4001e0),
      [
        "tally::Account::weight(tally::Entry const&) tally.h:38",
        "tally::Account::deposit(tally::Entry const&) tally.h:26", "monthly(long) ledger.cpp:7",
      ])
    expectEqual(
      frames(of: resolver, at: 0x400169),
      [
        "tally::total(tally::Entry const*, long) tally.cpp:15"
      ])
    expectEmpty(resolver.problems)
  }

  /// The symbol table and the skeleton's line table remain. `llvm-symbolizer-19 --inlines` without
  /// the package gives the same answers.
  @Test func withoutTheSplitUnits() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("SplitDwarf/clang-dwarf5/ledger.elf"), to: "ledger.elf")
    let resolver = try ImageResolver(symbolFile: directory.path("ledger.elf"))
    expectEmpty(resolver.problems)
    for _ in 1...2 {
      expectEqual(frames(of: resolver, at: 0x2011c0), ["monthly(long) tally.h:38"])
    }
    expectEqual(resolver.resolve(LinkAddress(0x2011c0))?.origin, .symbolTableAndLineTable)
    expectEqual(resolver.problems.count, 1)
    guard case .unusableDebugFile(let search) = resolver.problems.first?.kind else {
      Issue.record("no word of the missing file")
      return
    }
    expectEqual(search.name, "ledger.dwo")
    expectEqual(search.purpose, .splitUnits)
  }

  /// A package of an earlier build does not hide the `.dwo` files.
  @Test func besideAnotherBuildsPackage() throws {
    let directory = try TemporaryDirectory()
    for name in ["ledger.elf", "ledger.dwo", "tally.dwo"] {
      try directory.copy(Fixtures.path("SplitDwarf/gcc-dwarf5/\(name)"), to: name)
    }
    try directory.copy(
      Fixtures.path("SplitDwarf/clang-dwarf5-package/ledger.elf.dwp"), to: "ledger.elf.dwp")
    let resolver = try ImageResolver(symbolFile: directory.path("ledger.elf"))
    expectEqual(
      frames(of: resolver, at: 0x2011cf),
      [
        "tally::Account::deposit(tally::Entry const&) tally.h:26", "monthly(long) ledger.cpp:7",
      ])
    expectEmpty(resolver.problems)
  }

  /// A unit of another build beside the program is refused.
  @Test func withAnotherBuildsUnit() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("SplitDwarf/clang-dwarf5/ledger.elf"), to: "ledger.elf")
    try directory.copy(Fixtures.path("SplitDwarf/clang-dwarf5/tally.dwo"), to: "ledger.dwo")
    let resolver = try ImageResolver(symbolFile: directory.path("ledger.elf"))
    expectEqual(frames(of: resolver, at: 0x2011c0), ["monthly(long) tally.h:38"])
    expectEqual(resolver.problems.count, 1)
  }
}
