import BinaryInput

/// Decodes attribute values that depend on the unit.
extension DwarfUnit {
  /// The address that `value` is, or is the index of. Nil if it is neither, or `.debug_addr` has no
  /// such index.
  @inline(__always)
  func address(_ value: DwarfValue) -> UInt64? {
    if value.form == DwarfForm.addr { return value.number }
    return Self.address(value, base: addressBase, format: format, in: file)
  }

  static func address(
    _ value: DwarfValue, base: UInt64, format: DwarfUnitFormat, in file: DwarfFile
  ) -> UInt64? {
    if value.form == DwarfForm.addr { return value.number }
    guard value.isAddress else { return nil }
    return address(at: value.number, base: base, format: format, in: file)
  }

  /// The address with `index` in the unit's part of `.debug_addr`; nil if there is none.
  func address(at index: UInt64) -> UInt64? {
    Self.address(at: index, base: addressBase, format: format, in: file)
  }

  private static func address(
    at index: UInt64, base: UInt64, format: DwarfUnitFormat, in file: DwarfFile
  ) -> UInt64? {
    element(index, base: base, size: format.addressSize, of: file.addresses, file.byteOrder)
  }

  /// The number with `index` in the table at offset `base` of `section`; nil if it is outside the
  /// section.
  static func element(
    _ index: UInt64, base: UInt64, size: Int, of section: ByteRegion?, _ byteOrder: ByteOrder
  ) -> UInt64? {
    let (distance, overflow) = index.multipliedReportingOverflow(by: UInt64(size))
    let (offset, passes) = base.addingReportingOverflow(distance)
    guard let section, !overflow, !passes else { return nil }
    return section.unsigned(at: offset, size: size, byteOrder: byteOrder)
  }

  /// The section and offset of the string `value`; nil if `value` is not a string, or is one in
  /// another file.
  func stringReference(_ value: DwarfValue) -> StringReference? {
    switch value.form {
    case DwarfForm.string: return StringReference(section: .info, offset: value.number)
    case DwarfForm.strp: return StringReference(section: .strings, offset: value.number)
    case DwarfForm.lineStrp: return StringReference(section: .lineStrings, offset: value.number)
    case DwarfForm.strx, DwarfForm.strx1, DwarfForm.strx2, DwarfForm.strx3, DwarfForm.strx4,
      DwarfForm.gnuStrIndex:
      return Self.element(
        value.number, base: stringOffsetsBase, size: format.offsetSize, of: file.stringOffsets,
        file.byteOrder
      ).map { StringReference(section: .strings, offset: $0) }
    default: return nil
    }
  }

  /// The string `value`, also from another file. Nil if it is not a string, cannot be read, or the
  /// decoding limit for text is exceeded.
  func string(_ value: DwarfValue) -> String? {
    guard let place = place(of: value) else { return nil }
    return file.decodedOnce.text(at: place.offset, of: place.section)
  }

  /// The string `value` as a path, which keeps bytes that are not UTF-8 (`PathByte`). Nil as for
  /// `string`.
  func path(_ value: DwarfValue) -> String? {
    guard let place = place(of: value), file.limits.texts.permitsMore,
      let count = place.section.countBeforeZero(from: place.offset)
    else { return nil }
    file.limits.texts.add(count + 1)
    return place.section.path(at: place.offset, count: count)
  }

  /// Where the string `value` is, in this file or in another one.
  private func place(of value: DwarfValue) -> (section: ByteRegion, offset: UInt64)? {
    if value.form == DwarfForm.gnuStrpAlt || value.form == DwarfForm.strpSup {
      guard let strings = (try? file.supplementary())?.strings else { return nil }
      return (strings, value.number)
    }
    guard let reference = stringReference(value) else { return nil }
    switch reference.section {
    case .info: return (file.info, reference.offset)
    case .lineStrings: return file.lineStrings.map { ($0, reference.offset) }
    default: return file.strings.map { ($0, reference.offset) }
    }
  }

  /// The DIE that `value` refers to, by its unit and offset. Nil if it is not found, or if the
  /// reference is a type signature.
  func reference(_ value: DwarfValue) throws(DwarfReadError) -> (unit: DwarfUnit, offset: UInt64)? {
    switch value.form {
    case DwarfForm.ref1, DwarfForm.ref2, DwarfForm.ref4, DwarfForm.ref8, DwarfForm.refUdata:
      let (offset, overflow) = header.offset.addingReportingOverflow(value.number)
      return !overflow && holdsDie(at: offset) ? (self, offset) : nil
    case DwarfForm.refAddr:
      if holdsDie(at: value.number) { return (self, value.number) }
      return try file.unit(containing: value.number).map { ($0, value.number) }
    case DwarfForm.gnuRefAlt, DwarfForm.refSup4, DwarfForm.refSup8:
      return try file.supplementary()?.unit(containing: value.number).map { ($0, value.number) }
    default:
      return nil
    }
  }
}
