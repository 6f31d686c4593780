import CLibDwarf
package import DwarfReader
package import SymbolicationModel

// The DWARF reader based on libdwarf, the reference for the built-in reader.
//
// How an address is looked up:
// 1. The unit is found in `.debug_aranges` (which libdwarf does not read here), or by the ranges of
//    all units (`LibDwarfReader+UnitRanges`).
// 2. The unit is opened as a `LibDwarfHandle`, which sees no other part of `.debug_info`
//    (`SectionProvider`).
// 3. One walk with a `DieCursor` finds the functions and inlined bodies (`ScopeTable`), and the
//    rows (`LineTable`) are read once (`LibDwarfReader+UnitContent`).
// 4. Names and call sites are read for the frames of the answer (`LibDwarfReader+Frames`).

/// A DWARF reader that decodes DWARF 2 to 5 with libdwarf. It finds no supplementary and no split
/// DWARF files.
///
/// libdwarf is written in C, and damaged input can crash it: use it only for trusted files. This
/// reader works around its known bugs:
/// - It is not shown range list tables with unsound headers (`RangeListTables`).
/// - `DW_AT_GNU_dwo_id` is hidden from it in DWARF 5 units (`AbbreviationAttributes`).
/// - Rows that it marks as the end of a sequence by mistake are corrected (`DieCursor.lineTable`).
/// - In version 5 line tables, libdwarf 20210528 starts the file register of each sequence at 0
///   instead of 1 (DWARF 5, section 6.2.2). The rows concerned are corrected (`LineFileRegister`).
///   libdwarf 0.11.1 is right.
///
/// Each thread needs a reader of its own.
package final class LibDwarfReader: DwarfReading {
  let sections: DwarfSections
  package private(set) var faults: [DwarfReadError] = []
  private var knownFaults: Set<DwarfReadError> = []

  private let addressRanges: DwarfAddressRanges
  /// The headers of all units.
  private(set) lazy var unitList: DwarfUnitList = readUnitList()
  /// The ranges of all units.
  private lazy var unitRanges: DwarfUnitRangeTable = readUnitRanges()

  /// By offset in `.debug_info`: the units that were needed, or why their headers cannot be read.
  private var units: [UInt64: Result<LibDwarfUnit, DwarfReadError>] = [:]
  /// The units with an open handle, the most recently used one at the end.
  private var openUnits: [LibDwarfUnit] = []
  /// The greatest number of open handles. Each keeps the abbreviations of its unit and the headers
  /// of all range list tables in memory.
  private static let openUnitLimit = 32

  /// The number of bytes of `.debug_rnglists` to show to libdwarf.
  private(set) lazy var soundRangeListCount: UInt64 = checkRangeLists()
  /// The sections to show for units whose abbreviations contain `DW_AT_GNU_dwo_id`.
  private(set) lazy var sectionsWithoutDwoIdentifiers: DwarfSections = hideDwoIdentifiers()

  /// Reads only `.debug_aranges`.
  ///
  /// Throws `missingSection` if there is no `.debug_info` or `.debug_abbrev`, and
  /// `libdwarfMismatch` if the loaded library has another interface than the headers that this was
  /// built with.
  package init(sections: DwarfSections) throws(DwarfReadError) {
    guard sections[.info] != nil else { throw .missingSection(.info) }
    guard sections[.abbreviations] != nil else { throw .missingSection(.abbreviations) }
    try LibDwarfHandle.checkVersion()
    self.sections = sections
    self.addressRanges = DwarfAddressRanges(sections)
    addressRanges.faults.forEach(record)
  }

  package func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer? {
    try DwarfUnitRangeTable.answer(
      at: address, hints: addressRanges.table, all: { unitRanges },
      ask: { (offset) throws(DwarfReadError) in
        try answer(at: address, in: try unit(at: offset))
      },
      beginsUnit: { unitList.beginsUnit(at: $0) }, record: record)
  }

  /// Adds `fault` to `faults`, unless it is already there.
  func record(_ fault: DwarfReadError) {
    if knownFaults.insert(fault).inserted { faults.append(fault) }
  }

  // MARK: - Units

  /// The unit that should begin at `offset`.
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

  /// The unit that contains `offset`; nil if there is none. Tries `unit` first.
  func unit(
    containing offset: UInt64, near unit: LibDwarfUnit
  ) throws(DwarfReadError) -> LibDwarfUnit? {
    if offset >= unit.header.offset, offset < unit.header.end { return unit }
    guard let header = unitList.unit(containing: offset) else { return nil }
    return try self.unit(at: header.offset)
  }

  /// A cursor on the DIE at `offset` in `unit`; nil if there cannot be a DIE at this offset.
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

/// Input that libdwarf must not see.
extension LibDwarfReader {
  /// Whether a unit has `DW_AT_GNU_dwo_id` in DWARF 5, as swiftc writes for each imported clang
  /// module. libdwarf (20210528 and 0.11.1) stops at such a unit with `DW_DLE_IMPROPER_DWO_ID`.
  func hasDwoIdentifier(_ unit: DwarfUnitHeader) -> Bool {
    guard unit.version >= 5, let tables = AbbreviationAttributes(sections) else { return false }
    let codes = try? tables.codeRanges(
      of: UInt64(DW_AT_GNU_dwo_id), inTableAt: unit.abbreviationOffset)
    return codes?.isEmpty == false
  }

  /// The sections with `DW_AT_GNU_dwo_id` hidden in all DWARF 5 units. Copies nothing if no unit
  /// has it.
  func hideDwoIdentifiers() -> DwarfSections {
    guard let tables = AbbreviationAttributes(sections) else { return sections }
    var codes: [Range<Int>] = []
    var walked: Set<UInt64> = []
    for unit in unitList.units where unit.version >= 5 {
      guard walked.insert(unit.abbreviationOffset).inserted else { continue }
      // If a table cannot be read, libdwarf reports that for the units that use it.
      codes +=
        (try? tables.codeRanges(
          of: UInt64(DW_AT_GNU_dwo_id), inTableAt: unit.abbreviationOffset)) ?? []
    }
    return sections.hidingAttributes(at: codes)
  }

  /// The number of bytes of `.debug_rnglists` to show to libdwarf: the tables in front of the first
  /// unsound header. With some unsound headers, libdwarf 20210528 frees memory twice
  /// (`dwarf_load_rnglists`), and follows offsets out of the section.
  func checkRangeLists() -> UInt64 {
    let (count, fault) = RangeListTables.soundPrefix(of: sections)
    if let fault { record(fault) }
    return count
  }
}
