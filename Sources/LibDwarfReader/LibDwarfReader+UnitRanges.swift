import DwarfReader
import SymbolicationModel

extension LibDwarfReader {
  /// The code ranges of all units: those that the first DIE states, or else those of the line
  /// table. Units that cannot be read are skipped, and the reason is recorded.
  ///
  /// Cost: reads the first DIE of every unit, through one handle that sees all units. After a unit
  /// at which libdwarf stops, a new handle sees the units after it.
  func readUnitRanges() -> DwarfUnitRangeTable {
    var entries: [DwarfUnitRangeTable.Entry] = []
    let units = unitList.units
    var start = 0
    while start < units.count {
      // Units whose headers cannot be read are missing in the list. libdwarf must not see them.
      var end = start + 1
      while end < units.count, units[end].offset == units[end - 1].end { end += 1 }
      start = readRanges(of: start..<end, into: &entries)
    }
    return DwarfUnitRangeTable(entries)
  }

  /// Reads the ranges of adjacent units until libdwarf stops, and returns the index of the first
  /// unit that it did not reach.
  private func readRanges(
    of run: Range<Int>, into entries: inout [DwarfUnitRangeTable.Entry]
  ) -> Int {
    let units = unitList.units
    let first = units[run.lowerBound]
    var index = run.lowerBound
    do throws(DwarfReadError) {
      let handle = try LibDwarfHandle(
        sectionsWithoutDwoIdentifiers, infoRange: first.offset..<units[run.upperBound - 1].end,
        rangeListCount: soundRangeListCount)
      while index < run.upperBound {
        let unit = units[index]
        index += 1
        guard let end = try handle.nextUnit() else { break }
        do throws(DwarfReadError) {
          try readRanges(of: unit, handle, into: &entries)
        } catch {
          record(error.at(unit))
        }
        // If libdwarf disagrees about the end of the unit, a new handle continues from ours.
        if end != unit.end { break }
      }
    } catch {
      record(error.at(units[max(index, run.lowerBound + 1) - 1]))
    }
    return max(index, run.lowerBound + 1)
  }

  private func readRanges(
    of unit: DwarfUnitHeader, _ handle: LibDwarfHandle,
    into entries: inout [DwarfUnitRangeTable.Entry]
  ) throws(DwarfReadError) {
    guard let cursor = try handle.firstDie(of: unit) else { return }
    var statesRanges = false
    do throws(DwarfReadError) {
      try cursor.forEachCodeRange(unitLow: (try? cursor.lowAddress) ?? 0) { low, high in
        statesRanges = true
        guard low < high, sections.isCode(LinkAddress(low)) else { return }
        entries.append(.init(low: low, high: high, unitOffset: unit.offset))
      }
    } catch {
      record(error.at(unit))
    }
    if statesRanges { return }
    for sequence in try cursor.lineTable(sections)?.table.sequences ?? [] {
      entries.append(.init(low: sequence.low, high: sequence.high, unitOffset: unit.offset))
    }
  }
}

extension DwarfReadError {
  /// This error with the offset of `unit`, for a handle that sees several units.
  fileprivate func at(_ unit: DwarfUnitHeader) -> DwarfReadError {
    guard case .libdwarf(let code, let message, _) = self else { return self }
    return .libdwarf(code: code, message: message, unitOffset: unit.offset)
  }
}
