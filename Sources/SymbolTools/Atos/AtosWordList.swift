import SymbolicationModel

/// The words of an input: mostly addresses. Words of a text are found again when they are needed;
/// remembering where each is would take more memory than the text.
package struct AtosWordList {
  private let arguments: [String]
  private let text: [UInt8]
  package private(set) var count: Int
  /// Where every 4,096th word of the text begins.
  private var marks: [Int] = []

  private static let markDistance = 1 << 12

  /// - Parameters:
  ///   - arguments: each is one word, whatever it contains. They come first.
  ///   - text: is split at ASCII white space.
  package init(arguments: [String] = [], text: [UInt8] = []) {
    self.arguments = arguments
    self.text = text
    count = 0
    var isInWord = false
    let bytes = text.span
    for index in bytes.indices {
      let wasInWord = isInWord
      isInWord = !Self.isSpace(bytes[index])
      guard isInWord, !wasInWord else { continue }
      if count % Self.markDistance == 0 { marks.append(index) }
      count += 1
    }
    count += arguments.count
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte)
  }

  /// Calls `body` with the index and the bytes of each word.
  ///
  /// - Parameter words: indices of words; all, if it is nil.
  func forEach(in words: Range<Int>? = nil, _ body: (Int, Span<UInt8>) -> Void) {
    let words = words ?? 0..<count
    for index in words where index < arguments.count { body(index, arguments[index].utf8.span) }
    let first = max(words.lowerBound - arguments.count, 0)
    guard first + arguments.count < words.upperBound, first / Self.markDistance < marks.count
    else { return }
    var index = first / Self.markDistance * Self.markDistance + arguments.count
    var position = marks[first / Self.markDistance]
    let bytes = text.span
    while index < words.upperBound {
      while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
      let start = position
      while position < bytes.count, !Self.isSpace(bytes[position]) { position += 1 }
      if start == position { return }
      if index >= words.lowerBound { body(index, bytes.extracting(start..<position)) }
      index += 1
    }
  }

  /// Calls `body` with the value and the index of each word that is an address.
  func forEachAddress(_ body: (UInt64, Int) -> Void) {
    forEach { index, bytes in
      if let value = AtosAddressToken.value(of: bytes) { body(value, index) }
    }
  }
}

/// The syntax of addresses in the arguments and the input of `atos`.
package enum AtosAddressToken {
  /// The value of `token`: hexadecimal digits, with or without `0x` in front. Nil for anything
  /// else, and for more than 64 bits.
  ///
  /// Decimal digits alone are hexadecimal too, because that is how Apple's `atos` reads `-l`.
  package static func value(of token: Substring) -> UInt64? { value(of: token.utf8.span) }

  /// The value of a token in UTF-8.
  static func value(of token: Span<UInt8>) -> UInt64? { UInt64(hexadecimal: token) }
}
