package import SymbolicationModel

/// The code ranges of units. Ranges of several units may overlap.
package struct DwarfUnitRangeTable: Sendable {
  /// A code range (half-open) of one unit.
  package struct Entry: Hashable, Sendable {
    package let low: UInt64
    package let high: UInt64
    /// The offset of the unit in `.debug_info`.
    package let unitOffset: UInt64

    package init(low: UInt64, high: UInt64, unitOffset: UInt64) {
      self.low = low
      self.high = high
      self.unitOffset = unitOffset
    }
  }

  /// Ascending by `low`, then by `unitOffset`.
  package let entries: [Entry]
  /// For each entry, the greatest `high` of this one and all before it. A backward search ends at
  /// the first that is not above the address.
  private let greatestHigh: [UInt64]

  /// A table of `entries`, which may be in any order. Empty ranges are left out. Cost: a sort,
  /// unless `entries` are in order.
  package init(_ entries: [Entry]) {
    // Loops instead of chains of generic calls: for a small table, instantiating the types of such
    // a chain at run time takes longer than the work itself.
    var sorted: [Entry] = []
    sorted.reserveCapacity(entries.count)
    var isSorted = true
    for entry in entries where entry.low < entry.high {
      if let last = sorted.last, Self.isBefore(entry, last) { isSorted = false }
      sorted.append(entry)
    }
    if !isSorted { sorted.sort(by: Self.isBefore) }
    var greatestHigh: [UInt64] = []
    greatestHigh.reserveCapacity(sorted.count)
    var greatest: UInt64 = 0
    for entry in sorted {
      greatest = max(greatest, entry.high)
      greatestHigh.append(greatest)
    }
    self.greatestHigh = greatestHigh
    self.entries = sorted
  }

  private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
    (left.low, left.unitOffset) < (right.low, right.unitOffset)
  }

  /// The index of the last entry that covers `address`; nil if there is none. If `index` is given,
  /// only entries before it count: calling this with its own result until it is nil visits all
  /// entries that cover the address, from the last to the first.
  ///
  /// Cost: a binary search, and a step for each entry passed that begins before the address.
  package func lastIndex(covering address: UInt64, before index: Int? = nil) -> Int? {
    var candidate = (index ?? entries.partitionPoint { $0.low > address }) - 1
    while candidate >= 0, greatestHigh[candidate] > address {
      if entries[candidate].high > address { return candidate }
      candidate -= 1
    }
    return nil
  }

  /// Looks up `address`: asks the units that `hints` gives, and if none answers, those of `all`.
  ///
  /// `hints` is `.debug_aranges`, which may be wrong or incomplete, so the lack of an answer from
  /// it proves nothing.
  ///
  /// Throws the first error of a unit if no unit has an answer, but only of a unit that really
  /// exists.
  ///
  /// - Parameters:
  ///   - all: the ranges of all units; only evaluated if `hints` gives no answer.
  ///   - ask: returns the answer of the unit at an offset of `.debug_info`; nil if it has none.
  ///   - beginsUnit: whether a unit begins at an offset of `.debug_info`.
  ///   - record: called with each error.
  package static func answer(
    at address: LinkAddress, hints: DwarfUnitRangeTable, all: () -> DwarfUnitRangeTable,
    ask: (UInt64) throws(DwarfReadError) -> DwarfAnswer?, beginsUnit: (UInt64) -> Bool,
    record: (DwarfReadError) -> Void
  ) throws(DwarfReadError) -> DwarfAnswer? {
    var failure: DwarfReadError?
    func failed(_ error: DwarfReadError, _ offset: UInt64) {
      record(error)
      if failure == nil, beginsUnit(offset) { failure = error }
    }
    if let answer = hints.answer(at: address, ask: ask, failed: failed) { return answer }
    if let answer = all().answer(at: address, ask: ask, failed: failed) { return answer }
    if let failure { throw failure }
    return nil
  }

  /// The greatest number of units that are asked about one address. If the linker folded functions
  /// into one, many units claim its addresses, but the first one asked has the function.
  private static let unitLimit = 1024

  /// Asks the units that cover `address`, in descending order of the starts of their ranges, and
  /// returns the first answer with a function. If there is none, returns the first answer with a
  /// row.
  ///
  /// At most 1,024 units are asked. If there are more, `failed` is called with `tooManyUnits`.
  ///
  /// - Parameters:
  ///   - ask: returns the answer of the unit at an offset of `.debug_info`; nil if it has none.
  ///   - failed: called with each error and the offset of the unit.
  private func answer(
    at address: LinkAddress, ask: (UInt64) throws(DwarfReadError) -> DwarfAnswer?,
    failed: (DwarfReadError, UInt64) -> Void
  ) -> DwarfAnswer? {
    var rowOnly: DwarfAnswer?
    var candidate = lastIndex(covering: address.value)
    var left = Self.unitLimit
    while let index = candidate {
      if left == 0 {
        failed(.tooManyUnits(address: address.value), entries[index].unitOffset)
        break
      }
      left -= 1
      do throws(DwarfReadError) {
        if let answer = try ask(entries[index].unitOffset) {
          guard answer.frames.isEmpty else { return answer }
          rowOnly = rowOnly ?? answer
        }
      } catch {
        failed(error, entries[index].unitOffset)
      }
      candidate = lastIndex(covering: address.value, before: index)
    }
    return rowOnly
  }
}

/// Finds the code ranges of all units. It is needed because clang and swiftc do not write
/// `.debug_aranges` on Linux.
enum UnitRangeSearch {
  /// The ranges of all units of `file`: those that the first DIE states, or else those of the line
  /// table. Units that cannot be read are skipped, and `faults` tells why.
  ///
  /// Cost: reads the first DIE of every unit, but not its whole abbreviation table.
  static func ranges(
    of file: DwarfFile
  ) -> (table: DwarfUnitRangeTable, faults: [DwarfReadError]) {
    var entries: [DwarfUnitRangeTable.Entry] = []
    var faults: [DwarfReadError] = []
    file.readUnitList { header, start in
      if header.unitType == DwarfUnitHeader.typeUnit { return }
      do throws(DwarfReadError) {
        let unit: DwarfUnit
        if let scattered = start?.unit(of: file) {
          unit = scattered
        } else {
          unit = try DwarfUnit(header, of: file)
        }
        try read(unit, into: &entries, &faults)
      } catch {
        faults.append(error)
      }
    }
    return (DwarfUnitRangeTable(entries), faults)
  }

  private static func read(
    _ unit: DwarfUnit, into entries: inout [DwarfUnitRangeTable.Entry],
    _ faults: inout [DwarfReadError]
  ) throws(DwarfReadError) {
    let header = unit.header
    var statesRanges = false
    let isRead = unit.forEachCodeRange(of: unit.root.codeRange) { low, high in
      statesRanges = true
      guard low < high, unit.file.isCode(low) else { return }
      entries.append(.init(low: low, high: high, unitOffset: header.offset))
    }
    if !isRead { faults.append(unit.unreadableRanges(ofDieAt: header.offset)) }
    // A partial unit has no code: it refers to the line table of the units that it was extracted
    // from only for the file names.
    guard !statesRanges, !unit.root.isPartial, let lines = try LineProgram.run(for: unit) else {
      return
    }
    if let fault = lines.fault { faults.append(fault) }
    for sequence in lines.table.sequences {
      entries.append(.init(low: sequence.low, high: sequence.high, unitOffset: header.offset))
    }
  }
}
