import BinaryInput
import SymbolicationModel

extension GsymFile {
  /// The function with this index, completely decoded; nil if there are fewer functions.
  ///
  /// Throws `malformedFunction` if its record cannot be read. Cost: reads the record once.
  package func function(at index: Int) throws(GsymError) -> GsymFunction? {
    guard index >= 0, index < functionCount else { return nil }
    var cursor = region.cursor(byteOrder: header.byteOrder)
    let start = functionStart(at: index, &cursor)
    let offset = recordOffset(at: index, &cursor)
    cursor.seek(to: offset)
    let (end, overflow) = start.addingReportingOverflow(UInt64(cursor.readUInt32()))
    var function = GsymFunction(
      range: gsymRange(start, overflow ? start : end), name: readStringOffset(&cursor))
    guard !overflow, function.name != 0, let parts = parts(at: cursor.position) else {
      throw malformed(index, offset)
    }
    if let part = parts.lineTable {
      var lines = self.cursor(over: part)
      var program = GsymLineProgram(&lines, from: start)
      let isRead = program?.forEachRow(&lines) { row in
        function.rows.append(row)
        return true
      }
      guard isRead == true else { throw malformed(index, offset) }
    }
    if let part = parts.inlineInfo {
      var inlines = self.cursor(over: part)
      guard readInlinedCalls(of: &function, &inlines) else { throw malformed(index, offset) }
    }
    return function
  }

  private func parts(at offset: Int) -> GsymRecordParts? {
    region.withRawSpan {
      var position = SpanPosition(UInt64(offset))
      return GsymRecordParts(&position, in: $0, self)
    }
  }

  private func cursor(over part: Range<Int>) -> ByteCursor {
    region.cursor(
      at: UInt64(part.lowerBound), end: UInt64(part.upperBound), byteOrder: header.byteOrder)
  }

  /// Reads all inlined calls of `function`. Returns false if they cannot be read.
  private func readInlinedCalls(
    of function: inout GsymFunction, _ cursor: inout ByteCursor
  ) -> Bool {
    // For each open level: the address that the ranges of the next entry are relative to.
    var bases = [function.range.lowerBound.value]
    // The first entry is the function itself. It is not a call, unless it has a call site.
    var depthOfFunction = -1
    while let base = bases.last {
      let count = cursor.readUleb128()
      if count == 0 {
        bases.removeLast()
        if bases.count == 1 { break }
        continue
      }
      guard count <= UInt64(cursor.remaining) / 2 else { return false }
      let firstRange = function.inlinedRanges.count
      var lowest = UInt64.max
      for _ in 0..<count {
        let start = base &+ cursor.readUleb128()
        let (end, overflow) = start.addingReportingOverflow(cursor.readUleb128())
        guard !overflow else { return false }
        guard start < end else { continue }
        lowest = min(lowest, start)
        function.inlinedRanges.append(gsymRange(start, end))
      }
      let hasChildren = cursor.readUInt8() != 0
      let name = readStringOffset(&cursor)
      let file = UInt32(truncatingIfNeeded: cursor.readUleb128())
      let line = UInt32(truncatingIfNeeded: cursor.readUleb128())
      guard !cursor.hasFailed else { return false }
      if bases.count == 1, file != 0 { depthOfFunction = 0 }
      let depth = bases.count - 1 + depthOfFunction
      if depth >= 0 {
        function.inlinedCalls.append(
          GsymInlinedCall(
            depth: depth, name: name, callFile: file, callLine: line,
            ranges: firstRange..<function.inlinedRanges.count))
      } else {
        function.inlinedRanges.removeLast(function.inlinedRanges.count - firstRange)
      }
      if hasChildren {
        bases.append(lowest)
      } else if bases.count == 1 {
        break
      }
    }
    return !cursor.hasFailed
  }
}
