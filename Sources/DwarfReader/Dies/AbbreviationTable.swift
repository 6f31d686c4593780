import BinaryInput
import SymbolicationModel

/// One table of `.debug_abbrev`, compiled for units of one format.
final class AbbreviationTable: Sendable {
  /// In the order of the table.
  let abbreviations: [Abbreviation]
  /// The layouts of `abbreviations`, in the same order.
  let layouts: [DieLayout]
  let attributes: [AttributeSpecification]
  let steps: [AttributeStep]
  /// Whether the codes are 1, 2, 3 and so on, as all known compilers write them.
  let isDense: Bool
  /// The codes with their indices in `abbreviations`, ascending by code; empty if `isDense`.
  private let indicesByCode: [(code: UInt64, index: Int32)]
  /// The size of the table in `.debug_abbrev`, in bytes.
  let size: Int

  /// Compiles the table at `offset` of `section`. If the section ends before the table does, the
  /// complete abbreviations are used.
  ///
  /// Cost: a walk over the table.
  init(
    _ section: ByteRegion, at offset: UInt64, byteOrder: ByteOrder, format: DwarfUnitFormat
  ) {
    var compiler = AbbreviationCompiler(format: format)
    var cursor = section.cursor(at: offset, byteOrder: byteOrder)
    let start = cursor.position
    while true {
      let code = cursor.readUleb128()
      if code == 0 { break }
      compiler.compile(code: code, &cursor)
      if cursor.hasFailed { break }
    }
    self.size = cursor.position - start
    self.abbreviations = compiler.abbreviations
    self.layouts = compiler.layouts
    self.attributes = compiler.attributes
    self.steps = compiler.steps
    self.isDense = compiler.isDense
    if compiler.isDense {
      self.indicesByCode = []
    } else {
      // If two abbreviations have the same code, the first counts.
      self.indicesByCode = compiler.codes.enumerated().map { (code: $1, index: Int32($0)) }
        .sorted { ($0.code, $0.index) < ($1.code, $1.index) }
    }
  }

  /// Moves `cursor` from the start of a table to the attributes of the declaration of `code`, and
  /// returns the tag.
  ///
  /// Returns nil if the table has no such declaration before the position `limit`. The cursor is
  /// then at an unspecified position.
  static func find(_ code: UInt64, in cursor: inout ByteCursor, until limit: Int) -> UInt64? {
    while cursor.position < limit {
      let declared = cursor.readUleb128()
      if declared == 0 { return nil }
      let tag = cursor.readUleb128()
      cursor.skip(1)  // DW_CHILDREN_yes or DW_CHILDREN_no
      if declared == code { return cursor.hasFailed ? nil : tag }
      while cursor.position < limit {
        let name = cursor.readUleb128()
        let form = cursor.readUleb128()
        if name == 0, form == 0 { break }
        if form == UInt64(DwarfForm.implicitConst) { cursor.skipLeb128() }
      }
    }
    return nil
  }

  /// The index in `abbreviations` of `code`; nil if the table has no such code.
  @inline(__always)
  func index(of code: UInt64) -> Int? {
    if isDense { return code &- 1 < UInt64(abbreviations.count) ? Int(code) - 1 : nil }
    return search(code)
  }

  private func search(_ code: UInt64) -> Int? {
    let position = indicesByCode.partitionPoint { $0.code >= code }
    guard position < indicesByCode.count, indicesByCode[position].code == code else { return nil }
    return Int(indicesByCode[position].index)
  }
}
