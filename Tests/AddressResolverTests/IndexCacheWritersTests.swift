import FileSystem
import AddressResolver
import Foundation
import ObjectFiles
import Platform
import SymbolIndex
import SymbolStore
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

/// Several writers, interrupted writers, and what is removed.
struct IndexCacheWritersTests {
  private let images: CachedImages

  init() throws { images = try CachedImages() }

  /// Two writers keep replacing the index of one image while readers look for it. Readers always
  /// find a whole file.
  @Test func twoWritersAndReaders() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    let index = try IndexBuilder(file).build(jobs: 1)
    let stamp = try SourceStamp(ofFileAt: file.path)
    let counts = Mutex((found: 0, damaged: 0, failed: 0))
    ParallelWork.perform(count: 4, jobs: 4) { worker in
      for _ in 0..<60 {
        do {
          if worker < 2 {
            _ = try cache.store(index.pieces, for: file, source: stamp)
          } else if let found = try cache.find(for: file) {
            let isIntact = found.hasIntactContent == true
            counts.withLock {
              $0.found += 1
              if !isIntact { $0.damaged += 1 }
            }
          }
        } catch {
          counts.withLock { $0.failed += 1 }
        }
      }
    }
    let result = counts.withLock { $0 }
    expectEqual(result.damaged, 0)
    expectEqual(result.failed, 0)
    try expectEqual(cache.find(for: file)?.hasIntactContent, true)
    try expectEqual(images.cachedNames(), [CachedImages.storyName])
  }

  @Test func aReaderKeepsWhatAWriterReplaces() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    try images.store(file, in: cache)
    let found = try require(cache.find(for: file))
    try images.store(file, in: cache)
    expectEqual(cache.clean().fileCount, 1)
    expectEqual(found.hasIntactContent, true)
  }

  private let left = ".symbolicate-index-1f.partial"

  /// An interrupted writer may leave a file under a name that no reader looks for. The writer may
  /// still be at work where locks are not seen, so the file stays for ten minutes.
  @Test(arguments: [550, 650]) func temporaryFilesAreRemovedAfterTenMinutes(age: Int) throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    try images.directory.makeDirectory("cache")
    let path = try images.directory.write([1, 2, 3], to: "cache/" + left)
    try CachedImages.setAge(seconds: age, of: path)
    try expectNil(cache.find(for: file))
    try images.store(file, in: cache)
    let expected = age < 600 ? [left, CachedImages.storyName] : [CachedImages.storyName]
    try expectEqual(images.cachedNames(), expected)
    expectEqual(cache.clean().fileCount, 1)
    try expectEqual(images.cachedNames(), age < 600 ? [left] : [])
  }

  /// However long ago it wrote something.
  @Test func aTemporaryFileWithAWriterStays() throws {
    let cache = images.cache()
    try images.directory.makeDirectory("cache")
    let path = try images.directory.write([1, 2, 3], to: "cache/" + left)
    try CachedImages.setAge(seconds: 9999, of: path)
    let file = unsafe open(path, O_RDONLY)
    expectEqual(flock(file, LOCK_EX | LOCK_NB), 0)
    expectEqual(cache.clean().fileCount, 0)
    close(file)
    expectEqual(cache.clean().fileCount, 1)
  }

  @Test func cleaningRemovesOnlyFilesOfTheCache() throws {
    let cache = images.cache()
    let nothing = cache.clean()
    expectEqual(nothing.fileCount, 0)
    expectEmpty(nothing.failures)
    let path = try images.store(try images.symbolFile(), in: cache)
    let size = try Fixtures.bytes(of: path).count
    let others = [
      "notes.txt", "index.gsym", "A4B1-arm64.gsym", "a4b-arm64.gsym", "a4b1-.gsym",
      "a4b1-arm64.gsym.old", "-arm64.gsym", "a4b1-arm 64.gsym", ".symbolicate-1f.partial",
      ".symbolicate-index-.partial",
    ]
    for name in others {
      try CachedImages.setAge(
        seconds: 9999, of: images.directory.write([1], to: "cache/" + name))
    }
    try images.directory.makeDirectory("cache/aa-arm64.gsym")
    try images.directory.link("cache/ab-arm64.gsym", to: Fixtures.storyDwarfFile)
    let removal = cache.clean()
    expectEqual(removal.fileCount, 1)
    expectEqual(removal.byteCount, UInt64(size))
    expectEmpty(removal.failures)
    try expectEqual(images.cachedNames(), (others + ["aa-arm64.gsym", "ab-arm64.gsym"]).sorted())
  }

  /// There is room for three: the least recently used one is removed, whenever it was written.
  @Test func theLeastRecentlyUsedIsRemoved() throws {
    let files = try (1...4).map { try images.symbolFile($0, name: "Letter Shuffle \($0)") }
    let size = UInt64(
      try Fixtures.bytes(of: images.store(files[0], in: images.cache(limit: .max))).count)
    // The indexes have one size, because the names of their symbol files have one length.
    let cache = images.cache(limit: 3 * size + size / 2)
    for (number, days) in [(1, 5), (2, 4), (3, 3)] {
      let path = try images.store(files[number - 1], in: cache)
      try CachedImages.setAge(seconds: days * 86_400, of: path)
    }
    try expectEqual(images.cachedNames().count, 3)
    // The oldest is used, which makes it the most recently used.
    try expectTrue(cache.find(for: files[0]) != nil)
    try images.store(files[3], in: cache)
    try expectEqual(
      images.cachedNames(), [1, 3, 4].map { CachedImages.indexName($0) })
    // An index larger than the limit stays, as the only one.
    try images.store(files[1], in: images.cache(limit: 10))
    try expectEqual(images.cachedNames(), [CachedImages.indexName(2)])
  }

  @Test func nothingIsRemovedFromADirectoryThatTheUserNamed() throws {
    let directory = IndexCache(directory: images.directory.path("named"))
    for number: UInt8 in 1...3 {
      let path = try images.store(
        try images.symbolFile(number, name: "Letter Shuffle \(number)"), in: directory)
      try CachedImages.setAge(seconds: 90_000, of: path)
    }
    try expectEqual(
      FileManager.default.contentsOfDirectory(atPath: images.directory.path("named")).count, 3)
  }

  /// A use sets the file's time, once a day.
  @Test func aUseIsNotedOnceADay() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    let path = try images.store(file, in: cache)
    try CachedImages.setAge(seconds: 86_000, of: path)
    _ = try cache.find(for: file)
    #expect(try CachedImages.age(of: path) > 85_900)
    try CachedImages.setAge(seconds: 87_000, of: path)
    _ = try IndexCache(directory: images.cachePath).find(for: file)
    #expect(try CachedImages.age(of: path) > 86_900)
    _ = try cache.find(for: file)
    #expect(try CachedImages.age(of: path) < 1000)
  }
}
