import BinaryInput
import Synchronization

/// Abbreviation tables and long names, decoded once for all units of a file and of the files that
/// it refers to, and the limits on decoding. Several threads may use it.
///
/// Parts of a package of split units share sections, so the keys contain the address of a section
/// in memory. It does not change while a file is in use.
final class DwarfDecodedOnce: Sendable {
  let limits = DecodingLimits()
  private let state = Mutex(State())

  private struct State {
    var tables: [TableKey: AbbreviationTable] = [:]
    /// The table that was asked for last: all units of a file that dsymutil wrote share one.
    var lastTable: (key: TableKey, table: AbbreviationTable)?
    /// The inner optional is nil if the table does not declare the code.
    var declarations: [DeclarationKey: (tag: UInt64, attributes: UInt64)?] = [:]
    /// By the address of the first byte in memory.
    var longTexts: [UInt: String] = [:]

    mutating func table(for key: TableKey) -> AbbreviationTable? {
      if let lastTable, lastTable.key == key { return lastTable.table }
      guard let table = tables[key] else { return nil }
      lastTable = (key, table)
      return table
    }
  }

  private struct TableKey: Hashable {
    let section: UInt
    let sectionSize: Int
    let offset: UInt64
    let format: DwarfUnitFormat
  }

  private struct DeclarationKey: Hashable {
    let section: UInt
    let sectionSize: Int
    let table: UInt64
    let code: UInt64
  }

  /// A text with this many bytes or more is kept: functions may share it.
  private static let longText = 4096

  /// The text from `offset` of `section` to the next zero byte. Nil if there is none, because a
  /// truncated name would be a wrong name, or if the decoding limit for texts is exceeded.
  ///
  /// Names of a few thousand bytes are rare. In a hostile file, any number of functions have one
  /// that is as long as the file: it is decoded once. It counts each time, because each function is
  /// shown with it.
  func text(at offset: UInt64, of section: ByteRegion) -> String? {
    guard limits.texts.permitsMore else { return nil }
    guard let count = section.countBeforeZero(from: offset) else {
      limits.texts.add(section.count - Int(min(offset, UInt64(section.count))))
      return nil
    }
    limits.texts.add(count + 1)
    guard count >= Self.longText else { return section.text(at: offset, count: count) }
    let key = section.memoryAddress &+ UInt(offset)
    if let known = state.withLock({ $0.longTexts[key] }) { return known }
    let text = section.text(at: offset, count: count)
    if let text { state.withLock { $0.longTexts[key] = text } }
    return text
  }

  /// The abbreviation table at `offset` of `section`, compiled once for each format.
  ///
  /// Throws `decodingLimit`.
  func abbreviationTable(
    at offset: UInt64, of section: ByteRegion, _ byteOrder: ByteOrder, format: DwarfUnitFormat
  ) throws(DwarfReadError) -> AbbreviationTable {
    let key = TableKey(
      section: section.memoryAddress, sectionSize: section.count, offset: offset, format: format)
    if let table = state.withLock({ $0.table(for: key) }) { return table }
    guard limits.abbreviations.permitsMore else {
      throw .decodingLimit(section: .abbreviations)
    }
    let table = AbbreviationTable(section, at: offset, byteOrder: byteOrder, format: format)
    limits.abbreviations.add(table.size)
    state.withLock { $0.tables[key] = table }
    return table
  }

  /// The number of bytes at the start of a table that are searched anew each time. The offsets of
  /// declarations behind them are remembered.
  private static let searchWithoutNote = 256

  /// The tag that `code` has in the table at `offset`, and a cursor at its attributes; nil if the
  /// table does not declare the code. What follows the declaration is not read.
  ///
  /// Cost: reads the declarations before it. The abbreviation of a unit's first DIE is mostly the
  /// first in the table. If it is far behind, as in a table that all units of a file share, its
  /// offset is remembered.
  ///
  /// Throws `decodingLimit`.
  func declaration(
    of code: UInt64, inTableAt offset: UInt64, of section: ByteRegion, _ byteOrder: ByteOrder
  ) throws(DwarfReadError) -> (tag: UInt64, attributes: ByteCursor)? {
    let start = section.cursor(at: offset, byteOrder: byteOrder)
    var cursor = start
    let near = start.position + Self.searchWithoutNote
    if let tag = AbbreviationTable.find(code, in: &cursor, until: near) { return (tag, cursor) }
    cursor = start
    let key = DeclarationKey(
      section: section.memoryAddress, sectionSize: section.count, table: offset, code: code)
    if let known = state.withLock({ $0.declarations[key] }) {
      guard let known else { return nil }
      cursor.seek(to: known.attributes)
      return (known.tag, cursor)
    }
    guard limits.abbreviations.permitsMore else {
      throw .decodingLimit(section: .abbreviations)
    }
    let tag = AbbreviationTable.find(code, in: &cursor, until: .max)
    limits.abbreviations.add(cursor.position - start.position)
    let attributesOffset = UInt64(cursor.position)
    state.withLock { $0.declarations[key] = .some(tag.map { ($0, attributesOffset) }) }
    return tag.map { ($0, cursor) }
  }
}
