import BinaryInput
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import DwarfReader

/// Files in which many units or DIEs share one large thing. Each test takes milliseconds with the
/// limits; without a limit, it takes minutes or all memory. The expected limits are those of
/// `DecodingLimits`: a mebibyte and a multiple of the section.
struct SharedDwarfTests {
  static let code: UInt64 = 0x40_0000
  static let addressInCode = LinkAddress(code + 4)

  static func reader(
    _ sections: [DwarfSectionName: [UInt8]], decodedSizeLimit: UInt64 = .max
  ) throws -> BuiltInDwarfReader {
    var sections = DwarfSections(
      regions: sections.mapValues { ByteRegion(copying: $0) }, byteOrder: .little, addressSize: 8,
      codeRanges: [LinkAddress(code)..<LinkAddress(code + 0x10_0000)])
    sections.decodedSizeLimit = decodedSizeLimit
    return try BuiltInDwarfReader(sections: sections)
  }

  /// A declaration in `.debug_abbrev`.
  static func declaration(
    _ code: UInt64, tag: UInt64, hasChildren: Bool = false, _ attributes: [(UInt64, UInt64)]
  ) -> [UInt8] {
    var builder = BinaryBuilder()
    builder.uleb128(code)
    builder.uleb128(tag)
    builder.u8(hasChildren ? 1 : 0)
    for (name, form) in attributes + [(0, 0)] {
      builder.uleb128(name)
      builder.uleb128(form)
    }
    return builder.bytes
  }

  /// A unit of DWARF 4 or 5 with the DIEs `entries`.
  static func unit(version: UInt16 = 4, table: UInt32 = 0, _ entries: [UInt8]) -> [UInt8] {
    var builder = BinaryBuilder()
    builder.u32(UInt32(entries.count + (version == 5 ? 8 : 7)))
    builder.u16(version)
    if version == 5 {
      builder.append([1, 8])
      builder.u32(table)
    } else {
      builder.u32(table)
      builder.u8(8)
    }
    builder.append(entries)
    return builder.bytes
  }

