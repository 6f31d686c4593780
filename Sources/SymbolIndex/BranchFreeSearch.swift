/// The index of the last of `count` elements that satisfy `isBefore`; 0 if none does, or there are
/// none.
///
/// Every element before one that satisfies `isBefore` must satisfy it too. Element 0 is not tested.
///
/// This is a binary search without a branch on the result of `isBefore`, which the processor would
/// mispredict every other time. `partitionPoint` has that branch.
///
/// - Complexity: O(log *n*) calls of `isBefore`.
@inline(__always)
func lastIndex(of count: Int, where isBefore: (Int) -> Bool) -> Int {
  var first = 0
  var remaining = count
  while remaining > 1 {
    let half = remaining / 2
    first += isBefore(first + half) ? half : 0
    remaining -= half
  }
  return first
}
