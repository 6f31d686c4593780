import CLibDwarf
import DwarfReader

/// A libdwarf handle (`Dwarf_Debug`) that sees one unit or several consecutive ones. All offsets in
/// this interface are relative to the start of `.debug_info`, not to the first of these units.
///
/// Soundness: the handle is opened in `init`, never replaced, and finished in `deinit`. `provider`,
/// which keeps the bytes that libdwarf reads, lives as long. What libdwarf allocates is freed by
/// the object or function that asked for it, and such an object keeps its handle. (libdwarf's own
/// deallocation is switched off: it keeps a tree of all allocations, which costs more than the
/// decoding.) One thread at a time may use a handle.
@safe final class LibDwarfHandle {
  let debug: Dwarf_Debug
  let provider: SectionProvider
  /// The offset in `.debug_info` of the first unit that libdwarf sees.
  let baseOffset: UInt64

  /// Whether the loaded libdwarf has the interface of the headers. Evaluating it also switches off
  /// deallocation by libdwarf, which must happen before the first handle is opened.
  private static let isUsable: Result<Void, DwarfReadError> = {
    let version = unsafe dwarf_package_version().map { unsafe String(cString: $0) } ?? ""
    // Older versions are dates; all later ones contain a dot.
    let isDate = !version.utf8.contains(UInt8(ascii: "."))
    guard isDate == (clibdwarf_version_is_date == 1) else {
      return .failure(.libdwarfMismatch(loadedVersion: version))
    }
    dwarf_set_de_alloc_flag(0)
    return .success(())
  }()

  /// Throws `libdwarfMismatch` if libdwarf must not be called at all.
  static func checkVersion() throws(DwarfReadError) { try isUsable.get() }

  /// Opens libdwarf over `sections`.
  ///
  /// - Parameters:
  ///   - infoRange: the bytes of `.debug_info` to show: one unit, or several consecutive ones.
  ///   - rangeListCount: the number of bytes of `.debug_rnglists` to show.
  init(
    _ sections: DwarfSections, infoRange: Range<UInt64>, rangeListCount: UInt64
  ) throws(DwarfReadError) {
    try Self.checkVersion()
    provider = SectionProvider(sections, infoRange: infoRange, rangeListCount: rangeListCount)
    baseOffset = infoRange.lowerBound
    var debug: Dwarf_Debug?
    var error: Dwarf_Error?
    let result = unsafe provider.open(&debug, &error)
    guard result == DW_DLV_OK, let debug = unsafe debug else {
      throw unsafe Self.take(&error, of: nil, unitOffset: infoRange.lowerBound)
    }
    unsafe self.debug = debug
  }

  deinit { unsafe clibdwarf_object_finish(debug) }

  /// Converts a libdwarf error to a `DwarfReadError`, and frees it.
  static func take(
    _ error: inout Dwarf_Error?, of debug: Dwarf_Debug?, unitOffset: UInt64
  ) -> DwarfReadError {
    guard let refused = unsafe error else {
      return .libdwarf(code: 0, message: "", unitOffset: unitOffset)
    }
    let code = unsafe dwarf_errno(refused)
    let message = unsafe dwarf_errmsg(refused).map { unsafe String(cString: $0) } ?? ""
    unsafe dwarf_dealloc_error(debug, refused)
    unsafe error = nil
    // The text behind the name may contain pointers, which differ from run to run.
    let name = message.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
    return .libdwarf(code: code, message: String(name), unitOffset: unitOffset)
  }

  /// Returns true for `DW_DLV_OK` and false for `DW_DLV_NO_ENTRY`; throws for `DW_DLV_ERROR`.
  func check(
    _ result: Int32, _ error: inout Dwarf_Error?
  ) throws(DwarfReadError) -> Bool {
    switch result {
    case DW_DLV_OK: return true
    case DW_DLV_NO_ENTRY: return false
    default: throw unsafe Self.take(&error, of: debug, unitOffset: baseOffset)
    }
  }

  /// A cursor on the DIE at `offset`; nil if there is an end mark instead.
  func cursor(at offset: UInt64, in unit: DwarfUnitHeader) throws(DwarfReadError) -> DieCursor? {
    var die: Dwarf_Die?
    var error: Dwarf_Error?
    let result = unsafe dwarf_offdie_b(debug, offset - baseOffset, 1, &die, &error)
    guard try unsafe check(result, &error), let die = unsafe die else { return nil }
    return unsafe DieCursor(handle: self, unit: unit, taking: die)
  }

  /// Moves to the next unit, and returns the offset of its end in `.debug_info`; nil behind the
  /// last unit.
  func nextUnit() throws(DwarfReadError) -> UInt64? {
    var error: Dwarf_Error?
    var length: Dwarf_Unsigned = 0
    var version: Dwarf_Half = 0
    var abbreviationOffset: Dwarf_Off = 0
    var addressSize: Dwarf_Half = 0
    var lengthSize: Dwarf_Half = 0
    var extensionSize: Dwarf_Half = 0
    var signature = Dwarf_Sig8()
    var typeOffset: Dwarf_Unsigned = 0
    var next: Dwarf_Unsigned = 0
    var unitType: Dwarf_Half = 0
    let result = unsafe dwarf_next_cu_header_d(
      debug, 1, &length, &version, &abbreviationOffset, &addressSize, &lengthSize, &extensionSize,
      &signature, &typeOffset, &next, &unitType, &error)
    guard try unsafe check(result, &error) else { return nil }
    let (end, overflow) = baseOffset.addingReportingOverflow(next)
    return overflow ? nil : end
  }

  /// A cursor on the first DIE of the unit that `nextUnit` moved to; nil if it has no DIEs.
  func firstDie(of unit: DwarfUnitHeader) throws(DwarfReadError) -> DieCursor? {
    var die: Dwarf_Die?
    var error: Dwarf_Error?
    let result = unsafe dwarf_siblingof_b(debug, nil, 1, &die, &error)
    guard try unsafe check(result, &error), let die = unsafe die else { return nil }
    return unsafe DieCursor(handle: self, unit: unit, taking: die)
  }
}
