import AddressResolver
import Foundation
import ObjectFiles
import SymbolIndex
import SymbolStore
import SymbolicationModel
import TestSupport

/// Copies of the example's DWARF file, each with a UUID of its own, and their indexes.
struct CachedImages {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  static let storyUuid: [UInt8] = [
    0xa4, 0xb1, 0xde, 0x49, 0x70, 0xb3, 0x30, 0x1d, 0xa6, 0x44, 0x58, 0xd6, 0xbc, 0x22, 0xf5, 0x13,
  ]
  static let storyName = "a4b1de4970b3301da64458d6bc22f513-arm64.gsym"

  /// The name of the index of the image made with `lastByte`.
  static func indexName(_ lastByte: UInt8) -> String {
    let digits = String(lastByte, radix: 16)
    return "a4b1de4970b3301da64458d6bc22f5\(digits.count == 1 ? "0" : "")\(digits)-arm64.gsym"
  }

  var cachePath: String { directory.path("cache") }

  func cache(limit: UInt64 = 1 << 30) -> IndexCache {
    IndexCache(cache: cachePath, sizeLimit: limit)
  }

  /// A symbol file whose UUID ends with this byte, 0x13 being the example's own.
  func symbolFile(_ lastByte: UInt8 = 0x13, name: String = "Letter Shuffle") throws -> ObjectFile {
    var bytes = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    let start = bytes.indices.first { bytes[$0...].starts(with: Self.storyUuid) } ?? 0
    bytes[start + 15] = lastByte
    let path = try directory.write(bytes, to: name)
    return try ObjectContainer.open(path: path).objectFiles[0]
  }

  /// Makes the file's index and stores it.
  @discardableResult
  func store(_ file: ObjectFile, in cache: IndexCache) throws -> String {
    try cache.store(
      try IndexBuilder(file).build(jobs: 1).pieces, for: file,
      source: SourceStamp(ofFileAt: file.path))
  }

  static func setAge(seconds: Int, of path: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -TimeInterval(seconds))], ofItemAtPath: path)
  }

  static func age(of path: String) throws -> TimeInterval {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return -((attributes[.modificationDate] as? Date)?.timeIntervalSinceNow ?? .infinity)
  }

  static func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  func cachedNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cachePath).sorted()
  }
}

/// Why `find` refuses an index; nil if it does not.
func fault(_ cache: IndexCache, _ file: ObjectFile) -> IndexRefusal? {
  do throws(SymbolFileProblem) {
    _ = try cache.find(for: file)
    return nil
  } catch {
    if case .unusableIndex(let fault) = error.kind { return fault }
    return nil
  }
}
