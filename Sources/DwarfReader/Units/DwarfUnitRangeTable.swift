import SymbolicationModel

/// The code ranges of units. Ranges of several units may overlap.
package struct DwarfUnitRangeTable: Sendable {
  /// A code range (half-open) of one unit.
  package struct Entry: Hashable, Sendable {
    package let low: UInt64
    package let high: UInt64
    /// The offset of the unit in `.debug_info`.
    package let unitOffset: UInt64

    package init(low: UInt64, high: UInt64, unitOffset: UInt64) {
      self.low = low
      self.high = high
      self.unitOffset = unitOffset
    }
  }

  /// Ascending by `low`, then by `unitOffset`.
  package let entries: [Entry]
  /// For each entry, the greatest `high` of this one and all before it. A backward search ends at
  /// the first that is not above the address.
  private let greatestHigh: [UInt64]

  /// A table of `entries`, which may be in any order. Empty ranges are left out. Cost: a sort,
  /// unless `entries` are in order.
  package init(_ entries: [Entry]) {
    // Loops instead of chains of generic calls: for a small table, instantiating the types of such
    // a chain at run time takes longer than the work itself.
    var sorted: [Entry] = []
    sorted.reserveCapacity(entries.count)
    var isSorted = true
    for entry in entries where entry.low < entry.high {
      if let last = sorted.last, Self.isBefore(entry, last) { isSorted = false }
      sorted.append(entry)
    }
    if !isSorted { sorted.sort(by: Self.isBefore) }
    var greatestHigh: [UInt64] = []
    greatestHigh.reserveCapacity(sorted.count)
    var greatest: UInt64 = 0
    for entry in sorted {
      greatest = max(greatest, entry.high)
      greatestHigh.append(greatest)
    }
    self.greatestHigh = greatestHigh
    self.entries = sorted
  }

  private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
    (left.low, left.unitOffset) < (right.low, right.unitOffset)
  }

  /// The index of the last entry that covers `address`; nil if there is none. If `index` is given,
  /// only entries before it count: calling this with its own result until it is nil visits all
  /// entries that cover the address, from the last to the first.
  ///
  /// Cost: a binary search, and a step for each entry passed that begins before the address.
  package func lastIndex(covering address: UInt64, before index: Int? = nil) -> Int? {
    var candidate = (index ?? entries.partitionPoint { $0.low > address }) - 1
    while candidate >= 0, greatestHigh[candidate] > address {
      if entries[candidate].high > address { return candidate }
      candidate -= 1
    }
    return nil
  }
}
