import DwarfReader

/// One row: from its address up to the next row's, the code comes from this place.
struct LineRow: Sendable {
  let address: UInt64
  /// Index as the line program writes it: from 1 before DWARF 5, from 0 since.
  let file: UInt32
  let line: UInt32
  let column: UInt32
}

/// A run of rows without gaps. Rows are ascending by address.
struct LineSequence: Sendable {
  let low: UInt64
  /// Exclusive: the address of the row that ends the sequence, which is no row of it.
  let high: UInt64
  let rows: Range<Int>
}

/// The rows of one unit, and the names of its files.
struct LineTable {
  private(set) var rows: [LineRow] = []
  /// Ascending by `high`; those of one `high` as the line program has them.
  private(set) var sequences: [LineSequence] = []
  /// For each sequence the least `low` of it and all behind it: a search forwards ends where that is
  /// above the address.
  private var leastLow: [UInt64] = []
  let files: LineFileTable

  init(files: LineFileTable) { self.files = files }

  mutating func reserve(rowCount: Int) { rows.reserveCapacity(rowCount) }

  /// Adds a row to the sequence that is being read.
  mutating func append(_ row: LineRow) { rows.append(row) }

  /// Ends the sequence whose rows begin at index `start`. It is dropped where it is empty or does not
  /// begin where the image has code.
  mutating func endSequence(from start: Int, at high: UInt64, isCode: (UInt64) -> Bool) {
    // Before they are sorted: rows of what the linker left out at -1 go on at 0 and up.
    guard let first = rows[start...].first?.address, isCode(first) else {
      rows.removeSubrange(start...)
      return
    }
    // Compilers write rows in order, and the standard asks for it.
    let isSorted = zip(rows[start...], rows[start...].dropFirst()).allSatisfy {
      $0.address <= $1.address
    }
    if !isSorted {
      // Rows of one address keep their order: the last one counts.
      let sorted = rows[start...].enumerated().sorted {
        ($0.element.address, $0.offset) < ($1.element.address, $1.offset)
      }
      rows.replaceSubrange(start..., with: sorted.map(\.element))
    }
    guard let low = rows[start...].first?.address, low < high, isCode(low) else {
      rows.removeSubrange(start...)
      return
    }
    sequences.append(LineSequence(low: low, high: high, rows: start..<rows.count))
  }

  /// Drops the rows from index `start` on: no end of their sequence was found.
  mutating func dropRows(from start: Int) { rows.removeSubrange(start...) }

  /// To be called when all sequences are there, before any row is looked for.
  mutating func finish() {
    let order = sequences.indices.sorted {
      (sequences[$0].high, $0) < (sequences[$1].high, $1)
    }
    sequences = order.map { sequences[$0] }
    leastLow = sequences.map(\.low)
    for index in leastLow.indices.dropLast().reversed() {
      leastLow[index] = min(leastLow[index], leastLow[index + 1])
    }
  }

  /// The row that covers `address`: in the sequence that holds it, the last row that does not begin
  /// behind it. Cost: two binary searches.
  func row(at address: UInt64) -> LineRow? {
    var low = 0
    var high = sequences.count
    while low < high {
      let middle = (low + high) / 2
      if sequences[middle].high <= address { low = middle + 1 } else { high = middle }
    }
    while low < sequences.count, leastLow[low] <= address {
      if sequences[low].low <= address { return lastRow(in: sequences[low].rows, at: address) }
      low += 1
    }
    return nil
  }

  private func lastRow(in range: Range<Int>, at address: UInt64) -> LineRow? {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    return low > range.lowerBound ? rows[low - 1] : nil
  }
}
