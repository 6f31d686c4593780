import BinaryInput

/// Marks in the long parts of a record: positions from which decoding can begin, so that a lookup
/// in a large function reads some rows and calls instead of half of them.
///
/// The format does not define marks, but it leaves room for them. Readers of a line table stop at
/// its end operation, and readers of inlined calls stop after the children of the function; the
/// length of the part states where the next part begins. The marks stand between the two: entries
/// in ascending order of address, the number of entries, and `marker`, all little-endian. Parts
/// that LLVM wrote cannot end with the last byte of the marker: they end with a zero, or with the
/// last byte of a LEB128 number.
///
///     line table      address, position, file, line   a row, and where the next row is encoded
///     inlined calls   address, position               where a call in the function itself is
///     encoded
///
/// Each number has four bytes. Addresses are relative to the start of the function, positions to
/// the start of the part. Inlined calls have an entry for each code range, and only if the ranges
/// do not overlap: an address that is not in the range found is then in none.
enum GsymMarks {
  static let marker: UInt32 = 0xc74b_524d
  /// The number of rows from one mark of a line table to the next. A table with less than twice as
  /// many rows has no marks.
  static let rowsBetween = 32
  /// The least number of code ranges of calls in the function itself for which there are marks.
  static let fewestRanges = 16
  /// The size of an entry of a line table, in bytes.
  static let lineEntrySize = 16
  /// The size of an entry of inlined calls, in bytes.
  static let callEntrySize = 8

  /// Finds the last mark at or below `address`, which is relative to the start of the function, and
  /// moves the cursor past the mark's address. If there is none, the cursor is left at the start
  /// of the part.
  ///
  /// - Parameter cursor: must be little-endian.
  static func find(
    _ address: UInt64, in part: Range<UInt64>, entrySize: Int, _ cursor: inout ByteCursor
  ) -> Result {
    let length = part.upperBound - part.lowerBound
    guard length > 8 else { return .unmarked }
    cursor.seek(to: part.upperBound - 8)
    let count = Int(cursor.readUInt32())
    let marker = cursor.readUInt32()
    let size = UInt64(count * entrySize)
    guard marker == Self.marker, size <= length - 8, count > 0 else {
      cursor.seek(to: part.lowerBound)
      return .unmarked
    }
    let start = part.upperBound - 8 - size
    let last = lastIndex(of: count) {
      cursor.seek(to: start + UInt64($0 * entrySize))
      return UInt64(cursor.readUInt32()) <= address
    }
    cursor.seek(to: start + UInt64(last * entrySize))
    let found = UInt64(cursor.readUInt32())
    guard found <= address else {
      cursor.seek(to: part.lowerBound)
      return .noneBefore
    }
    return .found(address: found)
  }

  enum Result {
    /// The part has no marks.
    case unmarked
    /// All marks are above the address.
    case noneBefore
    /// The address of the mark, relative to the start of the function.
    case found(address: UInt64)
  }
}
