import ObjectFiles
import Platform
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Names that were learnt from reports, among symbol files.
struct LearntStoreTests {
  private let directory: TemporaryDirectory
  private static let uuid = "a4b1de49-70b3-301d-a644-58d6bc22f513"
  private static let learnt = Fixtures.path("Learnt/system.learnt")

  init() throws { directory = try TemporaryDirectory() }

  private func match(_ places: SymbolPlaces, isOfAppleSystem: Bool = true) -> String? {
    SymbolStore(places).symbolFile(for: Self.image(isOfAppleSystem: isOfAppleSystem))?.objectFile
      .path
  }

  private static func image(isOfAppleSystem: Bool = true) -> ImageDescription {
    let image = SymbolStoreTests.image(uuid, ["Letter Shuffle"])
    return ImageDescription(
      identity: image.identity, architecture: image.architecture, names: image.names,
      isOfAppleSystem: isOfAppleSystem)
  }

  private func places(_ paths: [String] = []) -> SymbolPlaces {
    var places = SymbolPlaces(paths: paths, debugDirectories: [])
    places.cacheDirectory = directory.path("cache")
    return places
  }

  private func putIntoCache(permissions: UInt16 = 0o600) throws -> String {
    try directory.makeDirectory("cache/learnt")
    let bytes = try Fixtures.bytes(of: Self.learnt)
    let name = Self.uuid.replacing("-", with: "") + ".learnt"
    let path = try directory.write(bytes, to: "cache/learnt/\(name)")
    for folder in ["cache", "cache/learnt"] {
      unsafe expectEqual(chmod(directory.path(folder), 0o700), 0)
    }
    unsafe expectEqual(chmod(path, mode_t(permissions)), 0)
    return path
  }

  @Test func inTheCache() throws {
    expectNil(match(places()))
    let path = try putIntoCache()
    expectEqual(match(places()), path)
    expectNil(match(places(), isOfAppleSystem: false))
    var without = places()
    without.usesIndexes = false
    expectNil(match(without))
    var elsewhere = places()
    elsewhere.indexDirectory = directory.path("other")
    expectNil(match(elsewhere))
    elsewhere.indexDirectory = directory.path("cache")
    expectEqual(match(elsewhere), path)
  }

  /// Any other file of the image wins, even one that knows less.
  @Test func isTheLastResort() throws {
    _ = try putIntoCache()
    expectEqual(match(places([Self.learnt])), Self.learnt)
    let symbols = Fixtures.path("CoreSymbolication/names.symbols")
    let dsym = Fixtures.storyDwarfFile
    for paths in [[Self.learnt, symbols], [symbols, Self.learnt], [symbols]] {
      expectEqual(match(places(paths)), symbols)
    }
    expectEqual(match(places([Self.learnt, symbols, dsym])), dsym)
    try directory.makeDirectory("found")
    try directory.copy(Self.learnt, to: "found/a.learnt")
    try directory.copy(symbols, to: "found/b.symbols")
    expectEqual(match(places([directory.path("found")])), directory.path("found/b.symbols"))
  }

  @Test func whatOthersMayHaveWrittenIsNotUsed() throws {
    let path = try putIntoCache(permissions: 0o666)
    let store = SymbolStore(places())
    expectNil(store.symbolFile(for: Self.image()))
    expectEqual(
      store.searchProblems,
      [
        SymbolFileProblem(
          path: path, kind: .unusableIndex(.writableByOthers(path: path, permissions: 0o666)))
      ])
  }

  @Test func damageIsReported() throws {
    let path = try putIntoCache()
    let name = String(path.dropFirst(directory.path.utf8.count + 1))
    try directory.write(Fixtures.bytes(of: Self.learnt).dropLast(), to: name)
    let store = SymbolStore(places())
    expectNil(store.symbolFile(for: Self.image()))
    let size = UInt64(try Fixtures.bytes(of: Self.learnt).count)
    expectEqual(
      store.searchProblems.map(\.kind),
      [
        .unusableIndex(
          .unreadable(
            .malformed(
              structure: "size of the learnt names", value: size - 1, expected: .exactly(size))))
      ])
  }
}
