import AddressResolver
import ObjectFiles
import Platform
import SymbolIndex
import SymbolStore
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

/// Indexes in a directory: they give the same answers as the symbol files that they were made from.
struct CachedIndexTests {
  private static let shapes = IndexFixture("Elf/libshapes.elf")
  /// In `sum_of_areas`, with four inlined calls (see `ImageResolverTests`).
  private static let address = LinkAddress(0x16e8)

  private let directory: TemporaryDirectory
  private let use: IndexUse
  private let cache: IndexCache

  init() throws {
    directory = try TemporaryDirectory()
    use = .cached(directory: directory.path("indexes"))
    cache = IndexCache(directory: directory.path("indexes"))
  }

  /// Stores the index of `file` as one that was made from the file at `path`.
  @discardableResult
  private func makeIndex(of file: ObjectFile, stampedAs path: String? = nil) throws -> String {
    try cache.store(
      IndexBuilder(file).build(jobs: 1).pieces, for: file,
      source: SourceStamp(ofFileAt: path ?? file.path))
  }

  // MARK: The same answers

  @Test(arguments: IndexFixture.withDebugInformation + IndexFixture.withSymbolsAlone)
  func answersAreTheSame(fixture: IndexFixture) throws {
    let file = try fixture.objectFile()
    try makeIndex(of: file)
    let without = ImageResolver(file)
    let with = ImageResolver(file, indexUse: use)
    let prepared = ImageResolver(file, indexUse: use)
    let addresses = try fixture.addresses()
    prepared.prepare(for: addresses, jobs: 2)
    var differences: [String] = []
    for address in addresses {
      let expected = without.resolve(address)?.asFromIndex
      let answer = with.resolve(address)?.asFromIndex
      if answer != expected || prepared.resolve(address)?.asFromIndex != expected {
        differences.append("\(address): \(String(describing: answer))")
      }
    }
    expectEmpty(differences, "\(differences.prefix(10).joined(separator: "\n"))")
    expectEqual(with.problems, without.problems)
    expectEqual(with.linkBase(), without.linkBase())
    expectEqual(with.imageName, without.imageName)
    expectEqual(with.architecture, without.architecture)
    expectTrue(with.hasAnySymbols)
  }

  /// The debug information in the file is overwritten, so only the index can answer.
  @Test func onlyTheIndexIsAsked() throws {
    let file = try Self.shapes.objectFile()
    var bytes = try Fixtures.bytes(of: file.path)
    for section in file.sections where section.name.hasPrefix(".debug_") {
      let range = try require(section.fileRange)
      for place in range { bytes[Int(place)] = 0xff }
    }
    let path = try directory.write(bytes, to: "libshapes.elf")
    try makeIndex(of: file, stampedAs: path)
    let expected = try require(ImageResolver(file).resolve(Self.address)?.asFromIndex)
    expectEqual(expected.inlinedFrames.count, 4)
    let resolver = try ImageResolver(symbolFile: path, indexUse: use)
    expectTrue(resolver.hasAnySymbols)
    expectEqual(resolver.resolve(Self.address), expected)
    expectEmpty(resolver.problems)
    // Resolvers that ask the file itself do not know.
    for other in [
      try ImageResolver(symbolFile: path),
      try ImageResolver(symbolFile: path, dwarfReader: .libdwarf, indexUse: use),
    ] {
      expectNotEqual(other.resolve(Self.address)?.inlinedFrames.isEmpty, false)
    }
  }

  @Test func withoutAnIndex() throws {
    let file = try Self.shapes.objectFile()
    let resolver = ImageResolver(file, indexUse: use)
    expectEqual(resolver.resolve(Self.address), ImageResolver(file).resolve(Self.address))
    expectEmpty(resolver.problems)
  }

  // MARK: Indexes that are refused

  /// Answers come from `file`, and `fault` is reported once.
  private func expectIgnored(
    _ index: String, _ file: ObjectFile, _ fault: IndexRefusal,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let resolver = ImageResolver(file, indexUse: use)
    let without = ImageResolver(file)
    for value: UInt64 in 0x1490..<0x1700 {
      let address = LinkAddress(value)
      expectEqual(
        resolver.resolve(address), without.resolve(address), sourceLocation: sourceLocation)
    }
    expectEqual(
      resolver.problems, [SymbolFileProblem(path: index, kind: .unusableIndex(fault))],
      sourceLocation: sourceLocation)
  }

  @Test func staleIndexes() throws {
    let bytes = try Fixtures.bytes(of: Self.shapes.objectFile().path)
    let path = try directory.write(bytes, to: "libshapes.elf")
    let file = try ObjectContainer.openForUse(path: path).objectFiles[0]
    let index = try makeIndex(of: file)
    expectEqual(ImageResolver(file, indexUse: use).resolve(Self.address)?.origin, .dwarf)
    expectEmpty(ImageResolver(file, indexUse: use).problems)
    try directory.write(bytes + [0], to: "libshapes.elf")
    let changed = try ObjectContainer.openForUse(path: path).objectFiles[0]
    expectIgnored(index, changed, .stale(madeFrom: path))
  }

