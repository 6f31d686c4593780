// The DWARF reader over libdwarf, the reference reader.
//
// The way of an address: the unit is found through `.debug_aranges`, read by hand, or through the
// ranges of all units (`LibDwarfReader+UnitRanges`); the unit is opened as a `LibDwarfHandle` that sees
// its slice of `.debug_info` and nothing else of it (`SectionProvider`); one walk with a `DieCursor`
// gives its functions and inlined bodies (`ScopeTable`), and its rows (`LineTable`) are read once
// (`LibDwarfReader+UnitContent`); names and call sites are read for the frames of an answer (`LibDwarfReader+Frames`).

package import DwarfReader
package import SymbolicationModel

/// Answers from DWARF 2 to 5 as libdwarf decodes it.
///
/// libdwarf is C that damaged input can bring down: it is for files one trusts. What is known of its
/// faults is designed around, and it is shown no range list table with an unsound header.
///
/// In line tables of version 5, libdwarf 20210528 starts the file register of each sequence at 0 where
/// the standard (DWARF 5, section 6.2.2) says 1; the rows concerned are put right
/// (`LineFileRegister`). 0.11.1 is right.
///
/// For several threads: one reader each.
package final class LibDwarfReader: DwarfReading {
  let sections: DwarfSections
  package private(set) var faults: [DwarfReadError] = []
  private var knownFaults: Set<DwarfReadError> = []

  private let addressRanges: DwarfAddressRanges
  /// All units, once something asked for them.
  private(set) lazy var unitList: DwarfUnitList = readUnitList()
  /// The ranges of all units, once something asked for them.
  private lazy var unitRanges: DwarfUnitRangeTable = readUnitRanges()

  /// By offset in `.debug_info`: the units asked about, or what their headers are refused for.
  private var units: [UInt64: Result<LibDwarfUnit, DwarfReadError>] = [:]
  /// The units with an open handle, the one used last at the end.
  private var openUnits: [LibDwarfUnit] = []
  /// Each handle holds the abbreviations of its unit and the headers of all range list tables.
  private static let openUnitLimit = 32

  /// How much of `.debug_rnglists` libdwarf is shown.
  private(set) lazy var soundRangeListCount: UInt64 = checkRangeLists()
  /// The sections as units see them whose abbreviations hold `DW_AT_GNU_dwo_id`.
  private(set) lazy var sectionsWithoutDwoIdentifiers: DwarfSections = hideDwoIdentifiers()

  /// Reads `.debug_aranges` and nothing else.
  ///
  /// Throws `missingSection` without `.debug_info` or `.debug_abbrev`, and `libdwarfMismatch` where
  /// the loaded library is not of the kind whose headers this was built with.
  package init(sections: DwarfSections) throws(DwarfReadError) {
    guard sections[.info] != nil else { throw .missingSection(.info) }
    guard sections[.abbreviations] != nil else { throw .missingSection(.abbreviations) }
    try LibDwarfHandle.checkVersion()
    self.sections = sections
    self.addressRanges = DwarfAddressRanges(sections)
    addressRanges.faults.forEach(record)
  }

  package func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer? {
    // The file's own table may be wrong, or not hold all units: it can give an answer, not withhold one.
    var failure: DwarfReadError?
    if let answer = answer(at: address, from: addressRanges.table, &failure) { return answer }
    if let answer = answer(at: address, from: unitRanges, &failure) { return answer }
    if let failure { throw failure }
    return nil
  }

  /// `failure` becomes the first error of a unit that is there, unless it is set.
  private func answer(
    at address: LinkAddress, from table: DwarfUnitRangeTable, _ failure: inout DwarfReadError?
  ) -> DwarfAnswer? {
    table.answer(
      at: address,
      ask: { (offset) throws(DwarfReadError) in
        try answer(at: address, in: try unit(at: offset))
      },
      failed: { error, offset in
        record(error)
        if failure == nil, unitList.beginsUnit(at: offset) { failure = error }
      })
  }

  /// Keeps `fault` for `faults`, once.
  func record(_ fault: DwarfReadError) {
    if knownFaults.insert(fault).inserted { faults.append(fault) }
  }

  // MARK: - Units

  /// The unit that is said to begin at `offset`.
  private func unit(at offset: UInt64) throws(DwarfReadError) -> LibDwarfUnit {
    if let known = units[offset] { return try known.get() }
    let unit: Result<LibDwarfUnit, DwarfReadError>
    do throws(DwarfReadError) {
      unit = .success(LibDwarfUnit(header: try DwarfUnitHeader.read(at: offset, of: sections)))
    } catch {
      unit = .failure(error)
    }
    units[offset] = unit
    return try unit.get()
  }

  /// The unit whose DIEs stand around `offset`; `near` is asked first. Nil where there is none.
  func unit(
    containing offset: UInt64, near unit: LibDwarfUnit
  ) throws(DwarfReadError) -> LibDwarfUnit? {
    if offset >= unit.header.offset, offset < unit.header.end { return unit }
    guard let header = unitList.unit(containing: offset) else { return nil }
    return try self.unit(at: header.offset)
  }

  /// A cursor on the DIE at `offset`, which lies in `unit`; nil where none can stand there.
  func cursor(at offset: UInt64, in unit: LibDwarfUnit) throws(DwarfReadError) -> DieCursor? {
    let header = unit.header
    guard offset >= header.offset + header.headerSize, offset < header.end else { return nil }
    return try handle(of: unit).cursor(at: offset, in: header)
  }

  private func handle(of unit: LibDwarfUnit) throws(DwarfReadError) -> LibDwarfHandle {
    if openUnits.last !== unit {
      openUnits.removeAll { $0 === unit }
      openUnits.append(unit)
      if openUnits.count > Self.openUnitLimit { openUnits.removeFirst().handle = nil }
    }
    if let handle = unit.handle { return handle }
    let header = unit.header
    let handle = try LibDwarfHandle(
      hasDwoIdentifier(header) ? sectionsWithoutDwoIdentifiers : sections,
      infoRange: header.offset..<header.end, rangeListCount: soundRangeListCount)
    unit.handle = handle
    return handle
  }

  private func readUnitList() -> DwarfUnitList {
    let list = DwarfUnitList(sections)
    list.faults.forEach(record)
    return list
  }
}
