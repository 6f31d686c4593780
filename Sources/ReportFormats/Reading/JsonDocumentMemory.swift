package import JsonReading
import ReportModel

/// The documents that readers found in an input, so that the next reader need not read them again.
///
/// It keeps the first few, which is all that an input with one report has.
package final class JsonDocumentMemory {
  private let bytes: [UInt8]
  private var known: [JsonDocument] = []
  /// How often a document was read.
  private(set) var readingCount = 0

  private static let limit = 4

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value at the start of `range`, after any white space; nil if none begins there.
  package func document(in range: Range<Int>) -> JsonDocument? {
    var start = max(range.lowerBound, 0)
    while start < min(range.upperBound, bytes.count), Ascii.isJsonSpace(bytes[start]) { start += 1 }
    let found = known.first {
      $0.byteRange.lowerBound == start && $0.byteRange.upperBound <= range.upperBound
    }
    if let found { return found }
    readingCount += 1
    guard let document = try? JsonDocument(bytes, in: range) else { return nil }
    // What is complete between two brackets is the same wherever reading would have ended.
    if document.damage == nil, document.root.isContainer, known.count < Self.limit {
      known.append(document)
    }
    return document
  }
}
