import BinaryInput
import SymbolicationModel

/// One table of `.debug_abbrev`, compiled for units of one format.
final class AbbreviationTable: Sendable {
  /// In the order of the table.
  let abbreviations: [Abbreviation]
  let attributes: [AttributeSpecification]
  let steps: [AttributeStep]
  /// Whether the codes count from 1 without a gap, as all known compilers write them.
  let isDense: Bool
  /// Codes and places in `abbreviations`, ascending by code; empty where `isDense`.
  private let places: [(code: UInt64, index: Int32)]
  /// In `.debug_abbrev`, in bytes.
  let size: Int

  /// The table at `offset` of `section`; of one that ends before its end mark, the abbreviations in front.
  /// Cost: a walk over that table.
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
    self.attributes = compiler.attributes
    self.steps = compiler.steps
    self.isDense = compiler.isDense
    if compiler.isDense {
      self.places = []
    } else {
      // Of one code used twice the first counts.
      self.places = compiler.codes.enumerated().map { (code: $1, index: Int32($0)) }
        .sorted { ($0.code, $0.index) < ($1.code, $1.index) }
    }
  }

  /// Moves `cursor`, which stands at the start of a table, to the attributes of the declaration of `code`.
  ///
  /// Returns its tag; nil where there is none, or none in front of `limit`, and the cursor is then
  /// anywhere.
  static func find(_ code: UInt64, in cursor: inout ByteCursor, until limit: Int) -> UInt64? {
    while cursor.position < limit {
      let declared = cursor.readUleb128()
      if declared == 0 { return nil }
      let tag = cursor.readUleb128()
      cursor.skip(1)  // whether it has children
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

  /// The place in `abbreviations` of `code`; nil where the table has no such code.
  @inline(__always)
  func index(of code: UInt64) -> Int? {
    if isDense { return code &- 1 < UInt64(abbreviations.count) ? Int(code) - 1 : nil }
    return search(code)
  }

  private func search(_ code: UInt64) -> Int? {
    let index = places.partitionPoint { $0.code >= code }
    guard index < places.count, places[index].code == code else { return nil }
    return Int(places[index].index)
  }
}
