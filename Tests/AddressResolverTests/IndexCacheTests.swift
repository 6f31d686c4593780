import AddressResolver
import Foundation
import ObjectFiles
import SymbolIndex
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// What a cache of indexes finds, and what it refuses.
struct IndexCacheTests {
  private let images: CachedImages

  init() throws { images = try CachedImages() }

  @Test func findsWhatWasStored() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    try expectNil(cache.find(for: file))
    let path = try images.store(file, in: cache)
    expectEqual(path, images.cachePath + "/" + CachedImages.storyName)
    let index = try require(cache.find(for: file))
    expectEqual(index.path, path)
    expectEqual(index.hasIntactContent, true)
    let trailer = try require(index.trailer)
    // `llvm-objdump --private-headers` of the example: __TEXT at 0x100000000.
    expectEqual(trailer.linkBase, LinkAddress(0x1_0000_0000))
    expectEqual(trailer.architecture, .arm64)
    expectEqual(trailer.source.path, file.path)
    expectEqual(trailer.source.size, UInt64(try Fixtures.bytes(of: file.path).count))
    expectEqual(index.gsym.uuid, CachedImages.storyUuid)
    try expectEqual(images.cachedNames(), [CachedImages.storyName])
  }

  @Test func onlyTheUserMayReadDirectoriesOfTheCache() throws {
    let file = try images.symbolFile()
    let parent = images.directory.path("home/.cache")
    let cache = IndexCache(cache: parent + "/symbolicate", sizeLimit: 1 << 20)
    try images.store(file, in: cache)
    for path in [images.directory.path("home"), parent, parent + "/symbolicate"] {
      try expectEqual(CachedImages.permissions(of: path), 0o700)
    }
  }

  @Test func aTouchedSymbolFileMakesItStale() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    try CachedImages.setAge(seconds: 100, of: file.path)
    try images.store(file, in: cache)
    expectNil(fault(cache, file))
    try CachedImages.setAge(seconds: 99, of: file.path)
    expectEqual(fault(cache, file), .stale(madeFrom: file.path))
    try images.store(file, in: cache)
    expectNil(fault(cache, file))
  }

  @Test func aSymbolFileOfAnotherSizeMakesItStale() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    try images.store(file, in: cache)
    let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
    try images.directory.write(try Fixtures.bytes(of: file.path) + [0], to: "Letter Shuffle")
    try FileManager.default.setAttributes(
      [.modificationDate: try require(date)], ofItemAtPath: file.path)
    expectEqual(fault(cache, file), .stale(madeFrom: file.path))
  }

  @Test func damage() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    let path = try images.store(file, in: cache)
    let bytes = try Fixtures.bytes(of: path)
    func fault(with changed: some Sequence<UInt8>) throws -> IndexRefusal? {
      try images.directory.write(changed, to: "cache/" + CachedImages.storyName)
      return AddressResolverTests.fault(cache, file)
    }
    // A cut file has no trailer, and may lack tables as well.
    try expectEqual(fault(with: bytes.dropLast()), .foreign)
    guard
      case .unreadable(.truncated(_, _, _, UInt64(bytes.count / 2))) = try fault(
        with: bytes.prefix(bytes.count / 2))
    else {
      Issue.record("half an index is not noticed")
      return
    }
    try expectEqual(
      fault(with: bytes.dropFirst()),
      .unreadable(
        .malformed(
          structure: "size before the index trailer",
          value: UInt64(bytes.count - 1) - trailerSize(file),
          expected: .exactly(UInt64(bytes.count) - trailerSize(file)))))
    var changed = bytes
    changed[bytes.count - 24 - 1] ^= 1
    guard
      case .unreadable(.malformed("checksum of the index trailer", _, nil)) = try fault(
        with: changed)
    else {
      Issue.record("a changed path is not noticed")
      return
    }
    changed = bytes
    changed[0] ^= 1
    try expectEqual(fault(with: changed), .foreign)
    changed = bytes
    changed[4] = 3
    try expectEqual(fault(with: changed), .unreadable(.unsupportedIndexVersion(3)))
    changed = bytes
    changed[6] = 3
    try expectEqual(
      fault(with: changed),
      .unreadable(.malformed(structure: "size of GSYM address offsets", value: 3)))
    changed = bytes
    // The number of functions (Header.h).
    changed.replaceSubrange(16..<20, with: [0xff, 0xff, 0xff, 0x7f])
    guard
      case .unreadable(.truncated("GSYM table of addresses", _, _, _)) = try fault(with: changed)
    else {
      Issue.record("a table beyond the end is not noticed")
      return
    }
    try expectEqual(
      fault(with: []),
      .unreadable(
        .truncated(structure: "GSYM header", offset: 0, wanted: 4, available: 0)))
    try expectNil(fault(with: bytes))
  }

  /// Fixed part, architecture and path, the checksum of the table, and the footer: see
  /// `IndexTrailer`.
  private func trailerSize(_ file: ObjectFile) -> UInt64 {
    44 + 5 + UInt64(file.path.utf8.count) + 8 + 24
  }

  @Test func theIndexOfAnotherImage() throws {
    let cache = images.cache()
    let other = try images.symbolFile(0x14, name: "other")
    let path = try images.store(other, in: cache)
    let file = try images.symbolFile()
    try FileManager.default.copyItem(
      atPath: path, toPath: images.cachePath + "/" + CachedImages.storyName)
    expectEqual(fault(cache, file), .otherImage(found: other.identity))
  }

  @Test func theIndexOfAnotherSlice() throws {
    let file = try images.symbolFile()
    let cache = images.cache()
    let index = try IndexBuilder(file).build(jobs: 1)
    _ = try cache.store(index.pieces, for: file, source: SourceStamp(ofFileAt: file.path))
    let ending = IndexTrailer.ending(
      linkBase: nil, architecture: .arm64e, source: try SourceStamp(ofFileAt: file.path),
      of: index.pieces)
    try images.directory.write(
      index.pieces.joined() + ending, to: "cache/" + CachedImages.storyName)
    expectEqual(fault(cache, file), .otherArchitecture(found: .arm64e))
  }

  /// An index of another program does not state its source.
  @Test func anIndexWithoutTrailerIsRefused() throws {
    let file = try images.symbolFile()
    let index = try IndexBuilder(file).build(jobs: 1)
    try images.directory.makeDirectory("cache")
    try images.directory.write(index.pieces.joined(), to: "cache/" + CachedImages.storyName)
    expectEqual(fault(images.cache(), file), .foreign)
    expectEqual(fault(IndexCache(directory: images.cachePath + "/"), file), .foreign)
  }

  @Test func filesAndDirectoriesThatCannotBeOpened() throws {
    let file = try images.symbolFile()
    try images.directory.makeDirectory("cache/" + CachedImages.storyName)
    // EISDIR on Linux.
    expectEqual(fault(images.cache(), file), .unreadable(.inaccessible(errno: 21)))
    // A file instead of the directory has no index, and none can be stored.
    let path = try images.directory.write([], to: "file")
    try expectNil(IndexCache(cache: path, sizeLimit: 1).find(for: file))
    #expect(throws: IndexWriteError.cannotCreate(path: path, errno: 20)) {
      try images.store(file, in: IndexCache(cache: path, sizeLimit: 1))
    }
  }

  @Test func anImageWithoutIdentity() throws {
    let path = try images.directory.write(TinyElf.bytes(buildId: []), to: "lib tiny.so")
    let file = try ObjectContainer.open(path: path).objectFiles[0]
    expectNil(file.identity)
    expectNil(images.cache().fileName(for: file))
    try expectNil(images.cache().find(for: file))
    #expect(throws: IndexWriteError.noIdentity) {
      try images.cache().store(
        IndexBuilder(try images.symbolFile()).build(jobs: 1).pieces, for: file,
        source: SourceStamp(ofFileAt: path))
    }
    let named = IndexCache(directory: images.cachePath)
    expectEqual(named.fileName(for: file), "lib tiny.so-x86_64.gsym")
  }

  /// The XDG Base Directory Specification: relative and empty paths are ignored.
  @Test(
    arguments: [
      ("/caches", "/home/me", "/caches/symbolicate"),
      ("relative", "/home/me", "/home/me/.cache/symbolicate"),
      ("", "/home/me", "/home/me/.cache/symbolicate"),
      (nil, "/home/me", "/home/me/.cache/symbolicate"),
      ("/caches", nil, "/caches/symbolicate"),
      ("/", nil, "//symbolicate"),
      ("relative", "also/relative", nil),
      (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func theUsersCache(cacheHome: String?, home: String?, expected: String?) {
    let cache = IndexCache.user { $0 == "XDG_CACHE_HOME" ? cacheHome : $0 == "HOME" ? home : nil }
    expectEqual(cache?.directory, expected)
    // 2 GiB
    expectEqual(cache?.sizeLimit, expected == nil ? nil : 2_147_483_648)
  }
}
