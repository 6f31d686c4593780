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
package enum GsymTable: Hashable, Sendable {
  case header
  /// Version 2 only.
  case directory
  case addressOffsets
  case recordOffsets
  case files
  case strings
  /// The functions' records; a table of its own in version 2.
  case records
  /// A table in version 2 only.
  case uuid
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
