// JSON as values with places: the reader of `.ips` files.
//
//   `JsonDocument` reads one value and says where it ended;
//   `JsonTapeBuilder` is that reading: one pass, no recursion;
//   `JsonValue` is a cursor into what was read;
//   `JsonHeader` is the line above a report, for users of the module.

/// One JSON value with all that is in it, read from a place in the input; other text may follow it.
///
/// The grammar is that of RFC 8259, with two liberties: bytes of strings need not be UTF-8 (they
/// are shown as U+FFFD), and strings may contain control characters as they are, except for line
/// ends, because a line end in a string shows that the rest of the line was lost. Keys may repeat.
///
/// A value that breaks off is kept as far as it goes, when it is an object or an array: every
/// member and element that was complete is there, and ``damage`` says where and why there are no
/// more.
///
/// Time: one pass over the bytes. Memory: the input, which is shared with the caller, and 4 bytes
/// for each key, string, number and word, 12 for each object and array. Nesting is limited by that
/// alone.
package struct JsonDocument: Sendable {
  /// The value.
  package let root: JsonValue
  /// From the first byte of the value to its last, or to the damage: a half-open range of offsets
  /// in the input.
  package let byteRange: Range<Int>
  /// Where the value broke off; nil for a complete one.
  package let damage: JsonError?

  /// Reads the value at the start of `range`, with white space before it.
  ///
  /// - Parameter range: what may be read, a half-open range of offsets in `bytes`; the whole input
  ///   where it is nil.
  /// - Throws: ``JsonError`` where no value begins, or where a value breaks off that is no object
  ///   or array.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(JsonError) {
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    guard range.upperBound < Int(UInt32.max) else {
      throw JsonError(kind: .tooLarge, offset: range.lowerBound)
    }
    var builder = JsonTapeBuilder(bytes: bytes, range: range)
    damage = try builder.build()
    byteRange = builder.start..<builder.place
    let content = JsonContent(
      bytes: bytes, tape: builder.tape, end: builder.place)
    root = JsonValue(content: content, position: 0)
  }
}

/// The bytes and the tape that all values of a document share.
final class JsonContent: Sendable {
  let bytes: [UInt8]
  /// The values in the order of the input.
  ///
  /// A string, number or word, and the key of a member, is its offset. An object or array is its
  /// offset, the position on the tape of what follows it, and the offset of its end
  /// (`incompleteEnd` where it has none); what it contains comes next, keys before their values.
  /// What kind a value is, its first byte tells.
  let tape: [UInt32]
  /// Where the document ends.
  let end: Int

  static let incompleteEnd = UInt32.max
  /// What an object or array takes up before its content.
  static let containerHeadCount = 3

  init(bytes: [UInt8], tape: [UInt32], end: Int) {
    self.bytes = bytes
    self.tape = tape
    self.end = end
  }

  /// The byte at an offset in the document, or 0 where there is none.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    offset >= 0 && offset < bytes.count ? bytes[offset] : 0
  }

  /// The offset at a position of the tape; the end of the document behind its end.
  @inline(__always)
  func offset(at position: Int) -> Int {
    position >= 0 && position < tape.count ? Int(tape[position]) : end
  }

  /// The position on the tape behind the value at `position`.
  @inline(__always)
  func position(after position: Int) -> Int {
    switch byte(at: offset(at: position)) {
    case Ascii.openBrace, Ascii.openBracket: offset(at: position + 1)
    default: position + 1
    }
  }

  /// The offset behind the closing quote of the string that begins at `start`, which was read once
  /// and is therefore well formed.
  func stringEnd(_ start: Int) -> Int {
    var place = start + 1
    while place < end {
      let byte = bytes[place]
      if byte == Ascii.quote { return place + 1 }
      place += byte == Ascii.backslash ? 2 : 1
    }
    return end
  }
}
