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
    #expect(header.byteOrder == (bigEndian ? .big : .little))
    #expect(header.addressOffsetSize == 2)
    #expect(header.version == 1)
    #expect(try GsymFile(gsym.region).uuid == [0xde, 0xad, 0xbe, 0xef])
    #expect(header.baseAddress == LinkAddress(0x1000))
    #expect(header.functionCount == 3)
    #expect(GsymHeader.begins(gsym.region))
  }

  @Test func refusesWhatIsNoGsym() {
    #expect(
      error(Array("ELF?".utf8) + [UInt8](repeating: 0, count: 60)) == .notGsym(magic: 0x3f46_4c45))
    #expect(!GsymHeader.begins(ByteRegion(copying: [1, 2, 3, 4])))
    #expect(!GsymHeader.begins(ByteRegion(copying: [])))
  }

  @Test(arguments: [false, true], [0, 3, 0x100]) func refusesOtherVersions(
    bigEndian: Bool, version: UInt16
  ) {
    var gsym = HandmadeGsym.sample(bigEndian: bigEndian)
    gsym.version = version
    #expect(error(gsym.bytes) == .unsupportedVersion(version))
    // Even if the header is shorter than that of version 1.
    #expect(error(Array(gsym.bytes.prefix(6))) == .unsupportedVersion(version))
  }

  @Test(arguments: [0, 3, 16]) func refusesOtherAddressOffsetSizes(size: UInt8) {
    var bytes = HandmadeGsym.sample().bytes
    bytes[6] = size
    #expect(error(bytes) == .unsupportedAddressOffsetSize(size))
  }

  @Test func refusesLongUuids() {
    var bytes = HandmadeGsym.sample().bytes
    bytes[7] = 20
    #expect(error(bytes) == nil)
    bytes[7] = 21
    #expect(error(bytes) == .oversizedUuid(21, limit: 20))
  }

  @Test func tellsWhichTableIsNotThere() {
    let bytes = HandmadeGsym.sample().bytes
    func cut(_ count: Int) -> GsymError? { error(Array(bytes.prefix(count))) }
    #expect(cut(3) == .outOfBounds(.header, offset: 0, count: 4, available: 3))
    #expect(cut(5) == .outOfBounds(.header, offset: 0, count: 6, available: 5))
    #expect(cut(47) == .outOfBounds(.header, offset: 0, count: 48, available: 47))
    #expect(cut(53) == .outOfBounds(.addressOffsets, offset: 48, count: 6, available: 53))
    #expect(cut(67) == .outOfBounds(.recordOffsets, offset: 56, count: 12, available: 67))
    #expect(cut(70) == .outOfBounds(.files, offset: 68, count: 4, available: 70))
    #expect(cut(95) == .outOfBounds(.files, offset: 72, count: 24, available: 95))
    let strings = HandmadeGsym.sample().strings.count
    #expect(
      cut(97) == .outOfBounds(.strings, offset: 96, count: UInt64(strings), available: 97))
    #expect(cut(96 + strings) == nil)
  }

  @Test func opensAFileWithoutFunctions() throws {
    let file = try GsymFile(HandmadeGsym().region)
    #expect(file.functionCount == 0)
    #expect(try file.lookup(LinkAddress(0x1000)) == nil)
    #expect(try file.function(at: 0) == nil)
  }
}
