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
    guard let extent = nameExtent(at: offset), let name = text(at: offset, count: extent.count)
    else { return nil }
    return extent.isCut ? name + "…" : name
  }

  /// The path at `offset`, read as a name is. It keeps bytes that are not UTF-8 (`PathByte`).
  package func path(at offset: UInt64) -> String? {
    guard let extent = nameExtent(at: offset), let path = path(at: offset, count: extent.count)
    else { return nil }
    return extent.isCut ? path + "…" : path
  }

  /// How many bytes are shown of the name at `offset`, and whether it has more.
  private func nameExtent(at offset: UInt64) -> (count: Int, isCut: Bool)? {
    guard offset < UInt64(count), let start = unsafe unsafeBytes.baseAddress else { return nil }
    let rest = count - Int(offset)
    guard offset > 0, let before = byte(at: offset - 1), before != 0 else {
      return (countBeforeZero(from: offset) ?? rest, false)
    }
    let place = unsafe start + Int(offset)
    let size = min(rest, Self.sharedNameSize + 1)
    // Soundness: memchr looks at no more than the rest of the region.
    if let zero = unsafe memchr(place, 0, size) {
      return (unsafe UnsafeRawPointer(zero) - place, false)
    }
    return rest <= Self.sharedNameSize ? (rest, false) : (Self.cutNameSize, true)
  }
}
