import SymbolicationModel

// JSON values that know their byte ranges, for `.ips` files and Swift's JSON backtraces.
//
//   `JsonDocument` holds one parsed value and where it ended;
//   `JsonTapeBuilder` parses it in one pass, without recursion;
//   `JsonValue` is a cursor into the parsed value;
//   `JsonHeader` is the line above a report, for users of the module.

/// One JSON value and everything inside it, parsed at some offset of the input. Other text may
/// follow it.
///
/// The grammar is RFC 8259 with two relaxations. Strings may contain invalid UTF-8, which is shown
/// as U+FFFD. They may also contain unescaped control characters, except line ends: a line end in a
/// string means that the rest of its line was lost. Keys may repeat.
///
/// An object or array that breaks off keeps every complete member and element; ``damage`` says
/// where and why it ended.
///
/// Time: one pass over the bytes. Memory: the input, which is shared with the caller, and 4 bytes
/// for each key, string, number and word, 12 for each object and array. Nothing else limits the
/// nesting.
package struct JsonDocument: Sendable {
  /// The value.
  package let root: JsonValue
  /// The value, or the part before the damage: a half-open range of offsets in the input.
  package let byteRange: Range<Int>
  /// Where and why the value broke off; nil if it is complete.
  package let damage: JsonError?

  /// Reads the value at the start of `range`, after any white space.
  ///
  /// - Parameter range: the half-open range of offsets that may be read; nil for all of `bytes`.
  /// - Throws: ``JsonError`` if no value begins there, or if a value other than an object or array
  ///   breaks off.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(JsonError) {
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    guard range.upperBound < Int(UInt32.max) else {
      throw JsonError(kind: .tooLarge, offset: range.lowerBound)
    }
    var builder = JsonTapeBuilder(bytes: bytes, range: range)
    damage = try builder.build()
    byteRange = builder.start..<builder.offset
    let content = JsonContent(
      bytes: bytes, tape: builder.tape, end: builder.offset)
    root = JsonValue(content: content, position: 0)
  }
}

