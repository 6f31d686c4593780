import SymbolicationModel

/// Puts the blocks of a member together: in order, as many bytes as the archive states, and zeros
/// where a sparse file has holes.
struct MemberUnpacking {
  private let size: UInt64
  /// Of the bytes handed over so far.
  private(set) var done: UInt64 = 0

  private let budget: UnpackingBudget

  /// - Parameter budget: pays for the zeros of holes, which no block does.
  init(size: UInt64, budget: UnpackingBudget) {
    self.size = size
    self.budget = budget
  }

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
    guard try addZeros(upTo: offset, to: write), write(block) else { return false }
    done = end
    return true
  }

  /// Hands over the zeros of a hole at the end. Only a sparse file has one: what a zip archive
  /// states, it must hold.
  mutating func end(
    allowsHole: Bool, to write: (RawSpan) -> Bool
  ) throws(ArchiveFault) -> Bool {
    guard done == size || allowsHole else { throw .wrongSize(stated: size, found: done) }
    return try addZeros(upTo: size, to: write)
  }

  private mutating func addZeros(
    upTo offset: UInt64, to write: (RawSpan) -> Bool
  ) throws(ArchiveFault) -> Bool {
    guard done < offset else { return true }
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    while done < offset {
      let part = Int(min(offset - done, UInt64(zeros.count)))
      try budget.take(UInt64(part))
      guard unsafe write(zeros.span.bytes.extracting(first: part)) else { return false }
      done += UInt64(part)
    }
    return true
  }
}
