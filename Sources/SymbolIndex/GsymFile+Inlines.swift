import BinaryInput
import SymbolicationModel

// An entry of the inlined calls (InlineInfo.h, "ENCODING") is followed by its children, and those by
// an entry without ranges. The first entry is the function itself. Nesting is as deep as the file
// says, so nothing here calls itself.

extension GsymFile {
  /// Appends the inlined calls that hold `address` to `frames`, outermost first; each with its own call
  /// site as location. False where they cannot be read.
  func appendInlinedCalls(
    in part: Range<UInt64>, holding address: UInt64, from start: UInt64,
    to frames: inout [GsymFrame]
  ) -> Bool {
    // The byte order of marks, and of what is passed over; names are turned round.
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
      // The end of the calls inlined here: none of them holds the address.
      if count == 0 { return !cursor.hasFailed }
      guard let ranges = GsymRangeSearch(&cursor, count: count, base: base, address: address) else {
        return false
      }
      let hasChildren = cursor.readUInt8() != 0
      guard let range = ranges.holding else {
        if isMarked { return true }
        cursor.skipRestOfInlinedCall(hasChildren: hasChildren)
        if isFunction || cursor.hasFailed { return !cursor.hasFailed }
        continue
      }
      let name = cursor.readUInt32()
      let file = UInt32(truncatingIfNeeded: cursor.readUleb128())
      let line = UInt32(truncatingIfNeeded: cursor.readUleb128())
      guard !cursor.hasFailed, file < fileCount else { return false }
      if !isFunction || file != 0 {
        frames.append(
          GsymFrame(
            name: header.byteOrder == .little ? name : name.byteSwapped, range: range,
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

/// The ranges of an inlined call, of which one may hold an address.
private struct GsymRangeSearch {
  /// The lowest address of all ranges, which those of the children count from.
  var lowest: UInt64
  var holding: Range<LinkAddress>?

  /// Reads `count` ranges, not 0. Nil where they are not there.
  @inline(__always)
  init?(_ cursor: inout ByteCursor, count: UInt64, base: UInt64, address: UInt64) {
    // Each has at least two bytes.
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

// The numbers passed over are counted eight bytes at a time: each ends with a byte whose highest bit
// is clear.
extension ByteCursor {
  /// Passes over name, call site and children of an inlined call.
  fileprivate mutating func skipRestOfInlinedCall(hasChildren: Bool) {
    skip(4)
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
      skip(4)
      skipTwoLeb128()
    }
  }

  /// The byte order of the cursor is little-endian.
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
