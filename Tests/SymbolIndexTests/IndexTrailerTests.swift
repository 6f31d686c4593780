import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// The layout is that in the comment of `IndexTrailer`, written down here field by field. The
/// checksums come from an implementation of the described steps in Python.
@Suite struct IndexTrailerTests {
  private let stamp = SourceStamp(
    size: 0x0102_0304, modificationSeconds: -2, modificationNanoseconds: 999_999_999,
    path: "/tmp/ä.dSYM")

  private func ending(_ content: [UInt8]) -> [UInt8] {
    IndexTrailer.ending(
      linkBase: LinkAddress(0x1_0000_0000), architecture: .arm64e, source: stamp, of: [content])
  }

  private func trailer(of file: [UInt8]) throws(IndexTrailerError) -> IndexTrailer? {
    try IndexTrailer(ByteRegion(copying: file))
  }

  private func handmade(contentSize: UInt64) -> BinaryBuilder {
    var bytes = BinaryBuilder()
    bytes.u64(0xcef1_82d1_6919_46a0)
    bytes.u64(contentSize)
    bytes.u64(0x1_0000_0000)
    bytes.u64(0x0102_0304)
    bytes.u64(UInt64.max - 1)
    bytes.u32(999_999_999)
    bytes.u16(1)
    bytes.u16(6)
    bytes.u32(12)
    bytes.append(Array("arm64e".utf8))
    bytes.append(Array("/tmp/ä.dSYM".utf8))
    bytes.u64(0xf701_3977_7207_4c48)
    return bytes
  }

  @Test func isWrittenAsDescribed() {
    var expected = handmade(contentSize: 3)
    expected.u64(0x70ad_ae14_5f6e_2e60)
    expected.u32(70)
    expected.u32(3)
    expected.append(Array("SymIndex".utf8))
    expectEqual(ending([1, 2, 3]), expected.bytes)
  }

  /// Tables of no, one, two and 513 checksums; the last takes two blocks.
  @Test(arguments: [(0, 0), (1, 1), (4096, 1), (4097, 1), (2_097_153, 2)])
  func isReadBack(contentSize: Int, checksumCount: Int) throws {
    let content = [UInt8](repeating: 7, count: contentSize)
    let read = try require(trailer(of: content + ending(content)))
    expectEqual(read.linkBase, LinkAddress(0x1_0000_0000))
    expectEqual(read.architecture, .arm64e)
    expectEqual(read.source, stamp)
    expectEqual(read.contentSize, UInt64(contentSize))
    expectEqual(read.tableChecksums.count, checksumCount)
  }

  @Test func anImageWithoutLinkBase() throws {
    let ending = IndexTrailer.ending(linkBase: nil, architecture: .x86_64, source: stamp, of: [])
    let read = try require(trailer(of: ending))
    expectNil(read.linkBase)
    expectEqual(read.architecture, .x86_64)
  }

  @Test func anotherProgramsFileHasNone() throws {
    try expectNil(IndexTrailer(ByteRegion(copying: [])))
    try expectNil(IndexTrailer(ByteRegion(copying: HandmadeGsym.sample().bytes)))
    // A file truncated before its last byte does not end with a trailer.
    try expectNil(IndexTrailer(ByteRegion(copying: ending([]).dropLast())))
  }

  /// The table of checksums is read with the blocks.
  @Test func everyChangedByteShows() {
    let bytes = [1, 2, 3] + ending([1, 2, 3])
    for offset in 11..<bytes.count {
      var changed = bytes
      changed[offset] ^= 0x20
      let isAccepted: Bool
      do { isAccepted = try IndexTrailer(ByteRegion(copying: changed)) != nil } catch {
        isAccepted = false
      }
      expectFalse(isAccepted, "byte \(offset)")
    }
  }

  private func error(_ bytes: [UInt8]) -> IndexTrailerError? {
    do throws(IndexTrailerError) {
      _ = try IndexTrailer(ByteRegion(copying: bytes))
      return nil
    } catch {
      return error
    }
  }

  @Test func contentOfAnotherSize() {
    let bytes = ending([1, 2, 3])
    expectEqual(error([1, 2] + bytes), .contentSize(expected: 11, actual: 10))
    expectEqual(error([1, 2, 3, 4] + bytes), .contentSize(expected: 11, actual: 12))
    expectNil(error([1, 2, 3] + bytes))
  }

  @Test func otherVersionsAndSizes() {
    var bytes = ending([])
    let footer = bytes.count - 24
    bytes[footer + 12] = 2
    expectEqual(error(bytes), .unsupportedVersion(2))
    bytes[footer + 12] = 3
    bytes[footer + 8] = 255
    expectEqual(error(bytes), .bodySize(255, available: UInt64(footer)))
    bytes[footer + 8] = UInt8(footer)
    bytes[footer] ^= 1
    let stated = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[footer + $1]) << (8 * UInt64($1)) }
    expectEqual(error(bytes), .checksum(stated: stated))
  }

  @Test func theChecksumDoesNotDependOnThePieces() {
    let bytes = (0..<100).map { UInt8($0) }
    var whole = IndexChecksum()
    whole.add(bytes)
    expectEqual(whole.value, 0xdb42_ec87_e603_a97a)
    expectEqual(IndexChecksum().value, 0xe3aa_bcbe_89f8_86b7)
    for cut in 0...bytes.count {
      var parts = IndexChecksum()
      parts.add(Array(bytes[..<cut]))
      parts.add([])
      parts.add(Array(bytes[cut...]))
      expectEqual(parts.value, whole.value)
    }
  }

  /// The checksums of the two blocks are at the start of what is appended.
  @Test func theChecksumsOfBlocksDoNotDependOnThePieces() {
    let bytes = (0..<5000).map { UInt8($0 % 251) }
    var expected = BinaryBuilder()
    expected.u64(0x2b20_4c5b_72a7_eae6)
    expected.u64(0xf5b4_a258_0ce6_b932)
    for cuts in [[0, 5000], [1, 4], [4095, 4096], [4096, 4096], [4097, 4999]] {
      let pieces = [
        Array(bytes[..<cuts[0]]), Array(bytes[cuts[0]..<cuts[1]]), Array(bytes[cuts[1]...]),
      ]
      let ending = IndexTrailer.ending(
        linkBase: nil, architecture: .arm64, source: stamp, of: pieces)
      expectEqual(Array(ending.prefix(16)), expected.bytes, "\(cuts)")
    }
  }

  @Test func zerosAtTheEndCount() {
    var short = IndexChecksum()
    short.add([1, 2, 3])
    var long = IndexChecksum()
    long.add([1, 2, 3, 0])
    expectNotEqual(short.value, long.value)
  }
}
