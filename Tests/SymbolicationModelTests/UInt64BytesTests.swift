import SymbolicationModel
import TestSupport
import Testing

/// Bytes that are written 8 at a time.
struct UInt64BytesTests {
  private static let word: UInt64 = 0x0807_0605_0403_0201

  /// Whether or not there is room for all 8, only those asked for are there, and the next byte
  /// follows them.
  @Test(arguments: [8, 9, 16])
  func lowestBytesComeFirst(room: Int) {
    for count in 0...7 {
      var bytes: [UInt8] = [0xaa]
      bytes.append(addingCapacity: room) { (output: inout OutputSpan<UInt8>) in
        Self.word.appendBytes(count, to: &output)
        output.append(0xff)
      }
      let expected: [UInt8] = [0xaa, 1, 2, 3, 4, 5, 6, 7].prefix(count + 1) + [0xff]
      expectEqual(bytes, expected)
    }
  }

  @Test func aWordNeedsNoMoreRoomThanItsBytes() {
    for count in 1...8 {
      var bytes: [UInt8] = []
      bytes.append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) in
        Self.word.appendBytes(count, to: &output)
      }
      let expected: [UInt8] = Array([1, 2, 3, 4, 5, 6, 7, 8].prefix(count))
      expectEqual(bytes, expected)
    }
  }
}
