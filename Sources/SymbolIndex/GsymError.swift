/// Why a GSYM file, or one function of it, could not be read.
package enum GsymError: Error, Hashable, Sendable {
  /// The first four bytes, as a little-endian number, are not `GSYM` in either byte order.
  case notGsym(magic: UInt32)
  /// The file's format has another version than 1.
  case unsupportedVersion(UInt16)
  /// Address offsets have 1, 2, 4 or 8 bytes.
  case unsupportedAddressOffsetSize(UInt8)
  /// The UUID is said to have more bytes than there is room for, which is 20.
  case oversizedUuid(UInt8)
  /// `count` bytes of `table` should stand at `offset` of a file of `available` bytes.
  case outOfBounds(GsymTable, offset: UInt64, count: UInt64, available: UInt64)
  /// The record of the function with this index, which begins at `offset` of the file, contradicts
  /// itself or passes the end of the file.
  case malformedFunction(index: Int, offset: UInt64)
}

/// The parts of a GSYM file of which the header tells place and size.
package enum GsymTable: Hashable, Sendable {
  case header
  case addressOffsets
  case recordOffsets
  case files
  case strings
}

/// What a GSYM file cannot hold.
package enum GsymLimitError: Error, Hashable, Sendable {
  /// A UUID has at most 20 bytes.
  case uuidTooLong(count: Int)
  /// A function's size and the sizes of the parts of its record have 32 bits.
  case functionTooLarge(start: UInt64, end: UInt64)
  case tooManyFunctions(count: Int)
  case tooManyFiles(count: Int)
  /// Strings are found by offsets of 32 bits.
  case stringTableTooLarge(count: Int)
  /// Records are found by offsets of 32 bits, and one would begin at `offset`.
  case fileTooLarge(offset: Int)
}
