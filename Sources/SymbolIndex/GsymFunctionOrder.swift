/// The functions of all units in the order of the file, without those that others stand for.
///
/// Done as llvm-gsymutil 19 does (GsymCreator.cpp, `finalize`): of functions with the same range the
/// one that knows most is kept; a symbol of unknown size gives way to a function at the same address.
/// Other functions that overlap are all kept, and a lookup finds the one that begins last.
///
/// One thing is done beyond that: a function that has neither lines nor inlined calls gives way to one
/// with debug information whose range holds its own. In llvm-gsymutil it hides the other, from its
/// start on.
struct GsymFunctionOrder {
  struct Function {
    let start: UInt64
    var end: UInt64
    let inlinedCallCount: UInt32
    let rowCount: UInt32
    /// Place of its unit, and place in the unit.
    let unit: UInt32
    let index: UInt32

    var hasDebugInformation: Bool { rowCount > 0 || inlinedCallCount > 0 }

    func holds(_ other: Function) -> Bool {
      // One of unknown size at the end begins behind it.
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

  /// Removes the functions with debug information that overlap another one, and that other.
  private static func removeOverlaps(from functions: inout [Function]) {
    var overlapping: Set<Int> = []
    // Of those that were passed, the one that reaches furthest.
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

  /// By range; then what knows less comes first, and what was added first.
  private static func isBefore(_ left: Function, _ right: Function) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.inlinedCallCount != right.inlinedCallCount {
      return left.inlinedCallCount < right.inlinedCallCount
    }
    if left.rowCount != right.rowCount { return left.rowCount < right.rowCount }
    return (left.unit, left.index) < (right.unit, right.index)
  }

  /// Whether `function` stands for `earlier`, too, which is before it in the order.
  private static func replaces(_ function: Function, _ earlier: Function) -> Bool {
    guard earlier.start == function.start else { return false }
    if earlier.end == function.end { return true }
    // Its end is the greater one.
    return earlier.start == earlier.end
      || (!earlier.hasDebugInformation && function.hasDebugInformation)
  }
}