  static func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    var builder = BinaryBuilder()
    builder.number(number)
    return builder.bytes
  }

  /// `DW_AT_low_pc` as an address and `DW_AT_high_pc` as a size of 8 bytes.
  static let lowAndHigh: [(UInt64, UInt64)] = [(0x11, 0x01), (0x12, 0x07)]
  static let covering = number(code) + number(UInt64(16))

  /// A line table of version 4 with one file, and a row at `code` followed by `padding` opcodes.
  static func lineTable(padding: Int) -> [UInt8] {
    lineTable([UInt8](repeating: 6, count: padding), end: 16)  // DW_LNS_negate_stmt
  }

  /// The same with these opcodes after the row, and the end of the sequence `end` bytes later.
  static func lineTable(_ opcodes: [UInt8], end: UInt32) -> [UInt8] {
    var header = BinaryBuilder()
    header.append([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0])
    header.cString("a.c")
    header.append([0, 0, 0, 0])
    var body = BinaryBuilder()
    body.u16(4)
    body.u32(UInt32(header.count))
    body.append(header.bytes)
    body.append([0, 9, 2])
    body.u64(code)
    body.u8(1)  // DW_LNS_copy
    body.append(opcodes)
    body.u8(2)  // DW_LNS_advance_pc
    body.uleb128(UInt64(end))
    body.append([0, 1, 1])  // end_sequence
    return number(UInt32(body.count)) + body.bytes
  }

  // MARK: - As tools write it

  @Test func manyUnitsOfOneTableAreAllFound() throws {
    // As in a dSYM: one table for all units, in which the declaration of units comes far behind
    // others.
    let others = (2...60_000).flatMap { Self.declaration($0, tag: 0x34, []) }
    let table = others + Self.declaration(1, tag: 0x11, Self.lowAndHigh) + [0]
    var info: [UInt8] = []
    let count = 4000
    for index in 0..<count {
      let low = Self.code + UInt64(index * 16)
      info += Self.unit([1] + Self.number(low) + Self.number(UInt64(16)))
    }
    let list = try DwarfFile(
      sections: DwarfSections(
        regions: [.info: ByteRegion(copying: info), .abbreviations: ByteRegion(copying: table)],
        byteOrder: .little, addressSize: 8,
        codeRanges: [LinkAddress(0)..<LinkAddress(.max)]),
      referencedFiles: nil, decodedOnce: DwarfDecodedOnce())
    let (ranges, faults) = UnitRangeSearch.ranges(of: list)
    expectEqual(ranges.entries.count, count)
    expectEmpty(faults)
  }

  @Test func partialUnitsTakeNoCodeFromTheLineTableTheyShare() throws {
    // As dwz writes it: partial units, which refer to the line table of the unit for its file
    // names.
    let table =
      Self.declaration(1, tag: 0x11, [(0x10, 0x17)])
      + Self.declaration(2, tag: 0x3c, [(0x10, 0x17)]) + [0]
    let parts = (0..<200).flatMap { _ in Self.unit([2] + Self.number(UInt32(0))) }
    let reader = try Self.reader([
      .abbreviations: table, .info: parts + Self.unit([1] + Self.number(UInt32(0))),
      .line: Self.lineTable(padding: 100_000),
    ])
    let answer = try require(reader.answer(at: Self.addressInCode))
    expectEqual(answer.row?.path, "a.c")
    expectEmpty(answer.frames)
    expectEmpty(reader.faults)
  }

  /// With a limit of one byte for what is decoded, a unit is decoded for the addresses of each
  /// round of questions, which may have rounds without end.
  @Test func roundsOfQuestionsDoNotCountTogether() throws {
    let table = Self.declaration(1, tag: 0x11, [(0x10, 0x17)] + Self.lowAndHigh) + [0]
    let reader = try Self.reader(
      [
        .abbreviations: table, .info: Self.unit([1] + Self.number(UInt32(0)) + Self.covering),
        .line: Self.lineTable(padding: 300_000),
      ], decodedSizeLimit: 1)
    for round in 0..<20 {
      let address = LinkAddress(Self.code + UInt64(round % 16))
      reader.prepare(for: [address], jobs: 1)
      try expectEqual(reader.answer(at: address)?.row?.path, "a.c")
    }
    expectEmpty(reader.faults)
  }

  // MARK: - As no tool writes it

  /// 70,000 rows, each before the one in front of it. Where memory is scarce, no more than 65,536
  /// are sorted.
  @Test(arguments: [(UInt64.max, true), (1, false)])
  func rowsThatAreSorted(limit: UInt64, isFound: Bool) throws {
    let count = 70_000
    var rows = BinaryBuilder()
    for index in 0..<count {
      rows.append([0, 9, 2])
      rows.u64(Self.code + UInt64(count - index))
      rows.u8(1)  // DW_LNS_copy
    }
    let table = Self.declaration(1, tag: 0x11, [(0x10, 0x17)] + Self.lowAndHigh) + [0]
    let reader = try Self.reader(
      [
        .abbreviations: table,
        .info: Self.unit(
          [1] + Self.number(UInt32(0)) + Self.number(Self.code) + Self.number(UInt64(0x2_0000))),
        .line: Self.lineTable(rows.bytes, end: UInt32(count)),
      ], decodedSizeLimit: limit)
    let answer = try reader.answer(at: LinkAddress(Self.code + 8))
    expectEqual(answer?.row?.path, isFound ? "a.c" : nil)
    expectEqual(reader.faults, isFound ? [] : [.malformed(section: .line, offset: 0)])
  }

  @Test func unitsThatShareALineTable() throws {
    let table = Self.declaration(1, tag: 0x11, [(0x10, 0x17)]) + [0]
    let reader = try Self.reader([
      .abbreviations: table,
      .info: (0..<2000).flatMap { _ in Self.unit([1] + Self.number(UInt32(0))) },
      .line: Self.lineTable(padding: 100_000),
    ])
    _ = try? reader.answer(at: Self.addressInCode)
    expectEqual(reader.faults, [.decodingLimit(section: .line)])
  }

  @Test func unitsWithTablesOfAbbreviationsInOneAnother() throws {
    let declaration = Self.declaration(1, tag: 0x11, Self.lowAndHigh)
    let table: [UInt8] = (0..<10_000).flatMap { _ in declaration } + [0]
    let info: [UInt8] = (0..<1000).flatMap { index in
      Self.unit(table: UInt32(index * declaration.count), [1] + Self.covering)
    }
    let reader = try Self.reader([.abbreviations: table, .info: info])
    try expectNil(reader.answer(at: Self.addressInCode))
    expectEqual(reader.faults, [.decodingLimit(section: .abbreviations)])
  }

  @Test func unitsWithACodeAtTheEndOfATable() throws {
    let others: [UInt8] = (1000..<40_000).flatMap { Self.declaration($0, tag: 0x34, []) }
    // The search for a code that is not declared also goes to the end.
    let info: [UInt8] = (0..<400).flatMap { Self.unit([UInt8($0 % 100 + 1)] + Self.covering) }
    let reader = try Self.reader([.abbreviations: others + [0], .info: info])
    try expectNil(reader.answer(at: Self.addressInCode))
    expectTrue(reader.faults.contains(.decodingLimit(section: .abbreviations)))
  }

  @Test func unitsAndFunctionsThatShareAListOfRanges() throws {
    let pairs = [[UInt8]](repeating: [0x04, 0x20, 0x21], count: 30_000).flatMap { $0 }
    let lists: [UInt8] = [0x05] + Self.number(Self.code) + pairs + [0]
    let header: [UInt8] = Self.number(UInt32(lists.count + 8)) + [5, 0, 8, 0, 0, 0, 0, 0]
    let list = Self.number(UInt32(header.count))
    let units = try Self.reader([
      .abbreviations: Self.declaration(1, tag: 0x11, [(0x55, 0x17)]) + [0],
      .info: (0..<1000).flatMap { _ in Self.unit(version: 5, [1] + list) },
      .rangeLists: header + lists,
    ])
    try expectNil(units.answer(at: Self.addressInCode))
    expectEqual(units.faults, [.decodingLimit(section: .rangeLists)])

    let functions = [[UInt8]](repeating: [2] + list, count: 1000).flatMap { $0 }
    let unit = try Self.reader([
      .abbreviations: Self.declaration(1, tag: 0x11, hasChildren: true, Self.lowAndHigh)
        + Self.declaration(2, tag: 0x2e, [(0x55, 0x17)]) + [0],
      .info: Self.unit(version: 5, [1] + Self.covering + functions + [0]),
      .rangeLists: header + lists,
    ])
    try expectNil(unit.answer(at: Self.addressInCode))
    expectEqual(unit.faults, [.decodingLimit(section: .rangeLists)])
  }

  @Test func unitsInOneAnother() throws {
    // Every 16 bytes are the header of a unit that extends to the end, its first DIE, and a DIE
    // that contains the next header.
    let count = 20_000
    var info: [UInt8] = []
    for index in 0..<count {
      info += Self.number(UInt32((count - index) * 16 - 4))
      info += [4, 0, 0, 0, 0, 0, 8, 1, 3, 0, 0, 0]
    }
    var ranges: [UInt8] = []
    for index in 0..<count {
      ranges += Self.number(UInt32(44)) + [2, 0] + Self.number(UInt32(index * 16)) + [8, 0]
      ranges += [0, 0, 0, 0] + Self.covering + [UInt8](repeating: 0, count: 16)
    }
    let table =
      Self.declaration(1, tag: 0x11, hasChildren: true, [])
      + Self.declaration(3, tag: 0x34, [(0x40, 0x07), (0x40, 0x06), (0x40, 0x05), (0x40, 0x0b)])
      + [0]
    let reader = try Self.reader([
      .abbreviations: table, .info: info, .addressRanges: ranges,
    ])
    try expectNil(reader.answer(at: Self.addressInCode))
    expectTrue(reader.faults.contains(.tooManyUnits(address: Self.code + 4)))
    expectTrue(reader.faults.contains(.decodingLimit(section: .info)))
  }

  @Test func entriesOfOneByteWithManyAttributes() throws {
    // `DW_AT_call_line` as `DW_FORM_implicit_const` takes no bytes in the DIE.
    let attributes = (0..<300).flatMap { _ in [UInt8]([0x59, 0x21, 1]) }
    let table =
      Self.declaration(1, tag: 0x11, hasChildren: true, Self.lowAndHigh)
      + [2, 0x2e, 0] + attributes + [0, 0, 0]
    let reader = try Self.reader([
      .abbreviations: table,
      .info: Self.unit([1] + Self.covering + [UInt8](repeating: 2, count: 1000) + [0]),
    ])
    try expectNil(reader.answer(at: Self.addressInCode))
    // The unit's DIE has 1 + 16 bytes behind the header of 11.
    expectEqual(reader.faults, [.malformed(section: .info, offset: 28)])
  }

  @Test func filesWithFieldsOfNoBytes() throws {
    // `DW_LNCT_directory_index` as `DW_FORM_flag_present`.
    var header = BinaryBuilder()
    header.append([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 2, 0x19, 4])
    header.append([0, 0, 0, 0])
    let body =
      [UInt8]([5, 0, 8, 0]) + Self.number(UInt32(header.count)) + header.bytes
    let reader = try Self.reader([
      .abbreviations: Self.declaration(1, tag: 0x11, [(0x10, 0x17)] + Self.lowAndHigh) + [0],
      .info: Self.unit([1] + Self.number(UInt32(0)) + Self.covering),
      .line: Self.number(UInt32(body.count)) + body,
    ])
    try expectNil(reader.answer(at: Self.addressInCode))
    expectEqual(reader.faults, [.malformed(section: .line, offset: 0)])
  }

  /// A thousand calls at each of many addresses are not kept for all of them at once, and every
  /// answer is the same as for one address alone.
  @Test func manyAddressesWithManyCalls() throws {
    let table =
      Self.declaration(1, tag: 0x11, hasChildren: true, Self.lowAndHigh)
      + Self.declaration(2, tag: 0x2e, hasChildren: true, Self.lowAndHigh)
      + Self.declaration(3, tag: 0x1d, hasChildren: true, Self.lowAndHigh) + [0]
    let covering = Self.number(Self.code) + Self.number(UInt64(200))
    var entries = [1] + covering + [2] + covering
    for _ in 0..<1000 { entries += [3] + covering }
    entries += [UInt8](repeating: 0, count: 1002)
    let sections = [DwarfSectionName.abbreviations: table, .info: Self.unit(entries)]
    let addresses = (0..<200).map { LinkAddress(Self.code + $0) }
    let counts = Mutex((answers: 0, frames: 0))
    try Self.reader(sections).answer(
      addresses.enumerated().map { NumberedAddress($1, number: $0) }, jobs: 1
    ) { found in
      counts.withLock { $0 = ($0.answers + found.answers.count, $0.frames + found.frames.count) }
    }
    // A little more than 2¹⁷ of 200,200.
    expectEqual(counts.withLock { $0.answers }, 131)
    expectEqual(counts.withLock { $0.frames }, 131 * 1001)
    let prepared = try Self.reader(sections)
    prepared.prepare(for: addresses, jobs: 1)
    let alone = try Self.reader(sections)
    for address in addresses {
      let answer = try require(try prepared.answer(at: address))
      expectEqual(answer.frames.count, 1001)
      try expectEqual(answer, alone.answer(at: address))
    }
  }

  @Test func callsThatAreInlinedTooDeep() throws {
    let table =
      Self.declaration(1, tag: 0x11, hasChildren: true, Self.lowAndHigh)
      + Self.declaration(2, tag: 0x2e, hasChildren: true, Self.lowAndHigh)
      + Self.declaration(3, tag: 0x1d, hasChildren: true, Self.lowAndHigh + [(0x03, 0x0e)]) + [0]
    // Each name is the end of another, so that each is read separately.
    let names = [UInt8](repeating: UInt8(ascii: "n"), count: 100_000) + [0]
    func answer(depth: Int) throws -> (DwarfAnswer?, [DwarfReadError]) {
      var entries = [2] + Self.covering
      for index in 0..<depth { entries += [3] + Self.covering + Self.number(UInt32(index)) }
      entries += [UInt8](repeating: 0, count: depth + 2)
      let reader = try Self.reader([
        .abbreviations: table, .info: Self.unit([1] + Self.covering + entries), .strings: names,
      ])
      return (try reader.answer(at: Self.addressInCode), reader.faults)
    }
    let (deep, noFaults) = try answer(depth: 100)
    expectEqual(deep?.frames.count, 101)
    expectEmpty(noFaults)
    expectEqual(deep?.frames.first?.name?.utf8.count, 100_000 - 99)

    let (cut, faults) = try answer(depth: 5000)
    expectEqual(cut?.frames.count, 2049)
    expectTrue(faults.contains(.decodingLimit(section: .info)))
    expectTrue(faults.contains(.decodingLimit(section: .strings)))
  }

  @Test func faultsWithoutNumber() throws {
    let reader = try Self.reader([
      .abbreviations: [0], .info: [UInt8](repeating: 0, count: 100_000),
    ])
    try expectNil(reader.answer(at: Self.addressInCode))
    expectEqual(reader.faults.count, 4096)
  }

  @Test func packageIndexWithMoreCellsThanNumbers() throws {
    // Version 5, with the greatest 32-bit numbers of columns, units and slots.
    let index = [UInt8]([5, 0, 0, 0]) + [UInt8](repeating: 0xff, count: 12)
    let sections = DwarfSections(
      regions: [.unitIndex: ByteRegion(copying: index)], byteOrder: .little, addressSize: 8,
      codeRanges: [])
    #expect(throws: DwarfReadError.malformed(section: .unitIndex, offset: 0)) {
      try DwarfPackageIndex.sections(of: sections, forUnit: 1)
    }
  }
}
