import CLibDwarf
import DwarfReader

/// Attribute values of the current DIE. They are nil if the DIE does not have the attribute.
extension DieCursor {
  /// Whether the DIE has the attribute.
  func has(_ attribute: Int32) throws(DwarfReadError) -> Bool {
    var isPresent: Dwarf_Bool = 0
    var error: Dwarf_Error?
    let result = unsafe dwarf_hasattr(die, Dwarf_Half(attribute), &isPresent, &error)
    return try unsafe handle.check(result, &error) && isPresent != 0
  }

  /// A string of any form. Also nil if the string is in another file: libdwarf 20210528 then
  /// returns `<DW_FORM_GNU_strp_alt-no-tied-file>`.
  func string(_ attribute: Int32) throws(DwarfReadError) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    var error: Dwarf_Error?
    let result = unsafe dwarf_die_text(die, Dwarf_Half(attribute), &text, &error)
    guard try unsafe handle.check(result, &error), let text = unsafe text else { return nil }
    let string = unsafe String(cString: text)
    return string.hasPrefix("<DW_FORM_") && string.hasSuffix("-no-tied-file>") ? nil : string
  }

  /// A path of any form, with the bytes that are not UTF-8, if it is in one of `sections`.
  func path(_ attribute: Int32, in sections: DwarfSections) throws(DwarfReadError) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    var error: Dwarf_Error?
    let result = unsafe dwarf_die_text(die, Dwarf_Half(attribute), &text, &error)
    guard try unsafe handle.check(result, &error), let text = unsafe text,
      let place = unsafe handle.provider.stringReference(text)
    else { return try string(attribute) }
    return sections.path(in: place.section, at: place.offset)
  }

  /// The string of attribute `first`; if the DIE does not have it, that of `second`.
  func firstString(_ first: Int32, _ second: Int32) throws(DwarfReadError) -> String? {
    if let text = try string(first) { return text }
    return try string(second)
  }

  /// The target of attribute `first`; if the DIE does not have it, that of `second`.
  func firstReference(_ first: Int32, _ second: Int32) throws(DwarfReadError) -> UInt64? {
    if let offset = try reference(first) { return offset }
    return try reference(second)
  }

  /// A constant of any form. `dwarf_formudata` fails for `DW_FORM_implicit_const` and for negative
  /// `DW_FORM_sdata`; these are read with `dwarf_formsdata`.
  func unsigned(_ attribute: Int32) throws(DwarfReadError) -> UInt64? {
    let found = try unsafe withAttribute(attribute) {
      (value: Dwarf_Attribute) throws(DwarfReadError) in try unsafe unsigned(of: value)
    }
    return found ?? nil
  }

  /// The offset in `.debug_info` of the DIE that the attribute refers to. Also nil if that DIE is
  /// in another file, or the reference is a type signature.
  func reference(_ attribute: Int32) throws(DwarfReadError) -> UInt64? {
    let found = try unsafe withAttribute(attribute) {
      (value: Dwarf_Attribute) throws(DwarfReadError) -> UInt64? in
      let form = try unsafe form(of: value)
      switch form {
      case DW_FORM_ref_sig8, DW_FORM_GNU_ref_alt, DW_FORM_ref_sup4, DW_FORM_ref_sup8: return nil
      default: break
      }
      var offset: Dwarf_Off = 0
      var error: Dwarf_Error?
      let result = unsafe dwarf_global_formref(value, &offset, &error)
      guard try unsafe handle.check(result, &error) else { return nil }
      // `DW_FORM_ref_addr` is relative to the start of the section. libdwarf makes all others
      // relative to the start of the part that it sees.
      if form == DW_FORM_ref_addr { return offset }
      let (global, overflow) = offset.addingReportingOverflow(handle.baseOffset)
      return overflow ? nil : global
    }
    return found ?? nil
  }

  /// An offset in another section, such as `DW_AT_stmt_list`. It has the form `sec_offset` since
  /// DWARF 4, and is a plain number before.
  func sectionOffset(_ attribute: Int32) throws(DwarfReadError) -> UInt64? {
    let found = try unsafe withAttribute(attribute) {
      (value: Dwarf_Attribute) throws(DwarfReadError) -> UInt64? in
      var error: Dwarf_Error?
      var offset: Dwarf_Unsigned = 0
      let result =
        try unsafe form(of: value) == DW_FORM_sec_offset
        ? unsafe dwarf_global_formref(value, &offset, &error)
        : unsafe dwarf_formudata(value, &offset, &error)
      return try unsafe handle.check(result, &error) ? offset : nil
    }
    return found ?? nil
  }

  /// `DW_AT_low_pc`.
  var lowAddress: UInt64? {
    get throws(DwarfReadError) {
      var low: Dwarf_Addr = 0
      var error: Dwarf_Error?
      let result = unsafe dwarf_lowpc(die, &low, &error)
      return try unsafe handle.check(result, &error) ? low : nil
    }
  }

  /// `DW_AT_high_pc` as an address. Since DWARF 4, it can be a constant relative to `low`.
  func highAddress(from low: UInt64) throws(DwarfReadError) -> UInt64? {
    var high: Dwarf_Addr = 0
    var form: Dwarf_Half = 0
    var formClass = DW_FORM_CLASS_UNKNOWN
    var error: Dwarf_Error?
    let result = unsafe dwarf_highpc_b(die, &high, &form, &formClass, &error)
    do throws(DwarfReadError) {
      guard try unsafe handle.check(result, &error) else { return nil }
      if formClass == DW_FORM_CLASS_ADDRESS { return high }
    } catch {
      guard let length = try? unsigned(DW_AT_high_pc) else { throw error }
      high = length
    }
    let (end, overflow) = low.addingReportingOverflow(high)
    return overflow ? nil : end
  }

  /// Calls `body` with the start and the end (exclusive) of each code range of the DIE:
  /// `DW_AT_low_pc` and `DW_AT_high_pc`, or else `DW_AT_ranges`. The ranges are those of the file:
  /// some may be empty, or lie where the image has no code.
  ///
  /// - Parameter unitLow: `DW_AT_low_pc` of the unit's first DIE: the base address of lists in
  ///   `.debug_ranges`.
  func forEachCodeRange(
    unitLow: UInt64, _ body: (UInt64, UInt64) -> Void
  ) throws(DwarfReadError) {
    if let low = try lowAddress, let high = try highAddress(from: low) {
      body(low, high)
      return
    }
    _ = try unsafe withAttribute(DW_AT_ranges) { (value: Dwarf_Attribute) throws(DwarfReadError) in
      if unit.version >= 5 {
        try unsafe forEachRangeListEntry(value, body)
      } else {
        try unsafe forEachRangeEntry(value, base: unitLow, body)
      }
    }
  }

  /// `DW_AT_ranges` before DWARF 5: refers to a list in `.debug_ranges`.
  private func forEachRangeEntry(
    _ value: Dwarf_Attribute, base unitLow: UInt64, _ body: (UInt64, UInt64) -> Void
  ) throws(DwarfReadError) {
    var error: Dwarf_Error?
    var offset: Dwarf_Off = 0
    // In DWARF 2 and 3, the offset is a plain number.
    if unsafe dwarf_global_formref(value, &offset, &error) != DW_DLV_OK {
      if unsafe error != nil {
        _ = unsafe LibDwarfHandle.take(&error, of: handle.debug, unitOffset: 0)
      }
      guard let number = try unsafe unsigned(of: value) else { return }
      offset = number
    }
    var entries: UnsafeMutablePointer<Dwarf_Ranges>?
    var count: Dwarf_Signed = 0
    let result = unsafe dwarf_get_ranges_b(
      handle.debug, offset, die, nil, &entries, &count, nil, &error)
    guard try unsafe handle.check(result, &error), let entries = unsafe entries else { return }
    defer { unsafe clibdwarf_dealloc_ranges(handle.debug, entries, count) }
    var base = unitLow
    for index in 0..<Int(count) {
      let entry = unsafe entries[index]
      switch entry.dwr_type {
      case DW_RANGES_ADDRESS_SELECTION:
        base = entry.dwr_addr2
      case DW_RANGES_ENTRY:
        let (low, lowOverflow) = base.addingReportingOverflow(entry.dwr_addr1)
        let (high, highOverflow) = base.addingReportingOverflow(entry.dwr_addr2)
        if !lowOverflow, !highOverflow { body(low, high) }
      default:
        break
      }
    }
  }

  /// `DW_AT_ranges` in DWARF 5: refers to a list in `.debug_rnglists`.
  private func forEachRangeListEntry(
    _ value: Dwarf_Attribute, _ body: (UInt64, UInt64) -> Void
  ) throws(DwarfReadError) {
    var error: Dwarf_Error?
    let form = try unsafe form(of: value)
    // What libdwarf wants depends on the form.
    var indexOrOffset: Dwarf_Unsigned = 0
    if form == DW_FORM_rnglistx {
      guard let index = try unsafe unsigned(of: value) else { return }
      indexOrOffset = index
    } else {
      var offset: Dwarf_Off = 0
      let result = unsafe dwarf_global_formref(value, &offset, &error)
      guard try unsafe handle.check(result, &error) else { return }
      indexOrOffset = offset
    }
    var head: Dwarf_Rnglists_Head?
    var count: Dwarf_Unsigned = 0
    var listOffset: Dwarf_Unsigned = 0
    let result = unsafe dwarf_rnglists_get_rle_head(
      value, Dwarf_Half(form), indexOrOffset, &head, &count, &listOffset, &error)
    guard try unsafe handle.check(result, &error), let head = unsafe head else { return }
    defer { unsafe clibdwarf_dealloc_rnglists_head(head) }
    for index in 0..<count {
      var length: UInt32 = 0
      var kind: UInt32 = 0
      var first: Dwarf_Unsigned = 0
      var second: Dwarf_Unsigned = 0
      var isUnavailable: Dwarf_Bool = 0
      var low: Dwarf_Unsigned = 0
      var high: Dwarf_Unsigned = 0
      let result = unsafe dwarf_get_rnglists_entry_fields_a(
        head, index, &length, &kind, &first, &second, &isUnavailable, &low, &high, &error)
      guard try unsafe handle.check(result, &error) else { return }
      switch Int32(kind) {
      case DW_RLE_startx_endx, DW_RLE_startx_length, DW_RLE_offset_pair, DW_RLE_start_end,
        DW_RLE_start_length:
        if isUnavailable == 0 { body(low, high) }
      default:
        break
      }
    }
  }

  // MARK: - One attribute

  /// Calls `body` with the attribute, and frees it afterwards. Nil if the DIE does not have the
  /// attribute.
  private func withAttribute<Value>(
    _ attribute: Int32, _ body: (Dwarf_Attribute) throws(DwarfReadError) -> Value
  ) throws(DwarfReadError) -> Value? {
    var value: Dwarf_Attribute?
    var error: Dwarf_Error?
    let result = unsafe dwarf_attr(die, Dwarf_Half(attribute), &value, &error)
    guard try unsafe handle.check(result, &error), let value = unsafe value else { return nil }
    defer { unsafe dwarf_dealloc_attribute(value) }
    return try unsafe body(value)
  }

  private func form(of value: Dwarf_Attribute) throws(DwarfReadError) -> Int32 {
    var form: Dwarf_Half = 0
    var error: Dwarf_Error?
    let result = unsafe dwarf_whatform(value, &form, &error)
    _ = try unsafe handle.check(result, &error)
    return Int32(form)
  }

  private func unsigned(of value: Dwarf_Attribute) throws(DwarfReadError) -> UInt64? {
    var error: Dwarf_Error?
    var number: Dwarf_Unsigned = 0
    let result = unsafe dwarf_formudata(value, &number, &error)
    do throws(DwarfReadError) {
      return try unsafe handle.check(result, &error) ? number : nil
    } catch let refusal {
      var signed: Dwarf_Signed = 0
      let result = unsafe dwarf_formsdata(value, &signed, &error)
      if result == DW_DLV_OK { return UInt64(bitPattern: signed) }
      if unsafe error != nil {
        _ = unsafe LibDwarfHandle.take(&error, of: handle.debug, unitOffset: 0)
      }
      throw refusal
    }
  }
}
