import BinaryInput
import SymbolicationModel

// Encoding of inlined calls (InlineInfo.h, "ENCODING"): an entry is followed by its children, and
// the last child by an entry without ranges. The first entry is the function itself. The file
// decides how deep entries nest, so nothing here is recursive.

extension GsymFile {
  /// Appends the inlined calls that contain `address` to `frames`, outermost first. Each call site
  /// becomes the location of the frame before. Returns false if they cannot be read.
  func appendInlinedCalls(
    in range: Range<Int>, of bytes: RawSpan, holding address: UInt64, from start: UInt64,
    to frames: inout [GsymFrame]
  ) -> Bool {
    let part = bytes.extracting(range)
    var position = SpanPosition(UInt64(range.lowerBound))
    var base = start
    var isFunction = true
    switch GsymMarks.find(address &- start, in: part, entrySize: GsymMarks.callEntrySize) {
    case .unmarked: break
    case .noneBefore: return true
    case .found(let entry):
      // The mark's address stands before the position of the call.
      var mark = SpanPosition(UInt64(entry) &+ 4)
      let call = UInt32(littleEndian: mark.read(UInt32.self, in: part))
      position = SpanPosition(UInt64(range.lowerBound) &+ UInt64(call))
      isFunction = false
    }
    var isMarked = !isFunction
    // As in the line table, the end of the part is checked after reading.
    while position.value < range.upperBound {
      if let entry = GsymShortEntry(at: position, in: bytes, tables.stringOffsetSize),
        entry.rangeCount == 1, !isFunction, address &- base &- entry.start >= entry.size
      {
        if isMarked { return true }
        position.skip(entry.byteCount, in: bytes)
        position.skipInlinedCalls(
          in: bytes, depth: entry.children, stringOffsetSize: tables.stringOffsetSize)
        if position.value > range.upperBound { return false }
        continue
      }
      let count = position.readUleb128(in: bytes)
      // The last call at this level: none of them contains the address.
      if count == 0 { return !position.hasFailed }
      guard
        let ranges = GsymRangeSearch(
          &position, in: bytes, count: count, base: base, address: address)
      else { return false }
      let hasChildren = position.read(UInt8.self, in: bytes) != 0
      guard let holding = ranges.holding else {
        if isMarked { return true }
        position.skip(tables.stringOffsetSize, in: bytes)
        position.skipTwoLeb128(in: bytes)
        position.skipInlinedCalls(
          in: bytes, depth: hasChildren ? 1 : 0, stringOffsetSize: tables.stringOffsetSize)
        if isFunction || position.value > range.upperBound {
          return position.value <= range.upperBound
        }
        continue
      }
      let name = readStringOffset(&position, in: bytes)
      let file = UInt32(truncatingIfNeeded: position.readUleb128(in: bytes))
      let line = UInt32(truncatingIfNeeded: position.readUleb128(in: bytes))
      guard position.value <= range.upperBound, file < fileCount else { return false }
      if !isFunction || file != 0 {
        frames[frames.count - 1].location = GsymLocation(known: file, line: line)
        frames.append(
          GsymFrame(name: name, range: holding, start: LinkAddress(ranges.lowest), location: nil))
      }
      guard hasChildren else { return true }
      base = ranges.lowest
      isFunction = false
      isMarked = false
    }
    return false
  }
}

/// The ranges of an inlined call, and the one that contains an address.
private struct GsymRangeSearch {
  /// The lowest address of all ranges. The ranges of the call's children are relative to it.
  var lowest: UInt64
  var holding: Range<LinkAddress>?

  /// Reads `count` ranges, which must not be 0. Nil if the data ends before that.
  @inline(__always)
  init?(
    _ position: inout SpanPosition, in bytes: RawSpan, count: UInt64, base: UInt64, address: UInt64
  ) {
    // Each range has at least two bytes.
    guard count <= UInt64(max(0, position.remaining(in: bytes))) / 2 else { return nil }
    lowest = .max
    for _ in 0..<count {
      let start = base &+ position.readUleb128(in: bytes)
      let size = position.readUleb128(in: bytes)
      guard size > 0 else { continue }
      lowest = min(lowest, start)
      if address &- start < size, !start.addingReportingOverflow(size).overflow {
        holding = gsymRange(start, start &+ size)
      }
    }
    guard !position.hasFailed else { return nil }
  }
}

extension SpanPosition {
  /// Skips inlined calls until `depth` lists of them have ended.
  fileprivate mutating func skipInlinedCalls(
    in bytes: RawSpan, depth: Int, stringOffsetSize: Int
  ) {
    var depth = depth
    while depth > 0 {
      if let entry = GsymShortEntry(at: self, in: bytes, stringOffsetSize) {
        // There is no branch on what is in the entry: a lookup in a large function skips dozens.
        skip(1 &+ entry.rangeCount &* (entry.byteCount &- 1), in: bytes)
        depth &+= entry.rangeCount &* (entry.children &+ 1) &- 1
        continue
      }
      let count = readUleb128(in: bytes)
      guard count > 0 else {
        if hasFailed { return }
        depth -= 1
        continue
      }
      guard count <= UInt64(max(0, remaining(in: bytes))) / 2 else { return fail() }
      for _ in 0..<count { skipTwoLeb128(in: bytes) }
      if read(UInt8.self, in: bytes) != 0 { depth += 1 }
      skip(stringOffsetSize, in: bytes)
      skipTwoLeb128(in: bytes)
    }
  }
}

/// An entry with one range, or the end of a list of children, read at once.
private struct GsymShortEntry {
  private let range: Leb128Word
  /// 0 for the end of a list; the other numbers then mean nothing.
  let rangeCount: Int
  /// 1 if the entry has children, else 0.
  let children: Int
  /// In bytes, without the children.
  let byteCount: Int

  /// Nil unless the numbers in the entry are as short as almost all are, and the end of the file is
  /// not near.
  @inline(__always)
  init?(at position: SpanPosition, in bytes: RawSpan, _ stringOffsetSize: Int) {
    guard position.remaining(in: bytes) >= 48 else { return nil }
    let head = Leb128Word(littleEndian: position.peek(UInt64.self, ahead: 0, in: bytes))
    rangeCount = Int(head.firstByte)
    range = head.dropping(1)
    let headEnd = 1 &+ range.sizeOfTwo
    let siteStart = headEnd &+ 1 &+ stringOffsetSize
    let site = Leb128Word(littleEndian: position.peek(UInt64.self, ahead: siteStart, in: bytes))
    let siteSize = site.sizeOfTwo
    guard rangeCount <= 1, headEnd <= 8, siteSize <= 8 else { return nil }
    children = Int(min(1, position.peek(UInt8.self, ahead: headEnd, in: bytes)))
    byteCount = siteStart &+ siteSize
  }

  /// The start of the range, relative to the first address of the parent.
  @inline(__always) var start: UInt64 { range.unsigned }

  /// The size of the range, in bytes of code.
  @inline(__always) var size: UInt64 { range.dropping(range.size).unsigned }
}
