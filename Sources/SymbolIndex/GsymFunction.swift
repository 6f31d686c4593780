package import SymbolicationModel

/// A function with all that the format holds of it: what `GsymFile` decodes and `GsymUnit` encodes.
///
/// Names and files are numbers of the tables of what it comes from: of a `GsymFile` (string offsets
/// and places in its file table), or of a `GsymUnit`.
package struct GsymFunction: Hashable, Sendable {
  /// Half-open; empty where the size is not known.
  package var range: Range<LinkAddress>
  /// The (mangled) name.
  package var name: UInt32
  /// Ascending by address; empty where there is no line table.
  package var rows: [GsymLineRow]
  /// Every call inlined into the function, each followed by those inlined into it.
  package var inlinedCalls: [GsymInlinedCall]
  /// The ranges of all inlined calls, each call's together.
  package var inlinedRanges: [Range<LinkAddress>]

  package init(
    range: Range<LinkAddress>, name: UInt32, rows: [GsymLineRow] = [],
    inlinedCalls: [GsymInlinedCall] = [], inlinedRanges: [Range<LinkAddress>] = []
  ) {
    self.range = range
    self.name = name
    self.rows = rows
    self.inlinedCalls = inlinedCalls
    self.inlinedRanges = inlinedRanges
  }
}

/// A call that the compiler replaced by the body of the called function.
package struct GsymInlinedCall: Hashable, Sendable {
  /// 0 for a call in the function itself, 1 for a call in the body of the one before, and so on.
  package var depth: Int
  /// The (mangled) name of the called function; 0 where it has none.
  package var name: UInt32
  /// The call site; 0 where it is not known.
  package var callFile: UInt32
  package var callLine: UInt32
  /// Where in the function's `inlinedRanges` those of this call stand.
  package var ranges: Range<Int>

  package init(depth: Int, name: UInt32, callFile: UInt32, callLine: UInt32, ranges: Range<Int>) {
    self.depth = depth
    self.name = name
    self.callFile = callFile
    self.callLine = callLine
    self.ranges = ranges
  }
}
