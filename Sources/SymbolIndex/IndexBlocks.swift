import BinaryInput
import Synchronization

/// The blocks of an index, each compared with its checksum the first time that something of it
/// answers. Several threads may use it at once.
///
/// Comparing the whole file when it is opened would cost more than most lookups. Storage that lost
/// bits, or a copy that went wrong, changes few of the blocks, and only those must not answer.
///
/// Soundness: the words of `known` are atomics, made and freed with this object, and an index in it
/// is below `contentCount` and `tableCount` together.
@safe final class IndexBlocks: Sendable {
  private let content: ByteRegion
  /// The checksums of the blocks of `content`, eight bytes each.
  private let table: ByteRegion
  /// The checksums of the blocks of `table`.
  private let tableChecksums: [UInt64]
  private let contentCount: Int
  private let tableCount: Int
  /// A bit for each block of `content`, and then of `table`: set once it was found intact.
  private nonisolated(unsafe) let known: UnsafeMutablePointer<Atomic<UInt64>>

  /// Blocks of 2^12 bytes; the last one may be shorter.
  private static let shift = 12
  static let blockSize = 1 << shift

  /// The number of blocks of `byteCount` bytes.
  static func count(of byteCount: UInt64) -> UInt64 {
    byteCount >> UInt64(shift) + (byteCount & UInt64(blockSize - 1) == 0 ? 0 : 1)
  }

  /// Nil unless the numbers of checksums are those of `content` and `table`.
  init?(of content: ByteRegion, table: ByteRegion, tableChecksums: [UInt64]) {
    let contentCount = Self.count(of: UInt64(content.count))
    let tableCount = Self.count(of: UInt64(table.count))
    guard UInt64(table.count) == 8 * contentCount, UInt64(tableChecksums.count) == tableCount
    else { return nil }
    self.content = content
    self.table = table
    self.tableChecksums = tableChecksums
    self.contentCount = Int(contentCount)
    self.tableCount = Int(tableCount)
    let wordCount = (self.contentCount + self.tableCount) / 64 + 1
    unsafe known = .allocate(capacity: wordCount)
    for word in 0..<wordCount { unsafe (known + word).initialize(to: Atomic(0)) }
  }

  deinit { unsafe known.deallocate() }

  /// Whether the bytes from `start` up to `end` of the content are those that were written; false
  /// if they are not all in it.
  @inline(__always)
  func areIntact(from start: Int, to end: Int) -> Bool {
    let first = start &>> Self.shift
    if start >= 0, end > start, end <= content.count, (end &- 1) &>> Self.shift == first,
      isKnown(first)
    {
      return true
    }
    return compare(from: start, to: end)
  }

  /// Whether all bytes of the content are those that were written. Cost: reads them.
  var areAllIntact: Bool { content.isEmpty || areIntact(from: 0, to: content.count) }

  @inline(never)
  private func compare(from start: Int, to end: Int) -> Bool {
    guard start >= 0, end >= start, end <= content.count else { return false }
    guard start < end else { return true }
    for block in (start >> Self.shift)...((end - 1) >> Self.shift) where !isKnown(block) {
      let place = 8 * block
      let tableBlock = place >> Self.shift
      if !isKnown(contentCount + tableBlock) {
        guard checksum(ofBlock: tableBlock, in: table) == tableChecksums[tableBlock] else {
          return false
        }
        note(contentCount + tableBlock)
      }
      guard
        checksum(ofBlock: block, in: content)
          == table.unsigned(at: UInt64(place), size: 8, byteOrder: .little)
      else { return false }
      note(block)
    }
    return true
  }

  private func checksum(ofBlock block: Int, in region: ByteRegion) -> UInt64 {
    region.withRawSpan { bytes in
      let start = block * Self.blockSize
      return IndexChecksum.ofBlock(
        bytes.extracting(start..<min(start + Self.blockSize, bytes.byteCount)))
    }
  }

  // Two threads may compare a block at the same time, which does no harm. The bits say nothing
  // about other memory, so that their order with other accesses does not matter.

  @inline(__always)
  private func isKnown(_ index: Int) -> Bool {
    let word = unsafe known[index &>> 6].load(ordering: .relaxed)
    return word &>> UInt64(truncatingIfNeeded: index & 63) & 1 != 0
  }

  private func note(_ index: Int) {
    unsafe known[index >> 6].bitwiseOr(1 << UInt64(index & 63), ordering: .relaxed)
  }
}

extension IndexBlocks {
  /// The checksums of the blocks of `pieces`, which are written one after the other.
  static func checksums(of pieces: [[UInt8]]) -> [UInt64] {
    var checksums: [UInt64] = []
    checksums.reserveCapacity(pieces.reduce(1) { $0 + $1.count / blockSize })
    // The start of a block that goes on in the next piece.
    var begun: [UInt8] = []
    for piece in pieces {
      var start = 0
      if !begun.isEmpty {
        start = min(blockSize - begun.count, piece.count)
        begun += piece[..<start]
        guard begun.count == blockSize else { continue }
        checksums.append(IndexChecksum.ofBlock(unsafe begun.span.bytes))
        begun.removeAll(keepingCapacity: true)
      }
      let bytes = unsafe piece.span.bytes
      while bytes.byteCount - start >= blockSize {
        checksums.append(IndexChecksum.ofBlock(bytes.extracting(start..<(start + blockSize))))
        start += blockSize
      }
      begun += piece[start...]
    }
    if !begun.isEmpty { checksums.append(IndexChecksum.ofBlock(unsafe begun.span.bytes)) }
    return checksums
  }
}
