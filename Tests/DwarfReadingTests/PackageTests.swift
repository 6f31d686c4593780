import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Packages of split units (`.dwp`). The index is built according to DWARF 5, section 7.3.5.3;
/// version 2 is the GNU extension, with other column numbers and a version of four bytes. Expected
/// values are read off `SplitImage`.
@Suite struct PackageTests {
  /// The columns of both versions, in this order: the unit itself, abbreviations, string offsets,
  /// and in version 5 range lists.
  private static func columns(_ version: UInt16) -> [(number: UInt32, section: DwarfSectionName)] {
    [(1, .info), (3, .abbreviations), (6, .stringOffsets)]
      + (version == 5 ? [(8, .rangeLists)] : [])
  }

  /// A package of the split units of `units`, which share `.debug_str`.
  private func package(_ units: [SplitImage], slotCount: Int) -> DwarfImageBuilder {
    let format = units[0].split.format
    let columns = Self.columns(format.version)
    let package = DwarfImageBuilder(format)
    var rows: [[(offset: Int, size: Int)]] = []
    for unit in units {
      // Its string offsets are relative to its own strings.
      let stringsStart = UInt64(package[.strings].count)
      package[.strings].append(unit.split[.strings].bytes)
      rows.append(
        columns.map { column in
          // Bytes between the contributions that belong to none.
          package[column.section].append([0xee, 0xee, 0xee])
          let offset = package[column.section].count
          let bytes =
            column.section == .stringOffsets
            ? rebased(unit.split, by: stringsStart) : unit.split[column.section].bytes
          package[column.section].append(bytes)
          return (offset, bytes.count)
        })
    }
    package[.unitIndex] = index(
      format, columns.map(\.number), rows, units.map(\.identifier), slotCount: slotCount)
    return package
  }

  /// The string offsets with `start` added to each; the header of version 5 stays.
  private func rebased(_ split: DwarfImageBuilder, by start: UInt64) -> [UInt8] {
    let format = split.format
    let headerSize = format.version >= 5 ? format.lengthSize + 4 : 0
    let bytes = split[.stringOffsets].bytes
    var result = format.bytes
    result.append(bytes.prefix(headerSize))
    for offset in stride(from: headerSize, to: bytes.count, by: format.offsetSize) {
      let field = bytes[offset..<(offset + format.offsetSize)]
      let ordered = format.isBigEndian ? Array(field) : field.reversed()
      result.offset(start + ordered.reduce(0) { $0 << 8 | UInt64($1) }, format)
    }
    return result.bytes
  }

  private func index(
    _ format: DwarfFormat, _ columns: [UInt32], _ rows: [[(offset: Int, size: Int)]],
    _ identifiers: [UInt64], slotCount: Int
  ) -> BinaryBuilder {
    var slots = [(identifier: UInt64, row: UInt32)](repeating: (0, 0), count: slotCount)
    let mask = UInt64(slotCount - 1)
    for (row, identifier) in identifiers.enumerated() {
      var slot = identifier & mask
      while slots[Int(slot)].row != 0 { slot = (slot + (identifier >> 32 & mask | 1)) & mask }
      slots[Int(slot)] = (identifier, UInt32(row + 1))
    }
    var index = format.bytes
    if format.version >= 5 {
      index.u16(5)
      index.u16(0)
    } else {
      index.u32(2)
    }
    index.u32(UInt32(columns.count))
    index.u32(UInt32(rows.count))
    index.u32(UInt32(slotCount))
    slots.forEach { index.u64($0.identifier) }
    slots.forEach { index.u32($0.row) }
    columns.forEach { index.u32($0) }
    rows.joined().forEach { index.u32(UInt32($0.offset)) }
    rows.joined().forEach { index.u32(UInt32($0.size)) }
    return index
  }

  /// Units whose identifiers have the same first slot, and an image with their skeletons.
  private func units(_ format: DwarfFormat) -> (image: DwarfImageBuilder, units: [SplitImage]) {
    let image = DwarfImageBuilder(format)
    let units = [1, 2, 3].map { (number: UInt64) in
      SplitImage(
        format, identifier: 0x2_0000_0005 * number << 3 | 1, low: 0x2000 * number,
        suffix: "\(number)", image: image)
    }
    return (image, units)
  }

  private func open(
    _ kind: DwarfReaderKind, _ image: DwarfImageBuilder, _ units: [SplitImage],
    _ package: DwarfSections
  ) throws -> any DwarfReading {
    try kind.open(
      image.sections(),
      referencedFiles: ReferencedFiles(
        splitFiles: Dictionary(uniqueKeysWithValues: units.map { ($0.reference, package) })))
  }

  @Test(
    arguments: DwarfReaderKind.withReferencedFiles,
    SplitImage.version4Formats + SplitImage.version5Formats)
  func units(kind: DwarfReaderKind, format: DwarfFormat) throws {
    for slotCount in [4, 64] {
      let (image, units) = units(format)
      let package = package(units, slotCount: slotCount)
      let reader = try open(kind, image, units, package.sections(code: nil))
      for number: UInt64 in [2, 3, 1] {
        try SplitUnitTests.expect(reader, low: 0x2000 * number, suffix: "\(number)")
      }
      expectEmpty(reader.faults)
    }
  }

  /// The package has two of three units.
  @Test(arguments: DwarfReaderKind.withReferencedFiles, [4, 5] as [UInt16])
  func unitThatIsMissing(kind: DwarfReaderKind, version: UInt16) throws {
    let (image, units) = units(DwarfFormat(version: version))
    // With a free slot, and with a full table, where the search must end as well.
    for slotCount in [4, 2] {
      let package = package(Array(units.dropLast()), slotCount: slotCount)
      let reader = try open(kind, image, units, package.sections(code: nil))
      try expectEmpty(reader.frames(0x6000))
      try expectEqual(reader.row(0x6000)?.line, 5)
      try SplitUnitTests.expect(reader, low: 0x2000, suffix: "1")
      expectEqual(reader.faults.count, 1)
    }
  }

  /// Every length of the index, and every byte of it replaced: an answer or a fault, and always the
  /// lines.
  @Test(arguments: DwarfReaderKind.withReferencedFiles, [4, 5] as [UInt16])
  func indexThatIsDamaged(kind: DwarfReaderKind, version: UInt16) throws {
    let (image, units) = units(DwarfFormat(version: version))
    let package = package(units, slotCount: 4)
    let intact = package[.unitIndex].bytes
    var damaged = (0..<intact.count).map { Array(intact.prefix($0)) }
    for offset in intact.indices {
      for value: UInt8 in [0, 1, 0x7f, 0xff] where value != intact[offset] {
        var bytes = intact
        bytes[offset] = value
        damaged.append(bytes)
      }
    }
    for bytes in damaged {
      package[.unitIndex] = BinaryBuilder()
      package[.unitIndex].append(bytes)
      let reader = try open(kind, image, units, package.sections(code: nil))
      for low: UInt64 in [0x2000, 0x4000, 0x6000] {
        try expectEqual(reader.row(low)?.line, 5)
        let names = try reader.names(low + 8)
        expectTrue(names == ["inner\(low / 0x2000)", "f\(low / 0x2000)"] || !reader.faults.isEmpty)
      }
    }
  }
}
