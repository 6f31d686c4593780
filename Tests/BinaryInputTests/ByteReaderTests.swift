import BinaryInput
import TestSupport
import Testing

/// Expected values follow from the bytes; the LEB128 examples are those of DWARF 5, table 7.7.
@Suite struct ByteReaderTests {
  private func reader(_ bytes: [UInt8], _ order: ByteOrder = .little) -> ByteReader {
    ByteRegion(copying: bytes).reader(byteOrder: order)
  }

  @Test func readsNumbersInBothOrders() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    var little = reader(bytes)
    try expectEqual(little.read(UInt64.self), 0x0807_0605_0403_0201)
    var big = reader(bytes, .big)
    try expectEqual(big.read(UInt64.self), 0x0102_0304_0506_0708)
    big = reader(bytes, .big)
    try expectEqual(big.read(UInt8.self), 1)
    // At an odd position, because numbers need not be aligned.
    try expectEqual(big.read(UInt32.self), 0x0203_0405)
    try expectEqual(big.read(UInt16.self), 0x0607)
    expectEqual(big.position, 7)
    expectEqual(big.remaining, 1)
    var signed = reader([0xfe, 0xff])
    try expectEqual(signed.read(Int16.self), -2)
  }

  @Test func readsUnsignedNumbersOfEverySize() throws {
    let bytes: [UInt8] = [0x81, 2, 3, 4, 5, 6, 7, 0x88]
    for size in 1...8 {
      var little = reader(bytes)
      var big = reader(bytes, .big)
      let first = bytes[..<size]
      try expectEqual(
        little.readUnsigned(size: size), first.reversed().reduce(0) { $0 << 8 | UInt64($1) })
      try expectEqual(big.readUnsigned(size: size), first.reduce(0) { $0 << 8 | UInt64($1) })
      expectEqual(little.position, size)
    }
  }

  @Test(arguments: [Int.min, -1, 0, 9, 255, Int.max])
  func refusesOtherSizes(size: Int) {
    var reader = reader([UInt8](repeating: 1, count: 300))
    #expect(throws: ByteReadError.unsupportedNumberSize(size: size, offset: 0)) {
      try reader.readUnsigned(size: size)
    }
  }

  @Test func aReadBeyondTheEndThrowsAndMovesNothing() throws {
    for size in 1...8 {
      var reader = reader([UInt8](repeating: 1, count: size + 2))
      try reader.skip(3)
      #expect(
        throws: ByteReadError.outOfBounds(
          offset: 3, count: UInt64(size), available: UInt64(size + 2))
      ) {
        try reader.readUnsigned(size: size)
      }
      expectEqual(reader.position, 3)
    }
    var empty = reader([])
    expectTrue(empty.isAtEnd)
    #expect(throws: ByteReadError.outOfBounds(offset: 0, count: 4, available: 0)) {
      try empty.read(UInt32.self)
    }
  }

  @Test func seeksAndSkipsWithinTheRegionOnly() throws {
    var reader = reader([1, 2, 3])
    try reader.seek(to: 3)
    expectTrue(reader.isAtEnd)
    try reader.seek(to: 1)
    try expectEqual(reader.read(UInt8.self), 2)
    #expect(throws: ByteReadError.outOfBounds(offset: 4, count: 0, available: 3)) {
      try reader.seek(to: 4)
    }
    #expect(throws: ByteReadError.outOfBounds(offset: .max, count: 0, available: 3)) {
      try reader.seek(to: .max)
    }
    #expect(throws: ByteReadError.outOfBounds(offset: 2, count: .max, available: 3)) {
      try reader.skip(.max)
    }
    expectEqual(reader.position, 2)
    try reader.skip(1)
    expectTrue(reader.isAtEnd)
  }

  @Test(
    arguments: [
      ([0x02], 2), ([0x7f], 127), ([0x80, 0x01], 128), ([0x81, 0x01], 129), ([0x82, 0x01], 130),
      ([0xb9, 0x64], 12857),
      // Padded with zero groups, within 64 bits and far beyond.
      ([0x80, 0x00], 0), ([0x81] + [UInt8](repeating: 0x80, count: 20) + [0x00], 1),
      // The largest number.
      ([UInt8](repeating: 0xff, count: 9) + [0x01], UInt64.max),
    ] as [([UInt8], UInt64)])
  func readsUleb128(bytes: [UInt8], expected: UInt64) throws {
    var reader = reader(bytes + [0xee])
    try expectEqual(reader.readUleb128(), expected)
    expectEqual(reader.position, bytes.count)
  }

  @Test(arguments: [
    [UInt8](repeating: 0xff, count: 9) + [0x02],
    [UInt8](repeating: 0x80, count: 10) + [0x01],
  ])
  func refusesUleb128BeyondSixtyFourBits(bytes: [UInt8]) throws {
    var reader = reader([0] + bytes)
    try reader.skip(1)
    #expect(throws: ByteReadError.oversizedLeb128(offset: 1)) { try reader.readUleb128() }
    expectEqual(reader.position, 1)
  }

  @Test func refusesUleb128WithoutAnEnd() throws {
    var reader = reader([0, 0x80, 0x80])
    try reader.skip(1)
    #expect(throws: ByteReadError.outOfBounds(offset: 1, count: 3, available: 3)) {
      try reader.readUleb128()
    }
    expectEqual(reader.position, 1)
  }

  @Test func readsStrings() throws {
    var reader = reader(Array("main\0\0x".utf8))
    try expectEqual(reader.readCString(), Array("main".utf8))
    try expectEqual(reader.readCString(), [])
    #expect(throws: ByteReadError.unterminatedString(offset: 6)) { try reader.readCString() }
    expectEqual(reader.position, 6)
  }

  @Test func readsRegions() throws {
    var reader = reader([1, 2, 3, 4])
    try reader.skip(1)
    try expectEqual(reader.readRegion(count: 2).bytes, [2, 3])
    expectEqual(reader.position, 3)
    #expect(throws: ByteReadError.outOfBounds(offset: 3, count: 2, available: 4)) {
      try reader.readRegion(count: 2)
    }
    #expect(throws: ByteReadError.outOfBounds(offset: 3, count: .max, available: 4)) {
      try reader.readRegion(count: .max)
    }
    expectEqual(reader.position, 3)
    try expectEqual(reader.readRegion(count: 1).bytes, [4])
    try expectTrue(reader.readRegion(count: 0).isEmpty)
  }
}
