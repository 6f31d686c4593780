import BinaryInput
import Decompression
import TestSupport
import Testing

struct Crc32Tests {
  /// The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
  @Test func checkValue() {
    let text = ByteRegion(copying: "123456789".utf8)
    expectEqual(text.withRawSpan { Crc32.checksum(of: $0) }, 0xcbf4_3926)
    expectEqual(ByteRegion(copying: []).withRawSpan { Crc32.checksum(of: $0) }, 0)
  }
}
