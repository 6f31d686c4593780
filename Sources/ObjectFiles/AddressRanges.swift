import SymbolicationModel

/// The ranges in ascending order. Empty ones are left out; those that touch or overlap are joined.
func joined(_ ranges: some Sequence<Range<LinkAddress>>) -> [Range<LinkAddress>] {
  var result: [Range<LinkAddress>] = []
  for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
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
