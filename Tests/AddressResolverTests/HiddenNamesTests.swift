import AddressResolver
import Foundation
import ObjectFiles
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Names that a build with bitcode hid. `Fixtures/Bitcode` is `Fixtures/Inlines` with hidden names,
/// so the answers must be those of the original.
struct HiddenNamesTests {
  private static let archive = Fixtures.path("Bitcode/Inlines.xcarchive")
  private static let bundle = archive + "/dSYMs/Inlines.dSYM"
  private static let original = IndexFixture(
    "Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines")
  private static let mapName = "0B17C0DE-0000-3000-8000-00000000C0DE.bcsymbolmap"

  private func resolver(
    _ path: String, dwarfReader: DwarfReaderChoice = .builtIn, indexUse: IndexUse = .never,
    demangling: DemanglingStyle = .simplified
  ) throws -> ImageResolver {
    try ImageResolver(
      symbolFile: path, dwarfReader: dwarfReader, indexUse: indexUse, demangling: demangling)
  }

  private func expectOriginalAnswers(
    _ resolver: ImageResolver, _ original: ImageResolver, step: Int = 1,
    _ content: (ResolvedAddress) -> ResolvedAddress = { $0 }
  ) throws {
    var namedCount = 0
    let addresses = try Self.original.addresses()
    for index in stride(from: 0, to: addresses.count, by: step) {
      let expected = original.resolve(addresses[index]).map(content)
      expectEqual(resolver.resolve(addresses[index]).map(content), expected)
      if expected != nil { namedCount += 1 }
    }
    #expect(namedCount > 100)
    expectEqual(resolver.problems, original.problems)
  }

  /// The fixture hides every name, file and folder that is long enough for it.
  @Test func theFixtureHidesNames() throws {
    let bytes = try Fixtures.bytes(of: Self.bundle + "/Contents/Resources/DWARF/Inlines")
    expectNil(Data(bytes).range(of: Data("$e5Tiles5total2of".utf8)))
    expectNil(Data(bytes).range(of: Data("/Users/builder".utf8)))
    expectTrue(Data(bytes).range(of: Data("__hidden#1_".utf8)) != nil)
  }

  @Test(arguments: [DwarfReaderChoice.builtIn, .libdwarf], [DemanglingStyle.simplified, .raw])
  func answersAreThoseOfTheOriginal(
    _ reader: DwarfReaderChoice, _ demangling: DemanglingStyle
  ) throws {
    try expectOriginalAnswers(
      resolver(Self.bundle, dwarfReader: reader, demangling: demangling),
      resolver(
        Fixtures.path(Self.original.path), dwarfReader: reader, demangling: demangling),
      step: reader == .builtIn ? 1 : 16)
  }

  /// Without debug information, only the symbol table has names.
  @Test func symbolsAreRevealed() throws {
    let directory = try TemporaryDirectory()
    var paths: [String] = []
    for (name, source) in [
      ("original", Fixtures.path(Self.original.path)),
      ("hidden", Self.bundle + "/Contents/Resources/DWARF/Inlines"),
    ] {
      // The segment `__DWARF` loses its name, and with it its meaning.
      var bytes = Data(try Fixtures.bytes(of: source))
      while let range = bytes.range(of: Data("__debug_info".utf8)) {
        bytes.replaceSubrange(range, with: Data("__other_info".utf8))
      }
      paths.append(try directory.write(bytes, to: name))
    }
    try directory.copy("\(Self.archive)/BCSymbolMaps/\(Self.mapName)", to: Self.ownMapName)
    let hidden = try resolver(paths[1])
    try expectOriginalAnswers(hidden, resolver(paths[0]), step: 4)
    let address = try require(Self.original.addresses().first { hidden.resolve($0) != nil })
    expectEqual(hidden.resolve(address)?.origin, .symbolTable)
  }

  private static let ownMapName = "0B17C0DE-5555-3144-A174-35F176083CD8.bcsymbolmap"

  /// An index has the hidden names. The cached one leaves them to the symbol file.
  @Test func anIndexGivesTheSameAnswers() throws {
    let directory = try TemporaryDirectory()
    let hidden = try SymbolFile.open(path: Self.bundle, architecture: nil).objectFile
    let indexer = ImageIndexer(cache: IndexCache(directory: directory.path), jobs: 1)
    let index = try indexer.index(
      path: hidden.path, architecture: hidden.architecture, identity: hidden.identity)
    try expectOriginalAnswers(
      resolver(Self.bundle, indexUse: .cached(directory: directory.path)),
      resolver(Fixtures.path(Self.original.path)), step: 4)
    // The index itself can be given, too.
    try directory.copy("\(Self.archive)/BCSymbolMaps/\(Self.mapName)", to: Self.ownMapName)
    let given = try resolver(index.path)
    let original = try resolver(Fixtures.path(Self.original.path))
    for address in try Self.original.addresses() {
      guard let answer = given.resolve(address) else { continue }
      let expected = original.resolve(address)
      expectEqual(answer.function.name, expected?.function.name)
      expectEqual(answer.function.location?.path, expected?.function.location?.path)
    }
  }

  @Test func aMissingMapIsReportedOnce() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Self.bundle, to: "Inlines.dSYM")
    let resolver = try resolver(directory.path("Inlines.dSYM"))
    for address in try Self.original.addresses() { _ = resolver.resolve(address) }
    expectEqual(
      resolver.problems,
      [
        SymbolFileProblem(
          path: directory.path("Inlines.dSYM/Contents/Resources/DWARF/Inlines"),
          kind: .hiddenNames(.absent(name: Self.mapName)))
      ])
    let answer = try require(resolver.resolve(LinkAddress(0x1_0000_5490)))
    expectPrefix(answer.function.name, "__hidden#")
  }

  @Test func aMapOfAnotherBuildIsReportedOnce() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Self.bundle, to: "Inlines.dSYM")
    let map = try directory.write("BCSymbolMap Version: 2.0\nother\n".utf8, to: Self.mapName)
    let resolver = try resolver(directory.path("Inlines.dSYM"))
    _ = resolver.resolve(LinkAddress(0x1_0000_5490))
    _ = resolver.resolve(LinkAddress(0x1_0000_5500))
    guard
      case .hiddenNames(.missingName(map, let number, count: 1))? = resolver.problems.first?.kind
    else {
      Issue.record("\(resolver.problems)")
      return
    }
    #expect(number > 0)
    expectEqual(resolver.problems.count, 1)
  }

  /// A damaged property list is reported; the map is then known by the dSYM's own UUID.
  @Test func aDamagedPropertyListIsReported() throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Self.bundle, to: "Inlines.dSYM")
    let plist = try directory.write(
      "<plist>".utf8,
      to: "Inlines.dSYM/Contents/Resources/0B17C0DE-5555-3144-A174-35F176083CD8.plist")
    try directory.copy("\(Self.archive)/BCSymbolMaps/\(Self.mapName)", to: Self.ownMapName)
    let resolver = try resolver(directory.path("Inlines.dSYM"))
    let address = LinkAddress(0x1_0000_5490)
    try expectEqual(
      resolver.resolve(address), self.resolver(Fixtures.path(Self.original.path)).resolve(address))
    expectEqual(
      resolver.problems,
      [
        SymbolFileProblem(path: plist, kind: .unusablePropertyList(.damaged(offset: 7)))
      ])
  }
}
