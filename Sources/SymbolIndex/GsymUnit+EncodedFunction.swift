extension GsymUnit {
  /// Where the parts of a function's record lie in the arrays of its unit.
  ///
  /// There is one for each function and symbol of a file, often millions, so it is kept small.
  struct EncodedFunction {
    let start: UInt64
    let end: UInt64
    let name: UInt32
    let rowCount: UInt32
    let inlinedCallCount: UInt32
    /// In the unit's `bytes`.
    let bytes: EncodedParts
    /// In the unit's `holes`.
    let holes: EncodedParts
    /// In the unit's `marks`.
    let marks: EncodedParts
  }

  /// The indices of what belongs to a function's line table, and of what belongs to its inlined
  /// calls, which follows.
  struct EncodedParts {
    private let start: Int
    private let lineTableCount: UInt32
    private let inlineInfoCount: UInt32

    /// The line table has the indices from `start` up to `middle`, the inlined calls those from
    /// there up to `end`. `add` checks that `end - start` fits 32 bits.
    init(_ start: Int, _ middle: Int, _ end: Int) {
      self.start = start
      lineTableCount = UInt32(truncatingIfNeeded: middle - start)
      inlineInfoCount = UInt32(truncatingIfNeeded: end - middle)
    }

    var lineTable: Range<Int> { start..<(start + Int(lineTableCount)) }

    var inlineInfo: Range<Int> {
      lineTable.upperBound..<(lineTable.upperBound + Int(inlineInfoCount))
    }
  }
}
