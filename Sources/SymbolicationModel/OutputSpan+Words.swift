extension OutputSpan<UInt8> {
  /// Appends the lowest `count` bytes of a number, the lowest first. If there is room for 8, all 8
  /// are stored at once, and those above `count` lie where the next bytes will be written.
  @inlinable @inline(__always)
  package mutating func append(word: UInt64, count: Int = 8) {
    guard freeCapacity >= 8 else { return append(bytesOf: word, count) }
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      // There are 8 bytes from here, as was just checked.
      unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(
        of: word.littleEndian, toByteOffset: initializedCount, as: UInt64.self)
      initializedCount += min(max(count, 0), 8)
    }
  }

  @inlinable @inline(never)
  package mutating func append(bytesOf word: UInt64, _ count: Int) {
    var rest = word
    for _ in 0..<min(max(count, 0), 8) {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
