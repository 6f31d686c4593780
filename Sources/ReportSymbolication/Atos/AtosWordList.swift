/// The words of an input: mostly addresses.
package struct AtosWordList {
  private var bytes: [UInt8] = []
  private var ranges: [Range<Int>] = []

  /// - Parameters:
  ///   - arguments: each is one word, whatever it contains. They come first.
  ///   - text: is split at ASCII white space.
  package init(arguments: [String] = [], text: [UInt8] = []) {
    for argument in arguments {
      let start = bytes.count
      bytes += argument.utf8
      ranges.append(start..<bytes.count)
    }
    if bytes.isEmpty { bytes = text } else { bytes += text }
    split(from: bytes.count - text.count)
  }

  private mutating func split(from start: Int) {
    var wordStart = start
    for index in start..<bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) else { continue }
      if wordStart < index { ranges.append(wordStart..<index) }
      wordStart = index + 1
    }
    if wordStart < bytes.count { ranges.append(wordStart..<bytes.count) }
  }

  var count: Int { ranges.count }

  /// The word with `index`. Bytes that are not UTF-8 are replaced by U+FFFD.
  subscript(index: Int) -> String { String(decoding: bytes[ranges[index]], as: UTF8.self) }

  /// The value of each word that is an address, and the index of the word.
  func forEachAddress(_ body: (UInt64, Int) -> Void) {
    let span = bytes.span
    for index in ranges.indices {
      if let value = AtosAddressToken.value(of: span.extracting(ranges[index])) {
        body(value, index)
      }
    }
  }
}
