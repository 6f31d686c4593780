import BinaryInput
import SymbolicationModel

/// Puts the blocks of a member together: in order, as many bytes as the archive states, and zeros
/// where a sparse file has holes.
struct MemberUnpacking {
  private let size: UInt64
  /// Of the bytes handed over so far.
  private(set) var done: UInt64 = 0

  init(size: UInt64) { self.size = size }

  /// Hands over the block that belongs at `offset`. Throws `wrongSize` if it does not fit.
  ///
  /// - Parameter write: returns false if the rest is not wanted.
  /// - Returns: what `write` returned.
  mutating func add(
    _ block: RawSpan, at offset: UInt64, to write: (RawSpan) -> Bool
  ) throws(ArchiveFault) -> Bool {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(block.byteCount))
    guard offset >= done, !overflow, end <= size else {
      throw .wrongSize(stated: size, found: overflow ? .max : end)
    }
    guard addZeros(upTo: offset, to: write), write(block) else { return false }
    done = end
    return true
  }

  /// Hands over the zeros of a hole at the end. Only a sparse file has one: what a zip archive
  /// states, it must hold.
  mutating func end(
    allowsHole: Bool, to write: (RawSpan) -> Bool
  ) throws(ArchiveFault) -> Bool {
    guard done == size || allowsHole else { throw .wrongSize(stated: size, found: done) }
    return addZeros(upTo: size, to: write)
  }

  private mutating func addZeros(upTo offset: UInt64, to write: (RawSpan) -> Bool) -> Bool {
    guard done < offset else { return true }
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    while done < offset {
      let part = Int(min(offset - done, UInt64(zeros.count)))
      guard unsafe write(zeros.span.bytes.extracting(first: part)) else { return false }
      done += UInt64(part)
    }
    return true
  }
}

extension ByteRegion {
  /// The bytes that `unpack` hands over, in memory; nil if the system has not enough. They must not
  /// be more than `size`.
  init?<Failure: Error>(
    unpackedSize size: Int, _ unpack: ((RawSpan) -> Bool) throws(Failure) -> Void
  ) throws(Failure) {
    let storage = try ByteStorage(capacity: size) { (output) throws(Failure) in
      // A span that is being filled cannot be captured by the closure.
      var filled = 0
      try unsafe output.withUnsafeMutableBytes { (buffer, count) throws(Failure) in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        try unpack { block in
          guard block.byteCount <= room.count - filled else { return false }
          unsafe block.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyMemory(from: $0)
          }
          filled += block.byteCount
          return true
        }
        count += filled
      }
    }
    guard let storage else { return nil }
    self.init(storage)
  }
}
