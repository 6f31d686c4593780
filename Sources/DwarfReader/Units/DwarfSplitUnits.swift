import BinaryInput

/// The unit index of a package of split DWARF, `.debug_cu_index` (DWARF 5, section 7.3.5.3).
/// Version 2 is the older GNU extension.
enum DwarfPackageIndex {
  /// `sections` reduced to the parts that belong to the unit with `identifier`. Sections of a
  /// `.dwo` file, which has no index, are returned unchanged.
  ///
  /// Throws `splitUnitNotFound` if the index does not contain the unit, and `malformed` if it
  /// contradicts itself. Cost: a hash table lookup.
  static func sections(
    of sections: DwarfSections, forUnit identifier: UInt64
  ) throws(DwarfReadError) -> DwarfSections {
    guard let region = sections[.unitIndex] else { return sections }
    let malformed = DwarfReadError.malformed(section: .unitIndex, offset: 0)
    var cursor = region.cursor(byteOrder: sections.byteOrder)
    // The version has 2 bytes, followed by 2 bytes of padding, since DWARF 5, and 4 bytes before.
    let version = cursor.readUInt16()
    let padding = cursor.readUInt16()
    let isKnown = version == 5 || version == 2 || (version == 0 && padding == 2)
    guard isKnown else { throw malformed }
    let columnCount = UInt64(cursor.readUInt32())
    let unitCount = UInt64(cursor.readUInt32())
    let slotCount = UInt64(cursor.readUInt32())
    // A column is a kind of section. Both versions have 8 kinds.
    guard !cursor.hasFailed, columnCount <= 16 else { throw malformed }
    let headerSize: UInt64 = 16
    // The factors have 32 bits, and one of them is small, so none of these sums overflows.
    let identifiers = headerSize
    let rows = identifiers + 8 * slotCount
    let columns = rows + 4 * slotCount
    let offsets = columns + 4 * columnCount
    let sizes = offsets + 4 * columnCount * unitCount
    guard sizes + 4 * columnCount * unitCount <= UInt64(region.count) else { throw malformed }

    func number(at offset: UInt64, size: Int = 4) -> UInt64 {
      var cursor = region.cursor(at: offset, byteOrder: sections.byteOrder)
      return cursor.readUnsigned(size: size)
    }

    guard
      let row = row(
        of: identifier, slotCount: slotCount,
        identifierAt: { number(at: identifiers + 8 * $0, size: 8) },
        rowAt: { number(at: rows + 4 * $0) })
    else { throw .splitUnitNotFound(name: nil, identifier: identifier) }
    guard row <= unitCount else { throw malformed }

    var result = sections
    for column in 0..<columnCount {
      let kind = number(at: columns + 4 * column)
      guard let name = section(kind, version: version), let whole = sections[name] else { continue }
      let cell = 4 * ((row - 1) * columnCount + column)
      do {
        let part = try whole.subregion(
          offset: number(at: offsets + cell), count: number(at: sizes + cell))
        result = result.replacing(name, with: part)
      } catch {
        throw .unreadable(section: name, error)
      }
    }
    return result
  }

  /// The greatest number of slots that a search examines. In packages that tools write, at least a
  /// third of the slots are empty, so some dozens are enough even among millions of units.
  private static let searchLimit: UInt64 = 1024

  /// The row of `identifier`, 1-based: open addressing with double hashing.
  private static func row(
    of identifier: UInt64, slotCount: UInt64, identifierAt: (UInt64) -> UInt64,
    rowAt: (UInt64) -> UInt64
  ) -> UInt64? {
    guard slotCount > 0, slotCount & (slotCount - 1) == 0 else { return nil }
    let mask = slotCount - 1
    var slot = identifier & mask
    let step = ((identifier >> 32) & mask) | 1
    for _ in 0..<min(slotCount, searchLimit) {
      let row = rowAt(slot)
      if row == 0 { return nil }
      if identifierAt(slot) == identifier { return row }
      slot = (slot + step) & mask
    }
    return nil
  }

  /// `DW_SECT_…`: the numbers changed with version 5.
  private static func section(_ kind: UInt64, version: UInt16) -> DwarfSectionName? {
    switch (kind, version) {
    case (1, _): .info
    case (3, _): .abbreviations
    case (4, _): .line
    case (6, _): .stringOffsets
    case (8, 5): .rangeLists
    default: nil
    }
  }
}

/// The units of a `.dwo` file, or of one part of a package.
final class DwarfSplitUnits: Sendable {
  private let file: DwarfFile
  /// By identifier. Of several units with the same identifier, the first counts.
  private let headers: [UInt64: DwarfUnitHeader]
  /// Why the identifier of the first unreadable unit cannot be read.
  private let fault: DwarfReadError?

  /// Throws `missingSection`, and `decodingLimit` if the parts of a package overlap too often.
  init(_ sections: DwarfSections, of image: DwarfFile) throws(DwarfReadError) {
    let limits = image.limits
    guard limits.walks.permitsMore else { throw .decodingLimit(section: .info) }
    limits.walks.add(sections[.info]?.count ?? 0)
    let file = try DwarfFile(
      sections: sections.combined(withSkeletonsOf: image.sections), referencedFiles: nil,
      decodedOnce: image.decodedOnce)
    var headers: [UInt64: DwarfUnitHeader] = [:]
    var fault: DwarfReadError?
    for header in file.unitList.units {
      if header.unitType == DwarfUnitHeader.splitTypeUnit
        || header.unitType == DwarfUnitHeader.typeUnit
      {
        continue
      }
      do throws(DwarfReadError) {
        let identifier =
          if let own = header.dwoIdentifier { own } else {
            try UnitRoot(header, of: file).splitIdentifier
          }
        if let identifier, headers[identifier] == nil { headers[identifier] = header }
      } catch {
        fault = fault ?? error
      }
    }
    self.file = file
    self.headers = headers
    self.fault = fault
  }

  /// The unit that `reference` of `skeleton` refers to.
  ///
  /// Throws `splitUnitNotFound` if no unit has the identifier: the file is from another build.
  func unit(
    _ reference: DwarfSplitUnitReference, of skeleton: DwarfUnit
  ) throws(DwarfReadError) -> DwarfUnit {
    guard let header = headers[reference.identifier] else {
      throw fault ?? .splitUnitNotFound(name: reference.name, identifier: reference.identifier)
    }
    return try DwarfUnit(header, of: file, skeleton: skeleton)
  }
}

extension DwarfSections {
  /// The sections of a split DWARF file, together with those that only the image has: the
  /// addresses, the ranges before DWARF 5, and the code ranges.
  fileprivate func combined(withSkeletonsOf image: DwarfSections) -> DwarfSections {
    DwarfSections(byteOrder: byteOrder, addressSize: addressSize, codeRanges: image.codeRanges) {
      switch $0 {
      case .addresses, .ranges: image[$0]
      default: self[$0]
      }
    }
  }
}
