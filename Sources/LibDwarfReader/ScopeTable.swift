/// A function (`DW_TAG_subprogram`) or a body inlined into one (`DW_TAG_inlined_subroutine`).
struct Scope: Sendable {
  /// Of its DIE in `.debug_info`.
  let dieOffset: UInt64
  /// The index of the scope that it is inlined into; nil for a function, and for a body that stands
  /// in none.
  let parent: Int?
  let isInlined: Bool
  /// Its pieces of code in `ScopeTable.ranges`.
  let ranges: Range<Int>
}

/// The functions and inlined bodies of one unit, and which of them an address lies in.
struct ScopeTable {
  /// In the order of `.debug_info`: a scope stands behind the one it is inlined into.
  private(set) var scopes: [Scope] = []
  /// The contiguous ranges (half-open) of all scopes; those of one scope are ascending, and neither
  /// overlap nor touch.
  private(set) var ranges: [Range<UInt64>] = []
  private var segments: [Segment] = []

  /// A run of addresses with one innermost scope. Ascending, not overlapping.
  private struct Segment {
    let low: UInt64
    var high: UInt64
    let scope: Int
  }

  /// Adds a scope and returns its index. `pieces` may overlap and stand in any order.
  mutating func append(
    dieOffset: UInt64, parent: Int?, isInlined: Bool, pieces: inout [Range<UInt64>]
  ) -> Int {
    let start = ranges.count
    if pieces.count > 1 { pieces.sort { $0.lowerBound < $1.lowerBound } }
    for piece in pieces {
      if ranges.count > start, let last = ranges.last, piece.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, piece.upperBound)
      } else {
        ranges.append(piece)
      }
    }
    scopes.append(
      Scope(
        dieOffset: dieOffset, parent: parent, isInlined: isInlined, ranges: start..<ranges.count))
    return scopes.count - 1
  }

  /// To be called when all scopes are there, before any is looked for.
  ///
  /// Where scopes overlap, the last of them in `.debug_info` has the addresses: the innermost of
  /// nested ones, and of two functions that the linker folded into one the later, as in
  /// llvm-symbolizer 19. Cost: n log n for n ranges.
  mutating func finish() {
    var pieces: [(low: UInt64, high: UInt64, scope: Int)] = []
    pieces.reserveCapacity(ranges.count)
    for (index, scope) in scopes.enumerated() {
      for range in ranges[scope.ranges] {
        pieces.append((range.lowerBound, range.upperBound, index))
      }
    }
    pieces.sort { ($0.low, $0.scope) < ($1.low, $1.scope) }

    // A sweep over the addresses. The heap holds the pieces that have begun, the last scope on top;
    // those that have ended leave it when they come up.
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

  private mutating func append(low: UInt64, high: UInt64, scope: Int) {
    if let last = segments.last, last.scope == scope, last.high == low {
      segments[segments.count - 1].high = high
    } else {
      segments.append(Segment(low: low, high: high, scope: scope))
    }
  }

  /// The index of the innermost scope at `address`. Cost: a binary search.
  func innermostScope(at address: UInt64) -> Int? {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].low <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < segments[low - 1].high else { return nil }
    return segments[low - 1].scope
  }

  /// The range of the scope that holds `address`. Cost: a binary search.
  func range(ofScope index: Int, at address: UInt64) -> Range<UInt64>? {
    var low = scopes[index].ranges.lowerBound
    var high = scopes[index].ranges.upperBound
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= address { low = middle + 1 } else { high = middle }
    }
    guard low < scopes[index].ranges.upperBound, ranges[low].contains(address) else { return nil }
    return ranges[low]
  }
}

/// A binary heap with the greatest scope index on top.
private struct ScopeHeap {
  typealias Element = (scope: Int, high: UInt64)

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
