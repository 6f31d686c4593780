import AddressResolver
import ObjectFiles
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// GSYM files that are given as symbol files.
struct GsymResolverTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func gsym(_ fixture: IndexFixture) throws -> ImageResolver {
    try ImageResolver(symbolFile: directory.write(try fixture.index(), to: "Shapes.gsym"))
  }

  /// At every address with lines in the index, its answer is that of the debug information.
  @Test(arguments: IndexFixture.withDebugInformation)
  func saysWhatTheDebugInformationSays(fixture: IndexFixture) throws {
    let index = try gsym(fixture)
    let whole = ImageResolver(try fixture.objectFile())
    var agreements = 0
    var others = 0
    var differences: [String] = []
    for address in try fixture.addresses() {
      let expected = whole.resolve(address)?.withoutColumns
      let answer = index.resolve(address)
      guard let answer, answer.frames.allSatisfy({ $0.location != nil }) else {
        if expected?.origin == .dwarf { others += 1 }
        continue
      }
      if answer == expected {
        agreements += 1
      } else if differences.count < 10 {
        differences.append("\(address): \(answer), expected \(String(describing: expected))")
      }
    }
    expectEmpty(differences, "\(differences.joined(separator: "\n"))")
    #expect(agreements > 20 * others)
    print("\(fixture): \(agreements) agree, \(others) left out")
  }

  @Test(arguments: IndexFixture.withSymbolsAlone)
  func saysWhatTheSymbolTableSays(fixture: IndexFixture) throws {
    let index = try gsym(fixture)
    let whole = ImageResolver(try fixture.objectFile())
    var agreements = 0
    for address in try fixture.addresses() {
      guard let answer = index.resolve(address) else {
        expectNotEqual(whole.resolve(address)?.origin, .symbolTable)
        continue
      }
      let expected = whole.resolve(address)
      expectEqual(answer.function.name, expected?.function.name)
      expectEqual(answer.function.rangeStart, expected?.function.rangeStart)
      expectEqual(answer.origin, .symbolTable)
      expectEqual(expected?.origin, .symbolTable)
      agreements += 1
    }
    #expect(agreements > 50)
  }

  @Test func describesTheImage() throws {
    let resolver = try gsym(IndexFixture("MachO/arm64_32.dSYM/Contents/Resources/DWARF/Shapes"))
    expectEqual(resolver.imageName, "Shapes")
    expectEqual(resolver.architecture, .arm64_32)
    expectEqual(resolver.linkBase(), LinkAddress(0x4000))
    expectNil(resolver.assumedLinkBase)
    expectNil(resolver.linkBase(segmentName: "__TEXT"))
    expectTrue(resolver.hasAnySymbols)
    expectTrue(resolver.contains(LinkAddress(0x4000)))
    expectFalse(resolver.contains(LinkAddress(0x3fff)))
    expectTrue(resolver.contains(LinkAddress(0x8280)))
    expectFalse(resolver.contains(LinkAddress(0x1_0000_0000)))
  }

  @Test func knowsItsArchitecture() throws {
    let path = try directory.write(
      try IndexFixture("Fat/fat.dSYM/Contents/Resources/DWARF/Shapes", .arm64).index(),
      to: "Shapes.gsym")
    for wanted in [nil, Architecture.arm64, .arm64e] {
      try expectEqual(ImageResolver(symbolFile: path, architecture: wanted).architecture, .arm64)
    }
    #expect(
      throws: SymbolFileProblem(
        path: path, kind: .missingArchitecture(wanted: .x86_64, found: [.arm64]))
    ) { try ImageResolver(symbolFile: path, architecture: .x86_64) }
  }

  /// The rule is in docs/index.md. The starts are those of libraries, ELF and Mach-O executables
  /// and the kernels of Linux and macOS.
  @Test(
    arguments: [
      (0x1100, 0), (0x40_1100, 0), (0xffff_ffff, 0), (0x1_0000_0000, 0x1_0000_0000),
      (0x1_0000_4000, 0x1_0000_0000), (0x2_0000_0010, 0x2_0000_0000),
      (0xffff_ffff_8100_0000, 0xffff_ffff_8100_0000),
      (0xffff_ff80_0021_1000, 0xffff_ff80_0020_0000),
    ] as [(UInt64, UInt64)])
  func assumesALinkBase(start: UInt64, base: UInt64) throws {
    let resolver = try ImageResolver(
      symbolFile: directory.write(Self.oneFunction(at: start), to: "first.gsym"))
    expectEqual(resolver.linkBase(), LinkAddress(base))
    expectEqual(resolver.assumedLinkBase, LinkAddress(base))
    expectEqual(resolver.architecture, .unknown)
    expectEqual(resolver.resolve(LinkAddress(start + 15))?.function.name, "first")
    expectNil(resolver.resolve(LinkAddress(start + 16)))
    expectEmpty(resolver.problems)
  }

  /// A file with the function `first` of 16 bytes, which has neither lines nor inlined calls.
  private static func oneFunction(at start: UInt64) throws -> [UInt8] {
    var unit = GsymUnit()
    try unit.add(
      GsymFunction(
        range: LinkAddress(start)..<LinkAddress(start + 16), name: unit.name("first")))
    var writer = try GsymWriter(uuid: [])
    writer.add(unit)
    let layout = try writer.layout()
    return try layout.assemble([layout.encodePart(0)]).flatMap(\.self)
  }

  // MARK: Damage

  /// Header.h: magic, then the version in two bytes, the size of address offsets and of the UUID in
  /// one each.
  @Test(
    arguments: [
      (4, 3, SymbolFileProblem.Kind.unsupportedIndexVersion(3)),
      (6, 3, .malformed(structure: "size of GSYM address offsets", value: 3)),
      (
        7, 21, .malformed(structure: "size of the GSYM UUID", value: 21, expected: .atMost(20))
      ),
    ] as [(Int, UInt8, SymbolFileProblem.Kind)])
  func refusesOtherHeaders(place: Int, value: UInt8, kind: SymbolFileProblem.Kind) throws {
    let file = IndexFixture("Elf/libshapes.elf")
    var bytes = try IndexBuilder(try file.objectFile()).build(jobs: 1).pieces.flatMap(\.self)
    bytes[place] = value
    let path = try directory.write(bytes, to: "other.gsym")
    #expect(throws: SymbolFileProblem(path: path, kind: kind)) {
      try ImageResolver(symbolFile: path)
    }
  }

  @Test func refusesACutFile() throws {
    let file = IndexFixture("Elf/libshapes.elf")
    let bytes = try IndexBuilder(try file.objectFile()).build(jobs: 1).pieces.flatMap(\.self)
    for size in [4, 5, 6, 47, 48, 60, 200] {
      let path = try directory.write(bytes.prefix(size), to: "cut.gsym")
      do {
        _ = try ImageResolver(symbolFile: path)
        Issue.record("\(size) bytes are taken")
      } catch {
        guard case .truncated(_, _, _, let available) = error.kind else {
          Issue.record("\(size) bytes: \(error)")
          continue
        }
        expectEqual(available, UInt64(size))
      }
    }
  }

  @Test func refusesADamagedTrailer() throws {
    var bytes = try IndexFixture("Elf/libshapes.elf").index()
    bytes[bytes.count - 40] ^= 1
    let path = try directory.write(bytes, to: "damaged.gsym")
    #expect(throws: SymbolFileProblem.self) { try ImageResolver(symbolFile: path) }
  }

  /// A record that cannot be read leaves its addresses without names and is reported. This one is
  /// the end of the file: size, name and the end of its list, 16 bytes.
  @Test func damagedRecords() throws {
    let bytes = try Self.oneFunction(at: 0x1000)
    let path = try directory.write(bytes.dropLast(12), to: "cut.gsym")
    let resolver = try ImageResolver(symbolFile: path)
    for _ in 0..<2 { expectNil(resolver.resolve(LinkAddress(0x1008))) }
    expectEqual(
      resolver.problems,
      [
        SymbolFileProblem(
          path: path,
          kind: .unreadableDebugInformation(
            section: "GSYM", offset: UInt64(bytes.count - 16), detail: "the record of function 0"))
      ])
  }
}
