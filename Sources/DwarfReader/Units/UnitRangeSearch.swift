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
    for header in file.unitList.units {
      if header.unitType == DwarfUnitHeader.typeUnit { continue }
      do throws(DwarfReadError) {
        try read(header, of: file, into: &entries, &faults)
      } catch {
        faults.append(error)
      }
    }
    return (DwarfUnitRangeTable(entries), faults)
  }

  private static func read(
    _ header: DwarfUnitHeader, of file: DwarfFile,
    into entries: inout [DwarfUnitRangeTable.Entry], _ faults: inout [DwarfReadError]
  ) throws(DwarfReadError) {
    let unit = try DwarfUnit(header, of: file)
    var statesRanges = false
    let isRead = unit.forEachCodeRange(of: unit.root.codeRange) { low, high in
      statesRanges = true
      guard low < high, file.isCode(low) else { return }
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
