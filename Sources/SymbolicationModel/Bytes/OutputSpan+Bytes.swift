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
