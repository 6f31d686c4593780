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

  /// Finds the last mark of `part` at or below `address`, which is relative to the start of the
  /// function.
  static func find(_ address: UInt64, in part: RawSpan, entrySize: Int) -> Result {
    guard part.byteCount > 8 else { return .unmarked }
    func number(at offset: Int) -> UInt32 {
      var position = SpanPosition(UInt64(truncatingIfNeeded: offset))
      return UInt32(littleEndian: position.read(UInt32.self, in: part))
    }
    let end = part.byteCount - 8
    guard number(at: end + 4) == marker else { return .unmarked }
    let count = Int(number(at: end))
    let size = count * entrySize
    guard count > 0, size <= end else { return .unmarked }
    let start = end - size
    let probe = min(address, UInt64(UInt32.max))
    let last =
      start + entrySize
      * lastIndex(of: count, notAbove: probe) { UInt64(number(at: start &+ $0 &* entrySize)) }
    return UInt64(number(at: last)) <= address ? .found(entry: last) : .noneBefore
  }

  enum Result {
    /// The part has no marks.
    case unmarked
    /// All marks are above the address.
    case noneBefore
    /// Where the mark is, from the start of the part. Its first number is its address.
    case found(entry: Int)
  }
}