/// The bytes and the tape that all values of a document share.
package final class JsonContent: Sendable {
  package let bytes: [UInt8]
  /// All values, in the order of the input.
  ///
  /// A string, number, word or key takes one entry: its offset. An object or array takes three: its
  /// offset, the tape position after its content, and the offset of its end (`incompleteEnd` if it
  /// has none). Its content follows, each key before its value. The first byte of a value in the
  /// input tells its kind.
  package let tape: [UInt32]
  /// The offset after the document.
  package let end: Int

  package static let incompleteEnd = UInt32.max
  /// The number of entries that an object or array takes before its content.
  package static let containerHeadCount = 3

  init(bytes: [UInt8], tape: [UInt32], end: Int) {
    self.bytes = bytes
    self.tape = tape
    self.end = end
  }

  /// The byte at an offset; 0 outside the document.
  @inlinable @inline(__always)
  package func byte(at offset: Int) -> UInt8 {
    offset >= 0 && offset < bytes.count ? bytes[offset] : 0
  }

  /// The offset stored at a tape position; the end of the document if the position is past the
  /// tape.
  @inlinable @inline(__always)
  package func offset(at position: Int) -> Int {
    position >= 0 && position < tape.count ? Int(tape[position]) : end
  }

  /// The tape position after the value at `position`.
  @inlinable @inline(__always)
  package func position(after position: Int) -> Int {
    switch byte(at: offset(at: position)) {
    case Ascii.openBrace, Ascii.openBracket: offset(at: position + 1)
    default: position + 1
    }
  }

  /// The tape position of the value of the first member with this key, in the object at `position`;
  /// nil if it has none.
  package func valuePosition(of key: String, inObjectAt position: Int) -> Int? {
    let end = self.position(after: position)
    var next = position + Self.containerHeadCount
    return key.withBytes { expected in
      let first = expected.isEmpty ? Ascii.quote : expected[0]
      while next < end {
        // Nearly all other keys begin with another letter.
        let byte = byte(at: offset(at: next) + 1)
        if byte == first || byte == Ascii.backslash, hasKey(key, expected, at: next) {
          return next + 1
        }
        next = self.position(after: next + 1)
      }
      return nil
    }
  }

  /// Whether the key at a tape position is `text`. Does not allocate unless the key has escapes.
  package func hasKey(_ text: String, at position: Int) -> Bool {
    text.withBytes { hasKey(text, $0, at: position) }
  }

  @inline(__always)
  private func hasKey(_ text: String, _ expectedBytes: Span<UInt8>, at position: Int) -> Bool {
    var offset = offset(at: position) + 1
    for index in expectedBytes.indices {
      let expected = expectedBytes[index]
      let byte = byte(at: offset)
      if byte != expected || byte == Ascii.backslash {
        return byte == Ascii.backslash && isEscapedKey(text, at: position)
      }
      offset += 1
    }
    let byte = byte(at: offset)
    return byte == Ascii.quote || byte == Ascii.backslash && isEscapedKey(text, at: position)
  }

  @inline(never)
  private func isEscapedKey(_ text: String, at position: Int) -> Bool {
    JsonValue(content: self, position: position).string == text
  }

  /// The offset after the closing quote of the string that begins at `start`. The string has been
  /// parsed, so it is well formed.
  package func stringEnd(_ start: Int) -> Int {
    var offset = start + 1
    while true {
      offset = quoteOrBackslash(from: offset)
      guard offset < end else { return end }
      if bytes[offset] == Ascii.quote { return offset + 1 }
      offset += 2
    }
  }

  /// The text between the quotes of that string, as a half-open range of offsets; nil if it has
  /// escapes.
  func plainText(ofStringAt start: Int) -> Range<Int>? {
    let stop = quoteOrBackslash(from: start + 1)
    return stop < end && bytes[stop] == Ascii.quote ? start + 1..<stop : nil
  }

  /// The offset of the first of these; `end` if there is none.
  private func quoteOrBackslash(from start: Int) -> Int {
    let (array, end) = (self.bytes, end)
    let bytes = array.span
    var offset = start
    while offset < end {
      if bytes.count - offset >= 16 {
        let stops = bytes.block(at: offset).jsonTextStops
        offset += stops.firstLane
        guard stops.hasLanes, offset < end else { continue }
      }
      let byte = bytes[offset]
      if byte == Ascii.quote || byte == Ascii.backslash { return offset }
      offset += 1
    }
    return end
  }
}

extension JsonDocument {
  /// The value that `line` holds; nil if it is damaged, or has anything but white space beside it.
  package static func root(ofWholeLine line: [UInt8]) -> JsonValue? {
    guard let document = try? JsonDocument(line), document.damage == nil,
      line[document.byteRange.upperBound...].allSatisfy({ Ascii.isJsonSpace($0) })
    else { return nil }
    return document.root
  }
}

/// Why, and at which offset, the input stops being JSON.
package struct JsonError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The input ends inside a value.
    case unexpectedEnd
    /// A byte that is not allowed at its position.
    case unexpectedByte(UInt8)
    /// A line ends inside a string.
    case lineEndInString
    /// A backslash in a string that does not begin a valid escape.
    case invalidEscape
    /// A number that is not spelt as JSON requires: `01`, `1.`, `-`.
    case invalidNumber
    /// A word that is not `true`, `false` or `null`.
    case invalidWord
    /// An escaped surrogate without its other half. Only readers that ask for a string's bytes
    /// refuse it.
    case halfSurrogate
    /// More values or bytes than 32-bit offsets can address.
    case tooLarge
  }

  package let kind: Kind
  /// The offset in the input at which reading stopped. For ``Kind/unexpectedEnd``, the end of the
  /// range that may be read.
  package let offset: Int

  package init(kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}
