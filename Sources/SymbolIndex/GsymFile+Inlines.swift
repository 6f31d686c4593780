import BinaryInput
import SymbolicationModel

// Encoding of inlined calls (InlineInfo.h, "ENCODING"): an entry is followed by its children, and
// the last child by an entry without ranges. The first entry is the function itself. The file
// decides how deep entries nest, so nothing here is recursive.

extension GsymFile {
  /// Appends the inlined calls that contain `address` to `frames`, outermost first, each with its
  /// own call site as its location. Returns false if they cannot be read.
  func appendInlinedCalls(
    in part: Range<UInt64>, holding address: UInt64, from start: UInt64,
    to frames: inout [GsymFrame]
  ) -> Bool {
    // Marks, and the skipped numbers, are little-endian; names are swapped below if necessary.
    var cursor = region.cursor(at: part.lowerBound, end: part.upperBound, byteOrder: .little)
    var base = start
    var isFunction = true
    switch GsymMarks.find(
      address &- start, in: part, entrySize: GsymMarks.callEntrySize, &cursor)
    {
    case .unmarked: break
    case .noneBefore: return true
    case .found:
      cursor.seek(to: part.lowerBound + UInt64(cursor.readUInt32()))
      isFunction = false
    }
    var isMarked = !isFunction
    while true {
      let count = cursor.readUleb128()
      // The last call at this level: none of them contains the address.
      if count == 0 { return !cursor.hasFailed }
      guard let ranges = GsymRangeSearch(&cursor, count: count, base: base, address: address) else {
        return false
      }
      let hasChildren = cursor.readUInt8() != 0
      guard let range = ranges.holding else {
        if isMarked { return true }
        cursor.skipRestOfInlinedCall(
          hasChildren: hasChildren, stringOffsetSize: tables.stringOffsetSize)
        if isFunction || cursor.hasFailed { return !cursor.hasFailed }
        continue
      }
      let name = readStringOffset(&cursor)
      let file = UInt32(truncatingIfNeeded: cursor.readUleb128())
      let line = UInt32(truncatingIfNeeded: cursor.readUleb128())
      guard !cursor.hasFailed, file < fileCount else { return false }
      if !isFunction || file != 0 {
        frames.append(
          GsymFrame(
            name: header.byteOrder == .little ? name : swapped(name), range: range,
            start: LinkAddress(ranges.lowest),
            location: GsymLocation(known: file, line: line)))
      }
      guard hasChildren else { return true }
      base = ranges.lowest
      isFunction = false
      isMarked = false
    }
  }
}

extension GsymFile {
  /// A string offset that was read in the other byte order.
  private func swapped(_ offset: UInt64) -> UInt64 {
    offset.byteSwapped >> UInt64(64 - 8 * tables.stringOffsetSize)
  }
}

/// The ranges of an inlined call, and the one that contains an address.
private struct GsymRangeSearch {
  /// The lowest address of all ranges. The ranges of the call's children are relative to it.
  var lowest: UInt64
  var holding: Range<LinkAddress>?

  /// Reads `count` ranges, which must not be 0. Nil if the data ends before that.
  @inline(__always)
  init?(_ cursor: inout ByteCursor, count: UInt64, base: UInt64, address: UInt64) {
    // Each range has at least two bytes.
    guard count <= UInt64(cursor.remaining) / 2 else { return nil }
    lowest = .max
    for _ in 0..<count {
      let start = base &+ cursor.readUleb128()
      let size = cursor.readUleb128()
      guard size > 0 else { continue }
      lowest = min(lowest, start)
      if address &- start < size, !start.addingReportingOverflow(size).overflow {
        holding = gsymRange(start, start + size)
      }
    }
    guard !cursor.hasFailed else { return nil }
  }
}

// Skipped LEB128 numbers are counted eight bytes at a time: the last byte of each has its highest
// bit clear.
extension ByteCursor {
  /// Skips the name, call site and children of an inlined call.
  fileprivate mutating func skipRestOfInlinedCall(hasChildren: Bool, stringOffsetSize: Int) {
    skip(stringOffsetSize)
    skipTwoLeb128()
    var depth = hasChildren ? 1 : 0
    while depth > 0 {
      let count = readUleb128()
      guard count > 0 else {
        if hasFailed { return }
        depth -= 1
        continue
      }
      guard count <= UInt64(remaining) / 2 else { return fail() }
      for _ in 0..<count { skipTwoLeb128() }
      if readUInt8() != 0 { depth += 1 }
      skip(stringOffsetSize)
      skipTwoLeb128()
    }
  }

  /// Skips two LEB128 numbers. The cursor must be little-endian.
  @inline(__always)
  private mutating func skipTwoLeb128() {
    let start = position
    if remaining >= 8 {
      let ends = ~readUInt64() & 0x8080_8080_8080_8080
      let secondEnd = ends & (ends &- 1)
      if secondEnd != 0 { return seek(to: UInt64(start + secondEnd.trailingZeroBitCount / 8 + 1)) }
      seek(to: UInt64(start))
    }
    skipLeb128()
    skipLeb128()
  }
}
