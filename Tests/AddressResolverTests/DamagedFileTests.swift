import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// Files that cannot be used at all, or only in part.
struct DamagedFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func problem(of path: String) -> SymbolFileProblem.Kind? {
    do throws(SymbolFileProblem) {
      _ = try ImageResolver(symbolFile: path)
      return nil
    } catch {
      expectEqual(error.path, path)
      return error.kind
    }
  }

  @Test func filesThatCannotBeOpened() throws {
    // ENOENT is 2.
    expectEqual(problem(of: directory.path("missing")), .inaccessible(errno: 2))
    expectEqual(problem(of: directory.path), .directory)
    expectEqual(problem(of: try directory.write([], to: "empty")), .empty)
    expectEqual(
      problem(of: try directory.write("hello".utf8, to: "text")),
      .notASymbolFile(firstBytes: Array("hello".utf8)))
  }

  @Test func cutInItsLoadCommands() throws {
    let dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    let kind = problem(of: try directory.write(dwarf.prefix(100), to: "short"))
    // The header has 32 bytes and states 1952 bytes of load commands
    // (`llvm-objdump-19 --private-headers`).
    expectEqual(
      kind, .truncated(structure: "load commands", offset: 32, wanted: 1952, available: 100))
  }

  @Test func cutAfterItsSymbolTable() throws {
    // The symbol table ends before 0x1800 = 6144, `__DWARF` begins at 8192.
    let dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    let path = try directory.write(dwarf.prefix(8192), to: "cut")
    let resolver = try ImageResolver(symbolFile: path)
    let answer = resolver.resolve(LinkAddress(0x1_0002_719c))
    expectEqual(answer?.origin, .symbolTable)
    expectEqual(
      answer?.function.name, "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)")
    expectFalse(resolver.problems.isEmpty)
    expectTrue(resolver.problems.allSatisfy { $0.path == path })
  }

  /// LC_DYSYMTAB is at 696 and LC_FUNCTION_STARTS at 960, their tables at 49376 and 49320
  /// (`llvm-otool-19 -l` and a reading of the bytes); the number of indirect symbols is the 15th
  /// field.
  @Test func stubsAndFunctionStartsThatCannotBeRead() throws {
    var bytes = try Fixtures.bytes(of: Fixtures.path("MachO/calls-arm64-stripped"))
    bytes[696 + 60] = 0
    bytes[49320..<49328] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]
    let path = try directory.write(bytes, to: "damaged-tables")
    let resolver = try ImageResolver(symbolFile: path)
    expectEmpty(resolver.problems)
    for address: UInt64 in [0x1_0000_4060, 0x1_0000_4064, 0x1_0000_406c] {
      expectNil(resolver.resolve(LinkAddress(address)))
      expectNil(resolver.functionStart(containing: LinkAddress(address)))
    }
    expectNil(resolver.functionStart(containing: LinkAddress(0x1_0000_4034)))
    expectEqual(
      resolver.problems.map(\.kind),
      [
        .damaged(structure: "function starts", offset: 0),
        .malformed(
          structure: "index of a stub of section __stubs in the indirect symbol table", value: 2,
          expected: .below(0)),
      ])
  }

  @Test func bytesChangedAnywhereDoNotTrap() throws {
    let dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    var generator = SeededGenerator(seed: 7)
    // Headers, load commands and symbols; only libdwarf reads what follows.
    for number in 0..<200 {
      var damaged = dwarf
      for _ in 0..<4 {
        damaged[Int.random(in: 0..<5430, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      // The debug information itself is left out.
      let path = try directory.write(damaged.prefix(8192), to: "damaged-\(number)")
      guard let resolver = try? ImageResolver(symbolFile: path) else { continue }
      for address: UInt64 in [0, 0x1_0000_5010, 0x1_0002_719c, .max] {
        _ = resolver.resolve(LinkAddress(address))
      }
      _ = resolver.linkBase()
      _ = resolver.problems
    }
  }
}
