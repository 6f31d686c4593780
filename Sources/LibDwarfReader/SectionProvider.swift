import BinaryInput
import CLibDwarf
import DwarfReader
import SymbolicationModel

/// The sections that one libdwarf handle sees, by their ELF names: a part of `.debug_info`, and the
/// sections that its DIEs refer to. `.debug_loclists` and `.debug_loc` are never shown: they are
/// not needed, and libdwarf would read their headers for each handle.
///
/// Soundness: the pointers passed to libdwarf are static strings, or lie in the regions of
/// `sections`, which this object keeps. libdwarf only reads through them. `interface` and `methods`
/// are allocated once and freed in `deinit`, and `LibDwarfHandle` keeps this object until libdwarf
/// is finished. So the address of `self`, which libdwarf passes back to the functions, is valid as
/// long.
@safe final class SectionProvider {
  private let sections: DwarfSections
  private var shown: [Section]
  private let methods: UnsafeMutablePointer<ClibDwarfMethods>
  private let interface: UnsafeMutablePointer<ClibDwarfInterface>

  @unsafe private struct Section {
    let name: StaticString
    let bytes: UnsafeRawBufferPointer
  }

  /// - Parameters:
  ///   - infoRange: the bytes of `.debug_info` to show, clamped to the section.
  ///   - rangeListCount: the number of bytes of `.debug_rnglists` to show, from its start.
  init(_ sections: DwarfSections, infoRange: Range<UInt64>, rangeListCount: UInt64) {
    self.sections = sections
    unsafe methods = .allocate(capacity: 1)
    unsafe interface = .allocate(capacity: 1)
    unsafe shown = []
    unsafe methods.initialize(
      to: clibdwarf_methods(
        { object, index, section, _ in unsafe SectionProvider.getSection(object, index, section) },
        { unsafe SectionProvider.from($0)?.byteOrder ?? clibdwarf_byte_order(1) },
        { _ in 4 },
        { unsafe SectionProvider.from($0)?.pointerSize ?? 8 },
        { unsafe SectionProvider.from($0)?.fileSize ?? 0 },
        { unsafe SectionProvider.from($0)?.sectionCount ?? 0 },
        { object, index, bytes, _ in unsafe SectionProvider.loadSection(object, index, bytes) }))
    unsafe interface.initialize(
      to: clibdwarf_interface(Unmanaged.passUnretained(self).toOpaque(), methods))

    let wholeInfo = UInt64(sections[.info]?.count ?? 0)
    show(.info, ".debug_info", infoRange.clamped(to: 0..<wholeInfo))
    show(.abbreviations, ".debug_abbrev")
    show(.line, ".debug_line")
    show(.lineStrings, ".debug_line_str")
    show(.strings, ".debug_str")
    show(.stringOffsets, ".debug_str_offsets")
    show(.addresses, ".debug_addr")
    show(.ranges, ".debug_ranges")
    show(.rangeLists, ".debug_rnglists", 0..<rangeListCount)
  }

  deinit {
    unsafe methods.deallocate()
    unsafe interface.deallocate()
  }

  private func show(
    _ name: DwarfSectionName, _ spelling: StaticString, _ range: Range<UInt64>? = nil
  ) {
    guard var bytes = unsafe sections[name]?.unsafeBytes else { return }
    if let range {
      let wanted = range.clamped(to: 0..<UInt64(bytes.count))
      unsafe bytes = UnsafeRawBufferPointer(
        rebasing: bytes[Int(wanted.lowerBound)..<Int(wanted.upperBound)])
    }
    // An empty section is the same as none.
    if unsafe !bytes.isEmpty { unsafe shown.append(Section(name: spelling, bytes: bytes)) }
  }

  /// Opens libdwarf over the sections, and returns its result: `DW_DLV_OK` or another.
  func open(
    _ debug: inout Dwarf_Debug?, _ error: inout Dwarf_Error?
  ) -> Int32 {
    unsafe dwarf_object_init_b(interface, nil, nil, 0, &debug, &error)
  }

  /// The section and offset that `pointer` points to; nil if it is not in a section that contains
  /// strings.
  func stringReference(_ pointer: UnsafePointer<CChar>) -> StringReference? {
    let address = UInt(bitPattern: pointer)
    for name in [DwarfSectionName.line, .lineStrings, .strings, .info] {
      guard let bytes = unsafe sections[name]?.unsafeBytes,
        let base = bytes.baseAddress
      else { continue }
      let start = UInt(bitPattern: base)
      if address >= start, address - start < UInt(bytes.count) {
        return StringReference(section: name, offset: UInt64(address - start))
      }
    }
    return nil
  }

  // MARK: - What libdwarf calls

  private static func from(_ object: UnsafeMutableRawPointer?) -> SectionProvider? {
    guard let object = unsafe object else { return nil }
    return unsafe Unmanaged<SectionProvider>.fromOpaque(object).takeUnretainedValue()
  }

  private var byteOrder: ClibDwarfByteOrder {
    clibdwarf_byte_order(sections.byteOrder == .little ? 1 : 0)
  }

  private var pointerSize: Dwarf_Small { sections.addressSize == 4 ? 4 : 8 }

  /// libdwarf 0.11.1 reports sections larger than the file, and counts too large for the file, as
  /// damage.
  private var fileSize: Dwarf_Unsigned {
    unsafe shown.reduce(4096) { unsafe $0 + Dwarf_Unsigned($1.bytes.count) }
  }

  /// One more than the number of sections: as in ELF, number 0 means "no section", and libdwarf
  /// skips it.
  private var sectionCount: Dwarf_Unsigned { unsafe Dwarf_Unsigned(shown.count + 1) }

  private static func getSection(
    _ object: UnsafeMutableRawPointer?, _ index: ClibDwarfSectionIndex,
    _ section: UnsafeMutablePointer<ClibDwarfSection>?
  ) -> Int32 {
    guard let provider = unsafe from(object), let section = unsafe section else {
      return DW_DLV_ERROR
    }
    if index == 0 {
      let noName: StaticString = ""
      unsafe section.pointee = clibdwarf_section(characters(of: noName), 0)
      return DW_DLV_OK
    }
    guard unsafe index <= provider.shown.count else { return DW_DLV_NO_ENTRY }
    let shown = unsafe provider.shown[Int(index) - 1]
    unsafe section.pointee = clibdwarf_section(
      characters(of: shown.name), UInt64(shown.bytes.count))
    return DW_DLV_OK
  }

  private static func characters(of text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static func loadSection(
    _ object: UnsafeMutableRawPointer?, _ index: ClibDwarfSectionIndex,
    _ bytes: UnsafeMutablePointer<UnsafeMutablePointer<Dwarf_Small>?>?
  ) -> Int32 {
    guard let provider = unsafe from(object), let bytes = unsafe bytes, index > 0,
      unsafe index <= provider.shown.count,
      let base = unsafe provider.shown[Int(index) - 1].bytes.baseAddress
    else { return DW_DLV_NO_ENTRY }
    unsafe bytes.pointee = UnsafeMutablePointer(
      mutating: base.assumingMemoryBound(to: Dwarf_Small.self))
    return DW_DLV_OK
  }
}
