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
  /// Nil if nothing is known of what the bytes should be.
  let blocks: IndexBlocks?

  /// Opens the GSYM file that fills `region`.
  ///
  /// Throws if the header is not one of a GSYM file that can be read, and `outOfBounds` if a table
  /// does not lie in the file.
  package init(_ region: ByteRegion) throws(GsymError) { try self.init(region, blocks: nil) }

  /// Opens the GSYM file that fills `region`. Throws `changed`, too, if the bytes that it reads are
  /// not those that `blocks` states.
  init(_ region: ByteRegion, blocks: IndexBlocks?) throws(GsymError) {
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
    self.blocks = blocks
    try check(from: 0, to: GsymFormat.headerSize)
    try check(from: Int(clamping: tables.filesStart) - 4, to: Int(clamping: tables.filesStart))
  }

  /// Throws `changed` unless the bytes from `start` up to `end` of the file are those that were
  /// written, as far as that is known.
  @inline(__always)
  func check(from start: Int, to end: Int) throws(GsymError) {
    guard areIntact(from: start, to: end) else { throw .changed(offset: UInt64(max(0, start))) }
  }

  @inline(__always)
  func areIntact(from start: Int, to end: Int) -> Bool {
    guard let blocks else { return true }
    return blocks.areIntact(from: start, to: end)
  }

  /// The image's UUID or build-id; empty if the file does not state it.
  package var uuid: [UInt8] { tables.uuid }

  /// The number of entries in the file table, including the empty entry 0.
  package var fileCount: UInt32 { tables.fileCount }

  /// The number of functions. They are in ascending order of their start addresses.
  package var functionCount: Int { Int(header.functionCount) }

  /// The text at `offset` of the string table; nil beyond its end. Invalid UTF-8 is replaced by
  /// U+FFFD. Throws `changed`.
  package func name(at offset: UInt64) throws(GsymError) -> String? {
    try checkName(at: offset)
    return strings.name(at: offset)
  }

  /// Throws `changed` unless the bytes that `name(at: offset)` reads are those that were written.
  private func checkName(at offset: UInt64) throws(GsymError) {
    guard blocks != nil, offset < UInt64(strings.count) else { return }
    let tableStart = Int(tables.strings.lowerBound)
    var place = tableStart + Int(offset)
    var end = tableStart + strings.count
    if offset > 0 {
      try check(from: place - 1, to: place)
      // A name that begins inside another one is not read further.
      if strings.byte(at: offset - 1) != 0 {
        end = min(end, place + ByteRegion.sharedNameSize + 1)
      }
    }
    while place < end {
      let next = min(end, (place | (IndexBlocks.blockSize - 1)) + 1)
      try check(from: place, to: next)
      let count = region.withRawSpan { $0.extracting(place..<next).countBeforeZero }
      if count < next - place { return }
      place = next
    }
  }

  /// The bytes from `start` of the string table to the next zero byte, not copied and not compared
  /// with a checksum; nil beyond the end of the table.
  package func nameBytes(at start: UInt64) -> ByteRegion? {
    guard start < UInt64(strings.count) else { return nil }
    var cursor = strings.cursor(at: start, byteOrder: .little)
    cursor.skipCString()
    // A failed cursor is at the end of the table; the text ends there.
    let end = UInt64(cursor.position) - (cursor.hasFailed ? 0 : 1)
    return try? strings.subregion(offset: start, count: end - start)
  }

  /// Calls `body` with the bytes from `start` of the string table to the next zero byte, and not
  /// beyond the end of the table. Nothing is copied, retained, or compared with a checksum.
  ///
  /// It is not generic, because Swift would make the type of its result at run time for each call.
  package func withNameBytes(at start: UInt64, _ body: (RawSpan) -> Void) {
    strings.withRawSpan { strings in
      guard start < UInt64(strings.byteCount) else { return }
      let rest = strings.extracting(droppingFirst: Int(start))
      body(rest.extracting(first: rest.countBeforeZero))
    }
  }

  /// The entry of the file table with this number; nil if there is none. Throws `changed`.
  package func file(at index: UInt32) throws(GsymError) -> GsymSourceFile? {
    guard index < fileCount else { return nil }
    let place = tables.filesStart + UInt64(index) * UInt64(tables.fileEntrySize)
    try check(from: Int(place), to: Int(place) + tables.fileEntrySize)
    var cursor = region.cursor(at: place, byteOrder: header.byteOrder)
    return GsymSourceFile(directory: readStringOffset(&cursor), name: readStringOffset(&cursor))
  }

  /// Reads an offset in the string table.
  @inline(__always)
  func readStringOffset(_ cursor: inout ByteCursor) -> UInt64 {
    tables.stringOffsetSize == 4 ? UInt64(cursor.readUInt32()) : cursor.readUInt64()
  }

  /// The path of the file with this number: its directory and name, joined with a slash. Nil if
  /// there is no such entry, if its strings are not in the string table, or if both are empty.
  /// Bytes that are not UTF-8 are kept (`PathByte`). Throws `changed`.
  package func path(ofFile index: UInt32) throws(GsymError) -> String? {
    guard let file = try file(at: index), let directory = try pathPart(at: file.directory),
      let name = try pathPart(at: file.name), !(directory.isEmpty && name.isEmpty)
    else { return nil }
    return directory.isEmpty || directory.utf8.last == UInt8(ascii: "/")
      ? directory + name : directory + "/" + name
  }

  private func pathPart(at offset: UInt64) throws(GsymError) -> String? {
    try checkName(at: offset)
    return strings.path(at: offset)
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
  /// The bytes at `offset` of the file are not those that were written: the checksum of their block
  /// is another one. Only for files that this program wrote.
  case changed(offset: UInt64)
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
