import SymbolicationModel

/// One row of a line table: from its address up to the next row's, the code comes from this place.
package struct LineRow: Hashable, Sendable {
  package let address: UInt64
  /// Index as the line program writes it: from 1 before DWARF 5, from 0 since.
  package let file: UInt32
  package let line: UInt32
  package let column: UInt32

  package init(address: UInt64, file: UInt32, line: UInt32, column: UInt32) {
    self.address = address
    self.file = file
    self.line = line
    self.column = column
  }
}

/// A run of rows without gaps. Rows are ascending by address, no two at one.
package struct LineSequence: Sendable {
  package let low: UInt64
  /// Exclusive: the address of the row that ends the sequence, which is no row of it.
  package let high: UInt64
  /// In `LineTable.rows`.
  let rows: Range<Int>
  /// What the rows count from.
  let base: UInt64
}

/// The rows of one unit, 16 bytes each.
package struct LineTable: Sendable {
  /// A row, with its address as the distance from its sequence's first row in the program.
  struct PackedRow {
    var distance: Int32
    var line: UInt32
    var file: UInt32
    var column: UInt32
  }

  private(set) var rows: [PackedRow] = []
  /// Ascending by `high`; those of one `high` as the line program has them.
  package private(set) var sequences: [LineSequence] = []
  /// For each sequence the least `low` of it and all behind it: a search forwards ends where that is
  /// above the address.
  private var leastLow: [UInt64] = []

  // The sequence that is being read.
  private var sequenceStart = 0
  private var base: UInt64 = 0
  private var isAscending = true
  private var isTooWide = false

  package init() {}

  package mutating func reserve(rowCount: Int) { rows.reserveCapacity(rowCount) }

  /// Adds a row to the sequence that is being read. Of several rows at one address the last counts,
  /// and the others are not kept.
  package mutating func append(_ row: LineRow) {
    append(address: row.address, file: row.file, line: row.line, column: row.column)
  }

  @inline(__always)
  mutating func append(address: UInt64, file: UInt32, line: UInt32, column: UInt32) {
    if rows.count == sequenceStart { base = address }
    let difference = Int64(bitPattern: address &- base)
    guard let distance = Int32(exactly: difference) else {
      isTooWide = true
      return
    }
    let row = PackedRow(distance: distance, line: line, file: file, column: column)
    let last = rows.count - 1
    if last >= sequenceStart {
      let previous = rows[last].distance
      if previous == distance {
        rows[last] = row
        return
      }
      if previous > distance { isAscending = false }
    }
    rows.append(row)
  }

  /// Ends the sequence that is being read at `high`. It is dropped where it is empty or does not begin
  /// where the image has code.
  ///
  /// Returns false where it was dropped because its rows lie more than 2 GiB apart, which none does
  /// that a compiler wrote.
  package mutating func endSequence(at high: UInt64, isCode: (UInt64) -> Bool) -> Bool {
    let start = sequenceStart
    let wasTooWide = isTooWide
    if !isAscending { sortRows(from: start) }
    isAscending = true
    isTooWide = false
    if !wasTooWide, let first = rows[start...].first {
      let low = base &+ UInt64(bitPattern: Int64(first.distance))
      if low < high, isCode(low) {
        sequences.append(
          LineSequence(low: low, high: high, rows: start..<rows.count, base: base))
        sequenceStart = rows.count
        return true
      }
    }
    rows.removeSubrange(start...)
    return !wasTooWide
  }

  /// Compilers write rows in order, and the standard asks for it. Where they are not, those of one
  /// address keep their order, and the last one counts.
  private mutating func sortRows(from start: Int) {
    let sorted = rows[start...].enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    rows.removeSubrange(start...)
    for (_, row) in sorted {
      if rows.count > start, rows[rows.count - 1].distance == row.distance {
        rows[rows.count - 1] = row
      } else {
        rows.append(row)
      }
    }
  }

  /// To be called when all sequences are there, before any row is looked for. Rows behind the last end
  /// of a sequence are dropped; returns whether there were any.
  package mutating func finish() -> Bool {
    let hasUnended = rows.count > sequenceStart || isTooWide
    rows.removeSubrange(sequenceStart...)
    let isSorted = zip(sequences, sequences.dropFirst()).allSatisfy { $0.high <= $1.high }
    if !isSorted {
      let order = sequences.indices.sorted {
        (sequences[$0].high, $0) < (sequences[$1].high, $1)
      }
      sequences = order.map { sequences[$0] }
    }
    leastLow = sequences.map(\.low)
    for index in leastLow.indices.dropLast().reversed() {
      leastLow[index] = min(leastLow[index], leastLow[index + 1])
    }
    return hasUnended
  }

  /// Whether the sequence with `index` or one behind it begins in front of `address`.
  func hasSequence(from index: Int, beginningBefore address: UInt64) -> Bool {
    index < leastLow.count && leastLow[index] < address
  }

  /// The row that covers `address`: in the sequence that holds it, the last row that does not begin
  /// behind it. Cost: two binary searches.
  package func row(at address: UInt64) -> LineRow? {
    var index = firstSequence(endingBehind: address)
    while index < sequences.count, leastLow[index] <= address {
      if sequences[index].low <= address { return lastRow(in: sequences[index], at: address) }
      index += 1
    }
    return nil
  }

  private func lastRow(in sequence: LineSequence, at address: UInt64) -> LineRow? {
    let next = firstRow(in: sequence, behind: address)
    guard next > sequence.rows.lowerBound else { return nil }
    return row(at: next - 1, in: sequence)
  }

  /// The index of the first sequence that ends behind `address`. Cost: a binary search.
  func firstSequence(endingBehind address: UInt64) -> Int {
    sequences.partitionPoint { $0.high > address }
  }

  /// The index in `rows` of the first row of `sequence` that begins behind `address`. Cost: a binary
  /// search.
  func firstRow(in sequence: LineSequence, behind address: UInt64) -> Int {
    let distance = Int64(bitPattern: address &- sequence.base)
    return sequence.rows.partitionPoint { Int64(rows[$0].distance) > distance }
  }

  /// The row with `index` of `rows`, which lies in `sequence`.
  func row(at index: Int, in sequence: LineSequence) -> LineRow {
    let row = rows[index]
    return LineRow(
      address: sequence.base &+ UInt64(bitPattern: Int64(row.distance)), file: row.file,
      line: row.line, column: row.column)
  }
}
