import FileSystem
import Platform

/// A range of bytes of a file or buffer, together with its owner. Sections and headers are passed
/// around as regions. Copying a region copies no bytes.
package struct ByteRegion: Sendable {
  let storage: ByteStorage
  /// The region's offsets in the storage. The initialisers and `subregion` keep it within bounds.
  let range: Range<Int>

  /// All of `storage`.
  package init(_ storage: ByteStorage) {
    self.storage = storage
    self.range = 0..<(unsafe storage.bytes.count)
  }

  private init(storage: ByteStorage, range: Range<Int>) {
    self.storage = storage
    self.range = range
  }

  /// A region over a copy of `bytes`.
  package init(copying bytes: some Collection<UInt8>) {
    self.init(ByteStorage(copying: bytes))
  }

  /// The number of bytes.
  package var count: Int { range.count }
  /// The address of the first byte in this process. It distinguishes regions that exist at the same
  /// time.
  package var memoryAddress: UInt { unsafe UInt(bitPattern: unsafeBytes.baseAddress) }
  package var isEmpty: Bool { range.isEmpty }

  /// The `count` bytes from `offset` on. Throws `outOfBounds` if they are not all in this region.
  package func subregion(
    offset: UInt64, count: UInt64
  ) throws(ByteReadError) -> ByteRegion {
    guard offset <= UInt64(self.count), count <= UInt64(self.count) - offset else {
      throw .outOfBounds(offset: offset, count: count, available: UInt64(self.count))
    }
    let start = range.lowerBound + Int(offset)
    return ByteRegion(storage: storage, range: start..<(start + Int(count)))
  }

  /// The byte at `offset`, or nil beyond the end.
  package func byte(at offset: UInt64) -> UInt8? {
    guard offset < UInt64(count) else { return nil }
    return unsafe storage.bytes[range.lowerBound + Int(offset)]
  }

  /// The unsigned number of `size` bytes (1, 2, 3, 4 or 8) at `offset`. Nil for another size, and
  /// if the bytes are not all in the region.
  ///
  /// Unlike a cursor, this does not count a reference to the storage, which threads share.
  package func unsigned(at offset: UInt64, size: Int, byteOrder: ByteOrder) -> UInt64? {
    guard (1...4).contains(size) || size == 8, offset <= UInt64(count),
      size <= count - Int(offset)
    else { return nil }
    let start = range.lowerBound + Int(offset)
    var number: UInt64 = 0
    for index in 0..<size {
      let place = byteOrder == .little ? size - 1 - index : index
      number = number << 8 | UInt64(unsafe storage.bytes[start + place])
    }
    return number
  }

  /// The number of bytes from `offset` to the next zero byte; nil if there is none.
  package func countBeforeZero(from offset: UInt64) -> Int? {
    guard offset < UInt64(count), let start = unsafe unsafeBytes.baseAddress else { return nil }
    let place = unsafe start + Int(offset)
    // Soundness: memchr looks at no more than the rest of the region.
    guard let zero = unsafe memchr(place, 0, count - Int(offset)) else { return nil }
    return unsafe UnsafeRawPointer(zero) - place
  }

  /// The text in the `count` bytes at `offset`; nil if they are not all in the region. Bytes that
  /// are not UTF-8 are replaced by U+FFFD.
  package func text(at offset: UInt64, count: Int) -> String? {
    unsafe part(at: offset, count: count).map { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The path in the `count` bytes at `offset`, which keeps bytes that are not UTF-8 (`PathByte`);
  /// nil if they are not all in the region.
  package func path(at offset: UInt64, count: Int) -> String? {
    unsafe part(at: offset, count: count).map { unsafe String(pathBytes: $0) }
  }

  /// The `count` bytes at `offset`; nil if they are not all in the region. They are valid as
  /// `unsafeBytes` are.
  private func part(at offset: UInt64, count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, offset <= UInt64(self.count), count <= self.count - Int(offset) else {
      return nil
    }
    let start = range.lowerBound + Int(offset)
    return unsafe UnsafeRawBufferPointer(rebasing: storage.bytes[start..<start + count])
  }

  /// A copy of the first `count` bytes, or of all if there are fewer.
  package func prefix(_ count: Int) -> [UInt8] { unsafe Array(unsafeBytes.prefix(count)) }

  /// Whether all of `prefix` is at `offset` of the region. Nothing is copied.
  package func holds(_ prefix: [UInt8], at offset: UInt64) -> Bool {
    guard offset <= UInt64(count), prefix.count <= count - Int(offset) else { return false }
    let start = range.lowerBound + Int(offset)
    return unsafe storage.bytes[start..<(start + prefix.count)].elementsEqual(prefix)
  }

  /// Whether `bytes` is somewhere in the first `limit` bytes of the region. False if `bytes` is
  /// empty. Nothing is copied.
  package func contains(_ bytes: [UInt8], inFirst limit: Int) -> Bool {
    guard !bytes.isEmpty else { return false }
    let count = min(self.count, max(0, limit))
    guard count >= bytes.count, let start = unsafe unsafeBytes.baseAddress else { return false }
    let placeCount = count - bytes.count + 1
    var place = 0
    // Soundness: memchr looks at the bytes from `place` to the last place at which all of `bytes`
    // fits in the first `count` bytes, and memcmp only at a place before that.
    while place < placeCount,
      let found = unsafe memchr(start + place, Int32(bytes[0]), placeCount - place)
    {
      place = unsafe UnsafeRawPointer(found) - start
      if unsafe memcmp(start + place, bytes, bytes.count) == 0 { return true }
      place += 1
    }
    return false
  }

  /// The text from `offset` to the next zero byte or the end of the region; nil if `offset` is not
  /// in the region. Bytes that are not UTF-8 are replaced by U+FFFD.
  package func text(at offset: UInt64) -> String? {
    guard offset < UInt64(count) else { return nil }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: unsafeBytes[Int(offset)...])
    return unsafe String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// A cursor at the start of the region.
  package func reader(byteOrder: ByteOrder) -> ByteReader {
    ByteReader(region: self, byteOrder: byteOrder)
  }

  /// Calls `body` with the bytes, which must not be used after it returns.
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(unsafeBytes)
  }

  /// Calls `body` with the bytes as a span, which cannot outlive the call.
  package func withRawSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe unsafeBytes
    return try body(unsafe bytes.bytes)
  }

  /// The bytes, for C libraries that keep pointers to them.
  ///
  /// They are valid as long as this region or a copy of it exists. A caller that stores the pointer
  /// must store the region too.
  package var unsafeBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: storage.bytes[range])
  }

  /// A copy of the bytes.
  package var bytes: [UInt8] { unsafe Array(unsafeBytes) }

  // MARK: - Names

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

  // MARK: - Pages

  /// Gives the memory back that the whole pages of a mapped file take in this process; they are
  /// read again when they are next needed. Nothing happens to bytes that are not of a file.
  ///
  /// It is for large files that are read once. The file must not have been given to a library that
  /// writes to its private pages, because these get the content of the file again.
  package func releasePages() {
    guard storage.file != nil, let base = unsafe storage.bytes.baseAddress else { return }
    // Soundness: the range is that of the mapping, which begins at a page.
    _ = unsafe madvise(
      UnsafeMutableRawPointer(mutating: base), storage.bytes.count, MADV_DONTNEED)
  }
}
