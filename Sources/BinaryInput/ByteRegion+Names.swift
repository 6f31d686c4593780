import Platform

extension ByteRegion {
  /// How long a name may be, in bytes, that begins inside another one.
  package static let sharedNameSize = 1024
  /// What is shown of a longer one.
  private static let cutNameSize = 253

  /// The name in a table of strings from `offset` to the next zero byte, or to the end; nil if
  /// `offset` is not in the region. Bytes that are not UTF-8 are replaced by U+FFFD.
  ///
  /// Linkers let a name begin inside a longer one that ends in the same way. So a few kilobytes can
  /// hold thousands of names that have megabytes together. Of a name that begins inside another one
  /// and has more than `sharedNameSize` bytes, the beginning is returned, and `…`. All different
  /// names of a table then have no more bytes than the table, and 1,024 for each.
  package func name(at offset: UInt64) -> String? {
    guard offset > 0, let before = byte(at: offset - 1), before != 0, offset < UInt64(count),
      let start = unsafe unsafeBytes.baseAddress
    else { return text(at: offset) }
    let place = unsafe start + Int(offset)
    let rest = count - Int(offset)
    let size = min(rest, Self.sharedNameSize + 1)
    // Soundness: memchr looks at no more than the rest of the region.
    if let zero = unsafe memchr(place, 0, size) {
      return text(at: offset, count: unsafe UnsafeRawPointer(zero) - place)
    }
    if rest <= Self.sharedNameSize { return text(at: offset, count: rest) }
    return text(at: offset, count: Self.cutNameSize).map { $0 + "…" }
  }
}
