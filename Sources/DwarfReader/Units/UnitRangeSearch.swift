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
