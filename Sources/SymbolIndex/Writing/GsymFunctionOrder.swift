/// The functions of all units in the order of the file, without duplicates.
///
/// The rules are those of llvm-gsymutil 19 (GsymCreator.cpp, `finalize`): of functions with the
/// same range, the one with the most debug information is kept, and a symbol of unknown size is
/// dropped in favour of a function at the same address. All other overlapping functions are kept; a
/// lookup finds the one that begins last.
///
/// There is one rule more: a function with neither lines nor inlined calls is dropped if its range
/// lies in that of a function with debug information. llvm-gsymutil keeps it, and from its start on
/// it hides the other function.
struct GsymFunctionOrder {
  struct Function {
    let start: UInt64
    var end: UInt64
    let inlinedCallCount: UInt32
    let rowCount: UInt32
    /// The index of its unit.
    let unit: UInt32
    /// The index of the function in the unit.
    let index: UInt32

    var hasDebugInformation: Bool { rowCount > 0 || inlinedCallCount > 0 }

    func holds(_ other: Function) -> Bool {
      // A function of unknown size at `end` begins after this one.
      start <= other.start && other.start < end && other.end <= end
    }
  }

  private(set) var functions: [Function] = []

  init(
    _ units: [GsymWriter.NumberedUnit], omitsOverlaps: Bool, codeEnd: (UInt64) -> UInt64?
  ) {
    var all: [Function] = []
    all.reserveCapacity(units.reduce(0) { $0 + $1.functions.count })
    for (unit, content) in units.enumerated() {
      for (index, function) in content.functions.enumerated() {
        all.append(
          Function(
            start: function.start, end: function.end,
            inlinedCallCount: function.inlinedCallCount, rowCount: function.rowCount,
            unit: UInt32(truncatingIfNeeded: unit), index: UInt32(truncatingIfNeeded: index)))
      }
    }
    all.sort(by: Self.isBefore)
    if omitsOverlaps { Self.removeOverlaps(from: &all) }
    functions.reserveCapacity(all.count)
    for function in all {
      while let last = functions.last, Self.replaces(function, last) { functions.removeLast() }
      if let last = functions.last, last.hasDebugInformation, !function.hasDebugInformation,
        last.holds(function)
      {
        continue
      }
      functions.append(function)
    }
    if let last = functions.last, last.start == last.end, let end = codeEnd(last.start),
      end > last.start
    {
      functions[functions.count - 1].end = min(
        end, last.start + min(UInt64(UInt32.max), .max - last.start))
    }
  }

  /// Removes all functions with debug information that overlap each other.
  private static func removeOverlaps(from functions: inout [Function]) {
    var overlapping: Set<Int> = []
    // Of the functions seen so far, the one with the greatest end.
    var furthest: Int?
    for (index, function) in functions.enumerated() where function.hasDebugInformation {
      if let earlier = furthest, function.start < functions[earlier].end {
        overlapping.formUnion([earlier, index])
      }
      if furthest.map({ functions[$0].end < function.end }) ?? true { furthest = index }
    }
    guard !overlapping.isEmpty else { return }
    functions = functions.enumerated().filter { !overlapping.contains($0.offset) }
      .map(\.element)
  }

  /// Sorts by range. For the same range, functions with less debug information come first, then
  /// those that were added first.
  private static func isBefore(_ left: Function, _ right: Function) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.inlinedCallCount != right.inlinedCallCount {
      return left.inlinedCallCount < right.inlinedCallCount
    }
    if left.rowCount != right.rowCount { return left.rowCount < right.rowCount }
    return (left.unit, left.index) < (right.unit, right.index)
  }

  /// Whether `function` makes `earlier` unnecessary, which comes before it in the order.
  private static func replaces(_ function: Function, _ earlier: Function) -> Bool {
    guard earlier.start == function.start else { return false }
    if earlier.end == function.end { return true }
    // Here `function.end` is greater than `earlier.end`.
    return earlier.start == earlier.end
      || (!earlier.hasDebugInformation && function.hasDebugInformation)
  }
}
