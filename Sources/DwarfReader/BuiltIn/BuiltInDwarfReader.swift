package import SymbolicationModel

/// The default DWARF reader: reads DWARF 2 to 5 from the mapped sections.
///
/// Every read is checked, and the depth of the call stack does not depend on the file. A damaged or
/// hostile file can only spoil its own answers. This is decoded as far as the addresses asked about
/// need it, and kept, failures included:
///
/// - `.debug_aranges`; if that does not lead to the address, the first DIE of every unit;
/// - of each unit that contains an address: its abbreviations, line table and function ranges;
/// - of each function that contains an address: the calls inlined into it, and their names.
///
/// Each thread needs a reader of its own.
package final class BuiltInDwarfReader: DwarfReading {
  let file: DwarfFile
  /// The answers that `prepare` found.
  private var preparedAnswers: [LinkAddress: DwarfAnswer] = [:]
  package private(set) var faults: [DwarfReadError] = []
  private var knownFaults: Set<DwarfReadError> = []

  private var hints: AddressRangeHints
  /// The ranges of all units.
  private lazy var unitRanges: DwarfUnitRangeTable = readUnitRanges()
  /// By offset in `.debug_info`: the units that were needed, or why they cannot be read.
  private var units: [UInt64: Result<UnitContent, DwarfReadError>] = [:]

  /// Reads nothing.
  ///
  /// - Parameter referencedFiles: finds the other files that the DWARF of the image refers to.
  ///   Without it, the information in those files is missing from the answers.
  ///
  /// Throws `missingSection` if there is no `.debug_info` or `.debug_abbrev`.
  package init(
    sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)? = nil
  ) throws(DwarfReadError) {
    self.file = try DwarfFile(imageSections: sections, referencedFiles: referencedFiles)
    self.hints = AddressRangeHints(sections)
  }

  package func prepare(for addresses: [LinkAddress], jobs: Int) {
    askHints { $0.prepare(for: addresses) }
    var groups: [UnitQuestions] = []
    var groupIndices: [UInt64: Int] = [:]
    for address in addresses {
      guard let unitOffset = likeliestUnit(at: address) else { continue }
      if let index = groupIndices[unitOffset] {
        groups[index].addresses.append(address)
      } else if units[unitOffset] == nil {
        groupIndices[unitOffset] = groups.count
        groups.append(UnitQuestions(unitOffset: unitOffset, addresses: [address]))
      }
    }
    for answers in UnitQuestions.answer(groups, in: file, jobs: jobs) {
      answers.faults.forEach(record)
      units[answers.unitOffset] = answers.content
      for (address, answer) in answers.answers { preparedAnswers[address] = answer }
    }
  }

  /// The offset of the unit that `answer` asks first.
  private func likeliestUnit(at address: LinkAddress) -> UInt64? {
    let table = askHints { $0.table(for: address) }
    if let index = table.lastIndex(covering: address.value) {
      return table.entries[index].unitOffset
    }
    return unitRanges.lastIndex(covering: address.value).map { unitRanges.entries[$0].unitOffset }
  }

  package func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer? {
    if let answer = preparedAnswers[address] { return answer }
    return try DwarfUnitRangeTable.answer(
      at: address, hints: askHints { $0.table(for: address) }, all: { unitRanges },
      ask: { (offset) throws(DwarfReadError) in
        try content(at: offset, for: address).answer(at: address, record: record)
      },
      beginsUnit: { file.unitList.beginsUnit(at: $0) }, record: record)
  }

  /// Asks `.debug_aranges`, and records what cannot be read of it.
  private func askHints<Answer>(_ question: (inout AddressRangeHints) -> Answer) -> Answer {
    let isFirst = hints.faults == nil
    defer { if isFirst { hints.faults?.forEach(record) } }
    return question(&hints)
  }

  /// The content of the unit that should begin at `offset`. The first call decodes the unit, as far
  /// as `address` needs it; later ones return or throw the same.
  private func content(
    at offset: UInt64, for address: LinkAddress
  ) throws(DwarfReadError) -> UnitContent {
    if let known = units[offset] { return try known.get() }
    let content: Result<UnitContent, DwarfReadError>
    do throws(DwarfReadError) {
      content = .success(
        UnitContent(
          try file.unit(at: offset), asked: AskedAddresses(address.value), record: record))
    } catch {
      content = .failure(error)
    }
    units[offset] = content
    return try content.get()
  }

  /// The greatest number of faults that are kept: enough to see what is wrong with a file.
  private static let faultLimit = 4096

  /// Adds `fault` to `faults`, unless it is already there or too many are.
  private func record(_ fault: DwarfReadError) {
    guard faults.count < Self.faultLimit else { return }
    if knownFaults.insert(fault).inserted { faults.append(fault) }
  }

  private func readUnitRanges() -> DwarfUnitRangeTable {
    let (table, faults) = UnitRangeSearch.ranges(of: file)
    file.unitList.faults.forEach(record)
    faults.forEach(record)
    return table
  }
}
