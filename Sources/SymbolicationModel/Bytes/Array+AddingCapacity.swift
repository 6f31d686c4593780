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
    unsafe withUnsafeMutableBufferPointer { room, initializedCount in
      unsafe bytes.withUnsafeBufferPointer { source in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: room[initializedCount...])
        _ = unsafe free.initialize(fromContentsOf: source)
      }
      initializedCount += bytes.count
    }
  }
}
