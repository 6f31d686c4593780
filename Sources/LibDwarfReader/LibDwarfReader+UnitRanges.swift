import DwarfReader
import SymbolicationModel

extension LibDwarfReader {
  /// Where each unit has code: by its first DIE, else by its line table. Those that cannot be read
  /// are recorded and passed over.
  ///
  /// Cost: the first DIE of every unit, through a handle that sees all of them; after a unit at which
  /// libdwarf stops, through another that sees those behind it.
  func readUnitRanges() -> DwarfUnitRangeTable {
    var entries: [DwarfUnitRangeTable.Entry] = []
    let units = unitList.units
    var start = 0
    while start < units.count {
      // Units whose header cannot be read are missing in the list: libdwarf must not see them.
      var end = start + 1
      while end < units.count, units[end].offset == units[end - 1].end { end += 1 }
      start = readRanges(of: start..<end, into: &entries)
    }
    return DwarfUnitRangeTable(entries)
  }

  /// Reads a run of units that stand next to each other, as far as libdwarf goes, and returns the
  /// index of the first one not reached.
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
        // Where libdwarf sees another end of the unit, what follows is read anew from ours.
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
    var isSaid = false
    do throws(DwarfReadError) {
      try cursor.forEachCodeRange(unitLow: (try? cursor.lowAddress) ?? 0) { low, high in
        isSaid = true
        guard low < high, sections.isCode(LinkAddress(low)) else { return }
        entries.append(.init(low: low, high: high, unitOffset: unit.offset))
      }
    } catch {
      record(error.at(unit))
    }
    if isSaid { return }
    for sequence in try cursor.lineTable(sections)?.table.sequences ?? [] {
      entries.append(.init(low: sequence.low, high: sequence.high, unitOffset: unit.offset))
    }
  }
}

extension DwarfReadError {
  /// The same, with the unit it was met in where libdwarf saw several.
  fileprivate func at(_ unit: DwarfUnitHeader) -> DwarfReadError {
    guard case .libdwarf(let code, let message, _) = self else { return self }
    return .libdwarf(code: code, message: message, unitOffset: unit.offset)
  }
}
