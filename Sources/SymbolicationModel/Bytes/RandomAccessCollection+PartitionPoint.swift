extension RandomAccessCollection where Index == Int {
  /// The index of the first element that satisfies `isBeyond`: the elements before it do not. It is
  /// `endIndex` if no element does.
  ///
  /// Every element after one that satisfies `isBeyond` must satisfy it too. If one does not, the
  /// result is still an index from `startIndex` to `endIndex`, but nothing more is known about it.
  ///
  /// To search by a number that is not an element's own, partition the indices themselves:
  /// `(0..<count).partitionPoint { start(of: $0) > address }`.
  ///
  /// It can be inlined, so that a module that calls it gets code for its own element type and
  /// closure.
  ///
  /// - Complexity: O(log *n*) calls of `isBeyond`.
  @inlinable package func partitionPoint(_ isBeyond: (Element) -> Bool) -> Index {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The same as `partitionPoint`, for a result that is likely to be near the start.
  ///
  /// - Complexity: O(log *d*) calls of `isBeyond` for a result at the distance *d* from the start.
  @inlinable package func nearPartitionPoint(_ isBeyond: (Element) -> Bool) -> Index {
    var low = startIndex
    var high = endIndex
    var step = 1
    while low < endIndex {
      let probe = low + Swift.min(step, endIndex - low) - 1
      if isBeyond(self[probe]) {
        high = probe
        break
      }
      low = probe + 1
      step *= 2
    }
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
