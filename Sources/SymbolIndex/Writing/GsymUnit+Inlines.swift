import SymbolicationModel

// The encoding of inlined calls (InlineInfo.h, "ENCODING"): the first entry is the function itself,
// and each entry is followed by its children. The ranges of an entry are ascending and do not
// touch. They lie in the ranges of the parent, and are relative to its first address.

extension GsymUnit {
  /// Appends the inlined calls of `function`. Appends nothing if none has code in the function.
  /// - Returns: the number of encoded calls.
  mutating func encodeInlinedCalls(of function: GsymFunction, bytesStart: Int) -> Int {
    guard !function.inlinedCalls.isEmpty, !function.range.isEmpty else { return 0 }
    let partStart = bytes.count
    let holesStart = holes.count
    let marksStart = marks.count
    scratchRanges.removeAll(keepingCapacity: true)
    scratchRanges.append(
      function.range.lowerBound.value..<function.range.upperBound.value)
    // The entries whose children may follow. The function is the first.
    var open: [OpenEntry] = []
    swap(&open, &scratchEntries)
    defer { swap(&open, &scratchEntries) }
    open.removeAll(keepingCapacity: true)
    open.append(
      appendEntry(
        ranges: 0..<1, base: function.range.lowerBound.value, name: function.name, callFile: 0,
        callLine: 0, bytesStart: bytesStart))
    var count = 0
    var outerRanges: [Range<UInt64>] = []
    swap(&outerRanges, &scratchOuterRanges)
    defer { swap(&outerRanges, &scratchOuterRanges) }
    outerRanges.removeAll(keepingCapacity: true)
    for call in function.inlinedCalls where call.depth >= 0 {
      while open.count > call.depth + 1, let entry = open.popLast() { close(entry) }
      // If a call was left out, so are the calls inlined into it.
      guard open.count == call.depth + 1, let parent = open.last else { continue }
      scratchRanges.removeLast(scratchRanges.count - parent.ranges.upperBound)
      let ranges = appendRanges(of: call, in: function, cutTo: parent.ranges)
      guard !ranges.isEmpty else { continue }
      bytes[parent.hasChildrenOffset] = 1
      if call.depth == 0 {
        for index in ranges {
          let offset = scratchRanges[index].lowerBound - function.range.lowerBound.value
          appendMark(
            address: UInt32(truncatingIfNeeded: offset), line: 0, bytesStart: bytesStart)
          outerRanges.append(scratchRanges[index])
        }
      }
      open.append(
        appendEntry(
          ranges: ranges, base: scratchRanges[parent.ranges.lowerBound].lowerBound, name: call.name,
          callFile: call.callFile, callLine: call.callLine, bytesStart: bytesStart))
      count += 1
    }
    while let entry = open.popLast() { close(entry) }
    if count == 0 {
      bytes.removeLast(bytes.count - partStart)
      holes.removeLast(holes.count - holesStart)
    }
    if outerRanges.count < GsymMarks.fewestRanges || Self.overlap(&outerRanges) {
      marks.removeLast(marks.count - marksStart)
    }
    return count
  }

  /// Sorts the ranges, and returns whether any of them overlap.
  private static func overlap(_ ranges: inout [Range<UInt64>]) -> Bool {
    ranges.sort { $0.lowerBound < $1.lowerBound }
    return (1..<ranges.count).contains { ranges[$0].lowerBound < ranges[$0 - 1].upperBound }
  }

  /// An entry whose children may follow.
  struct OpenEntry {
    /// Indices in `scratchRanges`.
    let ranges: Range<Int>
    /// The offset in `bytes` of the byte that states whether the entry has children.
    let hasChildrenOffset: Int
  }

  private mutating func appendEntry(
    ranges: Range<Int>, base: UInt64, name: UInt64, callFile: UInt32, callLine: UInt32,
    bytesStart: Int
  ) -> OpenEntry {
    bytes.appendUleb128(UInt64(ranges.count))
    for index in ranges {
      let range = scratchRanges[index]
      bytes.appendUleb128(range.lowerBound &- base)
      bytes.appendUleb128(range.upperBound &- range.lowerBound)
    }
    let entry = OpenEntry(ranges: ranges, hasChildrenOffset: bytes.count)
    bytes.append(0)
    appendHole(.string, UInt32(truncatingIfNeeded: name), bytesStart: bytesStart)
    appendHole(.file, callFile, bytesStart: bytesStart)
    bytes.appendUleb128(UInt64(callLine))
    return entry
  }

  /// Ends the list of children of an entry, if it has any.
  private mutating func close(_ entry: OpenEntry) {
    if bytes[entry.hasChildrenOffset] != 0 { bytes.append(0) }
  }

  /// Appends the ranges of `call`, cut to those of its parent, to `scratchRanges`.
  /// - Returns: their indices there.
  private mutating func appendRanges(
    of call: GsymInlinedCall, in function: GsymFunction, cutTo parent: Range<Int>
  ) -> Range<Int> {
    let start = scratchRanges.count
    for index in call.ranges.clamped(to: function.inlinedRanges.indices) {
      let low = function.inlinedRanges[index].lowerBound.value
      let high = function.inlinedRanges[index].upperBound.value
      for around in parent {
        let cut =
          max(
            low, scratchRanges[around].lowerBound)..<max(
            low, scratchRanges[around].lowerBound, min(high, scratchRanges[around].upperBound))
        if !cut.isEmpty { scratchRanges.append(cut) }
      }
    }
    return start..<joinRanges(from: start)
  }

  /// Sorts the scratch ranges from `start` on and joins those that overlap or touch.
  /// - Returns: the index behind the last range that is left.
  private mutating func joinRanges(from start: Int) -> Int {
    guard scratchRanges.count > start + 1 else { return scratchRanges.count }
    let isInOrder = (start + 1..<scratchRanges.count).allSatisfy {
      scratchRanges[$0 - 1].upperBound < scratchRanges[$0].lowerBound
    }
    if !isInOrder {
      scratchRanges[start...].sort { $0.lowerBound < $1.lowerBound }
      var last = start
      for index in start + 1..<scratchRanges.count {
        let range = scratchRanges[index]
        if range.lowerBound <= scratchRanges[last].upperBound {
          let end = max(range.upperBound, scratchRanges[last].upperBound)
          scratchRanges[last] = scratchRanges[last].lowerBound..<end
        } else {
          last += 1
          scratchRanges[last] = range
        }
      }
      scratchRanges.removeLast(scratchRanges.count - last - 1)
    }
    return scratchRanges.count
  }
}
