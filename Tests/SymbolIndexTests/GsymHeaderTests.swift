import BinaryInput
import SymbolIndex
import SymbolicationModel
import TestSupport
import Testing

/// Expected values are those that the bytes were made from, as LLVM's Header.h describes them.
@Suite struct GsymHeaderTests {
  private func error(_ bytes: [UInt8]) -> GsymError? {
    do throws(GsymError) {
      _ = try GsymFile(ByteRegion(copying: bytes))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [false, true]) func readsItInBothByteOrders(bigEndian: Bool) throws {
    let gsym = HandmadeGsym.sample(bigEndian: bigEndian)
    let header = try GsymHeader(gsym.region)
    expectEqual(header.byteOrder, bigEndian ? .big : .little)
    expectEqual(header.addressOffsetSize, 2)
    expectEqual(header.version, 1)
    try expectEqual(GsymFile(gsym.region).uuid, [0xde, 0xad, 0xbe, 0xef])
    expectEqual(header.baseAddress, LinkAddress(0x1000))
    expectEqual(header.functionCount, 3)
    expectTrue(GsymHeader.begins(gsym.region))
  }

  @Test func refusesWhatIsNoGsym() {
    expectEqual(
      error(Array("ELF?".utf8) + [UInt8](repeating: 0, count: 60)), .notGsym(magic: 0x3f46_4c45))
    expectFalse(GsymHeader.begins(ByteRegion(copying: [1, 2, 3, 4])))
    expectFalse(GsymHeader.begins(ByteRegion(copying: [])))
  }

  @Test(arguments: [false, true], [0, 3, 0x100]) func refusesOtherVersions(
    bigEndian: Bool, version: UInt16
  ) {
    var gsym = HandmadeGsym.sample(bigEndian: bigEndian)
    gsym.version = version
    expectEqual(error(gsym.bytes), .unsupportedVersion(version))
    // Even if the header is shorter than that of version 1.
    expectEqual(error(Array(gsym.bytes.prefix(6))), .unsupportedVersion(version))
  }

  @Test(arguments: [0, 3, 16]) func refusesOtherAddressOffsetSizes(size: UInt8) {
    var bytes = HandmadeGsym.sample().bytes
    bytes[6] = size
    expectEqual(error(bytes), .unsupportedAddressOffsetSize(size))
  }

  @Test func refusesLongUuids() {
    var bytes = HandmadeGsym.sample().bytes
    bytes[7] = 20
    expectNil(error(bytes))
    bytes[7] = 21
    expectEqual(error(bytes), .oversizedUuid(21, limit: 20))
  }

  @Test func tellsWhichTableIsNotThere() {
    let bytes = HandmadeGsym.sample().bytes
    func cut(_ count: Int) -> GsymError? { error(Array(bytes.prefix(count))) }
    expectEqual(cut(3), .outOfBounds(.header, offset: 0, count: 4, available: 3))
    expectEqual(cut(5), .outOfBounds(.header, offset: 0, count: 6, available: 5))
    expectEqual(cut(47), .outOfBounds(.header, offset: 0, count: 48, available: 47))
    expectEqual(cut(53), .outOfBounds(.addressOffsets, offset: 48, count: 6, available: 53))
    expectEqual(cut(67), .outOfBounds(.recordOffsets, offset: 56, count: 12, available: 67))
    expectEqual(cut(70), .outOfBounds(.files, offset: 68, count: 4, available: 70))
    expectEqual(cut(95), .outOfBounds(.files, offset: 72, count: 24, available: 95))
    let strings = HandmadeGsym.sample().strings.count
    expectEqual(cut(97), .outOfBounds(.strings, offset: 96, count: UInt64(strings), available: 97))
    expectNil(cut(96 + strings))
  }

  @Test func opensAFileWithoutFunctions() throws {
    let file = try GsymFile(HandmadeGsym().region)
    expectEqual(file.functionCount, 0)
    try expectNil(file.lookup(LinkAddress(0x1000)))
    try expectNil(file.function(at: 0))
  }
}
