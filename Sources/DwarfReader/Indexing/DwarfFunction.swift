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
    for index in calls[place].ranges {
      let outer = callRanges[index]
      if piece.low >= outer.lowerBound.value, piece.high <= outer.upperBound.value { return true }
    }
    return false
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
    var low = 0
    var high = sequences.count
    while low < high {
      let middle = (low + high) / 2
      if sequences[middle].high <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    guard low < sequences.count, sequences[low].low < range.upperBound else {
      // The first sequence that ends behind the start begins behind the end; a later one may not.
      return !sequences[low...].contains { $0.low < range.upperBound }
    }
    let sequence = sequences[low]
    guard sequence.low <= range.lowerBound, sequence.high >= range.upperBound else { return false }
    let distance = Int64(bitPattern: range.lowerBound &- sequence.base)
    var first = sequence.rows.lowerBound
    var end = sequence.rows.upperBound
    while first < end {
      let middle = (first + end) / 2
      if Int64(rows[middle].distance) <= distance { first = middle + 1 } else { end = middle }
    }
    for index in max(first - 1, sequence.rows.lowerBound)..<sequence.rows.upperBound {
      let row = row(at: index, in: sequence)
      if row.address >= range.upperBound { break }
      result.append(row)
    }
    return true
  }
}
