import BinaryInput
import DwarfReader
import LibDwarfReader
import SymbolicationModel
import TestSupport

/// Builds the DWARF sections of an image, unit by unit. What it writes is written after the DWARF
/// standard, not after the reader; expected values are read off the calls that build.
final class DwarfImageBuilder {
  var info: BinaryBuilder
  var abbreviations: BinaryBuilder
  var line: BinaryBuilder
  var ranges: BinaryBuilder
  var rangeLists: BinaryBuilder
  var addressRanges: BinaryBuilder
  var lineStrings: BinaryBuilder
  var strings: BinaryBuilder
  var addresses: BinaryBuilder
  let isBigEndian: Bool

  init(isBigEndian: Bool = false) {
    self.isBigEndian = isBigEndian
    info = BinaryBuilder(bigEndian: isBigEndian)
    abbreviations = info
    line = info
    ranges = info
    rangeLists = info
    addressRanges = info
    lineStrings = info
    strings = info
    addresses = info
  }

  func sections(
    code: Range<UInt64> = 0x1000..<0x100000, addressSize: Int = 8
  ) -> DwarfSections {
    let all: [DwarfSectionName: BinaryBuilder] = [
      .info: info, .abbreviations: abbreviations, .line: line, .ranges: ranges,
      .rangeLists: rangeLists, .addressRanges: addressRanges, .lineStrings: lineStrings,
      .strings: strings, .addresses: addresses,
    ]
    return DwarfSections(
      regions: all.filter { $0.value.count > 0 }.mapValues { ByteRegion(copying: $0.bytes) },
      byteOrder: isBigEndian ? .big : .little, addressSize: addressSize,
      codeRanges: [LinkAddress(code.lowerBound)..<LinkAddress(code.upperBound)])
  }

  func reader() throws -> LibDwarfReader { try LibDwarfReader(sections: sections()) }

  /// A set of `.debug_aranges`.
  func addAddressRanges(unit: Int, _ ranges: [Range<UInt64>]) {
    var set = BinaryBuilder(bigEndian: isBigEndian)
    set.u16(2)
    set.u32(UInt32(unit))
    set.u8(8)
    set.u8(0)
    // 12 bytes stand in front with the length; the tuples are aligned to 16.
    set.u32(0)
    for range in ranges {
      set.u64(range.lowerBound)
      set.u64(range.upperBound - range.lowerBound)
    }
    set.u64(0)
    set.u64(0)
    addressRanges.u32(UInt32(set.count))
    addressRanges.append(set.bytes)
  }

  /// A list of `.debug_ranges` with 8-byte addresses; its offset.
  func addRanges(_ pairs: [(UInt64, UInt64)]) -> UInt64 {
    let offset = UInt64(ranges.count)
    for (first, second) in pairs + [(0, 0)] {
      ranges.u64(first)
      ranges.u64(second)
    }
    return offset
  }

  /// A table of `.debug_rnglists` (32-bit DWARF) with one list, made of `entries`, which end it
  /// themselves. The offset of the list in the section.
  func addRangeList(addressSize: UInt8 = 8, _ entries: (inout BinaryBuilder) -> Void) -> UInt64 {
    var table = BinaryBuilder(bigEndian: isBigEndian)
    table.u16(5)
    table.u8(addressSize)
    table.u8(0)
    table.u32(0)
    let start = table.count
    entries(&table)
    rangeLists.u32(UInt32(table.count))
    let offset = UInt64(rangeLists.count + start)
    rangeLists.append(table.bytes)
    return offset
  }

  /// A unit, with the DIEs that `body` adds. Its offset in `.debug_info`.
  @discardableResult
  func addUnit(
    version: UInt16 = 4, is64Bit: Bool = false, addressSize: UInt8 = 8,
    _ body: (UnitBuilder) -> Void
  ) -> Int {
    let start = info.count
    let unit = UnitBuilder(
      version: version, is64Bit: is64Bit, addressSize: addressSize, sectionOffset: start,
      abbreviationOffset: abbreviations.count, isBigEndian: isBigEndian)
    body(unit)
    if is64Bit {
      info.u32(0xffff_ffff)
      info.u64(UInt64(unit.content.count))
    } else {
      info.u32(UInt32(unit.content.count))
    }
    info.append(unit.content.bytes)
    abbreviations.append(unit.abbreviations.bytes + [0])
    return start
  }
}

/// One attribute of a DIE that is being built.
struct DieAttribute {
  let name: UInt64
  let form: UInt64
  let implicit: [UInt8]
  let value: (inout BinaryBuilder, UnitBuilder) -> Void

  init(
    _ name: UInt64, form: UInt64, implicit: [UInt8] = [],
    _ value: @escaping (inout BinaryBuilder, UnitBuilder) -> Void
  ) {
    self.name = name
    self.form = form
    self.implicit = implicit
    self.value = value
  }

