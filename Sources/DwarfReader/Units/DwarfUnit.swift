import BinaryInput

/// One unit, ready for its DIEs to be read. It does not change, so several threads may use it.
final class DwarfUnit: Sendable {
  let header: DwarfUnitHeader
  let format: DwarfUnitFormat
  let root: UnitRoot
  let file: DwarfFile
  // The offsets in their sections of the tables that indices of strings, addresses and range lists
  // refer to.
  let stringOffsetsBase: UInt64
  let addressBase: UInt64
  let rangeListsBase: UInt64
  /// The offset in `.debug_ranges` that `DW_AT_ranges` is relative to before DWARF 5; 0 except in
  /// split units.
  let rangesBase: UInt64
  /// The base address of range lists: `DW_AT_low_pc`, or 0 without it.
  let lowPc: UInt64

  /// Reads the first DIE of the unit with this header.
  convenience init(
    _ header: DwarfUnitHeader, of file: DwarfFile, skeleton: DwarfUnit? = nil
  ) throws(DwarfReadError) {
    self.init(header, try UnitRoot(header, of: file), of: file, skeleton: skeleton)
  }

  /// - Parameter skeleton: for a split unit, its skeleton in the image, which has the base address
  ///   and the offset of the address table.
  init(
    _ header: DwarfUnitHeader, _ root: UnitRoot, of file: DwarfFile, skeleton: DwarfUnit? = nil
  ) {
    self.header = header
    self.format = header.format
    self.file = file
    self.root = root
    // In DWARF 5, the header of a table is a length (4 or 12 bytes) and 4 bytes more. A range list
    // table has another 4 bytes, for its number of offsets (sections 7.26 to 7.28).
    let tableHeaderSize: UInt64 = header.version < 5 ? 0 : header.is64Bit ? 16 : 8
    self.stringOffsetsBase = root.stringOffsetsBase ?? tableHeaderSize
    self.addressBase =
      skeleton?.addressBase ?? root.addressBase ?? tableHeaderSize
    self.rangeListsBase =
      root.rangeListsBase ?? (header.version < 5 ? 0 : tableHeaderSize + 4)
    self.rangesBase = skeleton?.root.splitRangesBase ?? 0
    if let skeleton {
      self.lowPc = skeleton.lowPc
    } else {
      self.lowPc =
        Self.address(root.codeRange.low, base: addressBase, format: header.format, in: file) ?? 0
    }
  }

  /// Whether it is a type unit, which has no code.
  var isTypeUnit: Bool {
    header.unitType == DwarfUnitHeader.typeUnit || header.unitType == DwarfUnitHeader.splitTypeUnit
  }

  /// The unit's abbreviations. Cost: the first call compiles them; later ones are a lookup.
  ///
  /// Throws `decodingLimit`.
  func abbreviations() throws(DwarfReadError) -> AbbreviationTable {
    try file.decodedOnce.abbreviationTable(
      at: header.abbreviationOffset, of: file.abbreviationSection, file.byteOrder, format: format)
  }

  /// A cursor at `offset` of `.debug_info` that ends at the end of the unit.
  @inline(__always)
  func dieCursor(at offset: UInt64) -> ByteCursor {
    file.info.cursor(at: offset, end: header.end, byteOrder: file.byteOrder)
  }

  /// The offset in `.debug_info` of the unit's first DIE.
  var firstDieOffset: UInt64 { header.offset + header.headerSize }

  /// Whether the unit, decoded with its lines, may take more memory than may be in use.
  func mayExceed(_ decodedSizeLimit: UInt64) -> Bool {
    let limit = decodedSizeLimit / DecodingLimits.expansion
    if header.end - header.offset > limit { return true }
    guard let offset = root.lineTableOffset, let section = file.sections[.line] else {
      return false
    }
    var cursor = section.cursor(at: offset, byteOrder: file.byteOrder)
    let short = cursor.readUInt32()
    return (short == 0xffff_ffff ? cursor.readUInt64() : UInt64(short)) > limit
  }

  /// Whether `offset` lies in the unit, behind its header.
  func holdsDie(at offset: UInt64) -> Bool { offset >= firstDieOffset && offset < header.end }
}

// Skeleton units, and the split units that contain their DIEs (DWARF 5, section 7.3.2, and the
// older GNU extension of the same design).

extension DwarfUnit {
  /// The reference to the split unit; nil if the unit is not a skeleton.
  ///
  /// Units of clang modules have the same attributes, which name a module file (`.pcm`) without
  /// code. A skeleton has code ranges, and they do not.
  var splitReference: DwarfSplitUnitReference? {
    guard root.codeRange.low.isPresent || root.codeRange.ranges.isPresent,
      let value = root.splitName, let name = path(value),
      let identifier = header.dwoIdentifier ?? root.splitIdentifier
    else { return nil }
    return DwarfSplitUnitReference(
      name: name, compilationDirectory: root.compilationDirectory.flatMap(path),
      identifier: identifier)
  }
}

extension DwarfUnit {
  /// The unit that contains the functions of this unit: its split unit, or this unit if it has
  /// none. Also this unit if the split unit cannot be read; the reason is passed to `record`.
  func unitHoldingDies(record: (DwarfReadError) -> Void) -> DwarfUnit {
    do throws(DwarfReadError) {
      return try file.splitUnit(of: self) ?? self
    } catch {
      record(error)
      return self
    }
  }
}
