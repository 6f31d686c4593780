import SymbolicationModel

extension SwiftNameMeter {
  /// The most words that the runtime remembers.
  private static let maximalWordCount = 26
  /// The longest identifier with other characters than ASCII. To decode one takes time in
  /// proportion to the square of its length.
  private static let maximalPunycodeCount = 4096

  /// Reads an identifier: its length and its text. After a zero, letters stand for words of
  /// earlier identifiers; after two zeros, the text is Punycode.
  mutating func readIdentifier() throws(Refusal) {
    let first = position
    if bytes[first] != UInt8(ascii: "0") {
      // Most are plain text.
      guard let length = try takeNatural(), length <= bytes.count - position else {
        throw .malformed
      }
      texts.append(position..<position + length)
      position += length
      try pushIdentifier(at: first, count: length)
      return addSubstitution()
    }
    let count = try skimIdentifier(isNew: true) { _ in }
    try pushIdentifier(at: first, count: count)
    addSubstitution()
  }

  /// Reads an identifier and gives the ranges of its text in `bytes`, in order. Returns the number
  /// of bytes of its text. Words are searched for when they are needed.
  @discardableResult
  private mutating func skimIdentifier(
    isNew: Bool, _ take: (Range<Int>) -> Void
  ) throws(Refusal) -> Int {
    var hasWords = false
    var isPunycode = false
    if takes("0") {
      if takes("0") { isPunycode = true } else { hasWords = true }
    }
    var count = 0
    repeat {
      while hasWords, let word = takeWord() {
        hasWords = !word.isLast
        while word.index >= words.count, searchedTextCount < texts.count {
          addWords(of: texts[searchedTextCount])
          searchedTextCount += 1
        }
        guard word.index < words.count else { throw .malformed }
        count += words[word.index].count
        take(words[word.index])
      }
      if takes("0") { break }
      guard let length = try takeNatural(), length > 0 else { throw .malformed }
      if isPunycode { _ = takes("_") }
      guard length <= bytes.count - position else { throw .malformed }
      let text = position..<position + length
      position = text.upperBound
      if isPunycode {
        guard length <= Self.maximalPunycodeCount else { throw .beyond(.shownLength) }
        // A character takes at least one byte, and up to four when decoded.
        count += 4 * length
      } else {
        count += length
        if isNew { texts.append(text) }
      }
      take(text)
    } while hasWords
    guard count > 0 else { throw .malformed }
    return count
  }

  private mutating func takeWord() -> (index: Int, isLast: Bool)? {
    let byte = next
    switch byte {
    case "a"..."z": position += 1
    case "A"..."Z": position += 1
    default: return nil
    }
    return byte >= "a" ? (Int(byte.value) - 0x61, false) : (Int(byte.value) - 0x41, true)
  }

  /// Finds the words of an identifier: `fooBar_baz1` has three.
  private mutating func addWords(of text: Range<Int>) {
    guard words.count < Self.maximalWordCount else { return }
    var wordStart: Int?
    for index in text.lowerBound...text.upperBound {
      let byte = index < text.upperBound ? bytes[index] : 0
      if let first = wordStart {
        let endsHere =
          byte == 0 || byte == UInt8(ascii: "_")
          || (Self.isCapital(byte) && !Self.isCapital(bytes[index - 1]))
        if endsHere {
          if index - first >= 2, words.count < Self.maximalWordCount {
            words.append(first..<index)
          }
          wordStart = nil
        }
      }
      if wordStart == nil, byte != 0, byte != UInt8(ascii: "_"), !byte.isDecimalDigit {
        wordStart = index
      }
    }
  }

  private static func isCapital(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// The name of a function or a closure that a specialised function refers to. The runtime
  /// demangles it, too.
  mutating func popNestedName() throws(Refusal) {
    let part = try pop()
    guard part.kind == .identifier else { throw .malformed }
    let end = position
    position = part.position
    let isPunycode = takes(text: "00")
    position = part.position
    var text: [UInt8] = []
    let bytes = self.bytes
    try skimIdentifier(isNew: false) { text.append(contentsOf: bytes[$0]) }
    position = end
    // Its characters are not known here, so it may be anything.
    guard !isPunycode else { throw .malformed }
    guard nesting < Self.maximalNesting else { throw .beyond(.nesting) }
    var nested = SwiftNameMeter()
    nested.nesting = nesting + 1
    // Constant text has an underscore in front of a digit or an underscore.
    for dropped in 0...1 {
      nested.bytes = Array(text.dropFirst(dropped))
      do {
        try nested.checkBytes()
        try grow(by: nested.size)
      } catch .malformed {
        continue
      }
    }
  }
}
