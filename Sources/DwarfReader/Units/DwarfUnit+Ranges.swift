import BinaryInput

/// Code ranges of DIEs.
extension DwarfUnit {
  /// Calls `body` with the start and the end (exclusive) of each range that `attributes` state:
  /// `DW_AT_low_pc` and `DW_AT_high_pc`, or else `DW_AT_ranges`. The ranges are those of the file:
  /// some may be empty, or lie where the image has no code.
  ///
  /// Returns false if a range cannot be read; `unreadableRanges` then tells why. The ranges before
  /// it have been passed to `body`.
  @inline(__always)
  func forEachCodeRange(
    of attributes: CodeRangeAttributes, _ body: (UInt64, UInt64) -> Void
  ) -> Bool {
    if attributes.low.isPresent, attributes.high.isPresent {
      guard let low = address(attributes.low) else { return false }
      // Since DWARF 4, a constant is the size of the range.
      guard attributes.high.isAddress else {
        let (high, overflow) = low.addingReportingOverflow(attributes.high.number)
        if !overflow { body(low, high) }
        return true
      }
      guard let high = address(attributes.high) else { return false }
      body(low, high)
      return true
    }
    guard attributes.ranges.isPresent else { return true }
    return header.version >= 5
      ? forEachRangeListEntry(of: attributes.ranges, body)
      : forEachRangeEntry(of: attributes.ranges, body)
  }

  /// The error to report if `forEachCodeRange` failed for the DIE at `offset` of `.debug_info`.
  func unreadableRanges(ofDieAt offset: UInt64) -> DwarfReadError {
    guard file.limits.ranges.permitsMore else {
      return .decodingLimit(section: header.version >= 5 ? .rangeLists : .ranges)
    }
    return .malformed(section: .info, offset: offset)
  }

  /// A list in `.debug_ranges` (DWARF 4, section 2.17.3).
  private func forEachRangeEntry(
    of list: DwarfValue, _ body: (UInt64, UInt64) -> Void
  ) -> Bool {
    let (offset, overflow) = list.number.addingReportingOverflow(rangesBase)
    guard let section = file.ranges, !overflow, file.limits.ranges.permitsMore else {
      return false
    }
    var cursor = section.cursor(at: offset, byteOrder: file.byteOrder)
    let start = cursor.position
    defer { file.limits.ranges.add(cursor.position - start) }
    let size = format.addressSize
    let selectsBase = size >= 8 ? UInt64.max : (1 << (8 * UInt64(size))) - 1
    var base = lowPc
    while true {
      let first = cursor.readUnsigned(size: size)
      let second = cursor.readUnsigned(size: size)
      if cursor.hasFailed { return false }
      if first == 0, second == 0 { return true }
      if first == selectsBase {
        base = second
        continue
      }
      Self.add(base, first, second, body)
    }
  }

  /// A list in `.debug_rnglists` (DWARF 5, sections 2.17.3 and 7.25).
  private func forEachRangeListEntry(
    of list: DwarfValue, _ body: (UInt64, UInt64) -> Void
  ) -> Bool {
    guard let section = file.rangeLists, let offset = rangeListOffset(list),
      file.limits.ranges.permitsMore
    else { return false }
    var cursor = section.cursor(at: offset, byteOrder: file.byteOrder)
    let start = cursor.position
    defer { file.limits.ranges.add(cursor.position - start) }
    var base = lowPc
    while true {
      let kind = cursor.readUInt8()
      if cursor.hasFailed { return false }
      switch kind {
      case 0x00:  // DW_RLE_end_of_list
        return true
      case 0x01:  // DW_RLE_base_addressx
        guard let address = address(at: cursor.readUleb128()) else { return false }
        base = address
      case 0x02:  // DW_RLE_startx_endx
        let low = address(at: cursor.readUleb128())
        let high = address(at: cursor.readUleb128())
        guard let low, let high else { return false }
        body(low, high)
      case 0x03:  // DW_RLE_startx_length
        let low = address(at: cursor.readUleb128())
        let length = cursor.readUleb128()
        guard let low else { return false }
        Self.add(low, 0, length, body)
      case 0x04:  // DW_RLE_offset_pair
        let first = cursor.readUleb128()
        let second = cursor.readUleb128()
        if !cursor.hasFailed { Self.add(base, first, second, body) }
      case 0x05:  // DW_RLE_base_address
        base = cursor.readUnsigned(size: format.addressSize)
      case 0x06:  // DW_RLE_start_end
        let low = cursor.readUnsigned(size: format.addressSize)
        let high = cursor.readUnsigned(size: format.addressSize)
        if !cursor.hasFailed { body(low, high) }
      case 0x07:  // DW_RLE_start_length
        let low = cursor.readUnsigned(size: format.addressSize)
        let length = cursor.readUleb128()
        if !cursor.hasFailed { Self.add(low, 0, length, body) }
      default:
        return false
      }
    }
  }

  @inline(__always)
  private static func add(
    _ base: UInt64, _ first: UInt64, _ second: UInt64, _ body: (UInt64, UInt64) -> Void
  ) {
    let (low, lowOverflow) = base.addingReportingOverflow(first)
    let (high, highOverflow) = base.addingReportingOverflow(second)
    if !lowOverflow, !highOverflow { body(low, high) }
  }

  private func rangeListOffset(_ list: DwarfValue) -> UInt64? {
    guard list.form == DwarfForm.rnglistx else { return list.number }
    guard
      let distance = Self.element(
        list.number, base: rangeListsBase, size: format.offsetSize, of: file.rangeLists,
        file.byteOrder)
    else { return nil }
    let (offset, overflow) = rangeListsBase.addingReportingOverflow(distance)
    return overflow ? nil : offset
  }
}
