import SymbolicationModel

// The encoding of line tables (LineTable.h, "ENCODING"): a row that advances the address and the
// line only a little takes one byte. Each function states how much "a little" is.

extension GsymUnit {
  /// Appends the line table of `function`. Appends nothing if it has no rows.
  /// - Returns: the number of encoded rows.
  mutating func encodeRows(of function: GsymFunction, bytesStart: Int) -> Int {
    gatherRows(of: function)
    guard let first = scratchRows.first else { return 0 }
    let deltas = LineDeltas(scratchRows)
    bytes.appendSleb128(deltas.minimum)
    bytes.appendSleb128(deltas.maximum)
    bytes.appendUleb128(UInt64(first.line))
    var address = function.range.lowerBound.value
    var line = first.line
    // The first row always sets its file. Once the final numbers are known, the operation is left
    // out if the file is the one that tables begin with.
    var file: UInt32?
    let isMarked = scratchRows.count >= 2 * GsymMarks.rowsBetween
    for (index, row) in scratchRows.enumerated() {
      if isMarked, index > 0, index % GsymMarks.rowsBetween == 0,
        let offset = UInt32(exactly: address - function.range.lowerBound.value)
      {
        appendMark(address: offset, line: line, bytesStart: bytesStart)
      }
      if row.file != file {
        appendHole(.setFile, row.file, bytesStart: bytesStart)
        file = row.file
      }
      let addressDelta = row.address.value &- address
      let lineDelta = Int64(row.line) - Int64(line)
      if let operation = deltas.specialOperation(line: lineDelta, address: addressDelta) {
        bytes.append(operation)
      } else {
        if lineDelta != 0 {
          bytes.append(GsymFormat.LineOperation.advanceLine)
          bytes.appendSleb128(lineDelta)
        }
        bytes.append(GsymFormat.LineOperation.advanceAddress)
        bytes.appendUleb128(addressDelta)
      }
      address = row.address.value
      line = row.line
    }
    bytes.append(GsymFormat.LineOperation.endSequence)
    return scratchRows.count
  }

  /// Fills `scratchRows` with the rows of the function that are not redundant.
  private mutating func gatherRows(of function: GsymFunction) {
    var rows: [GsymLineRow] = []
    swap(&rows, &scratchRows)
    rows.removeAll(keepingCapacity: true)
    let start = function.range.lowerBound.value
    let end = function.range.upperBound.value
    var last = GsymLineRow(address: LinkAddress(0), file: 0, line: 0)
    for row in function.rows {
      let address = max(row.address.value, start)
      guard start == end || address < end else { continue }
      if !rows.isEmpty {
        guard address >= last.address.value else { continue }
        if address == last.address.value {
          // Of several rows at one address, the last one counts.
          rows.removeLast()
          last = rows.last ?? last
        }
        if !rows.isEmpty, last.file == row.file, last.line == row.line { continue }
      }
      last = GsymLineRow(address: LinkAddress(address), file: row.file, line: row.line)
      rows.append(last)
    }
    swap(&rows, &scratchRows)
  }
}

/// The range of line deltas, from one row to the next, that special operations can express.
private struct LineDeltas {
  private(set) var minimum: Int64 = 0
  private(set) var maximum: Int64 = 0

  /// The greatest distance of the two. The wider the range, the fewer address deltas fit in a byte.
  private static let maximumSpan: Int64 = 14

  init(_ rows: [GsymLineRow]) {
    guard rows.count > 1 else { return }
    minimum = .max
    maximum = .min
    for index in 1..<rows.count {
      let delta = Int64(rows[index].line) - Int64(rows[index - 1].line)
      minimum = min(minimum, delta)
      maximum = max(maximum, delta)
    }
    if maximum - minimum > Self.maximumSpan { chooseMostFrequent(rows) }
    if minimum == maximum, minimum > 0, minimum < Self.maximumSpan { minimum = 0 }
  }

  /// Chooses the range that covers the most rows. Deltas of more than 127 lines are not counted.
  private mutating func chooseMostFrequent(_ rows: [GsymLineRow]) {
    let limit: Int64 = 127
    var counts = InlineArray<255, UInt32>(repeating: 0)
    // The places that are counted at all.
    var (lowest, highest) = (counts.count, -1)
    for index in 1..<rows.count {
      let delta = Int64(rows[index].line) - Int64(rows[index - 1].line)
      guard abs(delta) <= limit else { continue }
      let place = Int(delta + limit)
      counts[place] += 1
      lowest = min(lowest, place)
      highest = max(highest, place)
    }
    let width = Int(Self.maximumSpan) + 1
    var sum: UInt32 = 0
    // If no delta is that small, the range holds only the delta 0.
    var best = (sum: UInt32(0), low: Int(limit), high: Int(limit))
    for high in lowest..<max(lowest, highest + 1) {
      sum += counts[high]
      if high >= width { sum -= counts[high - width] }
      if sum > best.sum { best = (sum, max(0, high - width + 1), high) }
    }
    while best.low < best.high, counts[best.low] == 0 { best.low += 1 }
    minimum = Int64(best.low) - limit
    maximum = Int64(best.high) - limit
  }

  /// The special operation for a row with these deltas from the row before; nil if there is none.
  func specialOperation(line: Int64, address: UInt64) -> UInt8? {
    guard line >= minimum, line <= maximum, address <= 255 else { return nil }
    let operation =
      (line - minimum) + Int64(address) * (maximum - minimum + 1)
      + Int64(GsymFormat.LineOperation.firstSpecial)
    return UInt8(exactly: operation)
  }
}
