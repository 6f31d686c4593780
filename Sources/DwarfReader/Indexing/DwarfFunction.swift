package import SymbolicationModel

/// One contiguous piece of a function, with all that is known of its addresses: what an index holds.
package struct DwarfFunction: Sendable {
  package fileprivate(set) var range: Range<LinkAddress>
  /// The number of its name in the unit, for `DwarfUnitFunctions.name`.
  package fileprivate(set) var name = 0
  /// Ascending. The first begins at the start of `range` or before it and covers it; all lie in front
  /// of its end. Empty where the function has no rows; else they cover all of `range`.
  package fileprivate(set) var rows: [LineRow] = []
  /// A call behind the one that it is inlined into.
  package fileprivate(set) var calls: [Call] = []
  /// Of all calls; each lies in one of the call around, or in `range`.
  package fileprivate(set) var callRanges: [Range<LinkAddress>] = []
  /// For each call of the function: its place in `calls`.
  private var places: [Int?] = []

  /// A call inlined into the function.
  package struct Call: Sendable {
    /// 0 for those that the function itself makes.
    package let depth: Int
    /// The number of the name of what is called.
    package let name: Int
    /// The index of a file of the unit's line table; nil where the file does not say.
    package let file: UInt32?
    package let line: UInt32
    /// In `callRanges`; never empty.
    package let ranges: Range<Int>
  }

  init() { self.range = LinkAddress(0)..<LinkAddress(0) }
}

extension DwarfFunction {
  /// Takes up the part of a function that lies in `range`. Returns false where what the reader would
  /// answer there is not what nested ranges and one run of rows can say.
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
    places.removeAll(keepingCapacity: true)
    for index in extent.calls {
      let call = table.calls[Int(index)]
      let parent = call.parent < 0 ? nil : places[Int(call.parent - extent.calls.lowerBound)]
      // Of a call without code here, and of what is inlined into it, nothing is here.
      places.append(nil)
      let first = callRanges.count
      for piece in table.ranges[table.ranges(ofCall: Int(index))]
      where piece.low < range.high && piece.high > range.low {
        guard isHeld(piece, by: parent, isOutermost: call.parent < 0, range) else { return false }
        callRanges.append(LinkAddress(piece.low)..<LinkAddress(piece.high))
      }
      if callRanges.count == first { continue }
      guard let name = nameOfCall(call.nameOffset) else { return false }
      places[places.count - 1] = calls.count
      calls.append(
        Call(
          depth: parent.map { calls[$0].depth + 1 } ?? 0, name: name, file: call.file,
          line: call.line, ranges: first..<callRanges.count))
    }
    return !hasOverlappingNeighbours
  }

  /// Whether `piece` lies in one range of the call at `place`, or without one of the function.
  private func isHeld(
    _ piece: CodeRange, by place: Int?, isOutermost: Bool, _ range: CodeRange
  ) -> Bool {
    if isOutermost { return piece.low >= range.low && piece.high <= range.high }
    guard let place else { return false }
    // Those of one call are ascending: the last that begins in front is the one.
    let ranges = calls[place].ranges
    let next = ranges.partitionPoint { callRanges[$0].lowerBound.value > piece.low }
    return next > ranges.lowerBound && piece.high <= callRanges[next - 1].upperBound.value
  }

  /// Whether two calls of one depth claim the same address.
  private var hasOverlappingNeighbours: Bool {
    // Where the last range of each depth ended: ranges mostly come in order.
    var ends: [LinkAddress] = []
    var isAscending = true
    for call in calls {
      if call.depth == ends.count { ends.append(LinkAddress(0)) }
      for index in call.ranges {
        if callRanges[index].lowerBound < ends[call.depth] { isAscending = false }
        ends[call.depth] = callRanges[index].upperBound
      }
    }
    if isAscending { return false }
    var sorted = calls.flatMap { call in call.ranges.map { (call.depth, callRanges[$0]) } }
    sorted.sort { ($0.0, $0.1.lowerBound) < ($1.0, $1.1.lowerBound) }
    return zip(sorted, sorted.dropFirst()).contains {
      $0.0 == $1.0 && $1.1.lowerBound < $0.1.upperBound
    }
  }
}

extension LineTable {
  /// Appends the rows that cover `range`. Returns false where they do not cover all of it, or sequences
  /// overlap there; true without appending anything where no row lies in it.
  fileprivate func appendRows(of range: Range<UInt64>, to result: inout [LineRow]) -> Bool {
    let index = firstSequence(endingBehind: range.lowerBound)
    guard index < sequences.count, sequences[index].low < range.upperBound else {
      // The first sequence that ends behind the start begins behind the end; a later one may not.
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
