import SymbolicationModel

/// A contiguous piece of code (half-open) of one scope.
struct CodeRange: Sendable {
  let low: UInt64
  var high: UInt64
  /// The index of the scope.
  let scope: Int32
}

extension [CodeRange] {
  /// Sorts the ranges from index `first` on, which are one scope's, and joins those that overlap or
  /// touch.
  mutating func joinRanges(from first: Int) {
    guard count > first + 1 else { return }
    let sorted = self[first...].sorted { $0.low < $1.low }
    removeSubrange(first...)
    for range in sorted {
      if count > first, range.low <= self[count - 1].high {
        self[count - 1].high = Swift.max(self[count - 1].high, range.high)
      } else {
        append(range)
      }
    }
  }

  /// The index of the range that holds `address`, of those with `indices`, which are ascending and
  /// do not overlap. Cost: a binary search.
  func index(holding address: UInt64, in indices: Range<Int>) -> Int? {
    let index = indices.partitionPoint { self[$0].high > address }
    return index < indices.upperBound && self[index].low <= address ? index : nil
  }
}
