import BinaryInput
import Testing

@Suite struct ByteRegionTests {
  private let region = ByteRegion(copying: [10, 11, 12, 13, 14, 15])

  @Test func subregionsCountFromTheirOwnStart() throws {
    let middle = try region.subregion(offset: 1, count: 4)
    #expect(middle.bytes == [11, 12, 13, 14])
    #expect(try middle.subregion(offset: 1, count: 2).bytes == [12, 13])
    #expect(try middle.subregion(offset: 4, count: 0).isEmpty)
    var reader = middle.reader(byteOrder: .little)
    #expect(try reader.read(UInt8.self) == 11)
    #expect(reader.count == 4)
  }

  /// The bytes around a subregion are in the same storage and cannot be reached from it.
  @Test(
    arguments: [(0, 5), (4, 1), (5, 0), (1, .max), (.max, 1), (.max, .max)] as [(UInt64, UInt64)])
  func subregionsStayInside(offset: UInt64, count: UInt64) throws {
    let middle = try region.subregion(offset: 1, count: 4)
    #expect(throws: ByteReadError.outOfBounds(offset: offset, count: count, available: 4)) {
      try middle.subregion(offset: offset, count: count)
    }
  }

  @Test func findsSingleBytesAndPrefixes() throws {
    let middle = try region.subregion(offset: 1, count: 4)
    #expect(middle.byte(at: 0) == 11)
    #expect(middle.byte(at: 3) == 14)
    #expect(middle.byte(at: 4) == nil)
    #expect(middle.byte(at: .max) == nil)
    #expect(middle.holds([12, 13], at: 1))
    #expect(middle.holds([], at: 4))
    #expect(!middle.holds([12, 14], at: 1))
    // The byte after the subregion is in the storage.
    #expect(!middle.holds([14, 15], at: 3))
    #expect(!middle.holds([], at: 5))
    #expect(!middle.holds([11], at: .max))
  }

  @Test func lendsItsBytes() throws {
    let middle = try region.subregion(offset: 1, count: 4)
    #expect(middle.withRawSpan { $0.byteCount } == 4)
    let first = middle.withRawSpan { unsafe $0.unsafeLoad(as: UInt8.self) }
    #expect(first == 11)
    let all = unsafe middle.withUnsafeBytes { unsafe Array($0) }
    #expect(all == [11, 12, 13, 14])
  }

  /// A cursor is the referee.
  @Test(arguments: [ByteOrder.little, .big], 0...9)
  func numbers(byteOrder: ByteOrder, size: Int) throws {
    let middle = try ByteRegion(copying: 240...255).subregion(offset: 1, count: 12)
    for offset in 0...14 as ClosedRange<UInt64> {
      var cursor = middle.cursor(at: offset, byteOrder: byteOrder)
      let number = cursor.readUnsigned(size: size)
      #expect(
        middle.unsigned(at: offset, size: size, byteOrder: byteOrder)
          == (cursor.hasFailed ? nil : number))
    }
    #expect(middle.unsigned(at: .max, size: 1, byteOrder: byteOrder) == nil)
  }

  @Test func zeroTerminatedText() throws {
    let region = try ByteRegion(copying: Array("xab\0\0cd\0".utf8)).subregion(offset: 1, count: 6)
    #expect((0...7).map { region.countBeforeZero(from: $0) } == [2, 1, 0, 0, nil, nil, nil, nil])
    #expect(region.countBeforeZero(from: .max) == nil)
    #expect(region.text(at: 0, count: 2) == "ab")
    #expect(region.text(at: 4, count: 2) == "cd")
    #expect(region.text(at: 6, count: 0) == "")
    #expect(region.text(at: 4, count: 3) == nil)
    #expect(region.text(at: 7, count: 0) == nil)
    #expect(region.text(at: 0, count: -1) == nil)
  }

  @Test func bytesOutliveTheirFirstOwner() throws {
    func part() throws -> ByteRegion {
      try ByteRegion(copying: 0..<200).subregion(offset: 100, count: 3)
    }
    #expect(try part().bytes == [100, 101, 102])
  }

  private struct Refusal: Error {}

  @Test func storageHoldsWhatWasWritten() throws {
    let whole = try #require(
      ByteStorage(capacity: 3) { for byte: UInt8 in 1...3 { $0.append(byte) } })
    #expect(ByteRegion(whole).bytes == [1, 2, 3])
    // Only bytes that are written take memory.
    let part = try #require(ByteStorage(capacity: 1 << 40) { $0.append(UInt8(7)) })
    #expect(ByteRegion(part).bytes == [7])
    let nothing = try #require(ByteStorage(capacity: 0) { _ in })
    #expect(ByteRegion(nothing).isEmpty)
    #expect(ByteStorage(capacity: .max) { _ in } == nil)
    #expect(throws: Refusal.self) {
      try ByteStorage(capacity: 3) { (_) throws(Refusal) in throw Refusal() }
    }
  }
}
