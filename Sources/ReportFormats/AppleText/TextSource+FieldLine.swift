import JsonReading
package import ReportModel

/// The ranges of `Key: value`.
package struct FieldLine {
  package let key: ByteSpan
  /// Without the padding before it and trailing separators.
  package let value: ByteSpan
}

extension TextSource {
  /// Reads `Key: value`. A key has 2 to 40 characters: an upper-case letter, then letters, digits,
  /// spaces, `/`, `.` and `-`.
  package func fieldLine(_ line: TextLine) -> FieldLine? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start < line.end, Ascii.isUppercase(self[start]) else { return nil }
    let limit = min(line.end, start + 41)
    var position = start + 1
    while position < limit, self[position] != Ascii.colon {
      let byte = self[position]
      guard
        Ascii.isLowercase(byte) || Ascii.isUppercase(byte) || Ascii.isDigit(byte)
          || byte == Ascii.space || byte == Ascii.slash || byte == Ascii.minus
          || byte == UInt8(ascii: ".")
      else { return nil }
      position += 1
    }
    guard position < limit, self[position] == Ascii.colon, position - start >= 2 else { return nil }
    let value = trimmed(position + 1..<line.end)
    return FieldLine(
      key: ByteSpan(start, trimEnd(from: start, to: position)),
      value: ByteSpan(value.lowerBound, value.upperBound))
  }
}
