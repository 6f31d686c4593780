import SymbolicationModel

/// `.debug_aranges`, read as far as the addresses asked about need it: sorting all its ranges takes
/// longer than answering a few addresses. The answers are the same either way.
struct AddressRangeHints {
  private let sections: DwarfSections
  /// All ranges, once many addresses were asked about.
  private var whole: DwarfUnitRangeTable?
  private var part: (asked: AskedAddresses, table: DwarfUnitRangeTable)?
  private var partCount = 0
  /// The sets that cannot be read; nil before the first question.
  private(set) var faults: [DwarfReadError]?

  /// A part costs a pass over the section. After this many, all ranges are read and sorted.
  private static let partLimit = 8

  /// Reads nothing.
  init(_ sections: DwarfSections) { self.sections = sections }

  /// Announces addresses that `table` will be asked for.
  mutating func prepare(for addresses: [LinkAddress]) {
    guard whole == nil, !addresses.isEmpty else { return }
    read(for: AskedAddresses(addresses.lazy.map(\.value)))
  }

  /// A table with all ranges that hold `address`.
  ///
  /// Cost: nothing for an address that was announced, else a pass over the section; for the first
  /// few questions only.
  mutating func table(for address: LinkAddress) -> DwarfUnitRangeTable {
    if let whole { return whole }
    if let part, part.asked.contains(address.value) { return part.table }
    return read(for: AskedAddresses(address.value))
  }

  @discardableResult
  private mutating func read(for asked: AskedAddresses?) -> DwarfUnitRangeTable {
    partCount += 1
    let asked = partCount <= Self.partLimit ? asked : nil
    let ranges = DwarfAddressRanges(sections, asked: asked)
    if faults == nil { faults = ranges.faults }
    if let asked { part = (asked, ranges.table) } else { whole = ranges.table }
    return ranges.table
  }
}
