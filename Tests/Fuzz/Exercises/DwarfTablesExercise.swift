import BinaryInput
import DwarfReader
import LibDwarfReader
import SymbolicationModel

func exerciseDwarfTables(_ bytes: [UInt8]) throws(Violation) {
  let sections = DwarfTablesInput.sections(bytes)
  try checkUnits(of: sections)
  try checkAddressRanges(of: sections)
  try checkAbbreviations(of: sections)
  try checkRangeLists(of: sections)
  try checkLineTables(of: sections)
}

private func count(_ name: DwarfSectionName, _ sections: DwarfSections) -> UInt64 {
  UInt64(sections[name]?.count ?? 0)
}

private func checkUnits(of sections: DwarfSections) throws(Violation) {
  let list = DwarfUnitList(sections)
  let size = count(.info, sections)
  var end: UInt64 = 0
  for unit in list.units {
    try require(unit.offset >= end && unit.end <= size, "units follow one another in the section")
    try require(
      unit.headerSize <= unit.size && unit.isEmpty == (unit.headerSize == unit.size),
      "a unit has room for its header")
    try require((2...5).contains(unit.version), "a version is known")
    try require((1...8).contains(unit.addressSize), "addresses have 1 to 8 bytes")
    try require(list.beginsUnit(at: unit.offset), "a unit begins where it begins")
    try require(
      list.unit(containing: unit.offset) == unit && list.unit(containing: unit.end - 1) == unit,
      "a unit is found by its first and its last byte")
    try require(
      list.unit(containing: unit.end)?.offset ?? unit.end == unit.end,
      "a unit does not hold what is behind it")
    let header = try? DwarfUnitHeader.read(at: unit.offset, of: sections)
    try require(header == unit, "a header read alone is the same")
    end = unit.end
  }
  try require(
    size == 0 || !list.units.isEmpty || !list.faults.isEmpty, "bytes are units or faults")
  for offset in [0, size / 2, size, .max] {
    _ = try? DwarfUnitHeader.read(at: offset, of: sections)
    _ = (list.beginsUnit(at: offset), list.unit(containing: offset))
  }
}

private func checkAddressRanges(of sections: DwarfSections) throws(Violation) {
  let table = DwarfAddressRanges(sections).table
  for (entry, next) in zip(table.entries, table.entries.dropFirst()) {
    try require(
      (entry.low, entry.unitOffset) <= (next.low, next.unitOffset), "ranges of units ascend")
  }
  for (index, entry) in table.entries.enumerated().prefix(64) {
    try require(entry.low < entry.high, "no range is empty")
    try require(sections.isCode(LinkAddress(entry.low)), "ranges are of code")
    for address in [entry.low, entry.high - 1] {
      // All entries that cover it, from the last to the first; this one must be among them.
      var found: [Int] = []
      var last = table.lastIndex(covering: address)
      while let position = last {
        found.append(position)
        last = table.lastIndex(covering: address, before: position)
      }
      try require(found.contains(index), "a range is found by its first and its last address")
      let expected = table.entries.indices.reversed().filter {
        table.entries[$0].low <= address && address < table.entries[$0].high
      }
      try require(found == expected, "all ranges that hold an address are found")
    }
  }
}

private func checkAbbreviations(of sections: DwarfSections) throws(Violation) {
  guard let tables = AbbreviationAttributes(sections) else { return }
  let size = count(.abbreviations, sections)
  let attributes: [UInt64] = [0x2131, 0x2130, 0x03, 0x11, 0x3fbe]
  for offset in [0, 1, size / 2, size, .max] {
    for attribute in attributes {
      guard let codes = try? tables.codeRanges(of: attribute, inTableAt: offset) else { continue }
      try requireAscending(codes, "attribute codes")
      for code in codes {
        try require(code, in: Int(offset)..<Int(size), "attribute code")
        try require(!code.isEmpty, "an attribute code has bytes")
      }
      let hidden = sections.hidingAttributes(at: codes)
      try require(
        count(.abbreviations, hidden) == size, "hiding attributes changes no size")
      guard attribute != 0x3fbe, let after = AbbreviationAttributes(hidden) else { continue }
      let left = try? after.codeRanges(of: attribute, inTableAt: offset)
      try require(
        left?.allSatisfy { $0.count == 1 } == true, "attributes of more than a byte are hidden")
      let found = try? after.codeRanges(of: 0x3fbe, inTableAt: offset)
      try require(
        codes.allSatisfy { $0.count == 1 || found?.contains($0) == true },
        "hidden attributes have the code that hides them")
    }
  }
}

private func checkRangeLists(of sections: DwarfSections) throws(Violation) {
  let (sound, fault) = RangeListTables.soundPrefix(of: sections)
  let size = count(.rangeLists, sections)
  try require(sound <= size, "what is sound is in the section")
  try require((sound == size) == (fault == nil), "all is sound, or there is a fault")
  guard sound > 0, let region = sections[.rangeLists],
    let prefix = try? region.subregion(offset: 0, count: sound)
  else { return }
  let (again, faultAgain) = RangeListTables.soundPrefix(
    of: sections.replacing(.rangeLists, with: prefix))
  try require(again == sound && faultAgain == nil, "what is sound is sound without the rest")
}

private func checkLineTables(of sections: DwarfSections) throws(Violation) {
  let size = count(.line, sections)
  for offset in [0, 1, size / 2, size, .max] {
    guard let register = LineFileRegister(sections, tableAt: offset) else { continue }
    // Each sequence and each row takes an opcode of its own.
    let rows = register.rowsBeforeSetFile.reduce(0, +)
    try require(rows >= 0 && rows <= Int(size), "rows are opcodes")
    try require(register.rowsBeforeSetFile.count <= Int(size), "sequences are opcodes")
  }
}
