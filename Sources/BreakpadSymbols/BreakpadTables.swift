import SymbolicationModel

/// The sorted tables of a file: addresses, and the offsets of records.
struct BreakpadTables: Sendable {
  /// In ascending order of their starts; those with the same start in the order of the file.
  let functions: [BreakpadScan.Function]
  /// In the same order.
  let symbols: [BreakpadScan.Symbol]
  let files: BreakpadNumbers
  let origins: BreakpadNumbers
  /// Whether any function begins before another has ended.
  private let hasOverlaps: Bool
  /// The end of the last function, or the byte after the last symbol.
  let end: UInt64

  /// How many functions before an address are looked at if functions overlap. No compiler writes so
  /// many around one address.
  private static let overlapLimit = 1024

  init(_ scan: BreakpadScan) {
    functions = scan.functions.sortedIfNeeded { ($0.start, $0.offset) < ($1.start, $1.offset) }
    symbols = scan.symbols.sortedIfNeeded { ($0.address, $0.offset) < ($1.address, $1.offset) }
    files = BreakpadNumbers(scan.files)
    origins = BreakpadNumbers(scan.origins)
    var end: UInt64 = 0
    var hasOverlaps = false
    for function in functions {
      if function.start < end { hasOverlaps = true }
      end = max(end, function.end)
    }
    self.hasOverlaps = hasOverlaps
    if let symbol = symbols.last?.address, symbol >= end, symbol < .max { end = symbol + 1 }
    self.end = end
  }

  /// The index of the function at `address`.
  func function(at address: UInt64) -> Int? {
    let next = functions.partitionPoint { $0.start > address }
    var found: Int?
    for index in functions[max(0, next - Self.overlapLimit)..<next].indices.reversed() {
      if let found, functions[index].start < functions[found].start { break }
      if functions[index].end > address { found = index }
      if !hasOverlaps { break }
    }
    return found
  }

  /// The index of the symbol that reaches to `address`.
  func symbol(at address: UInt64) -> Int? {
    let next = symbols.partitionPoint { $0.address > address }
    guard next > 0 else { return nil }
    let start = symbols[next - 1].address
    let function = functions.partitionPoint { $0.start > address }
    if function > 0, functions[function - 1].start >= start { return nil }
    return symbols.partitionPoint { $0.address >= start }
  }
}

/// Records that other records refer to by number.
struct BreakpadNumbers: Sendable {
  /// In ascending order; records with the same number in the order of the file.
  private let entries: [BreakpadScan.Numbered]

  init(_ entries: [BreakpadScan.Numbered]) {
    self.entries = entries.sortedIfNeeded { ($0.number, $0.offset) < ($1.number, $1.offset) }
  }

  /// The offset of the first record with this number.
  func offset(of number: UInt32) -> UInt64? {
    let index = entries.partitionPoint { $0.number >= number }
    guard index < entries.count, entries[index].number == number else { return nil }
    return entries[index].offset
  }
}

extension Array {
  /// The elements in ascending order. Cost: linear if they are in order already, as in files that
  /// dump_syms wrote.
  fileprivate func sortedIfNeeded(by isBefore: (Element, Element) -> Bool) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !isBefore(self[$0], self[$0 - 1]) }
    return isSorted ? self : sorted(by: isBefore)
  }
}
