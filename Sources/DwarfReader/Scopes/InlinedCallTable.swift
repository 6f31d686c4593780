/// A call whose code stands in the function that makes it (`DW_TAG_inlined_subroutine`).
struct InlinedCall: Sendable {
  /// Of the entry in `.debug_info` that is asked for names: what `DW_AT_abstract_origin` leads to, where
  /// the entry has no name of its own. Calls of one function share it.
  let nameOffset: UInt64
  /// The index of the call that this one is inlined into; −1 where that is the function itself.
  let parent: Int32
  /// Its first piece of code in `InlinedCallTable.ranges`; the next call's is behind its last.
  let firstRange: Int32
  /// `DW_AT_call_file`: the index of a file of the unit's line table; nil without it.
  let file: UInt32?
  let line: UInt32
  let column: UInt32
}

/// The calls inlined into functions of a unit: flat, those of one function next to each other, a call
/// behind the one that it is inlined into.
struct InlinedCallTable: Sendable {
  /// The calls of one function, and their code.
  struct Extent: Sendable {
    let calls: Range<Int32>
    let ranges: Range<Int32>
  }

  private(set) var calls: [InlinedCall] = []
  /// In the order of the calls. Those of one call are ascending, and neither overlap nor touch.
  private(set) var ranges: [CodeRange] = []
  /// By the first of a function's calls: for functions with many ranges the search by address.
  private var searches: [Int32: ScopeTable] = [:]

  /// How many ranges are searched one after the other: until then that costs less than sorting them.
  private static let linearSearchLimit = 256

  /// Adds a call; its ranges follow, and `endCall`.
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

  /// Forgets all calls and keeps the memory.
  mutating func removeAll() {
    calls.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
    searches.removeAll()
  }

  /// The index of the innermost call at `address` of those at `extent`; nil where the code is the
  /// function's own. Where calls overlap that are not nested, the later in `.debug_info` has the address.
  mutating func innermostCall(at address: UInt64, in extent: Extent) -> Int? {
    if extent.ranges.count > Self.linearSearchLimit {
      return search(extent).innermostScope(at: address).map { $0 + Int(extent.calls.lowerBound) }
    }
    // Ranges stand in the order of their calls, so the last that fits is the innermost.
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

  /// The places in `ranges` of the code of the call with `index`.
  func ranges(ofCall index: Int) -> Range<Int> {
    let start = Int(calls[index].firstRange)
    return start..<(index + 1 < calls.count ? Int(calls[index + 1].firstRange) : ranges.count)
  }

  /// The range of the call that holds `address`. Cost: a binary search.
  func range(ofCall index: Int, at address: UInt64) -> Range<UInt64>? {
    ranges.index(holding: address, in: ranges(ofCall: index)).map {
      ranges[$0].low..<ranges[$0].high
    }
  }
}
