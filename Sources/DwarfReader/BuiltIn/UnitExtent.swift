/// Addresses (half-open) about which the same unit is asked first.
struct UnitExtent {
  /// Nil if no unit is known to hold them.
  var unitOffset: UInt64?
  var low: UInt64 = 0
  var high: UInt64 = 0

  func holds(_ address: UInt64) -> Bool { low <= address && address < high }
}

extension UnitExtent {
  /// The last unit that covers `address` in `table`, with as many addresses around it as are known
  /// to have the same last unit. Nil if none covers it.
  init?(at address: UInt64, in table: DwarfUnitRangeTable) {
    guard let index = table.lastIndex(covering: address) else { return nil }
    let entry = table.entries[index]
    let next = index + 1 < table.entries.count ? table.entries[index + 1].low : .max
    self.init(unitOffset: entry.unitOffset, low: entry.low, high: min(entry.high, next))
  }
}
