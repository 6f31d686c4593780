import SymbolicationModel
import Testing

/// Bytes that are written 8 at a time.
struct OutputSpanWordTests {
  private static let word: UInt64 = 0x0807_0605_0403_0201

  /// Whether or not there is room for all 8, only those asked for are there, and the next byte
  /// follows them.
  @Test(arguments: [8, 9, 16])
  func lowestBytesComeFirst(room: Int) {
    for count in 0...7 {
      var bytes: [UInt8] = [0xaa]
      bytes.append(addingCapacity: room) { (output: inout OutputSpan<UInt8>) in
        output.append(word: Self.word, count: count)
        output.append(0xff)
      }
      #expect(bytes == [0xaa] + (1..<8).map { UInt8($0) }.prefix(count) + [0xff])
    }
  }

  @Test func aWordNeedsNoMoreRoomThanItsBytes() {
    for count in 1...8 {
      var bytes: [UInt8] = []
      bytes.append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) in
        output.append(word: Self.word, count: count)
      }
      #expect(bytes == Array((1...8).map { UInt8($0) }.prefix(count)))
    }
  }
}
