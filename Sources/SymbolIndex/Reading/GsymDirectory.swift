import BinaryInput

/// The directory of a GSYM file of version 2: the place of each table.
///
/// It follows the header. An entry has 20 bytes: the kind of the table (4 bytes), its offset from
/// the start of the file and its size (8 bytes each). An entry of kind 0 ends the directory. Tables
/// may lie anywhere and in any order (GlobalData.h and HeaderV2.h). If a kind occurs twice, the
/// last entry counts, and unknown kinds are skipped, as LLVM's reader does it.
struct GsymDirectory {
  private var tables: [GsymTable: Range<UInt64>] = [:]

  /// Reads the directory of the file that fills `region`.
  ///
  /// Throws `outOfBounds` if a table or the directory itself passes the end of the file, and
  /// `unendedDirectory`.
  init(_ region: ByteRegion, byteOrder: ByteOrder) throws(GsymError) {
    var offset = UInt64(GsymFormat.Version2.headerSize)
    for _ in 0..<GsymFormat.Version2.directoryLimit {
      try region.check(.directory, at: offset, count: GsymFormat.Version2.directoryEntrySize)
      var cursor = region.cursor(at: offset, byteOrder: byteOrder)
      let kind = cursor.readUInt32()
      let start = cursor.readUInt64()
      let size = cursor.readUInt64()
      guard kind != GsymFormat.Version2.endOfDirectory else { return }
      if let table = GsymTable(directoryKind: kind) {
        try region.check(table, at: start, count: size)
        tables[table] = start..<(start + size)
      }
      offset += GsymFormat.Version2.directoryEntrySize
    }
    throw .unendedDirectory(entries: GsymFormat.Version2.directoryLimit)
  }

  /// The place of a table; nil if the directory does not have it.
  subscript(table: GsymTable) -> Range<UInt64>? { tables[table] }

  /// The place of a table that every file has. Throws `missingTable`, and `tableSize` if it has
  /// another size than `size`.
  func table(_ table: GsymTable, size: UInt64? = nil) throws(GsymError) -> Range<UInt64> {
    guard let place = tables[table] else { throw .missingTable(table) }
    let found = place.upperBound - place.lowerBound
    if let size, found != size { throw .tableSize(table, stated: found, expected: size) }
    return place
  }
}

extension GsymTable {
  /// The numbers of `GlobalInfoType` (GlobalData.h); nil for any other.
  fileprivate init?(directoryKind kind: UInt32) {
    let fromOne: [GsymTable] = [.addressOffsets, .recordOffsets, .strings, .files, .records, .uuid]
    guard (1...6).contains(kind) else { return nil }
    self = fromOne[Int(kind) - 1]
  }
}
