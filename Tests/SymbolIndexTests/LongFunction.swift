import SymbolIndex
import SymbolicationModel
import TestSupport

/// A function with many rows and inlined calls, and the expected answers, found by examining every
/// row and every call.
struct LongFunction {
  static let start: UInt64 = 0x10_0000
  private(set) var rows: [GsymLineRow] = []
  /// Calls in the function itself, some of them with another call inside. The ranges do not
  /// overlap.
  private(set) var calls:
    [(range: Range<UInt64>, name: String, line: UInt32, inner: Range<UInt64>?)] =
      []
  private(set) var end = start

  /// - Parameter overlapping: whether the ranges of some calls overlap, which no compiler produces.
  init(seed: UInt64, rowCount: Int, callCount: Int, overlapping: Bool = false) {
    var generator = SeededGenerator(seed: seed)
    for index in 0..<rowCount {
      rows.append(
        GsymLineRow(
          address: LinkAddress(end), file: UInt32(1 + (index / 5) % 3),
          line: UInt32(1 + index * 37 % 301)))
      end += UInt64.random(in: 1...9, using: &generator)
    }
    let step = (end - Self.start) / UInt64(max(callCount, 1))
    for index in 0..<callCount {
      let low = Self.start + UInt64(index) * step + 2
      let high = low + (overlapping && index % 10 == 0 ? 2 * step : step - 3)
      let inner = index % 3 == 0 ? (low + 1)..<(low + 3) : nil
      calls.append((low..<min(high, end), "call\(index)", UInt32(index + 1), inner))
    }
    // Not in the order of their addresses.
    if !overlapping { calls.shuffle(using: &generator) }
  }

  func add(to unit: inout GsymUnit) throws {
    for path in ["/s/a.c", "/s/b.c", "/s/c.c"] { _ = unit.file(path: path) }
    var function = GsymFunction(
      range: LinkAddress(Self.start)..<LinkAddress(end), name: unit.name("long"), rows: rows)
    func append(_ depth: Int, _ name: String, _ line: UInt32, _ range: Range<UInt64>) {
      let index = function.inlinedRanges.count
      function.inlinedRanges.append(
        LinkAddress(range.lowerBound)..<LinkAddress(range.upperBound))
      function.inlinedCalls.append(
        GsymInlinedCall(
          depth: depth, name: unit.name(name), callFile: 2, callLine: line,
          ranges: index..<(index + 1)))
    }
    for call in calls {
      append(0, call.name, call.line, call.range)
      if let inner = call.inner { append(1, "inner", 7, inner) }
    }
    try unit.add(function)
  }

  /// In the format of `GsymFile.text(at:)`.
  func text(at address: UInt64) -> [String]? {
    guard (Self.start..<end).contains(address),
      let row = rows.last(where: { $0.address.value <= address })
    else { return nil }
    var location = "/s/\(["a", "b", "c"][Int(row.file) - 1]).c:\(row.line)"
    var lines: [String] = []
    func append(_ name: String, _ start: UInt64, called line: UInt32?) {
      let offset = address == start ? "" : " + \(address - start)"
      lines.append("\(name)\(offset) @ \(location)\(line == nil ? "" : " [inlined]")")
      location = "/s/b.c:\(line ?? 0)"
    }
    if let call = calls.first(where: { $0.range.contains(address) }) {
      if let inner = call.inner, inner.contains(address) {
        append("inner", inner.lowerBound, called: 7)
      }
      append(call.name, call.range.lowerBound, called: call.line)
    }
    append("long", Self.start, called: nil)
    return lines
  }
}
