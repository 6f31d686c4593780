import BinaryInput
import SymbolicationModel

/// The contents of `.debug_aranges` (DWARF 5, section 6.1.2): the file's own table of the code
/// ranges of units. Many producers do not write it, or not for all units, so it is only a hint.
package struct DwarfAddressRanges: Sendable {
  /// The ranges of all sets. Ranges that do not begin where the image has code are left out.
  package let table: DwarfUnitRangeTable
  /// The sets that cannot be read, in the order of the section; of thousands, the first ones.
  package let faults: [DwarfReadError]
  private static let faultLimit = 4096

  /// Cost: one pass over the section, and a sort.
  package init(_ sections: DwarfSections) { self.init(sections, asked: nil) }

  /// - Parameter asked: ranges that hold none of these addresses are left out; nil keeps all.
  init(_ sections: DwarfSections, asked: AskedAddresses?) {
    var entries: [DwarfUnitRangeTable.Entry] = []
    var faults: [DwarfReadError] = []
    if var reader = sections[.addressRanges]?.reader(byteOrder: sections.byteOrder) {
      while !reader.isAtEnd {
        do throws(DwarfReadError) {
          let extent = try DwarfUnitExtent(&reader, in: .addressRanges)
          do {
            try Self.readSet(
              &reader, extent: extent, sections: sections, asked: asked, into: &entries)
          } catch {
            if faults.count < Self.faultLimit {
              faults.append(.unreadable(section: .addressRanges, error))
            }
          }
          guard (try? reader.seek(to: extent.end)) != nil else { break }
        } catch {
          faults.append(error)
          break
        }
      }
    }
    self.table = DwarfUnitRangeTable(entries)
    self.faults = faults
  }

  private static func readSet(
    _ reader: inout ByteReader, extent: DwarfUnitExtent, sections: DwarfSections,
    asked: AskedAddresses?, into entries: inout [DwarfUnitRangeTable.Entry]
  ) throws(ByteReadError) {
    // Version 2 is the only one: all of DWARF 2 to 5 use it.
    guard try reader.read(UInt16.self) == 2 else { return }
    let unitOffset = try reader.readUnsigned(size: extent.is64Bit ? 8 : 4)
    let addressSize = Int(try reader.read(UInt8.self))
    let segmentSize = Int(try reader.read(UInt8.self))
    guard (1...8).contains(addressSize), segmentSize == 0 else { return }
    // The offset of the first tuple from the start of the set is a multiple of the size of a tuple.
    let tupleSize = UInt64(2 * addressSize)
    let headerSize = UInt64(reader.position) - extent.offset
    try reader.seek(to: extent.offset + (headerSize + tupleSize - 1) / tupleSize * tupleSize)
    guard addressSize == 4 || addressSize == 8, let section = sections[.addressRanges] else {
      while UInt64(reader.position) + tupleSize <= extent.end {
        let low = try reader.readUnsigned(size: addressSize)
        let length = try reader.readUnsigned(size: addressSize)
        if low == 0, length == 0 { return }
        add(low, length, of: unitOffset, sections: sections, asked: asked, to: &entries)
      }
      return
    }
    // A faster way for the sizes that real files have. It takes a third of the time.
    var cursor = section.cursor(
      at: UInt64(reader.position), end: extent.end, byteOrder: sections.byteOrder)
    while cursor.remaining >= Int(tupleSize) {
      let low = cursor.readUnsigned(size: addressSize)
      let length = cursor.readUnsigned(size: addressSize)
      if low == 0, length == 0 { return }
      add(low, length, of: unitOffset, sections: sections, asked: asked, to: &entries)
    }
  }

  @inline(__always)
  private static func add(
    _ low: UInt64, _ length: UInt64, of unitOffset: UInt64, sections: DwarfSections,
    asked: AskedAddresses?, to entries: inout [DwarfUnitRangeTable.Entry]
  ) {
    let (high, overflow) = low.addingReportingOverflow(length)
    guard !overflow, length > 0 else { return }
    if let asked, !asked.isAny(from: low, to: high) { return }
    guard sections.isCode(LinkAddress(low)) else { return }
    entries.append(.init(low: low, high: high, unitOffset: unitOffset))
  }
}

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

/// The few addresses that a table is read for. What covers none of them is left out of it, because
/// writing to fresh memory costs more than decoding. Of a unit that would take too much memory,
/// they are all that are asked about at a time.
struct AskedAddresses: Sendable {
  /// Ascending; never empty.
  let addresses: [UInt64]

  /// The greatest number of addresses: for more, most of a table is needed anyway.
  static let limit = 64

  /// Nil if there are none, or more than `limit`. They may be in any order, and occur more than
  /// once.
  init?(_ addresses: some Collection<UInt64>, limit: Int = Self.limit) {
    guard !addresses.isEmpty, addresses.count <= limit else { return nil }
    self.addresses = addresses.sorted()
  }

  init(_ address: UInt64) { addresses = [address] }

  func contains(_ address: UInt64) -> Bool { isAny(in: address...address) }

  /// Whether an address is from `low` on and before `high`.
  @inline(__always)
  func isAny(from low: UInt64, to high: UInt64) -> Bool {
    low < high && isAny(in: low...(high &- 1))
  }

  @inline(__always)
  private func isAny(in range: ClosedRange<UInt64>) -> Bool {
    guard addresses[addresses.count - 1] >= range.lowerBound, addresses[0] <= range.upperBound
    else { return false }
    let index = addresses.partitionPoint { $0 >= range.lowerBound }
    return index < addresses.count && addresses[index] <= range.upperBound
  }
}
