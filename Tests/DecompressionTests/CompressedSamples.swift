import TestSupport

/// `text`, compressed by other programs: `zlib.compress(text, 9)` of Python 3, `zstd -19` 1.5.4 and
/// `xz -9` 5.4.1.
enum Sample {
  static let text = Array(
    String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 6).utf8)

  static let zlib = [UInt8](
    hexadecimal:
      """
      78da0bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456552aa4e4a7eb
      29840c77c50081c060eb
      """)
  /// With the content size in the frame's header and a checksum after the last block.
  static let zstd = [UInt8](
    hexadecimal:
      """
      28b52ffd640e00b50100d40254686520717569636b2062726f776e20666f78206a756d7073206f76657220746865
      206c617a7920646f672e200100f5424a9501306d19ee
      """)
  /// Written from a pipe with `--no-check`: no content size, no checksum.
  static let zstdOfUnknownSize = [UInt8](
    hexadecimal:
      """
      28b52ffd0068b50100d40254686520717569636b2062726f776e20666f78206a756d7073206f76657220746865
      206c617a7920646f672e200100f5424a9501
      """)
  /// A mebibyte of zeros, `--no-check`.
  static let zstdOfZeros = [UInt8](
    hexadecimal:
      """
      28b52ffda0000010004c000008000100fcff39100202001000020010000200100002001000020010000200100003
      001000
      """)
  /// With CRC64.
  static let xz = [UInt8](
    hexadecimal:
      """
      fd377a585a000004e6d6b446020021011c00000010cf58cce0010d00335d002a1a08a2032566f14b78c5a205ff2e
      e6d9d2201aad34f8e21de84136fadc0669bb3ce410342709ebb366e3ed3788a8ebb3000000005d7cfddb08c485dd
      00014f8e020000001caa8499b1c467fb020000000004595a
      """)
  /// `xz` of no bytes: no block, CRC64.
  static let xzOfNothing = [UInt8](
    hexadecimal:
      "fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a")
  /// Python's `bz2.compress(text)`.
  static let bzip2 = [UInt8](
    hexadecimal:
      """
      425a68393141592653595740e8150000209380400104003ffffff020007050003400002294d4d3468c2686d4db52
      40e4323e8647c0d4606a3a0f71f6303b0c0ec0d86e1dc781d46c3d07e0c0dc323b8d0721a8f0341d47f0d8683232
      3a08723c8ff1772453850905740e8150
      """)
  /// `bz2.compress(b"")`: no block.
  static let bzip2OfNothing = [UInt8](hexadecimal: "425a683917724538509000000000")
  /// `zlib.compress(b"")`.
  static let zlibOfNothing = [UInt8](hexadecimal: "789c030000000001")
}
