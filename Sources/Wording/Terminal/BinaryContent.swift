/// Tells binary data from text.
package enum BinaryContent {
  /// How much is looked at.
  private static let sampleSize = 8192

  /// Whether the start of `bytes` has a zero, or a third of it are control characters and bytes
  /// that are not UTF-8. Text in the encodings of old systems has fewer.
  package static func isBinary(_ bytes: [UInt8]) -> Bool {
    let sample = bytes.prefix(sampleSize)
    if sample.contains(0) { return true }
    var filter = TerminalFilter()
    let shown = filter.shown(Array(sample))
    // Each of them is shown as U+FFFD.
    let replaced = shown.indices.count { index in
      shown[index] == 0xef && shown[index...].starts(with: [0xef, 0xbf, 0xbd])
    }
    return replaced * 3 > sample.count
  }
}