  static func string(_ name: UInt64, _ text: String) -> Self {
    Self(name, form: 0x08) { bytes, _ in bytes.cString(text) }
  }
  static func address(_ name: UInt64, _ address: UInt64) -> Self {
    Self(name, form: 0x01) { bytes, unit in
      if unit.addressSize == 4 { bytes.u32(UInt32(address)) } else { bytes.u64(address) }
    }
  }
  static func data1(_ name: UInt64, _ number: UInt8) -> Self {
    Self(name, form: 0x0b) { bytes, _ in bytes.u8(number) }
  }
  static func data4(_ name: UInt64, _ number: UInt32) -> Self {
    Self(name, form: 0x06) { bytes, _ in bytes.u32(number) }
  }
  static func data8(_ name: UInt64, _ number: UInt64) -> Self {
    Self(name, form: 0x07) { bytes, _ in bytes.u64(number) }
  }
  static func udata(_ name: UInt64, _ number: UInt64) -> Self {
    Self(name, form: 0x0f) { bytes, _ in bytes.uleb128(number) }
  }
  /// `number` below 64, so that its SLEB128 form is itself.
  static func implicitConstant(_ name: UInt64, _ number: UInt8) -> Self {
    Self(name, form: 0x21, implicit: [number]) { _, _ in }
  }
  static func flag(_ name: UInt64) -> Self { Self(name, form: 0x19) { _, _ in } }
  static func sectionOffset(_ name: UInt64, _ offset: UInt64) -> Self {
    Self(name, form: 0x17) { bytes, unit in
      if unit.is64Bit { bytes.u64(offset) } else { bytes.u32(UInt32(offset)) }
    }
  }
  /// `DW_FORM_ref4`: to the DIE at `offset` of the same unit.
  static func reference(_ name: UInt64, _ offset: Int) -> Self {
    Self(name, form: 0x13) { bytes, _ in bytes.u32(UInt32(offset)) }
  }
  /// `DW_FORM_ref_addr`: to the DIE at `offset` of `.debug_info`.
  static func sectionReference(_ name: UInt64, _ offset: Int) -> Self {
    Self(name, form: 0x10) { bytes, unit in
      if unit.is64Bit { bytes.u64(UInt64(offset)) } else { bytes.u32(UInt32(offset)) }
    }
  }
  static func addressIndex(_ name: UInt64, _ index: UInt64) -> Self {
    Self(name, form: 0x1b) { bytes, _ in bytes.uleb128(index) }
  }

  static func name(_ text: String) -> Self { string(0x03, text) }
  static func linkageName(_ text: String) -> Self { string(0x6e, text) }
  static func lowPc(_ address: UInt64) -> Self { Self.address(0x11, address) }
  /// As a length (DWARF 4 on).
  static func length(_ length: UInt32) -> Self { data4(0x12, length) }
  static func lines(_ offset: UInt64) -> Self { sectionOffset(0x10, offset) }
  static func directory(_ text: String) -> Self { string(0x1b, text) }
  static func origin(_ offset: Int) -> Self { reference(0x31, offset) }
}

/// The header and DIEs of one unit; each DIE has an abbreviation of its own.
final class UnitBuilder {
  let addressSize: UInt8
  let is64Bit: Bool
  private let sectionOffset: Int
  fileprivate(set) var content: BinaryBuilder
  fileprivate var abbreviations = BinaryBuilder()
  private var abbreviationCount: UInt64 = 0

  init(
    version: UInt16, is64Bit: Bool, addressSize: UInt8, sectionOffset: Int,
    abbreviationOffset: Int, isBigEndian: Bool
  ) {
    self.addressSize = addressSize
    self.is64Bit = is64Bit
    self.sectionOffset = sectionOffset
    content = BinaryBuilder(bigEndian: isBigEndian)
    content.u16(version)
    if version >= 5 {
      content.u8(1)
      content.u8(addressSize)
    }
    if is64Bit {
      content.u64(UInt64(abbreviationOffset))
    } else {
      content.u32(UInt32(abbreviationOffset))
    }
    if version < 5 { content.u8(addressSize) }
  }

  /// Adds a DIE and what `children` adds below it. Its offset in the unit.
  @discardableResult
  func die(
    _ tag: UInt64, _ attributes: [DieAttribute], children: ((UnitBuilder) -> Void)? = nil
  ) -> Int {
    let offset = content.count + (is64Bit ? 12 : 4)
    abbreviationCount += 1
    content.uleb128(abbreviationCount)
    abbreviations.uleb128(abbreviationCount)
    abbreviations.uleb128(tag)
    abbreviations.u8(children == nil ? 0 : 1)
    for attribute in attributes {
      abbreviations.uleb128(attribute.name)
      abbreviations.uleb128(attribute.form)
      abbreviations.append(attribute.implicit)
      attribute.value(&content, self)
    }
    abbreviations.append([0, 0])
    if let children {
      children(self)
      content.u8(0)
    }
    return offset
  }

  /// Overwrites a `DW_FORM_ref4` at `offset` of the unit.
  func patch(reference: Int, at offset: Int) {
    content.patch(u32: UInt32(reference), at: offset - (is64Bit ? 12 : 4))
  }

  /// A lexical block whose children follow; a zero byte ends them.
  func openLexicalBlock() {
    abbreviationCount += 1
    content.uleb128(abbreviationCount)
    abbreviations.uleb128(abbreviationCount)
    abbreviations.append([UInt8(Tag.lexicalBlock), 1, 0, 0])
  }

  /// Bytes that are no DIE.
  func damage(_ bytes: [UInt8]) { content.append(bytes) }

  /// From the start of `.debug_info`.
  func sectionOffset(of die: Int) -> Int { sectionOffset + die }
}

enum Tag {
  static let structure: UInt64 = 0x13
  static let compileUnit: UInt64 = 0x11
  static let lexicalBlock: UInt64 = 0x0b
  static let subprogram: UInt64 = 0x2e
  static let inlined: UInt64 = 0x1d
  static let namespace: UInt64 = 0x39
}
