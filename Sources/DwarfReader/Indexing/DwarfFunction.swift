package import SymbolicationModel

/// One contiguous range of a function with its rows and inlined calls, as an index stores it.
package struct DwarfFunction: Sendable {
  /// Half-open.
  package fileprivate(set) var range: Range<LinkAddress>
  /// The number of the name in the unit, for `DwarfUnitFunctions.name`.
  package fileprivate(set) var name = 0
  /// In ascending order of address. The first row begins at or before the start of `range` and
  /// covers it; all rows begin before its end. Empty if the function has no rows; otherwise they
  /// cover all of `range`.
  package fileprivate(set) var rows: [LineRow] = []
  /// Each call follows the one that it is inlined into.
  package fileprivate(set) var calls: [Call] = []
  /// The code ranges (half-open) of all calls. Each lies in one range of the call around it, or in
  /// `range`.
  package fileprivate(set) var callRanges: [Range<LinkAddress>] = []
  /// For each call of the whole function: its index in `calls`; nil if it has no code in `range`.
  private var callIndices: [Int?] = []
  // Used while calls are checked, and kept to reuse their memory.
  private var depthEnds: [LinkAddress] = []
  private var sortedRanges: [DepthRange] = []

  /// A call inlined into the function.
  package struct Call: Sendable {
    /// 0 for a call in the function itself, 1 for a call in a call of depth 0, and so on.
    package let depth: Int
    /// The number of the name of the called function.
    package let name: Int
    /// `DW_AT_call_file`: an index in the unit's file table; nil without it.
    package let file: UInt32?
    /// `DW_AT_call_line`; 0 without it.
    package let line: UInt32
    /// Indices in `callRanges`; never empty.
    package let ranges: Range<Int>
  }

  init() { self.range = LinkAddress(0)..<LinkAddress(0) }
}

extension DwarfFunction {
  /// Replaces the content by the part of a function that lies in `range`. Returns false if nested
  /// ranges and one sequence of rows cannot express what the reader would answer there.
  mutating func fill(
    _ range: CodeRange, name: Int, calls table: InlinedCallTable,
    _ extent: InlinedCallTable.Extent, lines: LineTable?, nameOfCall: (UInt64) -> Int?
  ) -> Bool {
    self.range = LinkAddress(range.low)..<LinkAddress(range.high)
    self.name = name
    rows.removeAll(keepingCapacity: true)
    calls.removeAll(keepingCapacity: true)
    callRanges.removeAll(keepingCapacity: true)
    if let lines, !lines.appendRows(of: range.low..<range.high, to: &rows) { return false }
    return fillCalls(range, table, extent, nameOfCall)
  }

  private mutating func fillCalls(
    _ range: CodeRange, _ table: InlinedCallTable, _ extent: InlinedCallTable.Extent,
    _ nameOfCall: (UInt64) -> Int?
  ) -> Bool {
    callIndices.removeAll(keepingCapacity: true)
    for index in extent.calls {
      let call = table.calls[Int(index)]
      let parent =
        call.parent < 0 ? nil : callIndices[Int(call.parent - extent.calls.lowerBound)]
      // A call without code in `range` stays nil, and so do the calls inlined into it.
      callIndices.append(nil)
      let first = callRanges.count
      for piece in table.ranges[table.ranges(ofCall: Int(index))]
      where piece.low < range.high && piece.high > range.low {
        guard isHeld(piece, by: parent, isOutermost: call.parent < 0, range) else { return false }
        callRanges.append(LinkAddress(piece.low)..<LinkAddress(piece.high))
      }
      if callRanges.count == first { continue }
      guard let name = nameOfCall(call.nameOffset) else { return false }
      callIndices[callIndices.count - 1] = calls.count
      calls.append(
        Call(
          depth: parent.map { calls[$0].depth + 1 } ?? 0, name: name, file: call.file,
          line: call.line, ranges: first..<callRanges.count))
    }
    return !hasOverlappingNeighbours()
  }

  /// Whether `piece` lies in one range of the call with index `parent`, or, for a call in the
  /// function itself, in `range`.
  private func isHeld(
    _ piece: CodeRange, by parent: Int?, isOutermost: Bool, _ range: CodeRange
  ) -> Bool {
    if isOutermost { return piece.low >= range.low && piece.high <= range.high }
    guard let parent else { return false }
    // The ranges of a call are ascending, so only the last one that begins at or before `piece`
    // counts.
    let ranges = calls[parent].ranges
    let next = ranges.partitionPoint { callRanges[$0].lowerBound.value > piece.low }
    return next > ranges.lowerBound && piece.high <= callRanges[next - 1].upperBound.value
  }

  /// Whether two calls of one depth claim the same address.
  private mutating func hasOverlappingNeighbours() -> Bool {
    // The end of the last range at each depth. Ranges mostly come in order.
    depthEnds.removeAll(keepingCapacity: true)
    var isAscending = true
    for call in calls {
      if call.depth == depthEnds.count { depthEnds.append(LinkAddress(0)) }
      for index in call.ranges {
        if callRanges[index].lowerBound < depthEnds[call.depth] { isAscending = false }
        depthEnds[call.depth] = callRanges[index].upperBound
      }
    }
    if isAscending { return false }
    sortedRanges.removeAll(keepingCapacity: true)
    for call in calls {
      for index in call.ranges {
        sortedRanges.append(DepthRange(depth: call.depth, range: callRanges[index]))
      }
    }
    sortedRanges.sort {
      $0.depth == $1.depth
        ? $0.range.lowerBound < $1.range.lowerBound : $0.depth < $1.depth
    }
    for index in sortedRanges.indices.dropFirst() {
      let (before, this) = (sortedRanges[index - 1], sortedRanges[index])
      if before.depth == this.depth, this.range.lowerBound < before.range.upperBound {
        return true
      }
    }
    return false
  }

  private struct DepthRange {
    let depth: Int
    let range: Range<LinkAddress>
  }
}

extension LineTable {
  /// Appends the rows that cover `range`. Appends nothing, and returns true, if no row lies in it.
  /// Returns false if rows cover only a part of it, or if sequences overlap there.
  fileprivate func appendRows(of range: Range<UInt64>, to result: inout [LineRow]) -> Bool {
    let index = firstSequence(endingBehind: range.lowerBound)
    guard index < sequences.count, sequences[index].low < range.upperBound else {
      // The first sequence that ends behind the start of the range begins behind its end. A later
      // one may still begin before its end.
      return !hasSequence(from: index, beginningBefore: range.upperBound)
    }
    let sequence = sequences[index]
    guard sequence.low <= range.lowerBound, sequence.high >= range.upperBound else { return false }
    let next = firstRow(in: sequence, behind: range.lowerBound)
    for index in max(next - 1, sequence.rows.lowerBound)..<sequence.rows.upperBound {
      let row = row(at: index, in: sequence)
      if row.address >= range.upperBound { break }
      result.append(row)
    }
    return true
  }
}
