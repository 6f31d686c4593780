import JsonReading

extension TextSource {
  package static let escape: UInt8 = 0x1B

  /// The end of a code by which terminals colour text: `ESC [`, parameters and a final letter. Nil
  /// if none begins at `offset`.
  package func colourEnd(at offset: Int) -> Int? {
    guard self[offset] == Self.escape, self[offset + 1] == Ascii.openBracket else { return nil }
    var position = offset + 2
    while (0x20...0x3F).contains(self[position]) { position += 1 }
    return (0x40...0x7E).contains(self[position]) ? position + 1 : nil
  }

  /// A line without the codes at both ends of it: a log may colour each line as a whole.
  package func withoutOuterColours(_ line: TextLine) -> TextLine {
    var (start, end) = (line.start, line.end)
    while start < end, let next = colourEnd(at: start), next <= end { start = next }
    while let before = colourStart(before: end, from: start) { end = before }
    return TextLine(start: start, end: end, next: line.next)
  }

  /// Where the code begins that ends at `end`.
  private func colourStart(before end: Int, from start: Int) -> Int? {
    // Sets colours, or erases the rest of the line.
    guard end > start, self[end - 1] == UInt8(ascii: "m") || self[end - 1] == UInt8(ascii: "K")
    else { return nil }
    var position = end - 1
    let first = max(start, end - Self.longestColour)
    while position > first, (0x20...0x3F).contains(self[position - 1]) { position -= 1 }
    position -= 2
    return position >= start && colourEnd(at: position) == end ? position : nil
  }

  private static let longestColour = 40
}
