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

/// The index of the last of `count` ascending numbers that is not above `probe`; 0 if none is, or
/// there are none. Number 0 is not read. All numbers and `probe` must be below 2^63.
///
/// Each step reads three numbers and counts those that are not above by subtracting. Compilers make
/// a branch of a comparison here, and the three reads do not wait for each other.
///
/// - Complexity: O(log *n*) calls of `number`.
@inline(__always)
func lastIndex(of count: Int, notAbove probe: UInt64, number: (Int) -> UInt64) -> Int {
  // 1 if the number is not above, else 0.
  func isNotAbove(_ index: Int) -> Int {
    Int(truncatingIfNeeded: (number(index) &- probe &- 1) &>> 63)
  }
  var first = 0
  var remaining = count
  while remaining >= 4 {
    let quarter = remaining &>> 2
    let passed =
      isNotAbove(first &+ quarter) &+ isNotAbove(first &+ 2 &* quarter)
      &+ isNotAbove(first &+ 3 &* quarter)
    first &+= passed &* quarter
    remaining &-= 3 &* quarter
  }
  var passed = 0
  for index in 1..<max(1, remaining) { passed &+= isNotAbove(first &+ index) }
  return first &+ passed
}
