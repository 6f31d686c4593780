/// Why a GSYM file, or one function of it, could not be read.
package enum GsymError: Error, Hashable, Sendable {
  /// The first four bytes, as a little-endian number, are not `GSYM` in either byte order.
  case notGsym(magic: UInt32)
  /// The file has a version of the format other than 1.
  case unsupportedVersion(UInt16)
  /// Address offsets have a size in bytes other than 1, 2, 4 or 8.
  case unsupportedAddressOffsetSize(UInt8)
  /// The header states a UUID size of more than 20 bytes, for which it has no room.
  case oversizedUuid(UInt8)
  /// `table` should have `count` bytes at `offset`, but the file has only `available` bytes.
  case outOfBounds(GsymTable, offset: UInt64, count: UInt64, available: UInt64)
  /// The record of function `index`, at `offset` of the file, contradicts itself or extends past
  /// the end of the file.
  case malformedFunction(index: Int, offset: UInt64)
}

/// The parts of a GSYM file whose offset and size follow from the header.
package enum GsymTable: Hashable, Sendable {
  case header
  case addressOffsets
  case recordOffsets
  case files
  case strings
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
