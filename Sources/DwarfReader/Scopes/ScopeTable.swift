import SymbolicationModel

/// A function (`DW_TAG_subprogram`) or an inlined body (`DW_TAG_inlined_subroutine`).
package struct Scope: Sendable {
  /// The offset of its DIE in `.debug_info`.
  package let dieOffset: UInt64
  /// The index of the scope that it is inlined into; −1 for a function, and for a body outside of
  /// any.
  fileprivate let enclosing: Int32
  /// Whether it is an inlined body.
  package let isInlined: Bool
  /// The index of its first range in `ScopeTable.ranges`. Its ranges end where those of the next
  /// scope begin.
  fileprivate let firstRange: Int32

  /// The index of the scope that it is inlined into; nil for a function, and for a body outside of
  /// any.
  package var parent: Int? { enclosing >= 0 ? Int(enclosing) : nil }
}

/// Finds the innermost function or inlined body at an address.
///
/// Where scopes overlap, the one that was added last counts. Of nested scopes, that is the
/// innermost; of functions that the linker folded into one, it is the last in `.debug_info`, as in
/// llvm-symbolizer 19.
package struct ScopeTable: Sendable {
  /// In the order of `.debug_info`: a scope follows the one that it is inlined into.
  package private(set) var scopes: [Scope] = []
  /// The contiguous ranges (half-open) of all scopes, in the order of the scopes. The ranges of one
  /// scope are ascending, and neither overlap nor touch.
  private(set) var ranges: [CodeRange] = []
  /// Ascending and not overlapping; empty until `finish`.
  private var segments: [Segment] = []

  /// Consecutive addresses with the same innermost scope.
  private struct Segment {
    let low: UInt64
    var high: UInt64
    let scope: Int32
  }

  /// An empty table. Add scopes, then call `finish`.
  package init() {}

  // MARK: - Filling

  /// Begins a scope and returns its index. Add its ranges with `addRange`, then call `endScope`.
  @inline(__always)
  mutating func beginScope(dieOffset: UInt64, parent: Int?, isInlined: Bool) -> Int {
    scopes.append(
      Scope(
        dieOffset: dieOffset, enclosing: Int32(truncatingIfNeeded: parent ?? -1),
        isInlined: isInlined, firstRange: Int32(truncatingIfNeeded: ranges.count)))
    return scopes.count - 1
  }

  /// Adds a range to the current scope. Ranges may overlap and come in any order.
  @inline(__always)
  mutating func addRange(low: UInt64, high: UInt64) {
    ranges.append(
      CodeRange(low: low, high: high, scope: Int32(truncatingIfNeeded: scopes.count - 1)))
  }

  /// Ends the current scope: sorts and joins its ranges.
  @inline(__always)
  mutating func endScope() {
    guard let first = scopes.last?.firstRange else { return }
    ranges.joinRanges(from: Int(first))
  }

  /// Adds a scope and returns its index. `pieces` may overlap and come in any order.
  package mutating func append(
    dieOffset: UInt64, parent: Int?, isInlined: Bool, pieces: [Range<UInt64>]
  ) -> Int {
    let index = beginScope(dieOffset: dieOffset, parent: parent, isInlined: isInlined)
    for piece in pieces { addRange(low: piece.lowerBound, high: piece.upperBound) }
    endScope()
    return index
  }

  /// Removes the current scope and its ranges.
  mutating func removeLastScope() {
    guard let first = scopes.popLast()?.firstRange else { return }
    ranges.removeSubrange(Int(first)...)
  }

  /// Completes the table: call it after adding all scopes, and before looking up addresses.
  ///
  /// - Complexity: O(*n* log *n*) for *n* ranges; O(*n*) if they are ascending and do not overlap.
  package mutating func finish() {
    var pieces = ranges
    if !Self.isAscending(pieces, { ($0.low, $0.scope) <= ($1.low, $1.scope) }) {
      pieces.sort { ($0.low, $0.scope) < ($1.low, $1.scope) }
    }
    segments.reserveCapacity(pieces.count)
    if Self.isAscending(pieces, { $0.high <= $1.low }) {
      for piece in pieces { append(low: piece.low, high: piece.high, scope: piece.scope) }
      return
    }
    // A sweep over the addresses. The heap holds the ranges that have begun, with the last scope on
    // top. Ranges that have ended are removed when they reach the top.
    var active = ScopeHeap()
    var next = 0
    var position: UInt64 = 0
    while next < pieces.count || !active.isEmpty {
      if active.isEmpty { position = pieces[next].low }
      while next < pieces.count, pieces[next].low <= position {
        active.insert((pieces[next].scope, pieces[next].high))
        next += 1
      }
      while let top = active.top, top.high <= position { active.removeTop() }
      guard let top = active.top else { continue }
      let end = next < pieces.count ? min(top.high, pieces[next].low) : top.high
      append(low: position, high: end, scope: top.scope)
      position = end
    }
  }

  private static func isAscending(
    _ pieces: [CodeRange], _ areInOrder: (CodeRange, CodeRange) -> Bool
  ) -> Bool {
    for index in pieces.indices.dropLast() where !areInOrder(pieces[index], pieces[index + 1]) {
      return false
    }
    return true
  }

  private mutating func append(low: UInt64, high: UInt64, scope: Int32) {
    if let last = segments.last, last.scope == scope, last.high == low {
      segments[segments.count - 1].high = high
    } else {
      segments.append(Segment(low: low, high: high, scope: scope))
    }
  }

  // MARK: - Searching

  /// The index of the innermost scope at `address`. Cost: a binary search.
  package func innermostScope(at address: UInt64) -> Int? {
    let next = segments.partitionPoint { $0.low > address }
    guard next > 0, address < segments[next - 1].high else { return nil }
    return Int(segments[next - 1].scope)
  }

  /// The index of the innermost scope at `address`. For ascending addresses the cost is a few steps
  /// from `position`, the result of the search before; it begins as 0.
  func innermostScope(at address: UInt64, near position: inout Int) -> Int? {
    let isBehind = position < segments.count && segments[position].low <= address
    let next = ((isBehind ? position : 0)..<segments.count).nearPartitionPoint {
      segments[$0].low > address
    }
    guard next > 0 else { return nil }
    position = next - 1
    return address < segments[next - 1].high ? Int(segments[next - 1].scope) : nil
  }

  /// Whether no later scope overlaps `range`, which must be a range of the scope with `index`.
  func hasAlone(_ range: CodeRange, scope index: Int) -> Bool {
    let next = segments.partitionPoint { $0.low > range.low }
    guard next > 0 else { return false }
    let segment = segments[next - 1]
    return Int(segment.scope) == index && segment.low <= range.low && segment.high >= range.high
  }

  /// The indices in `ranges` of the ranges of the scope with `index`.
  func ranges(ofScope index: Int) -> Range<Int> {
    let start = Int(scopes[index].firstRange)
    return start..<(index + 1 < scopes.count ? Int(scopes[index + 1].firstRange) : ranges.count)
  }

  /// The range of the scope with `index` that contains `address`; nil if none does. Cost: a binary
  /// search.
  package func range(ofScope index: Int, at address: UInt64) -> Range<UInt64>? {
    ranges.index(holding: address, in: ranges(ofScope: index)).map {
      ranges[$0].low..<ranges[$0].high
    }
  }
}

/// A binary heap with the greatest scope index at the top.
private struct ScopeHeap {
  typealias Element = (scope: Int32, high: UInt64)

  private var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }
  var top: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child].scope > elements[parent].scope else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeTop() {
    guard let last = elements.popLast(), !elements.isEmpty else { return }
    elements[0] = last
    var parent = 0
    while true {
      var greatest = parent
      let left = 2 * parent + 1
      if left < elements.count, elements[left].scope > elements[greatest].scope {
        greatest = left
      }
      if left + 1 < elements.count, elements[left + 1].scope > elements[greatest].scope {
        greatest = left + 1
      }
      if greatest == parent { return }
      elements.swapAt(parent, greatest)
      parent = greatest
    }
  }
}

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
