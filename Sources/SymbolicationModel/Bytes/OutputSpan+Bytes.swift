#if compiler(<6.3)
  extension [UInt8] {
    /// Appends at most `capacity` bytes that `fill` writes. The standard library has this method
    /// from Swift 6.3 on, and needs no copy for it.
    @inlinable
    package mutating func append(
      addingCapacity capacity: Int, initializingWith fill: (inout OutputSpan<UInt8>) -> Void
    ) {
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { room in
        var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
        fill(&output)
        let count = unsafe output.finalize(for: room)
        unsafe append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
      }
    }
  }
#endif

extension OutputSpan<UInt8> {
  /// Appends the bytes at once.
  @inlinable
  package mutating func append(copying bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      unsafe bytes.withUnsafeBytes { source in
        // There is room for all from here, as was just checked.
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
        let room = unsafe UnsafeMutableRawPointer(to + initializedCount)
        unsafe room.copyMemory(from: from, byteCount: source.count)
      }
      initializedCount += bytes.count
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends the bytes of a range 16 at a time, which is faster for a few bytes: what is stored
  /// beyond them lies where the next bytes will be written. That needs 15 bytes more, both in
  /// `bytes` behind the range and as room.
  @inlinable @inline(__always)
  package mutating func append(blocksOf bytes: Span<UInt8>, _ range: Range<Int>) {
    let rounded = (range.count + 15) & ~15
    guard range.lowerBound >= 0, bytes.count - range.lowerBound >= rounded, freeCapacity >= rounded
    else { return append(copying: bytes.extracting(range)) }
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      let room = UnsafeMutableRawBufferPointer(buffer)
      var offset = 0
      while offset < range.count {
        // Both have 16 bytes here, as was just checked.
        unsafe room.storeBytes(
          of: bytes.uncheckedBlock(at: range.lowerBound + offset),
          toByteOffset: initializedCount + offset, as: SIMD16<UInt8>.self)
        offset += 16
      }
      initializedCount += range.count
    }
  }
}

// These are methods of the number and not of `OutputSpan`: Swift 6.2 takes a value that cannot
// escape as a parameter, but not as the `self` of a mutating method.

extension UInt64 {
  /// Appends the lowest `count` bytes, the lowest first. If there is room for 8, all 8 are stored
  /// at once, and those above `count` lie where the next bytes will be written.
  @inlinable @inline(__always)
  package func appendBytes(_ count: Int = 8, to output: inout OutputSpan<UInt8>) {
    guard output.freeCapacity >= 8 else { return appendEachByte(count, to: &output) }
    unsafe output.withUnsafeMutableBufferPointer { buffer, initializedCount in
      // There are 8 bytes from here, as was just checked.
      unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(
        of: littleEndian, toByteOffset: initializedCount, as: UInt64.self)
      initializedCount += Swift.min(Swift.max(count, 0), 8)
    }
  }

  @inlinable @inline(never)
  package func appendEachByte(_ count: Int, to output: inout OutputSpan<UInt8>) {
    var rest = self
    for _ in 0..<Swift.min(Swift.max(count, 0), 8) {
      output.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}

extension UInt64 {
  /// Appends the number in decimal.
  @inlinable
  package func appendDecimal(to output: inout OutputSpan<UInt8>) {
    var rest = self
    if rest >= 100_000_000 {
      (rest / 100_000_000).appendDecimal(to: &output)
      rest %= 100_000_000
      // The digits of the rest follow others, so its zeros count.
      var digits: UInt64 = 0
      for _ in 0..<8 {
        digits = digits << 8 | (UInt64(UInt8(ascii: "0")) + rest % 10)
        rest /= 10
      }
      return digits.appendBytes(to: &output)
    }
    // The last digit comes first, and each one before it moves it to the left.
    var digits: UInt64 = 0
    var count = 0
    repeat {
      digits = digits << 8 | (UInt64(UInt8(ascii: "0")) + rest % 10)
      rest /= 10
      count += 1
    } while rest > 0
    digits.appendBytes(count, to: &output)
  }

  /// Appends the lower-case hexadecimal digits of the number, without `0x`.
  ///
  /// - Parameter digitCount: how many to write at least, up to 16; shorter numbers get leading
  ///   zeros.
  @inlinable
  package func appendHexadecimal(digitCount: Int = 1, to output: inout OutputSpan<UInt8>) {
    let significant = (64 - leadingZeroBitCount + 3) / 4
    let count = Swift.max(significant, Swift.min(digitCount, 16), 1)
    let digits = self &<< UInt64(64 - 4 * count)
    UInt32(truncatingIfNeeded: digits >> 32).hexadecimalWord(isUppercase: false)
      .appendBytes(Swift.min(count, 8), to: &output)
    guard count > 8 else { return }
    UInt32(truncatingIfNeeded: digits).hexadecimalWord(isUppercase: false)
      .appendBytes(count - 8, to: &output)
  }
}
