/// Finds where each unit has code: clang and swiftc write no `.debug_aranges` on Linux.
enum UnitRangeSearch {
  /// By the first entry of each unit, else by its line table. Units that cannot be read are passed
  /// over, and what is wrong with them is returned.
  ///
  /// Cost: the first entry of every unit, without its abbreviation table.
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
    var isSaid = false
    let isRead = unit.forEachCodeRange(of: unit.root.codeRange) { low, high in
      isSaid = true
      guard low < high, file.isCode(low) else { return }
      entries.append(.init(low: low, high: high, unitOffset: header.offset))
    }
    if !isRead { faults.append(unit.unreadableRanges(ofDieAt: header.offset)) }
    // Partial units name the line table of the units that they were taken from, for its files.
    guard !isSaid, !unit.root.isPartial, let lines = try LineProgram.run(for: unit) else { return }
    if let fault = lines.fault { faults.append(fault) }
    for sequence in lines.table.sequences {
      entries.append(.init(low: sequence.low, high: sequence.high, unitOffset: header.offset))
    }
  }
}
