import SymbolicationModel

/// A contiguous code range (half-open) of one scope.
struct CodeRange: Sendable {
  let low: UInt64
  var high: UInt64
  /// The index of the scope.
  let scope: Int32
}

extension [CodeRange] {
  /// Sorts the ranges from index `first` on, which must belong to one scope, and joins those that
  /// overlap or touch.
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

  /// The index of the range that contains `address` among those at `indices`, which must be
  /// ascending and not overlap. Cost: a binary search.
  func index(holding address: UInt64, in indices: Range<Int>) -> Int? {
    let index = indices.partitionPoint { self[$0].high > address }
    return index < indices.upperBound && self[index].low <= address ? index : nil
  }
}
