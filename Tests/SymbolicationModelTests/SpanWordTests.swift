import SymbolicationModel
import TestSupport
import Testing

/// Bytes are searched 8 at a time; the results are those of a search byte by byte.
struct SpanWordTests {
  @Test func firstOffset() {
    var generator = SeededGenerator(seed: 8)
    // Neighbours of the byte that is sought, and bytes that differ from it in the highest bit.
    let candidates: [UInt8] = [0x09, 0x0a, 0x0b, 0x8a, 0x00, 0xff]
    for count in 0..<40 {
      for _ in 0..<20 {
        let bytes = (0..<count).map { _ in candidates.randomElement(using: &generator) ?? 0 }
        for start in 0...count {
          let expected = bytes[start...].firstIndex(of: 0x0a) ?? count
          #expect(bytes.span.firstOffset(of: 0x0a, from: start) == expected)
        }
      }
    }
  }

  @Test func words() {
    let bytes = (1...20).map { UInt8($0) }
    #expect(bytes.span.word(at: 0) == 0x0807_0605_0403_0201)
    #expect(bytes.span.word(at: 12) == 0x1413_1211_100f_0e0d)
  }
}
