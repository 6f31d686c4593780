package import SymbolicationModel

/// The reader that is made for the one question asked here: which function, which inlined calls, which
/// line. It reads DWARF 2 to 5 over the mapped sections.
///
/// Every read is checked, and nothing in a file decides how deep the program calls itself, so damaged
/// and hostile files cost their own answers and nothing else. What is decoded:
///
/// - of a file: `.debug_aranges`; where that does not lead to the address the first entry of every unit;
/// - of a unit that an address lies in: its abbreviations, its line table, and where its functions are;
/// - of a function that an address lies in: the calls inlined into it, and then names.
///
/// All of it is kept, failures too. For several threads: one reader each.
package final class BuiltInDwarfReader: DwarfReading {
  let file: DwarfFile
  /// What `prepare` found.
  private var preparedAnswers: [LinkAddress: DwarfAnswer] = [:]
  package private(set) var faults: [DwarfReadError] = []
  private var knownFaults: Set<DwarfReadError> = []

  private let addressRanges: DwarfAddressRanges
  /// The ranges of all units, once something asked for them.
  private lazy var unitRanges: DwarfUnitRangeTable = readUnitRanges()
  /// By offset in `.debug_info`: the units asked about, or why they cannot be read.
  private var units: [UInt64: Result<UnitContent, DwarfReadError>] = [:]

  /// Reads `.debug_aranges` and nothing else.
  ///
  /// - Parameter referencedFiles: finds what the image's DWARF refers to in other files. Without it
  ///   what stands there is missing.
  ///
  /// Throws `missingSection` without `.debug_info` or `.debug_abbrev`.
  package init(
    sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)? = nil
  ) throws(DwarfReadError) {
    self.file = try DwarfFile(imageSections: sections, referencedFiles: referencedFiles)
    self.addressRanges = DwarfAddressRanges(sections)
    addressRanges.faults.forEach(record)
  }

  package func prepare(for addresses: [LinkAddress], jobs: Int) {
    var groups: [UnitQuestions] = []
    var places: [UInt64: Int] = [:]
    for address in addresses {
      guard let unitOffset = likeliestUnit(at: address) else { continue }
      if let place = places[unitOffset] {
        groups[place].addresses.append(address)
      } else if units[unitOffset] == nil {
        places[unitOffset] = groups.count
        groups.append(UnitQuestions(unitOffset: unitOffset, addresses: [address]))
      }
    }
    for answers in UnitQuestions.answer(groups, in: file, jobs: jobs) {
      answers.faults.forEach(record)
      units[answers.unitOffset] = answers.content
      for (address, answer) in answers.answers { preparedAnswers[address] = answer }
    }
  }

  /// The unit that `answer` asks first.
  private func likeliestUnit(at address: LinkAddress) -> UInt64? {
    if let index = addressRanges.table.lastIndex(covering: address.value) {
      return addressRanges.table.entries[index].unitOffset
    }
    return unitRanges.lastIndex(covering: address.value).map { unitRanges.entries[$0].unitOffset }
  }

  package func answer(at address: LinkAddress) throws(DwarfReadError) -> DwarfAnswer? {
    if let answer = preparedAnswers[address] { return answer }
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
        try content(at: offset).answer(at: address, record: record)
      },
      failed: { error, offset in
        record(error)
        if failure == nil, file.unitList.beginsUnit(at: offset) { failure = error }
      })
  }

  /// The unit that is said to begin at `offset`: decoded when it is asked for the first time, refused
  /// as then each time after.
  private func content(at offset: UInt64) throws(DwarfReadError) -> UnitContent {
    if let known = units[offset] { return try known.get() }
    let content: Result<UnitContent, DwarfReadError>
    do throws(DwarfReadError) {
      content = .success(UnitContent(try file.unit(at: offset), record: record))
    } catch {
      content = .failure(error)
    }
    units[offset] = content
    return try content.get()
  }

  /// How many faults are kept: enough to see what a file is like.
  private static let faultLimit = 4096

  /// Keeps `fault` for `faults`, once.
  private func record(_ fault: DwarfReadError) {
    guard faults.count < Self.faultLimit else { return }
    if knownFaults.insert(fault).inserted { faults.append(fault) }
  }

  private func readUnitRanges() -> DwarfUnitRangeTable {
    file.unitList.faults.forEach(record)
    let (table, faults) = UnitRangeSearch.ranges(of: file)
    faults.forEach(record)
    return table
  }
}
