import SymbolicationModel
import TestSupport
import Testing

/// Bytes are searched 8 or 16 at a time; the results are those of a search byte by byte.
struct SpanWordTests {
  @Test func firstOffset() {
    var generator = SeededGenerator(seed: 8)
    // Neighbours of the byte that is sought, and bytes that differ from it in the highest bit.
    let candidates: [UInt8] = [0x09, 0x0a, 0x0b, 0x8a, 0x00, 0xff]
    for count in 0..<100 {
      for _ in 0..<10 {
        let bytes = (0..<count).map { _ in candidates.randomElement(using: &generator) ?? 0 }
        for start in 0...count {
          let expected = bytes[start...].firstIndex(of: 0x0a) ?? count
          expectEqual(bytes.span.firstOffset(of: 0x0a, from: start), expected)
        }
      }
    }
  }

  @Test func firstOffsetOfPair() {
    let (byte, next): (UInt8, UInt8) = (0x60, 0x61)
    var generator = SeededGenerator(seed: 9)
    // Bytes that differ from one of the pair in one bit, and others.
    let candidates: [UInt8] = [byte, byte, next, next, 0x62, 0xe0, 0x00, 0x20]
    for count in 0..<100 {
      for _ in 0..<20 {
        let bytes = (0..<count).map { _ in candidates.randomElement(using: &generator) ?? 0 }
        for start in stride(from: 0, through: count, by: 7) {
          let expected = (start..<max(start, count - 1)).first {
            bytes[$0] == byte && bytes[$0 + 1] == next
          }
          expectEqual(
            bytes.span.firstOffset(of: byte, before: next, from: start), expected ?? count)
        }
      }
    }
  }

  /// Where the plain text of a JSON string stops (RFC 8259, section 7), byte by byte; and which
  /// other bytes may be or begin a control character (The Unicode Standard, section 23.1). In 8
  /// bytes, only the first stop is certain; in 16, each is.
  @Test func jsonTextStops() {
    let isStop = { (byte: UInt8) in byte < 0x20 || byte == 0x22 || byte == 0x5c }
    // Neighbours of the bytes that are sought, their bits flipped, and bytes that are not ASCII.
    let candidates: [UInt8] = [
      0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x02, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0x9f, 0xa2, 0xdc,
      0xff,
    ]
    for byte in UInt8.min...UInt8.max {
      for place in 0..<8 {
        for neighbour in candidates {
          var bytes = [UInt8](repeating: neighbour, count: 8)
          bytes[place] = byte
          let first = bytes.firstIndex(where: isStop) ?? 8
          expectEqual(bytes.span.word(at: 0).jsonTextStops.trailingZeroBitCount / 8, first)
          let block = SIMD16<UInt8>([UInt8](repeating: neighbour, count: 3) + bytes + "abcde".utf8)
          for lane in block.indices {
            expectEqual(block.jsonTextStops[lane], isStop(block[lane]))
            expectEqual(
              block.controlsBeyondAscii[lane], block[lane] == 0x7f || block[lane] == 0xc2)
          }
        }
      }
    }
  }

  @Test func firstLane() {
    typealias Mask = SIMDMask<SIMD16<Int8>>
    expectFalse(Mask(repeating: false).hasLanes)
    expectEqual(Mask(repeating: false).firstLane, 16)
    for first in 0..<16 {
      for last in first..<16 {
        var mask = Mask(repeating: false)
        mask[first] = true
        mask[last] = true
        expectTrue(mask.hasLanes)
        expectEqual(mask.firstLane, first)
      }
    }
  }

  /// Control characters of ASCII, and the byte that begins U+0080 to U+009F (The Unicode Standard,
  /// section 23.1), at every place of texts shorter and longer than a word.
  @Test func mayHoldControlCharacter() {
    for byte in UInt8.min...UInt8.max {
      let isFound = byte < 0x20 || byte == 0x7f || byte == 0xc2
      for neighbour: UInt8 in [0x20, 0x7e, 0x80, 0xc1, 0xc3, 0xff] {
        for count in [1, 7, 8, 9, 16, 21] {
          for place in 0..<count {
            var bytes = [UInt8](repeating: neighbour, count: count)
            bytes[place] = byte
            expectEqual(bytes.span.mayHoldControlCharacter, isFound)
          }
        }
      }
    }
    expectFalse([UInt8]().span.mayHoldControlCharacter)
  }

  @Test func words() {
    let bytes = (1...20).map { UInt8($0) }
    expectEqual(bytes.span.word(at: 0), 0x0807_0605_0403_0201)
    expectEqual(bytes.span.word(at: 12), 0x1413_1211_100f_0e0d)
    expectEqual(bytes.span.block(at: 4), SIMD16(5...20))
  }
}
