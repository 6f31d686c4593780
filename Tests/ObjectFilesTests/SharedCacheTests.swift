import BinaryInput
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// dyld shared caches. The bytes follow `dyld_cache_format.h` (`SharedCacheBytes`).
@Suite struct SharedCacheTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func open(_ bytes: SharedCacheBytes) throws -> [ObjectFile] {
    try ObjectContainer.open(path: bytes.write(to: folder)).objectFiles
  }

  private func functions(_ files: [ObjectFile]) throws -> [SharedCacheBytes.Function] {
    try files.enumerated().flatMap { library, file in
      let table = try file.allNames().table
      return (0..<table.count).map { index in
        let symbol = table[index]
        let name = symbol.rawName
        return SharedCacheBytes.Function(
          library: library, start: symbol.addresses.lowerBound.value,
          end: symbol.addresses.upperBound.value,
          name: name.hasPrefix("_") ? String(name.dropFirst()) : name)
      }
    }
  }

  private func problems(_ bytes: SharedCacheBytes) throws -> [SymbolFileProblem] {
    let container = try ObjectContainer.open(path: bytes.write(to: folder))
    let faults = try container.faults + container.objectFiles.flatMap { try $0.allNames().faults }
    return faults.map { SymbolFileProblem($0) }.withoutRepetitions
  }

  // MARK: - What is read

  @Test(arguments: SharedCacheBytes.kinds)
  func librariesAndNames(kind: SharedCacheBytes.Kind) throws {
    let bytes = SharedCacheBytes(kind)
    let files = try open(bytes)
    expectEqual(files.count, 1 + kind.suffixes.count)
    for (index, file) in files.enumerated() {
      expectEqual(file.identity, ImageIdentity(bytes: bytes.uuid(ofLibrary: index)))
      expectEqual(file.imageName, "libexample\(index).dylib")
      expectEqual(file.shownPath(ofFile: "X"), "X(\(bytes.installName(ofLibrary: index)))")
      expectTrue(file.answersAlone)
      let text = try require(bytes.functions.first { $0.library == index }).start - 0x800
      expectEqual(file.linkBase()?.value, text)
    }
    try expectEqual(functions(files).sorted(), bytes.functions.sorted())
    try expectEqual(problems(bytes), [])
  }

  @Test func architectures() throws {
    let names = try SharedCacheBytes.kinds.map {
      try open(SharedCacheBytes($0))[0].architecture.name
    }
    expectEqual(names, ["arm64", "x86_64h", "arm64e", "arm64e", "x86_64", "arm64_32"])
  }

  /// Without the list with UUIDs, the libraries state them.
  @Test(arguments: SharedCacheBytes.kinds)
  func identitiesOfLibraries(kind: SharedCacheBytes.Kind) throws {
    var bytes = SharedCacheBytes(kind)
    bytes.files[0].bytes.put(UInt64(0), at: 0x90)
    let files = try open(bytes)
    expectEqual(
      files.map(\.identity),
      files.indices.map { ImageIdentity(bytes: bytes.uuid(ofLibrary: $0)) })
    try expectEqual(functions(files).sorted(), bytes.functions.sorted())
  }

  @Test func filesOfDevelopmentCaches() throws {
    var bytes = SharedCacheBytes(SharedCacheBytes.kinds[3])
    let suffixes = bytes.files.map(\.suffix)
    for (number, suffix) in suffixes.enumerated() where number > 0 && suffix != ".symbols" {
      let place = try require(bytes.files[0].bytes.firstRange(of: Array(suffix.utf8))?.lowerBound)
      bytes.files[0].bytes.put(Array("\(suffix).development".utf8), at: place)
      bytes.files[number].suffix = suffix + ".development"
    }
    for file in bytes.files.dropFirst() { try folder.write(file.bytes, to: "x" + file.suffix) }
    try folder.write(bytes.files[0].bytes, to: "x.development")
    try folder.write(bytes.files.last?.bytes ?? [], to: "x.development.symbols")
    let files = try ObjectContainer.open(path: folder.path("x.development")).objectFiles
    try expectEqual(functions(files).sorted(), bytes.functions.sorted())
  }

  // MARK: - Other files of the cache

  @Test(arguments: SharedCacheBytes.kinds.filter { !$0.suffixes.isEmpty })
  func filesOfOtherCachesAreRefused(kind: SharedCacheBytes.Kind) throws {
    for number in 1...(kind.suffixes.count + 1) {
      var bytes = SharedCacheBytes(kind)
      let expected = ImageIdentity(bytes: Array(bytes.files[number].bytes[0x58..<0x68]))
      bytes.files[number].bytes.put([0xee], at: 0x58)
      let files = try open(bytes)
      let found = ImageIdentity(bytes: Array(bytes.files[number].bytes[0x58..<0x68]))
      let problem = try require(files[0].allNames().faults.first.map { SymbolFileProblem($0) })
      expectEqual(problem.path, folder.path("cache" + bytes.files[number].suffix))
      expectEqual(problem.kind, .otherImage(found: found, expected: try require(expected)))
      // The library in it has no names, or no local ones.
      if number < files.count {
        #expect(throws: ObjectFileError.self) { try files[number].allNames() }
      } else {
        let names = try functions(files).map(\.name)
        expectEqual(
          names.sorted(),
          bytes.functions.map(\.name).filter { !$0.hasPrefix("local") }.sorted())
      }
    }
  }

  @Test func missingFilesAreNamed() throws {
    var bytes = SharedCacheBytes(SharedCacheBytes.kinds[4])
    bytes.files.removeLast()
    let files = try open(bytes)
    let problem = try require(files[0].allNames().faults.first.map { SymbolFileProblem($0) })
    expectEqual(problem.path, folder.path("cache.symbols"))
    expectEqual(problem.kind, .inaccessible(errno: 2))
  }

  /// Each of thousands of images would repeat what is wrong with each of a thousand files.
  @Test func fewMissingFilesAreNamedForAnImage() throws {
    var bytes = SharedCacheBytes(SharedCacheBytes.kinds[2])
    // subCacheArrayCount
    bytes.files[0].bytes.put(UInt32(20), at: 0x18c)
    let faults = try require(open(bytes).first).allNames().faults
    expectEqual(
      faults.map { SymbolFileProblem($0).path }, (3...10).map { folder.path("cache.\($0)") })
  }

  /// Images of a made-up cache share what they have: load commands count for each.
  @Test func loadCommandsCountAsTables() throws {
    var bytes = SharedCacheBytes(SharedCacheBytes.kinds[0])
    // sizeofcmds of mach_header_64
    bytes.files[0].bytes.put(UInt32(0x7fff_ffff), at: 0x1000 + 20)
    let file = try require(open(bytes).first)
    let error = #expect(throws: ObjectFileError.self) { _ = try file.allNames() }
    expectEqual(
      error.map { SymbolFileProblem($0).kind },
      .malformed(
        structure: "size of the tables of all images", value: 0x7fff_ffff, expected: .atMost(0)))
  }

  @Test func partsAreNoCaches() throws {
    let bytes = SharedCacheBytes(SharedCacheBytes.kinds[3])
    for file in bytes.files.dropFirst() { expectEqual(refusal(of: file.bytes), .partOfSharedCache) }
    // A part that repeats the list of images has none of their addresses.
    var part = bytes.files[1].bytes
    part.put(Array(bytes.files[0].bytes[0x240..<0x900]), at: 0x240)
    part.put(Array(bytes.files[0].bytes[0x88..<0x98]), at: 0x88)
    part.put(UInt64(1), at: 0x90)
    expectEqual(refusal(of: part), .partOfSharedCache)
    expectEqual(
      refusal(of: Array("dyld: Library not loaded".utf8)),
      .unrecognized(firstBytes: Array("dyld: Li".utf8)))
  }

  // MARK: - Damage

  /// A number that no field can have: the problem names the field, or where it leads to.
  @Test(
    arguments: [
      (0x10, "mappingOffset"), (0x14, "mappingCount"), (0x48, "localSymbolsOffset"),
      (0x50, "localSymbolsOffset"), (0x88, "imagesTextOffset"), (0x90, "imagesTextCount"),
      (0x188, "subCacheArrayOffset"), (0x18c, "subCacheArrayCount"),
    ])
  func damagedFieldsAreNamed(offset: Int, field: String) throws {
    let is64Bit = [0x48, 0x50, 0x88, 0x90].contains(offset)
    var bytes = SharedCacheBytes(SharedCacheBytes.kinds[3])
    // Local symbols are in the last file.
    let number = [0x48, 0x50].contains(offset) ? bytes.files.count - 1 : 0
    if is64Bit {
      bytes.files[number].bytes.put(UInt64.max, at: offset)
    } else {
      bytes.files[number].bytes.put(UInt32.max, at: offset)
    }
    var found: ObjectFileError?
    do {
      found = try open(bytes)[0].allNames().faults.first
    } catch let error as ObjectFileError {
      found = error
    }
    let problem = SymbolFileProblem(try require(found))
    expectEqual(problem.path, folder.path("cache" + bytes.files[number].suffix))
    expectContains("\(problem.kind)", field)
  }

  @Test func mappingsThatOverlapAndThatAreOutside() throws {
    let kind = SharedCacheBytes.kinds[0]
    var bytes = SharedCacheBytes(kind)
    // The third mapping: its address becomes that of the second.
    bytes.files[0].bytes.put(UInt64(0x1_8010_0000), at: kind.headerSize + 64)
    #expect(throws: ObjectFileError.self) { try problems(bytes) }
    bytes = SharedCacheBytes(kind)
    bytes.files[0].bytes.put(UInt64(0x1_8000_1fff), at: kind.headerSize + 32)
    expectEqual(
      try problems(bytes).map(\.kind),
      [
        .malformed(
          structure: "address of a mapping of the shared cache", value: 0x1_8000_1fff,
          expected: .atLeast(0x1_8000_2000))
      ])
    bytes = SharedCacheBytes(kind)
    bytes.files[0].bytes.put(UInt64(1) << 40, at: kind.headerSize + 32 + 16)
    let size = UInt64(bytes.files[0].bytes.count)
    expectEqual(
      try problems(bytes).map(\.kind),
      [
        .truncated(
          structure: "mapping 1 of the shared cache", offset: 1 << 40, wanted: 0x1000,
          available: size)
      ])
    bytes = SharedCacheBytes(kind)
    bytes.files[0].bytes.put(UInt64.max, at: kind.headerSize + 32 + 8)
    expectEqual(
      try problems(bytes).map(\.kind),
      [
        .malformed(
          structure: "size of mapping 1 of the shared cache", value: .max,
          expected: .atMost(.max - 0x1_8010_0000))
      ])
  }

  @Test func triesWithLoops() throws {
    var bytes = SharedCacheBytes(SharedCacheBytes.kinds[0])
    // The second edge of the root leads back to it.
    let edge = SharedCacheBytes.trieOffset + 2 + 11 + 1 + 7
    expectEqual(bytes.files[0].bytes[edge], 0x38)
    bytes.files[0].bytes.put([0], at: edge)
    expectEqual(
      try problems(bytes).map(\.kind), [.damaged(structure: "export trie", offset: 0)])
  }

  /// Any field of a header, and any word of a library, with extreme values: nothing traps, and what
  /// is wrong has the path of one of the files.
  @Test(arguments: SharedCacheBytes.kinds)
  func anyFieldMayBeWrong(kind: SharedCacheBytes.Kind) throws {
    let original = SharedCacheBytes(kind)
    let path = try original.write(to: folder)
    var random = SeededGenerator(seed: 34)
    let fields = stride(from: 0x10, to: kind.headerSize, by: 4).map { (file: 0, place: $0) }
    let others = (0..<80).map { _ in
      let file = Int.random(in: 0..<original.files.count, using: &random)
      let words = (original.files[file].bytes.count - 4) / 4
      return (file: file, place: 4 * Int.random(in: 4..<words, using: &random))
    }
    let values: [UInt32] = [0, 1, 0x7fff_ffff, .max]
    for (step, (file, place)) in (fields + others).enumerated() {
      var bytes = original.files[file].bytes
      bytes.put(values[step % values.count], at: place)
      let name = "cache" + original.files[file].suffix
      try folder.write(bytes, to: name)
      defer { _ = try? folder.write(original.files[file].bytes, to: name) }
      var faults: [ObjectFileError] = []
      do {
        let container = try ObjectContainer.open(path: path)
        faults += container.faults
        for file in container.objectFiles {
          do throws(ObjectFileError) {
            let names = try file.allNames()
            faults += names.faults
            expectTrue(names.table.count <= 64)
          } catch {
            faults.append(error)
          }
        }
      } catch {
        faults.append(error)
      }
      expectEqual(faults.filter { !$0.path.hasPrefix(path) }, [], "\(place)")
    }
  }

  // MARK: - Real caches

  /// What PyPI's dyldextractor and llvm-objdump find in the caches of libobjc: the number of
  /// addresses with a name, and some names.
  @Test func realCaches() throws {
    guard let corpus = Corpus.path else { return }
    let folder = corpus + "/symbols-other/dyld_shared_cache_arm64-macOS"
    for (path, libraries, names) in [(folder, 2, 3), (folder + "-objc", 8, 554)] {
      guard let container = try? ObjectContainer.open(path: path) else { continue }
      expectEqual(container.objectFiles.count, libraries)
      let tables = try container.objectFiles.map { try $0.allNames() }
      expectEqual(tables.flatMap(\.faults), [])
      expectEqual(tables.reduce(0) { $0 + $1.table.count }, names)
    }
    guard let container = try? ObjectContainer.open(path: folder + "-objc") else { return }
    for (library, address, name) in [
      ("libobjc.A.dylib", 0x1_8002_3ec8, "_NXCompareHashTables"),
      ("libhello-1.0.dylib", 0x1_8001_8a1c, "+[Test someStaticMethod]"),
      ("libhello-1.0.dylib", 0x1_8001_8ab0, "-[Test methodWithOneArg:]"),
      ("libobjc.A.dylib", 0x1_8003_cfc8, "+[NSObject self]"),
    ] as [(String, UInt64, String)] {
      let file = try require(container.objectFiles.first { $0.imageName == library })
      let table = try file.allNames().table
      expectEqual(table.symbol(at: LinkAddress(address))?.rawName, name)
    }
  }
}
