import SymbolicationModel

/// The ranges in ascending order. Empty ones are left out; those that touch or overlap are joined.
func joined(_ ranges: some Sequence<Range<LinkAddress>>) -> [Range<LinkAddress>] {
  var sorted: [Range<LinkAddress>] = []
  for range in ranges where !range.isEmpty { sorted.append(range) }
  sorted.sort { $0.lowerBound < $1.lowerBound }
  var result: [Range<LinkAddress>] = []
  for range in sorted {
    if let last = result.last, range.lowerBound <= last.upperBound {
      result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      result.append(range)
    }
  }
  return result
}

/// The `size` addresses from `start` on, or nil if they do not fit in 64 bits.
func addressRange(start: UInt64, size: UInt64) -> Range<LinkAddress>? {
  let (end, overflow) = start.addingReportingOverflow(size)
  return overflow ? nil : LinkAddress(start)..<LinkAddress(end)
}

/// The `size` file offsets from `start` on, or nil if they do not fit in 64 bits.
func fileRange(start: UInt64, size: UInt64) -> Range<UInt64>? {
  let (end, overflow) = start.addingReportingOverflow(size)
  return overflow ? nil : start..<end
}
