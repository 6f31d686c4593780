import SymbolicationModel

/// The few addresses that a table is read for. What covers none of them is left out of it, because
/// writing to fresh memory costs more than decoding. Of a unit that would take too much memory,
/// they are all that are asked about at a time.
struct AskedAddresses: Sendable {
  /// Ascending; never empty.
  let addresses: [UInt64]

  /// The greatest number of addresses: for more, most of a table is needed anyway.
  static let limit = 64

  /// Nil if there are none, or more than `limit`. They may be in any order, and occur more than
  /// once.
  init?(_ addresses: some Collection<UInt64>, limit: Int = Self.limit) {
    guard !addresses.isEmpty, addresses.count <= limit else { return nil }
    self.addresses = addresses.sorted()
  }

  init(_ address: UInt64) { addresses = [address] }

  func contains(_ address: UInt64) -> Bool { isAny(in: address...address) }

  /// Whether an address is from `low` on and before `high`.
  @inline(__always)
  func isAny(from low: UInt64, to high: UInt64) -> Bool {
    low < high && isAny(in: low...(high &- 1))
  }

  @inline(__always)
  private func isAny(in range: ClosedRange<UInt64>) -> Bool {
    guard addresses[addresses.count - 1] >= range.lowerBound, addresses[0] <= range.upperBound
    else { return false }
    let index = addresses.partitionPoint { $0 >= range.lowerBound }
    return index < addresses.count && addresses[index] <= range.upperBound
  }
}
