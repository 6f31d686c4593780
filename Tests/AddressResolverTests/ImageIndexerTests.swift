import AddressResolver
import Foundation
import ObjectFiles
import SymbolIndex
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Making the index of one image.
struct ImageIndexerTests {
  private let images: CachedImages

  init() throws { images = try CachedImages() }

  private func index(
    _ file: ObjectFile, in cache: IndexCache
  ) throws(ImageIndexer.Failure) -> ImageIndexer.Outcome {
    try ImageIndexer(cache: cache, jobs: 2).index(
      path: file.path, architecture: file.architecture, identity: file.identity)
  }

  private func failure(_ file: ObjectFile, in cache: IndexCache) -> ImageIndexer.Failure? {
    do throws(ImageIndexer.Failure) {
      _ = try index(file, in: cache)
      return nil
    } catch {
      return error
    }
  }

  private func fileNumber(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  @Test func anUndamagedIndexOfTheSameContentStays() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    let path = try index(file, in: cache).path
    let first = try fileNumber(path)
    try expectEqual(index(file, in: cache).path, path)
    try expectEqual(fileNumber(path), first)
    // Damage that a lookup may never find.
    var bytes = try Fixtures.bytes(of: path)
    bytes[200] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try expectEqual(index(file, in: cache).path, path)
    try expectEqual(cache.find(for: file)?.hasIntactContent, true)
    // The time of change differs.
    try CachedImages.setAge(seconds: 50, of: file.path)
    expectEqual(fault(cache, file), .stale(madeFrom: file.path))
    try expectEqual(index(file, in: cache).path, path)
    expectNil(fault(cache, file))
  }

  @Test func uuidsUpToTwentyBytes() throws {
    for count in [20, 21, 32] {
      let path = try images.directory.write(
        TinyElf.bytes(buildId: [UInt8](repeating: 0xab, count: count)), to: "tiny-\(count).so")
      let file = try ObjectContainer.open(path: path).objectFiles[0]
      expectEqual(file.identity?.bytes.count, count)
      expectEqual(
        failure(file, in: images.cache()),
        count == 20
          ? .symbolFile(SymbolFileProblem(path: path, kind: .noSymbols))
          : .limit(.uuidSize, value: UInt64(count)))
    }
    #expect(throws: (any Error).self) { try images.cachedNames() }
  }

  @Test func imagesThatCannotHaveAnIndex() throws {
    let path = try images.directory.write(TinyElf.bytes(buildId: []), to: "tiny.so")
    let nameless = try ObjectContainer.open(path: path).objectFiles[0]
    expectEqual(failure(nameless, in: images.cache()), .noIdentity)
    expectEqual(
      failure(nameless, in: IndexCache(directory: images.cachePath)),
      .symbolFile(SymbolFileProblem(path: path, kind: .noSymbols)))
    let file = try images.symbolFile()
    // Another build has replaced the file.
    _ = try images.symbolFile(0x14)
    expectEqual(failure(file, in: images.cache()), .changedMeanwhile)
    try FileManager.default.removeItem(atPath: file.path)
    expectEqual(
      failure(file, in: images.cache()),
      .symbolFile(SymbolFileProblem(path: file.path, kind: .inaccessible(errno: 2))))
  }
}
