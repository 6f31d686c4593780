/// The lines of an input that cannot be read: a sentence each for the first of them, and how many
/// there are. All sentences would fill the memory and the screen if a large file is not NDJSON.
package struct DamagedLines: Sendable {
  package private(set) var sentences: [String] = []
  package private(set) var count = 0

  private static let limit = 10

  package init() {}

  package mutating func note(_ sentence: String) {
    count += 1
    if sentences.count < Self.limit { sentences.append(sentence) }
  }

  /// Whether there are lines without a sentence.
  package var hasMore: Bool { count > sentences.count }
}
