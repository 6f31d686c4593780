import BinaryInput

// Places in the long parts of a record from which decoding can begin, so that a lookup in a large
// function reads some rows and calls instead of half of them.
//
// The format has no such thing. But readers of a line table stop at its end operation, and readers of
// inlined calls behind the children of the function, while the part's length says where the next one
// begins. So our marks stand between the two: entries ascending by address, their number, and
// `marker`, all little-endian. The last byte of the marker is one with which LLVM's parts cannot end:
// those end with a zero or with the last byte of a LEB128 number.
//
//     of a line table    address, position, file, line   a row, and where the next is encoded
//     of inlined calls   address, position               where a call in the function itself is
//
// Each number has four bytes; addresses count from the function's start, positions from the part's.
// Calls have an entry for each range, and only where those do not overlap, so that an address that is
// not in the range found is in none.

enum GsymMarks {
  static let marker: UInt32 = 0xc74b_524d
  /// A line table has a mark for each so many rows, if it has at least twice as many.
  static let rowsBetween = 32
  /// Inlined calls have marks if at least so many ranges are those of calls in the function itself.
  static let fewestRanges = 16
  static let lineEntrySize = 16
  static let callEntrySize = 8

  /// Sets the cursor behind the address of the last mark that is not above `address`, which counts
  /// from the function's start.
  ///
  /// - Parameter cursor: little-endian. Where no mark is found, it is left at the start of the part.
  static func find(
    _ address: UInt64, in part: Range<UInt64>, entrySize: Int, _ cursor: inout ByteCursor
  ) -> Result {
    let length = part.upperBound - part.lowerBound
    guard length > 8 else { return .unmarked }
    cursor.seek(to: part.upperBound - 8)
    let count = UInt64(cursor.readUInt32())
    let marker = cursor.readUInt32()
    let size = count * UInt64(entrySize)
    guard marker == Self.marker, size <= length - 8, count > 0 else {
      cursor.seek(to: part.lowerBound)
      return .unmarked
    }
    let start = part.upperBound - 8 - size
    var first: UInt64 = 0
    var remaining = count
    while remaining > 1 {
      let half = remaining / 2
      cursor.seek(to: start + (first + half) * UInt64(entrySize))
      first += UInt64(cursor.readUInt32()) <= address ? half : 0
      remaining -= half
    }
    cursor.seek(to: start + first * UInt64(entrySize))
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
    case noneBefore
    /// The mark's address, from the function's start.
    case found(address: UInt64)
  }
}
