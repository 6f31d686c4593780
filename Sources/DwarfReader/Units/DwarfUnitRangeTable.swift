import SymbolicationModel

/// Which units have code where: address ranges (half-open), each with the unit it belongs to. Ranges
/// of several units may overlap.
package struct DwarfUnitRangeTable: Sendable {
  package struct Entry: Hashable, Sendable {
    package let low: UInt64
    package let high: UInt64
    /// Of the unit in `.debug_info`.
    package let unitOffset: UInt64

    package init(low: UInt64, high: UInt64, unitOffset: UInt64) {
      self.low = low
      self.high = high
      self.unitOffset = unitOffset
    }
  }

  /// Ascending by `low`, then by `unitOffset`.
  package let entries: [Entry]
  /// For each entry the greatest `high` of it and all before it: a search backwards ends where that
  /// is not above the address.
  private let greatestHigh: [UInt64]

  /// Empty ranges are left out. Cost: a sort, unless `entries` are in order.
  package init(_ entries: [Entry]) {
    // Loops, not chains of generic calls, whose types the runtime would have to put together: that takes
    // longer than a small table.
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

  /// The index of the last entry before `index` (of all where it is nil) that covers `address`; nil
  /// where there is none. Called with its own result until nil it visits every unit that covers the
  /// address, the one whose range begins last first.
  ///
  /// Cost: a binary search, and a step for each overlapping range passed.
  package func lastIndex(covering address: UInt64, before index: Int? = nil) -> Int? {
    var candidate = (index ?? entries.partitionPoint { $0.low > address }) - 1
    while candidate >= 0, greatestHigh[candidate] > address {
      if entries[candidate].high > address { return candidate }
      candidate -= 1
    }
    return nil
  }
}