  /// Only one of a program and its dSYM has an index. Nothing is wrong with it.
  @Test func indexesOfAnotherFileOfTheImage() throws {
    let file = try Self.shapes.objectFile()
    try makeIndex(of: file)
    let path = try directory.write(Fixtures.bytes(of: file.path) + [0], to: "libshapes.elf")
    let other = try ImageResolver(symbolFile: path, indexUse: use)
    expectEqual(other.resolve(Self.address), ImageResolver(file).resolve(Self.address))
    expectEmpty(other.problems)
  }

  /// Without this program's trailer it is unknown what an index was made from.
  @Test func indexesOfOtherPrograms() throws {
    let file = try Self.shapes.objectFile()
    let index = try makeIndex(of: file)
    let content = try IndexBuilder(file).build(jobs: 1).pieces.flatMap(\.self)
    try directory.write(content, to: "indexes/" + index.lastPathComponent)
    expectIgnored(index, file, .foreign)
  }

  @Test func damagedIndexes() throws {
    let file = try Self.shapes.objectFile()
    let index = try makeIndex(of: file)
    let name = "indexes/" + index.lastPathComponent
    let bytes = try directory.bytes(of: name)

    var other = bytes
    other[4] = 9
    try directory.write(other, to: name)
    expectIgnored(index, file, .unreadable(.unsupportedIndexVersion(9)))

    other = bytes
    other[28] ^= 1
    try directory.write(other, to: name)
    expectEqual(ImageResolver(file, indexUse: use).resolve(Self.address)?.origin, .dwarf)

    // The places of the records (behind the header's 48 bytes and the offsets of the functions,
    // whose size is at 6 and whose number is at 16) lead out of the file.
    other = bytes
    let count = Int(bytes[16])
    let start = (48 + Int(bytes[6]) * count + 3) / 4 * 4
    for place in 0..<(4 * count) { other[start + place] = 0x7f }
    try directory.write(other, to: name)
    expectIgnored(
      index, file,
      .unreadable(
        .unreadableDebugInformation(
          section: "GSYM", offset: 0, detail: "the bytes are not those that were written")))
  }

  /// Whatever byte is changed, all answers are those of the symbol file, one by one and in numbers.
  @Test func changedBytesNeverAnswer() throws {
    let file = try Self.shapes.objectFile()
    let name = "indexes/" + (try makeIndex(of: file)).lastPathComponent
    let bytes = try directory.bytes(of: name)
    let addresses = stride(from: 0x1490, to: 0x1700, by: 24).map { LinkAddress(UInt64($0)) }
    let symbolFile = ImageResolver(file)
    let expected = addresses.map { symbolFile.resolve($0)?.asFromIndex }
    let questions = addresses.enumerated().map { NumberedAddress($1, number: $0) }
    var generator = SeededGenerator(seed: 31)
    var noticed = 0
    let step = bytes.count / 40
    for start in stride(from: 0, to: bytes.count - step, by: step) {
      var changed = bytes
      changed[start + Int.random(in: 0..<step, using: &generator)] ^=
        1 << UInt8.random(in: 0..<8, using: &generator)
      try directory.write(changed, to: name)
      let resolver = ImageResolver(file, indexUse: use)
      let answers = Mutex<[Int: ResolvedAddress]>([:])
      resolver.answer(questions, jobs: 1) { batch in
        answers.withLock { answers in
          for answer in batch.answers { answers[answer.question.number] = batch.inWords(answer) }
        }
      }
      let found = answers.withLock { $0 }
      for (index, address) in addresses.enumerated() {
        expectEqual(
          (found[index] ?? resolver.resolve(address))?.asFromIndex, expected[index],
          "\(address) near \(start)")
      }
      noticed += resolver.problems.isEmpty ? 0 : 1
    }
    // What is wrong with the others does not concern these addresses.
    #expect(noticed > 20)
  }

  @Test func cutIndexes() throws {
    let file = try Self.shapes.objectFile()
    let index = try makeIndex(of: file)
    let name = "indexes/" + index.lastPathComponent
    let bytes = try directory.bytes(of: name)
    for size in [0, 3, 40, 100, 400, bytes.count - 200, bytes.count - 1] {
      try directory.write(bytes.prefix(size), to: name)
      let resolver = ImageResolver(file, indexUse: use)
      expectEqual(resolver.resolve(Self.address)?.inlinedFrames.count, 4)
      expectEqual(resolver.problems.count, 1, "\(size) bytes")
    }
  }

  @Test func indexesThatCannotBeRead() throws {
    let file = try Self.shapes.objectFile()
    let name = try require(cache.fileName(for: file))
    let index = try directory.makeDirectory("indexes/" + name)
    expectIgnored(index, file, .unreadable(.inaccessible(errno: EISDIR)))
  }
}

extension ResolvedAddress {
  /// The answer as an index has it: without columns, and names without the leading underscore of
  /// Mach-O symbol tables.
  fileprivate var asFromIndex: ResolvedAddress {
    guard origin == .symbolTable, function.rawName.hasPrefix("_") else { return withoutColumns }
    let function = ResolvedFrame(
      name: function.name, rawName: String(function.rawName.dropFirst()),
      location: function.location, rangeStart: function.rangeStart)
    return ResolvedAddress(inlinedFrames: [], function: function, origin: origin)
  }
}
