/// Why compressed bytes could not be inflated.
package enum DecompressionError: Error, Hashable, Sendable {
  /// More than `limit` bytes were promised or came out.
  case tooLarge(limit: UInt64)
}
