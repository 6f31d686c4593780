import SymbolicationModel

/// One row of a line table: the source position of the code from its address to that of the next
/// row.
package struct LineRow: Hashable, Sendable {
  package let address: UInt64
  /// The index in the file table: the first file has 0 in DWARF 5, and 1 before.
  package let file: UInt32
  /// 1-based; 0 if the code belongs to no line.
  package let line: UInt32
  /// 1-based; 0 if it is not known.
  package let column: UInt32

  package init(address: UInt64, file: UInt32, line: UInt32, column: UInt32) {
    self.address = address
    self.file = file
    self.line = line
    self.column = column
  }
}

/// Rows that cover a range of addresses without gaps. They are in ascending order of address, with
/// no two at the same address.
package struct LineSequence: Sendable {
  /// The address of the first row. (That row is missing if the table has only rows asked for.)
  package let low: UInt64
  /// Exclusive: the address of `DW_LNE_end_sequence`, which is not a row.
  package let high: UInt64
  /// Indices in `LineTable.rows`.
  let rows: Range<Int>
  /// The address that those of the rows are relative to.
  let base: UInt64
}

/// The rows of one unit, 16 bytes each.
package struct LineTable: Sendable {
  /// A row whose address is stored as its distance from the base address of its sequence.
  struct PackedRow: Sendable {
    var distance: Int32
    var line: UInt32
    var file: UInt32
    var column: UInt32
  }

  private(set) var rows: [PackedRow] = []
  /// In ascending order of `high`; sequences with the same `high` are in program order.
  package private(set) var sequences: [LineSequence] = []
  /// For each sequence, the least `low` of this one and all behind it. A forward search ends at the
  /// first that is above the address.
  private var leastLow: [UInt64] = []

  /// What of the current sequence covers the addresses asked about; nil if all rows are kept.
  private var askedRows: AskedRows?
  private let storedRowLimit: Int

  // The sequence being read.
  private var sequenceStart = 0
  private var base: UInt64 = 0
  private var isAscending = true
  private var isTooWide = false
  /// Whether all rows are stored until the end of the sequence, although only some are kept.
  private var isStoring = false

  /// An empty table. Add rows and sequences, then call `finish`.
  package init() { self.init(asked: nil) }

  /// - Parameters:
  ///   - asked: the addresses that `row(at:)` will be asked about; nil for any.
  ///   - storedRowLimit: how many rows may be stored of a sequence that is not in order. Longer
  ///     ones are dropped.
  init(asked: AskedAddresses?, storedRowLimit: Int = .max) {
    askedRows = asked.map { AskedRows($0) }
    self.storedRowLimit = storedRowLimit
  }

  /// Reserves memory for `rowCount` rows.
  package mutating func reserve(rowCount: Int) { rows.reserveCapacity(rowCount) }

  /// Adds a row to the current sequence. Of several rows at one address, only the last is kept.
  package mutating func append(_ row: LineRow) {
    append(address: row.address, file: row.file, line: row.line, column: row.column)
  }

  @inline(__always)
  mutating func append(address: UInt64, file: UInt32, line: UInt32, column: UInt32) {
    if askedRows != nil {
      guard isStoring else {
        askedRows?.append(address: address, file: file, line: line, column: column)
        return
      }
      guard rows.count - sequenceStart < storedRowLimit else {
        isTooWide = true
        return
      }
    }
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

  /// Ends the current sequence at `high`. It is dropped if it is empty, or does not begin where the
  /// image has code.
  ///
  /// Returns false if it is dropped because its rows are more than 2 GiB apart, or too many to be
  /// sorted. No compiler writes such a sequence.
  package mutating func endSequence(at high: UInt64, isCode: (UInt64) -> Bool) -> Bool {
    if let asked = askedRows, !isStoring { return end(asked, at: high, isCode: isCode) }
    let start = sequenceStart
    let wasTooWide = isTooWide
    if !isAscending { sortRows(from: start) }
    isAscending = true
    isTooWide = false
    isStoring = false
    if !wasTooWide, let first = rows[start...].first {
      let low = base &+ UInt64(bitPattern: Int64(first.distance))
      if low < high, isCode(low), askedRows?.asked.isAny(from: low, to: high) ?? true {
        sequences.append(
          LineSequence(low: low, high: high, rows: start..<rows.count, base: base))
        sequenceStart = rows.count
        return true
      }
    }
    rows.removeSubrange(start...)
    return !wasTooWide
  }

  private mutating func end(
    _ asked: AskedRows, at high: UInt64, isCode: (UInt64) -> Bool
  ) -> Bool {
    var asked = asked
    let (isTooWide, low) = (asked.isTooWide, asked.base)
    if !isTooWide, asked.hasRows, low < high, isCode(low), asked.asked.isAny(from: low, to: high) {
      let start = rows.count
      rows += asked.rows()
      sequences.append(LineSequence(low: low, high: high, rows: start..<rows.count, base: low))
      sequenceStart = rows.count
    }
    asked.reset()
    askedRows = asked
    return !isTooWide
  }

  /// Whether the rows of the current sequence are not in ascending order, and only some of them
  /// were kept. Then the sequence must be read again from its start, after `store`.
  var mustBeReadAgain: Bool { askedRows?.isAscending == false && !isStoring }

  /// Forgets the rows of the current sequence, and stores all rows until its end.
  mutating func store() {
    askedRows?.reset()
    isStoring = true
  }

  /// Sorts the rows from `start` on by address. Rows at the same address keep their order, so that
  /// the last of them counts. (The standard requires ascending addresses, and compilers comply.)
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

  /// Completes the table: call it after adding all sequences, and before looking up rows. Drops the
  /// rows of a sequence without an end, and returns whether there were any.
  package mutating func finish() -> Bool {
    let hasUnended =
      rows.count > sequenceStart || isTooWide || askedRows?.hasRows == true
      || askedRows?.isTooWide == true
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

  /// Whether the sequence with `index`, or one behind it, begins before `address`.
  func hasSequence(from index: Int, beginningBefore address: UInt64) -> Bool {
    index < leastLow.count && leastLow[index] < address
  }

  /// The row that covers `address`; nil if no sequence contains it. Cost: two binary searches.
  package func row(at address: UInt64) -> LineRow? {
    var index = firstSequence(endingBehind: address)
    while index < sequences.count, leastLow[index] <= address {
      if sequences[index].low <= address { return lastRow(in: sequences[index], at: address) }
      index += 1
    }
    return nil
  }

  /// Where a row was found. The search for a row at a higher address continues there.
  struct Position {
    fileprivate var sequence = 0
    fileprivate var row = 0
    /// Nil if another search may lead to another sequence, which only damaged tables do.
    fileprivate var address: UInt64?
  }

  /// The row that covers `address`, as `row(at:)` finds it. For ascending addresses the cost is a
  /// few steps from the last position.
  func row(at address: UInt64, near position: inout Position) -> LineRow? {
    if let last = position.address, last <= address,
      position.sequence < sequences.count, address < sequences[position.sequence].high
    {
      // No sequence before this one ends behind the last address, so none does now.
      let sequence = sequences[position.sequence]
      let distance = Int64(bitPattern: address &- sequence.base)
      let next = (position.row..<sequence.rows.upperBound).nearPartitionPoint {
        Int64(rows[$0].distance) > distance
      }
      guard next > sequence.rows.lowerBound else { return nil }
      position.row = next - 1
      position.address = address
      return row(at: next - 1, in: sequence)
    }
    position.address = nil
    let first = firstSequence(endingBehind: address)
    guard first < sequences.count, sequences[first].low <= address else { return row(at: address) }
    let next = firstRow(in: sequences[first], behind: address)
    guard next > sequences[first].rows.lowerBound else { return nil }
    position = Position(sequence: first, row: next - 1, address: address)
    return row(at: next - 1, in: sequences[first])
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

  /// The index in `rows` of the first row of `sequence` that begins behind `address`. Cost: a
  /// binary search.
  func firstRow(in sequence: LineSequence, behind address: UInt64) -> Int {
    let distance = Int64(bitPattern: address &- sequence.base)
    return sequence.rows.partitionPoint { Int64(rows[$0].distance) > distance }
  }

  /// The row with `index` in `rows`, which must belong to `sequence`.
  func row(at index: Int, in sequence: LineSequence) -> LineRow {
    let row = rows[index]
    return LineRow(
      address: sequence.base &+ UInt64(bitPattern: Int64(row.distance)), file: row.file,
      line: row.line, column: row.column)
  }
}

/// The rows of one sequence that cover the addresses asked about, found while the line program
/// runs.
///
/// A unit has thousands of rows and few addresses are asked about, so the others are not stored.
/// That works as long as the addresses of the rows ascend, as they do in all real files.
struct AskedRows: Sendable {
  let asked: AskedAddresses
  /// The address of the first row.
  private(set) var base: UInt64 = 0
  private(set) var hasRows = false
  private(set) var isAscending = true
  /// Whether rows are more than 2 GiB apart.
  private(set) var isTooWide = false
  private var kept: [LineTable.PackedRow] = []
  /// The last row so far: where its code ends is known when the next one comes.
  private var last = LineTable.PackedRow(distance: 0, line: 0, file: 0, column: 0)
  /// The distance from `base` of the first address asked about that is not before the last row;
  /// `Int64.max` if there is none.
  private var target = Int64.max
  /// The place in `asked` of the address behind `target`.
  private var next = 0

  init(_ asked: AskedAddresses) { self.asked = asked }

  @inline(__always)
  mutating func append(address: UInt64, file: UInt32, line: UInt32, column: UInt32) {
    if !hasRows { begin(at: address) }
    guard let distance = Int32(exactly: Int64(bitPattern: address &- base)) else {
      isTooWide = true
      return
    }
    if distance < last.distance { isAscending = false }
    // Of several rows at one address, the last counts.
    if Int64(distance) > target { keepLast(before: Int64(distance)) }
    last = LineTable.PackedRow(distance: distance, line: line, file: file, column: column)
  }

  private mutating func begin(at address: UInt64) {
    hasRows = true
    base = address
    last.distance = 0
    next = asked.addresses.partitionPoint { $0 >= address }
    advance(to: 0)
  }

  private mutating func keepLast(before distance: Int64) {
    kept.append(last)
    advance(to: distance)
  }

  /// Sets `target` to the first address asked about that is at `distance` or behind.
  private mutating func advance(to distance: Int64) {
    target = .max
    while next < asked.addresses.count, target == .max {
      let candidate = Int64(bitPattern: asked.addresses[next] &- base)
      next += 1
      if candidate >= distance { target = candidate }
    }
  }

  /// The rows that cover an address asked about, if the sequence ends here.
  mutating func rows() -> [LineTable.PackedRow] {
    if target != .max { kept.append(last) }
    return kept
  }

  /// Forgets the sequence.
  mutating func reset() { self = AskedRows(asked) }
}
