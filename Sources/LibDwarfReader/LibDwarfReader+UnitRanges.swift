import BinaryInput
package import DwarfReader
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

/// Checks the table headers of `.debug_rnglists` (DWARF 5, section 7.28): libdwarf must not see a
/// malformed one.
package enum RangeListTables {
  /// The size in bytes of the part of the section in front of the first unsound header, and what is
  /// wrong with that header. If all headers are sound: the size of the section, and nil.
  ///
  /// A header is sound if its version is 5, its addresses have 4 or 8 bytes, it has no segment
  /// selectors, and its offsets lie in its table and point into it.
  ///
  /// Cost: reads the header and the offsets of each table.
  package static func soundPrefix(
    of sections: DwarfSections
  ) -> (count: UInt64, fault: DwarfReadError?) {
    guard var reader = sections[.rangeLists]?.reader(byteOrder: sections.byteOrder) else {
      return (0, nil)
    }
    while !reader.isAtEnd {
      let start = UInt64(reader.position)
      do throws(DwarfReadError) {
        try checkTable(&reader)
      } catch {
        return (start, error)
      }
    }
    return (UInt64(reader.position), nil)
  }

  private static func checkTable(_ reader: inout ByteReader) throws(DwarfReadError) {
    let extent = try DwarfUnitExtent(&reader, in: .rangeLists)
    var isSound = false
    do {
      let version = try reader.read(UInt16.self)
      let addressSize = try reader.read(UInt8.self)
      let segmentSelectorSize = try reader.read(UInt8.self)
      let offsetCount = UInt64(try reader.read(UInt32.self))
      let offsetSize = extent.is64Bit ? 8 : 4
      let position = UInt64(reader.position)
      if version == 5, addressSize == 4 || addressSize == 8, segmentSelectorSize == 0,
        position <= extent.end, offsetCount * UInt64(offsetSize) <= extent.end - position
      {
        isSound = true
        for _ in 0..<offsetCount where isSound {
          isSound = try reader.readUnsigned(size: offsetSize) < extent.end - position
        }
      }
      try reader.seek(to: extent.end)
    } catch {
      throw .unreadable(section: .rangeLists, error)
    }
    guard isSound else { throw .malformed(section: .rangeLists, offset: extent.offset) }
  }
}
