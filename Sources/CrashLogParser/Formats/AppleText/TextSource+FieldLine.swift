/// `Key: value`, as places.
struct FieldLine {
  let key: ByteSpan
  /// Without the padding before it and the separators after it.
  let value: ByteSpan
}

extension TextSource {
  /// Reads a line that has the form of a header line: a key of 2 to 40 characters that begins with
  /// an upper-case letter and has letters, digits, spaces, `/`, `.` and `-`, a colon, the value.
  func fieldLine(_ line: TextLine) -> FieldLine? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start < line.end, Ascii.isUppercase(self[start]) else { return nil }
    let limit = min(line.end, start + 41)
    var place = start + 1
    while place < limit, self[place] != Ascii.colon {
      let byte = self[place]
      guard
        Ascii.isLowercase(byte) || Ascii.isUppercase(byte) || Ascii.isDigit(byte)
          || byte == Ascii.space || byte == Ascii.slash || byte == Ascii.minus
          || byte == UInt8(ascii: ".")
      else { return nil }
      place += 1
    }
    guard place < limit, self[place] == Ascii.colon, place - start >= 2 else { return nil }
    let value = trimmed(place + 1..<line.end)
    return FieldLine(
      key: ByteSpan(start, trimEnd(from: start, to: place)),
      value: ByteSpan(value.lowerBound, value.upperBound))
  }
}
