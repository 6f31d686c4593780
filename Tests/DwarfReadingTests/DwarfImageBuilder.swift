import BinaryInput
import DwarfReader
import SymbolicationModel
import TestSupport

/// Builds the DWARF sections of an image, unit by unit. It follows the DWARF standard, not a
/// reader. Expected values are read off the calls that build the image.
final class DwarfImageBuilder {
  /// The format of units and tables that do not state another.
  let format: DwarfFormat
  private var content: [DwarfSectionName: BinaryBuilder] = [:]

  init(_ format: DwarfFormat = DwarfFormat()) { self.format = format }

  subscript(section: DwarfSectionName) -> BinaryBuilder {
    get { content[section] ?? format.bytes }
    set { content[section] = newValue }
  }

  /// - Parameter code: the code range of the image; nil for a file without code, such as a `.dwo`
  /// file.
  func sections(code: Range<UInt64>? = 0x1000..<0x100000) -> DwarfSections {
    DwarfSections(
      regions: content.mapValues { ByteRegion(copying: $0.bytes) },
      byteOrder: format.isBigEndian ? .big : .little, addressSize: Int(format.addressSize),
      codeRanges: code.map { [LinkAddress($0.lowerBound)..<LinkAddress($0.upperBound)] } ?? [])
  }

  /// Adds a zero-terminated string to `section`, and returns its offset there.
  func add(_ text: String, to section: DwarfSectionName) -> UInt64 {
    let offset = UInt64(self[section].count)
    self[section].cString(text)
    return offset
  }

  // MARK: - Units

  /// Adds a unit with the DIEs that `body` adds, and returns its offset in `.debug_info`.
  ///
  /// - Parameters:
  ///   - format: the format of the unit; nil for that of the image, whose byte order it always has.
  ///   - header: in version 5, what follows the abbreviation offset.
  @discardableResult
  func addUnit(
    _ format: DwarfFormat? = nil, type: UInt8 = UnitType.compile, header: [UInt8] = [],
    numbering: @escaping (UInt64) -> UInt64 = { $0 }, _ body: (UnitBuilder) -> Void
  ) -> Int {
    let abbreviations = AbbreviationTableBuilder(numbering: numbering)
    let start = addUnit(format ?? self.format, type, header, abbreviations, body)
    self[.abbreviations].append(abbreviations.bytes.bytes + [0])
    return start
  }

  /// Adds units that share one abbreviation table.
  func addUnits(sharing bodies: [(UnitBuilder) -> Void]) {
    let abbreviations = AbbreviationTableBuilder { $0 }
    for body in bodies { _ = addUnit(format, UnitType.compile, [], abbreviations, body) }
    self[.abbreviations].append(abbreviations.bytes.bytes + [0])
  }

  private func addUnit(
    _ format: DwarfFormat, _ type: UInt8, _ header: [UInt8],
    _ abbreviations: AbbreviationTableBuilder, _ body: (UnitBuilder) -> Void
  ) -> Int {
    let start = self[.info].count
    let unit = UnitBuilder(
      self, format, type: type, header: header, abbreviations: abbreviations, in: self[.info])
    body(unit)
    self[.info].table(unit.content, format)
    return start
  }

  /// Adds a unit with one function that covers it, and returns its offset.
  @discardableResult
  func addUnit(
    _ name: String, _ range: Range<UInt64>, _ format: DwarfFormat? = nil,
    _ more: [DieAttribute] = []
  ) -> Int {
    addUnit(format) { unit in
      unit.die(Tag.compileUnit, more, code: range) { $0.function(name, range) }
    }
  }

  // MARK: - Tables

  /// Adds a set to `.debug_aranges`.
  func addAddressRanges(unit: Int, _ ranges: [Range<UInt64>]) {
    var set = format.bytes
    set.u16(2)
    set.offset(UInt64(unit), format)
    set.append([format.addressSize, 0])
    // The offset of tuples from the length field is a multiple of their size.
    while (format.lengthSize + set.count) % (2 * Int(format.addressSize)) != 0 { set.u8(0) }
    for range in ranges {
      set.address(range.lowerBound, format)
      set.address(range.upperBound - range.lowerBound, format)
    }
    set.address(0, format)
    set.address(0, format)
    self[.addressRanges].table(set, format)
  }

  /// Adds a list to `.debug_ranges`, and returns its offset.
  func addRanges(_ pairs: [(UInt64, UInt64)]) -> UInt64 {
    let offset = UInt64(self[.ranges].count)
    for (first, second) in pairs + [(0, 0)] {
      self[.ranges].address(first, format)
      self[.ranges].address(second, format)
    }
    return offset
  }

  /// Adds a table to `.debug_rnglists` (DWARF 5, section 7.28) with `lists`, whose entries include
  /// the end of the list, and an array of offsets for indices. Returns the base, which is the
  /// offset behind the header, and the offsets of the lists in the section.
  @discardableResult
  func addRangeLists(
    hasOffsets: Bool = true, _ lists: [(inout BinaryBuilder) -> Void]
  ) -> (base: UInt64, offsets: [UInt64]) {
    let start = UInt64(self[.rangeLists].count)
    var table = format.bytes
    table.u16(5)
    table.append([format.addressSize, 0])
    table.u32(hasOffsets ? UInt32(lists.count) : 0)
    let base = start + UInt64(format.lengthSize + table.count)
    let arraySize = hasOffsets ? lists.count * format.offsetSize : 0
    var entries = format.bytes
    var offsets: [UInt64] = []
    for list in lists {
      let offset = UInt64(arraySize + entries.count)
      if hasOffsets { table.offset(offset, format) }
      offsets.append(base + offset)
      list(&entries)
    }
    table.append(entries.bytes)
    self[.rangeLists].table(table, format)
    return (base, offsets)
  }

  /// Adds one list without an array of offsets, and returns its offset in the section.
  func addRangeList(_ entries: @escaping (inout BinaryBuilder) -> Void) -> UInt64 {
    addRangeLists(hasOffsets: false, [entries]).offsets[0]
  }

  /// Adds a contribution to `.debug_addr` (DWARF 5, section 7.27), and returns its base.
  func addAddresses(_ addresses: [UInt64]) -> UInt64 {
    var table = format.bytes
    table.u16(5)
    table.append([format.addressSize, 0])
    let base = UInt64(self[.addresses].count + format.lengthSize + table.count)
    addresses.forEach { table.address($0, format) }
    self[.addresses].table(table, format)
    return base
  }

  /// Adds a contribution to `.debug_str_offsets` (DWARF 5, section 7.26) with `texts` in
  /// `.debug_str`, and returns its base.
  func addStringOffsets(_ texts: [String]) -> UInt64 {
    var table = format.bytes
    table.u16(5)
    table.u16(0)
    let base = UInt64(self[.stringOffsets].count + format.lengthSize + table.count)
    texts.forEach { table.offset(add($0, to: .strings), format) }
    self[.stringOffsets].table(table, format)
    return base
  }
}
