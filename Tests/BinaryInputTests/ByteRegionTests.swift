import BinaryInput
import TestSupport
import Testing

@Suite struct ByteRegionTests {
  private let region = ByteRegion(copying: [10, 11, 12, 13, 14, 15])

  @Test func subregionsCountFromTheirOwnStart() throws {
    let middle = try region.subregion(offset: 1, count: 4)
    expectEqual(middle.bytes, [11, 12, 13, 14])
    try expectEqual(middle.subregion(offset: 1, count: 2).bytes, [12, 13])
    try expectTrue(middle.subregion(offset: 4, count: 0).isEmpty)
    var reader = middle.reader(byteOrder: .little)
    try expectEqual(reader.read(UInt8.self), 11)
    expectEqual(reader.count, 4)
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
    expectEqual(middle.byte(at: 0), 11)
    expectEqual(middle.byte(at: 3), 14)
    expectNil(middle.byte(at: 4))
    expectNil(middle.byte(at: .max))
    expectTrue(middle.holds([12, 13], at: 1))
    expectTrue(middle.holds([], at: 4))
    expectFalse(middle.holds([12, 14], at: 1))
    // The byte after the subregion is in the storage.
    expectFalse(middle.holds([14, 15], at: 3))
    expectFalse(middle.holds([], at: 5))
    expectFalse(middle.holds([11], at: .max))
  }

  @Test func lendsItsBytes() throws {
    let middle = try region.subregion(offset: 1, count: 4)
    expectEqual(middle.withRawSpan { $0.byteCount }, 4)
    let first = middle.withRawSpan { unsafe $0.unsafeLoad(as: UInt8.self) }
    expectEqual(first, 11)
    let all = unsafe middle.withUnsafeBytes { unsafe Array($0) }
    expectEqual(all, [11, 12, 13, 14])
  }

  /// A cursor is the referee.
  @Test(arguments: [ByteOrder.little, .big], 0...9)
  func numbers(byteOrder: ByteOrder, size: Int) throws {
    let middle = try ByteRegion(copying: 240...255).subregion(offset: 1, count: 12)
    for offset in 0...14 as ClosedRange<UInt64> {
      var cursor = middle.cursor(at: offset, byteOrder: byteOrder)
      let number = cursor.readUnsigned(size: size)
      expectEqual(
        middle.unsigned(at: offset, size: size, byteOrder: byteOrder),
        cursor.hasFailed ? nil : number)
    }
    expectNil(middle.unsigned(at: .max, size: 1, byteOrder: byteOrder))
  }

  @Test func zeroTerminatedText() throws {
    let region = try ByteRegion(copying: Array("xab\0\0cd\0".utf8)).subregion(offset: 1, count: 6)
    expectEqual((0...7).map { region.countBeforeZero(from: $0) }, [2, 1, 0, 0, nil, nil, nil, nil])
    expectNil(region.countBeforeZero(from: .max))
    expectEqual(region.text(at: 0, count: 2), "ab")
    expectEqual(region.text(at: 4, count: 2), "cd")
    expectEqual(region.text(at: 6, count: 0), "")
    expectNil(region.text(at: 4, count: 3))
    expectNil(region.text(at: 7, count: 0))
    expectNil(region.text(at: 0, count: -1))
  }

  @Test func bytesOutliveTheirFirstOwner() throws {
    func part() throws -> ByteRegion {
      try ByteRegion(copying: 0..<200).subregion(offset: 100, count: 3)
    }
    try expectEqual(part().bytes, [100, 101, 102])
  }

  private struct Refusal: Error {}

  @Test func storageHoldsWhatWasWritten() throws {
    let whole = try require(
      ByteStorage(capacity: 3) { for byte: UInt8 in 1...3 { $0.append(byte) } })
    expectEqual(ByteRegion(whole).bytes, [1, 2, 3])
    // Only bytes that are written take memory.
    let part = try require(ByteStorage(capacity: 1 << 40) { $0.append(UInt8(7)) })
    expectEqual(ByteRegion(part).bytes, [7])
    let nothing = try require(ByteStorage(capacity: 0) { _ in })
    expectTrue(ByteRegion(nothing).isEmpty)
    expectNil(ByteStorage(capacity: .max) { _ in })
    #expect(throws: Refusal.self) {
      try ByteStorage(capacity: 3) { (_) throws(Refusal) in throw Refusal() }
    }
  }
}
