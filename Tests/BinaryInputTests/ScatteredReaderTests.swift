import BinaryInput
import TestSupport
import Testing

@Suite struct ScatteredReaderTests {
  private let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  private let directory: TemporaryDirectory
  /// A file with `bytes`, mapped.
  private let file: ByteRegion

  init() throws {
    directory = try TemporaryDirectory()
    file = try MappedFile.open(path: try directory.write(bytes, to: "file"))
  }

  @Test func readsPartsOfARegion() throws {
    let reader = try require(ScatteredReader(try file.subregion(offset: 5000, count: 4000)))
    expectEqual(reader.part(at: 0, count: 3)?.bytes, Array(bytes[5000..<5003]))
    expectEqual(reader.part(at: 1234, count: 1000)?.bytes, Array(bytes[6234..<7234]))
  }

  /// A part ends where the region does, although the file goes on.
  @Test func partsEndWithTheRegion() throws {
    let reader = try require(ScatteredReader(try file.subregion(offset: 5000, count: 4000)))
    expectEqual(reader.part(at: 3998, count: 10)?.bytes, Array(bytes[8998..<9000]))
    expectNil(reader.part(at: 4000, count: 1))
    expectNil(reader.part(at: .max, count: 1))
    expectNil(reader.part(at: 0, count: 0))
  }

  /// The mapping keeps the old file, and the one at its path has other bytes.
  @Test func refusesAnotherFile() throws {
    try directory.write(bytes.reversed(), to: "other")
    try directory.remove("file")
    try directory.copy(directory.path("other"), to: "file")
    expectNil(ScatteredReader(file))
    expectEqual(file.bytes, bytes)
  }

  @Test func refusesBytesOfNoFile() throws {
    expectNil(ScatteredReader(ByteRegion(copying: [1, 2, 3])))
    try directory.remove("file")
    expectNil(ScatteredReader(file))
  }
}
