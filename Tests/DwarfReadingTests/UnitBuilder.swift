import DwarfReader
import TestSupport

/// A table of `.debug_abbrev`, for one unit or several. DIEs with the same attributes and forms
/// share a code.
final class AbbreviationTableBuilder {
  private(set) var bytes = BinaryBuilder()
  private var codes: [[UInt8]: UInt64] = [:]
  private let numbering: (UInt64) -> UInt64

  /// - Parameter numbering: the codes of the first, second, … abbreviation; not 0, and without
  /// duplicates.
  init(numbering: @escaping (UInt64) -> UInt64) { self.numbering = numbering }

  func code(tag: UInt64, hasChildren: Bool, _ attributes: [DieAttribute], _ format: DwarfFormat)
    -> UInt64
  {
    var shape = BinaryBuilder()
    shape.uleb128(tag)
    shape.u8(hasChildren ? 1 : 0)
    for attribute in attributes {
      shape.uleb128(attribute.name)
      shape.uleb128(attribute.form(format))
      if let implicit = attribute.implicit { shape.sleb128(implicit) }
    }
    shape.append([0, 0])
    if let code = codes[shape.bytes] { return code }
    let code = numbering(UInt64(codes.count) + 1)
    codes[shape.bytes] = code
    bytes.uleb128(code)
    bytes.append(shape.bytes)
    return code
  }
}

/// The header and DIEs of one unit.
final class UnitBuilder {
  unowned let image: DwarfImageBuilder
  let format: DwarfFormat
  private let sectionOffset: Int
  fileprivate(set) var content: BinaryBuilder
  private let abbreviations: AbbreviationTableBuilder

  /// - Parameter header: in version 5, what follows the abbreviation offset.
  init(
    _ image: DwarfImageBuilder, _ format: DwarfFormat, type: UInt8, header: [UInt8],
    abbreviations: AbbreviationTableBuilder, in section: BinaryBuilder
  ) {
    self.image = image
    self.format = format
    self.abbreviations = abbreviations
    sectionOffset = section.count
    content = format.bytes
    content.u16(format.version)
    if format.version >= 5 { content.append([type, format.addressSize]) }
    content.offset(UInt64(image[.abbreviations].count), format)
    if format.version < 5 { content.u8(format.addressSize) }
    content.append(header)
  }

  /// Adds a DIE with the children that `children` adds, and returns its offset in the unit.
  ///
  /// - Parameter code: `DW_AT_low_pc` and `DW_AT_high_pc`, after the other attributes.
  @discardableResult
  func die(
    _ tag: UInt64, _ attributes: [DieAttribute], code: Range<UInt64>? = nil,
    children: ((UnitBuilder) -> Void)? = nil
  ) -> Int {
    let offset = nextOffset
    var attributes = attributes
    if let code {
      attributes += [.lowPc(code.lowerBound), .highPc(code.upperBound, from: code.lowerBound)]
    }
    content.uleb128(
      abbreviations.code(tag: tag, hasChildren: children != nil, attributes, format))
    for attribute in attributes { attribute.value(&content, self) }
    if let children {
      children(self)
      content.u8(0)
    }
    return offset
  }

  /// The offset in the unit of the next DIE.
  var nextOffset: Int { content.count + format.lengthSize }

  @discardableResult
  func function(
    _ name: String, _ code: Range<UInt64>? = nil, _ more: [DieAttribute] = [],
    children: ((UnitBuilder) -> Void)? = nil
  ) -> Int {
    die(Tag.subprogram, [.name(name)] + more, code: code, children: children)
  }

  /// Overwrites a `DW_FORM_ref4` at `offset` of the unit.
  func patch(reference: Int, at offset: Int) {
    content.patch(u32: UInt32(reference), at: offset - format.lengthSize)
  }

  /// A lexical block whose children follow; a zero byte ends them.
  func openLexicalBlock() {
    content.uleb128(abbreviations.code(tag: Tag.lexicalBlock, hasChildren: true, [], format))
  }

  /// Adds bytes that are not a DIE.
  func damage(_ bytes: [UInt8]) { content.append(bytes) }

  /// The offset from the start of `.debug_info`.
  func sectionOffset(of die: Int) -> Int { sectionOffset + die }
}
