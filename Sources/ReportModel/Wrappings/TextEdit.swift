import JsonReading

/// A replacement of a byte range; an empty range inserts. Several edits never overlap, and edits at
/// the same offset are made in their order.
package struct TextEdit: Sendable {
  package var range: Range<Int>
  package var replacement: [UInt8]

  package init(range: Range<Int>, replacement: [UInt8]) {
    self.range = range
    self.replacement = replacement
  }
}
