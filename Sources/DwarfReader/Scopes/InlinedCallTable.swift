/// A call whose code is part of the calling function (`DW_TAG_inlined_subroutine`).
struct InlinedCall: Sendable {
  /// The offset in `.debug_info` of the DIE to read the names from. If the DIE of the call has no
  /// name of its own, it is the target of `DW_AT_abstract_origin`, which all calls of one function
  /// share.
  let nameOffset: UInt64
  /// The index of the call that this one is inlined into; −1 if that is the function itself.
  let parent: Int32
  /// The index of its first range in `InlinedCallTable.ranges`. Its ranges end where those of the
  /// next call begin.
  let firstRange: Int32
  /// `DW_AT_call_file`: the index of a file of the unit's line table; nil without it.
  let file: UInt32?
  let line: UInt32
  let column: UInt32
}

/// The calls inlined into functions of a unit, as a flat list. The calls of one function are
/// adjacent, and each call follows the one that it is inlined into.
struct InlinedCallTable: Sendable {
  /// The calls of one function and their ranges, as indices in the table.
  struct Extent: Sendable {
    let calls: Range<Int32>
    let ranges: Range<Int32>
  }

  private(set) var calls: [InlinedCall] = []
  /// In the order of the calls. The ranges of one call are ascending, and neither overlap nor
  /// touch.
  private(set) var ranges: [CodeRange] = []
  /// By the index of a function's first call: a table for searching by address, for functions with
  /// many ranges.
  private var searches: [Int32: ScopeTable] = [:]

  /// The greatest number of ranges that are searched linearly. For so few, sorting would cost more.
  private static let linearSearchLimit = 256

  /// Adds a call. Add its ranges next, then call `endCall`.
  @inline(__always)
  mutating func begin(_ call: InlinedCall) { calls.append(call) }

  @inline(__always)
  mutating func addRange(low: UInt64, high: UInt64) {
    ranges.append(
      CodeRange(low: low, high: high, scope: Int32(truncatingIfNeeded: calls.count - 1)))
  }

  @inline(__always)
  mutating func endCall() {
    guard let first = calls.last?.firstRange else { return }
    ranges.joinRanges(from: Int(first))
  }

  /// Removes all calls, but keeps the memory.
  mutating func removeAll() {
    calls.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
    searches.removeAll()
  }

  /// The index of the innermost call at `address` among those of `extent`; nil if the code is the
  /// function's own. If calls overlap without being nested, the later one in `.debug_info` counts.
  mutating func innermostCall(at address: UInt64, in extent: Extent) -> Int? {
    if extent.ranges.count > Self.linearSearchLimit {
      return search(extent).innermostScope(at: address).map { $0 + Int(extent.calls.lowerBound) }
    }
    // Ranges are in the order of their calls, so the last match is the innermost call.
    for index in extent.ranges.reversed() {
      let range = ranges[Int(index)]
      if range.low <= address, address < range.high { return Int(range.scope) }
    }
    return nil
  }

  private mutating func search(_ extent: Extent) -> ScopeTable {
    if let known = searches[extent.calls.lowerBound] { return known }
    var table = ScopeTable()
    for index in extent.calls {
      _ = table.beginScope(dieOffset: 0, parent: nil, isInlined: true)
      for range in ranges[ranges(ofCall: Int(index))] {
        table.addRange(low: range.low, high: range.high)
      }
    }
    table.finish()
    searches[extent.calls.lowerBound] = table
    return table
  }

  /// The indices in `ranges` of the ranges of the call with `index`.
  func ranges(ofCall index: Int) -> Range<Int> {
    let start = Int(calls[index].firstRange)
    return start..<(index + 1 < calls.count ? Int(calls[index + 1].firstRange) : ranges.count)
  }

  /// The range of the call that contains `address`. Cost: a binary search.
  func range(ofCall index: Int, at address: UInt64) -> Range<UInt64>? {
    ranges.index(holding: address, in: ranges(ofCall: index)).map {
      ranges[$0].low..<ranges[$0].high
    }
  }
}
