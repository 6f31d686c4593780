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
  package func name(at offset: UInt64) -> String? { strings.name(at: offset) }

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

/// Why a GSYM file, or one function of it, could not be read.
package enum GsymError: Error, Hashable, Sendable {
  /// The first four bytes, as a little-endian number, are not `GSYM` in either byte order.
  case notGsym(magic: UInt32)
  /// The file has a version of the format other than 1 and 2.
  case unsupportedVersion(UInt16)
  /// Address offsets have a size in bytes other than 1, 2, 4 or 8.
  case unsupportedAddressOffsetSize(UInt8)
  /// The UUID has more than `limit` bytes: 20 in version 1, whose header has no room for more.
  case oversizedUuid(UInt64, limit: Int)
  /// Version 2: the strings are not zero-terminated texts (0), the only encoding that is defined.
  case unsupportedStringEncoding(UInt8)
  /// Version 2: the directory has this many entries and no end.
  case unendedDirectory(entries: Int)
  /// Version 2: the directory does not have a table that every file must have.
  case missingTable(GsymTable)
  /// Version 2: the directory states another size of a table than the number of functions gives.
  case tableSize(GsymTable, stated: UInt64, expected: UInt64)
  /// `table` should have `count` bytes at `offset`, but the file has only `available` bytes.
  case outOfBounds(GsymTable, offset: UInt64, count: UInt64, available: UInt64)
  /// The record of function `index`, at `offset` of the file, contradicts itself or extends past
  /// the end of the file.
  case malformedFunction(index: Int, offset: UInt64)
}

/// The parts of a GSYM file whose offset and size follow from the header or, in version 2, from the
/// directory.
///
/// The raw values are what they are called in messages.
package enum GsymTable: String, Hashable, Sendable {
  case header = "GSYM header"
  /// Version 2 only.
  case directory = "GSYM directory"
  case addressOffsets = "GSYM table of addresses"
  case recordOffsets = "GSYM table of record offsets"
  case files = "GSYM table of files"
  case strings = "GSYM string table"
  /// The functions' records; a table of its own in version 2.
  case records = "GSYM table of functions"
  /// A table in version 2 only.
  case uuid = "GSYM UUID"
}

/// Why functions cannot be written to a GSYM file: a limit of the format.
package enum GsymLimitError: Error, Hashable, Sendable {
  /// The UUID has more than 20 bytes.
  case uuidTooLong(count: Int)
  /// The size of a function, or of a part of its record, does not fit in 32 bits.
  case functionTooLarge(start: UInt64, end: UInt64)
  /// The number of functions does not fit in 32 bits.
  case tooManyFunctions(count: Int)
  /// The number of source files does not fit in 32 bits.
  case tooManyFiles(count: Int)
  /// The string table has `count` bytes; offsets of strings have 32 bits.
  case stringTableTooLarge(count: Int)
  /// A record would begin at `offset`; offsets of records have 32 bits.
  case fileTooLarge(offset: Int)
}
