import BinaryInput
import SymbolicationModel
import Synchronization

/// The DWARF of one file, with what all its units share. Several threads may ask it.
final class DwarfFile: Sendable {
  let sections: DwarfSections
  let byteOrder: ByteOrder
  let info: ByteRegion
  let abbreviationSection: ByteRegion
  let strings: ByteRegion?
  let lineStrings: ByteRegion?
  let stringOffsets: ByteRegion?
  let addresses: ByteRegion?
  let ranges: ByteRegion?
  let rangeLists: ByteRegion?
  /// Whether these are sections of a `.dwo` file, whose offset tables begin without a base attribute.
  let isSplit: Bool
  private let onlyCodeRange: Range<UInt64>?
  private let supplementaryFiles: (any DwarfSupplementaryFiles)?
  private let state = Mutex(State())

  private struct State {
    var tables: [TableKey: AbbreviationTable] = [:]
    var unitList: DwarfUnitList?
    var units: [UInt64: Result<DwarfUnit, DwarfReadError>] = [:]
    var alternate: Result<DwarfFile, DwarfReadError>??
  }

  private struct TableKey: Hashable {
    let offset: UInt64
    let format: DwarfUnitFormat
  }

  /// Throws `missingSection` without `.debug_info` or `.debug_abbrev`. Reads nothing.
  init(
    sections: DwarfSections, supplementaryFiles: (any DwarfSupplementaryFiles)?,
    isSplit: Bool = false
  ) throws(DwarfReadError) {
    guard let info = sections[.info] else { throw .missingSection(.info) }
    guard let abbreviations = sections[.abbreviations] else {
      throw .missingSection(.abbreviations)
    }
    self.sections = sections
    self.byteOrder = sections.byteOrder
    self.info = info
    self.abbreviationSection = abbreviations
    self.strings = sections[.strings]
    self.lineStrings = sections[.lineStrings]
    self.stringOffsets = sections[.stringOffsets]
    self.addresses = sections[.addresses]
    self.ranges = sections[.ranges]
    self.rangeLists = sections[.rangeLists]
    self.isSplit = isSplit
    let codeRanges = sections.codeRanges
    self.onlyCodeRange =
      codeRanges.count == 1
      ? codeRanges[0].lowerBound.value..<codeRanges[0].upperBound.value : nil
    self.supplementaryFiles = supplementaryFiles
  }

  /// Whether the image has code at `address`.
  @inline(__always)
  func isCode(_ address: UInt64) -> Bool {
    // Most images have one range of code.
    if let only = onlyCodeRange { return only.contains(address) }
    return sections.isCode(LinkAddress(address))
  }

  /// The headers of all units: walked once, when something asks.
  var unitList: DwarfUnitList {
    if let list = state.withLock({ $0.unitList }) { return list }
    let list = DwarfUnitList(sections)
    state.withLock { $0.unitList = list }
    return list
  }

  /// The unit that is said to begin at `offset`, or why it cannot be read: found out once.
  func unit(at offset: UInt64) throws(DwarfReadError) -> DwarfUnit {
    if let known = state.withLock({ $0.units[offset] }) { return try known.get() }
    let unit: Result<DwarfUnit, DwarfReadError>
    do throws(DwarfReadError) {
      let header = try DwarfUnitHeader.read(at: offset, of: sections)
      unit = .success(try DwarfUnit(header, of: self))
    } catch {
      unit = .failure(error)
    }
    // Where another thread was faster, both take its unit.
    let kept = state.withLock { state in
      let kept = state.units[offset] ?? unit
      state.units[offset] = kept
      return kept
    }
    return try kept.get()
  }

  /// The unit that holds the entry at `offset`; nil where there is none.
  func unit(containing offset: UInt64) throws(DwarfReadError) -> DwarfUnit? {
    guard let header = unitList.unit(containing: offset) else { return nil }
    return try unit(at: header.offset)
  }

  /// The abbreviations at `offset` of `.debug_abbrev`: compiled once for each format.
  func abbreviationTable(at offset: UInt64, format: DwarfUnitFormat) -> AbbreviationTable {
    let key = TableKey(offset: offset, format: format)
    if let table = state.withLock({ $0.tables[key] }) { return table }
    let table = AbbreviationTable(
      abbreviationSection, at: offset, byteOrder: byteOrder, format: format)
    state.withLock { $0.tables[key] = table }
    return table
  }

  /// The file to which dwz moved what several files share; nil where it is not found.
  func alternate() throws(DwarfReadError) -> DwarfFile? {
    if let known = state.withLock({ $0.alternate }) { return try known?.get() }
    var file: Result<DwarfFile, DwarfReadError>?
    if let sections = supplementaryFiles?.alternateSections() {
      do throws(DwarfReadError) {
        file = .success(try DwarfFile(sections: sections, supplementaryFiles: nil))
      } catch {
        file = .failure(error)
      }
    }
    state.withLock { [file] in $0.alternate = .some(file) }
    return try file?.get()
  }

  /// The split unit that the skeleton `unit` names; nil where it names none, or it is not found.
  func splitUnit(of unit: DwarfUnit) throws(DwarfReadError) -> DwarfUnit? {
    guard let reference = unit.splitReference, let supplementaryFiles,
      let splitFile = supplementaryFiles.splitFile(for: reference)
    else { return nil }
    return try DwarfUnit(splitOf: unit, reference, in: splitFile)
  }
}
