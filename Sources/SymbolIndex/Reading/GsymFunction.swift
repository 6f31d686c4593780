package import SymbolicationModel

/// A function with everything that the format stores about it. `GsymFile` decodes it, `GsymUnit`
/// encodes it.
///
/// Names and files are numbers. In a function from a `GsymFile`, they are offsets in its string
/// table and indices in its file table; in one for a `GsymUnit`, the numbers that the unit gave
/// out.
package struct GsymFunction: Hashable, Sendable {
  /// The code of the function (half-open); empty if the size is not known.
  package var range: Range<LinkAddress>
  /// The (mangled) name.
  package var name: UInt64
  /// In ascending order of address; empty if there is no line table.
  package var rows: [GsymLineRow]
  /// All calls inlined into the function, each followed by the calls inlined into it.
  package var inlinedCalls: [GsymInlinedCall]
  /// The code ranges (half-open) of all inlined calls, grouped by call.
  package var inlinedRanges: [Range<LinkAddress>]

  package init(
    range: Range<LinkAddress>, name: UInt64, rows: [GsymLineRow] = [],
    inlinedCalls: [GsymInlinedCall] = [], inlinedRanges: [Range<LinkAddress>] = []
  ) {
    self.range = range
    self.name = name
    self.rows = rows
    self.inlinedCalls = inlinedCalls
    self.inlinedRanges = inlinedRanges
  }
}

/// A call that the compiler replaced with the body of the called function.
package struct GsymInlinedCall: Hashable, Sendable {
  /// 0 for a call in the function itself, 1 for a call in the body of a call of depth 0, and so on.
  package var depth: Int
  /// The (mangled) name of the called function; 0 if it has none.
  package var name: UInt64
  /// The file of the call site; 0 if it is not known.
  package var callFile: UInt32
  /// The line of the call site, 1-based; 0 if it is not known.
  package var callLine: UInt32
  /// The indices of the call's ranges in the function's `inlinedRanges`.
  package var ranges: Range<Int>

  package init(depth: Int, name: UInt64, callFile: UInt32, callLine: UInt32, ranges: Range<Int>) {
    self.depth = depth
    self.name = name
    self.callFile = callFile
    self.callLine = callLine
    self.ranges = ranges
  }
}
