import SymbolicationModel

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
