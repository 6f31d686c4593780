package import SymbolicationModel
import Synchronization

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
/// If more memory is in use than `DwarfSections.decodedSizeLimit`, decoded units are forgotten and
/// decoded again when they are needed. Of a unit that might take more than that alone, only what
/// the addresses need is kept.
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
  private var memory = AllocatedMemory()

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
    file.limits.renewIfForgotten()
    let prepared = Mutex<(answers: [(LinkAddress, DwarfAnswer)], longCount: Int)>(([], 0))
    let groups = groups(
      of: addresses.enumerated().map { NumberedAddress($1, number: $0) }
    ).filter { $0.known == nil }
    answer(groups, jobs: jobs) { found in
      let answers = found.answers.map { ($0.question.address, found.answer($0)) }
      prepared.withLock { prepared in
        for (address, answer) in answers {
          if answer.frames.count > UnitLookup.manyCalls {
            // The others are found again when they are asked for.
            guard prepared.longCount < UnitLookup.keptCalls else { continue }
            prepared.longCount += answer.frames.count
          }
          prepared.answers.append((address, answer))
        }
      }
    }
    prepared.withLock { prepared in
      for (address, answer) in prepared.answers { preparedAnswers[address] = answer }
    }
  }

  package func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (DwarfUnitAnswers) -> Void
  ) {
    file.limits.renewIfForgotten()
    answer(groups(of: questions), jobs: jobs, take)
  }

  /// Answers the groups, so many at a time that those that are decoded at once are small beside the
  /// memory that may be used.
  private func answer(
    _ groups: [UnitQuestions], jobs: Int, _ take: @Sendable (DwarfUnitAnswers) -> Void
  ) {
    let limit = file.sections.decodedSizeLimit / DecodingLimits.expansion
    var rest = groups[...]
    while !rest.isEmpty {
      var size: UInt64 = 0
      let part = rest.prefix { group in
        defer { size += UInt64(file.workload(ofUnitAt: group.unitOffset)) }
        return size == 0 || size < limit
      }
      rest = rest[part.endIndex...]
      keep(UnitQuestions.answer(Array(part), in: file, jobs: jobs, take))
      forgetUnitsIfNeeded()
    }
  }

  private func forgetUnitsIfNeeded() {
    guard !units.isEmpty, memory.exceeds(file.sections.decodedSizeLimit) else { return }
    // What cannot be read takes no memory, and the same question must have the same answer.
    units = units.filter { if case .failure = $0.value { true } else { false } }
    file.limits.noteForgotten()
  }

  private func keep(_ outcomes: [UnitQuestions.Outcome]) {
    for outcome in outcomes {
      outcome.faults.forEach(record)
      units[outcome.unitOffset] = outcome.content
    }
  }

  /// The questions by the unit that `answer` asks first. Those whose unit cannot be read are left
  /// out.
  private func groups(of questions: [NumberedAddress]) -> [UnitQuestions] {
    askHints { $0.prepare(for: questions.map(\.address)) }
    var groups: [UnitQuestions] = []
    // By the offset of the unit; −1 for one that cannot be read.
    var places: [UInt64: Int32] = [:]
    var extent = UnitExtent()
    var place = -1
    for question in questions {
      if !extent.holds(question.address.value) {
        extent = likeliestUnit(at: question.address.value)
        place =
          extent.unitOffset.map { unitOffset in
            if let known = places[unitOffset] { return Int(known) }
            let group = emptyGroup(ofUnitAt: unitOffset)
            let place = group == nil ? -1 : groups.count
            places[unitOffset] = Int32(truncatingIfNeeded: place)
            if let group { groups.append(group) }
            return place
          } ?? -1
      }
      if place >= 0 { groups[place].questions.append(question) }
    }
    return groups
  }

  private func emptyGroup(ofUnitAt offset: UInt64) -> UnitQuestions? {
    switch units[offset] {
    case nil: UnitQuestions(unitOffset: offset, known: nil)
    case .success(let content):
      UnitQuestions(unitOffset: offset, known: UnitQuestions.Lent(content: content))
    case .failure: nil
    }
  }

  /// The unit that `answer` asks first about `address`.
  private func likeliestUnit(at address: UInt64) -> UnitExtent {
    let hints = askHints { $0.table(for: LinkAddress(address)) }
    if let extent = UnitExtent(at: address, in: hints) { return extent }
    guard var extent = UnitExtent(at: address, in: unitRanges) else {
      return UnitExtent(unitOffset: nil, low: address, high: address)
    }
    // `.debug_aranges` may have another answer for the next address.
    if !hints.entries.isEmpty { extent.high = extent.low }
    return extent
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
    forgetUnitsIfNeeded()
    let content: Result<UnitContent, DwarfReadError>
    do throws(DwarfReadError) {
      content = .success(
        UnitContent(
          try file.unit(at: offset), for: CollectionOfOne(address.value), record: record))
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
