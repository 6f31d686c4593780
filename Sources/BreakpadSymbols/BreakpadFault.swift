/// Damage in a Breakpad symbol file that leaves the rest of it usable. Offsets are in bytes from
/// the start of the file.
package enum BreakpadFault: Hashable, Sendable {
  /// `count` records of this kind cannot be read; the first of them is at `offset`.
  case malformedRecords(Record, count: Int, offset: UInt64)
  /// The records of the function at `offset` have `count` bytes, more than the `limit` that is
  /// decoded for one function. It has no lines.
  case oversizedFunction(offset: UInt64, count: UInt64, limit: UInt64)
  /// The function at `offset` refers to a file for which there is no record.
  case unknownFile(UInt32, offset: UInt64)
  /// The function at `offset` refers to an inlined function for which there is no record.
  case unknownOrigin(UInt32, offset: UInt64)

  /// The kinds of records that are read after the head, by the word that they begin with.
  package enum Record: String, Hashable, Sendable, CaseIterable {
    case function = "FUNC"
    case symbol = "PUBLIC"
    case file = "FILE"
    case inlineOrigin = "INLINE_ORIGIN"
    case inlinedCall = "INLINE"
    /// A line row, which begins with no word.
    case line = "line"
  }
}
