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

  private func trailer(contentSize: UInt64, checksum: UInt64 = 0x1122) -> IndexTrailer {
    IndexTrailer(
      linkBase: LinkAddress(0x1_0000_0000), architecture: .arm64e, source: stamp,
      contentSize: contentSize, contentChecksum: checksum)
  }

  private func handmade(contentSize: UInt64) -> BinaryBuilder {
    var bytes = BinaryBuilder()
    bytes.u64(contentSize)
    bytes.u64(0x1122)
    bytes.u64(0x1_0000_0000)
    bytes.u64(0x0102_0304)
    bytes.u64(UInt64.max - 1)
    bytes.u32(999_999_999)
    bytes.u16(1)
    bytes.u16(6)
    bytes.u32(12)
    bytes.append(Array("arm64e".utf8))
    bytes.append(Array("/tmp/ä.dSYM".utf8))
    return bytes
  }

  @Test func isWrittenAsDescribed() {
    let written = trailer(contentSize: 3).encoded
    var expected = handmade(contentSize: 3)
    expected.u64(0x0db9_9455_d12f_baf5)
    expected.u32(70)
    expected.u32(2)
    expected.append(Array("SymIndex".utf8))
    expectEqual(written, expected.bytes)
  }

  @Test(arguments: [0, 1, 3, 4096]) func isReadBack(contentSize: Int) throws {
    let written = trailer(contentSize: UInt64(contentSize))
    let file = [UInt8](repeating: 7, count: contentSize) + written.encoded
    try expectEqual(IndexTrailer(ByteRegion(copying: file)), written)
  }

  @Test func anImageWithoutLinkBase() throws {
    let written = IndexTrailer(
      linkBase: nil, architecture: .x86_64, source: stamp, contentSize: 0, contentChecksum: 0)
    try expectNil(IndexTrailer(ByteRegion(copying: written.encoded))?.linkBase)
    try expectEqual(IndexTrailer(ByteRegion(copying: written.encoded)), written)
  }

  @Test func anotherProgramsFileHasNone() throws {
    try expectNil(IndexTrailer(ByteRegion(copying: [])))
    try expectNil(IndexTrailer(ByteRegion(copying: HandmadeGsym.sample().bytes)))
    // A file truncated before its last byte does not end with a trailer.
    try expectNil(IndexTrailer(ByteRegion(copying: trailer(contentSize: 0).encoded.dropLast())))
  }

  @Test func everyChangedByteShows() {
    let bytes = [1, 2, 3] + trailer(contentSize: 3).encoded
    for offset in 3..<bytes.count {
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
    let bytes = trailer(contentSize: 3).encoded
    expectEqual(error([1, 2] + bytes), .contentSize(stated: 3, actual: 2))
    expectEqual(error([1, 2, 3, 4] + bytes), .contentSize(stated: 3, actual: 4))
    expectNil(error([1, 2, 3] + bytes))
  }

  @Test func otherVersionsAndSizes() {
    var bytes = trailer(contentSize: 0).encoded
    let footer = bytes.count - 24
    bytes[footer + 12] = 1
    expectEqual(error(bytes), .unsupportedVersion(1))
    bytes[footer + 12] = 2
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
    let pieces = [Array(bytes[..<13]), Array(bytes[13...])]
    let trailer = IndexTrailer(linkBase: nil, architecture: .arm64, source: stamp, of: pieces)
    expectEqual(trailer.contentSize, 100)
    expectEqual(trailer.contentChecksum, whole.value)
  }

  @Test func zerosAtTheEndCount() {
    var short = IndexChecksum()
    short.add([1, 2, 3])
    var long = IndexChecksum()
    long.add([1, 2, 3, 0])
    expectNotEqual(short.value, long.value)
  }
}
