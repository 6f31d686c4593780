package import BinaryInput

/// A GSYM file.
///
/// Opening it reads the header and the number of source files, and checks that all tables lie in
/// the file. Records are read when they are needed. Several threads may use it at once.
package struct GsymFile: Sendable {
  package let header: GsymHeader
  let region: ByteRegion
  let tables: GsymTables
  let strings: ByteRegion
  /// Whether numbers of a fixed size have another byte order than on this machine.
  let isSwapped: Bool

  /// Opens the GSYM file that fills `region`.
  ///
  /// Throws if the header is not one of a GSYM file that can be read, and `outOfBounds` if a table
  /// does not lie in the file.
  package init(_ region: ByteRegion) throws(GsymError) {
    let header = try GsymHeader(region)
    let tables = try GsymTables(header, in: region)
    let place = tables.strings
    let size = place.upperBound - place.lowerBound
    guard let strings = try? region.subregion(offset: place.lowerBound, count: size) else {
      throw .outOfBounds(
        .strings, offset: place.lowerBound, count: size, available: UInt64(region.count))
    }
    self.header = header
    self.region = region
    self.tables = tables
    self.strings = strings
    self.isSwapped = header.byteOrder != .native
  }

  /// The image's UUID or build-id; empty if the file does not state it.
  package var uuid: [UInt8] { tables.uuid }

  /// The number of entries in the file table, including the empty entry 0.
  package var fileCount: UInt32 { tables.fileCount }

  /// The number of functions. They are in ascending order of their start addresses.
  package var functionCount: Int { Int(header.functionCount) }

  /// The text at `offset` of the string table; nil beyond its end. Invalid UTF-8 is replaced by
  /// U+FFFD.
  package func name(at offset: UInt64) -> String? { strings.text(at: offset) }

  /// The bytes from `start` of the string table to the next zero byte, not copied; nil beyond the
  /// end of the table.
  package func nameBytes(at start: UInt64) -> ByteRegion? {
    guard start < UInt64(strings.count) else { return nil }
    var cursor = strings.cursor(at: start, byteOrder: .little)
    cursor.skipCString()
    // A failed cursor is at the end of the table; the text ends there.
    let end = UInt64(cursor.position) - (cursor.hasFailed ? 0 : 1)
    return try? strings.subregion(offset: start, count: end - start)
  }

  /// Calls `body` with the bytes from `start` of the string table to the next zero byte, and not
  /// beyond the end of the table. Nothing is copied or retained.
  ///
  /// It is not generic, because Swift would make the type of its result at run time for each call.
  package func withNameBytes(at start: UInt64, _ body: (RawSpan) -> Void) {
    strings.withRawSpan { strings in
      guard start < UInt64(strings.byteCount) else { return }
      let rest = strings.extracting(droppingFirst: Int(start))
      body(rest.extracting(first: rest.countBeforeZero))
    }
  }

  /// The entry of the file table with this number; nil if there is none.
  package func file(at index: UInt32) -> GsymSourceFile? {
    guard index < fileCount else { return nil }
    var cursor = region.cursor(
      at: tables.filesStart + UInt64(index) * UInt64(tables.fileEntrySize),
      byteOrder: header.byteOrder)
    return GsymSourceFile(directory: readStringOffset(&cursor), name: readStringOffset(&cursor))
  }

  /// Reads an offset in the string table.
  @inline(__always)
  func readStringOffset(_ cursor: inout ByteCursor) -> UInt64 {
    tables.stringOffsetSize == 4 ? UInt64(cursor.readUInt32()) : cursor.readUInt64()
  }

  /// The path of the file with this number: its directory and name, joined with a slash. Nil if
  /// there is no such entry, if its strings are not in the string table, or if both are empty.
  package func path(ofFile index: UInt32) -> String? {
    guard let file = file(at: index), let directory = name(at: file.directory),
      let name = name(at: file.name), !(directory.isEmpty && name.isEmpty)
    else { return nil }
    return directory.isEmpty || directory.utf8.last == UInt8(ascii: "/")
      ? directory + name : directory + "/" + name
  }
}

/// An entry of the file table.
package struct GsymSourceFile: Hashable, Sendable {
  /// The offset of the directory in the string table; 0 if it is empty.
  package let directory: UInt64
  /// The offset of the file name in the string table; 0 if it is empty.
  package let name: UInt64
}
