internal import SymbolicationModel

/// Parses one JSON value into a tape (`JsonContent.tape`), in one pass and without recursion.
///
/// While an object or array is open, the tape entry for the position after its content holds the
/// position of its parent instead. So no separate stack is needed.
struct JsonTapeBuilder {
  private let bytes: [UInt8]
  private let limit: Int
  /// The offset of the value.
  private(set) var start: Int
  /// The offset of the next byte to read.
  private(set) var offset: Int
  private(set) var tape: [UInt32] = []
  /// The number of tape entries to keep if the value breaks off now: without a key that has no
  /// value yet.
  private var completeCount = 0
  /// The tape position of the innermost open object or array; -1 if none is open.
  private var innermost = -1
  private var isInObject = false

  private static let greatestCount = Int(UInt32.max) - 8
  private static let countToEstimateFrom = 4096

  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.limit = range.upperBound
    self.start = range.lowerBound
    self.offset = range.lowerBound
  }

  /// - Returns: why the value is incomplete; nil if it is complete.
  mutating func build() throws(JsonError) -> JsonError? {
    skipSpace()
    start = offset
    do {
      try readValues()
      return nil
    } catch {
      tape.removeLast(tape.count - completeCount)
      guard !tape.isEmpty else { throw error }
      closeAll()
      return error
    }
  }

  private mutating func readValues() throws(JsonError) {
    var isUnfinished = true
    while isUnfinished {
      if try readValue() { continue }
      isUnfinished = try readSeparators()
    }
  }

  /// Reads a value; of an object or array, only the part before its first value.
  ///
  /// - Returns: whether a value must follow immediately.
  @inline(__always)
  private mutating func readValue() throws(JsonError) -> Bool {
    switch current {
    case Ascii.quote:
      try append()
      try skipString()
    case Ascii.openBrace:
      try open(isObject: true)
      skipSpace()
      if current != Ascii.closeBrace {
        try readKey()
        return true
      }
      offset += 1
      close()
    case Ascii.openBracket:
      try open(isObject: false)
      skipSpace()
      if current != Ascii.closeBracket { return true }
      offset += 1
      close()
    case UInt8(ascii: "t"): try readWord("true")
    case UInt8(ascii: "f"): try readWord("false")
    case UInt8(ascii: "n"): try readWord("null")
    case Ascii.minus, Ascii.zero...UInt8(ascii: "9"):
      try append()
      try skipNumber()
      // The input may have been cut in the middle of this number.
      if offset >= limit, innermost >= 0 { throw unexpected() }
    default: throw unexpected()
    }
    completeCount = tape.count
    return false
  }

  /// Reads everything between a value and the next one, including the ends of objects and arrays.
  ///
  /// - Returns: whether there is a next value.
  @inline(__always)
  private mutating func readSeparators() throws(JsonError) -> Bool {
    while innermost >= 0 {
      skipSpace()
      let byte = current
      if byte == Ascii.comma {
        offset += 1
        skipSpace()
        if isInObject { try readKey() }
        return true
      }
      guard byte == (isInObject ? Ascii.closeBrace : Ascii.closeBracket) else { throw unexpected() }
      offset += 1
      close()
    }
    return false
  }

  @inline(__always)
  private mutating func readKey() throws(JsonError) {
    guard current == Ascii.quote else { throw unexpected() }
    try append()
    try skipString()
    skipSpace()
    guard current == Ascii.colon else { throw unexpected() }
    offset += 1
    skipSpace()
  }

  // MARK: Tape

  @inline(__always)
  private mutating func append() throws(JsonError) {
    guard tape.count < Self.greatestCount else { throw error(.tooLarge) }
    tape.append(UInt32(truncatingIfNeeded: offset))
  }

  /// Reserves capacity for the rest of the input, assuming that it has as many values per byte as
  /// the part already read. Otherwise the tape of a large report would be copied several times,
  /// with both copies in memory. Unused capacity is never touched, so it takes no physical memory.
  private mutating func reserve() {
    let byteCount = Double(limit - start)
    let estimate = Double(tape.count) * byteCount / Double(max(offset - start, 1)) * 1.125
    tape.reserveCapacity(max(Int(min(estimate, byteCount / 2)), tape.count * 2))
  }

  @inline(__always)
  private mutating func open(isObject: Bool) throws(JsonError) {
    let position = tape.count
    if position >= Self.countToEstimateFrom, position + 16 > tape.capacity { reserve() }
    try append()
    tape.append(UInt32(truncatingIfNeeded: innermost + 1))
    tape.append(JsonContent.incompleteEnd)
    innermost = position
    isInObject = isObject
    completeCount = tape.count
    offset += 1
  }

  @inline(__always)
  private mutating func close() { close(end: UInt32(truncatingIfNeeded: offset)) }

  @inline(__always)
  private mutating func close(end: UInt32) {
    let parent = Int(tape[innermost + 1]) - 1
    tape[innermost + 1] = UInt32(truncatingIfNeeded: tape.count)
    tape[innermost + 2] = end
    completeCount = tape.count
    innermost = parent
    isInObject = parent >= 0 && bytes[Int(tape[parent])] == Ascii.openBrace
  }

  private mutating func closeAll() {
    while innermost >= 0 { close(end: JsonContent.incompleteEnd) }
  }

  // MARK: Bytes

  @inline(__always)
  private var current: UInt8 { offset < limit ? bytes[offset] : 0 }

  private func error(_ kind: JsonError.Kind) -> JsonError { JsonError(kind: kind, offset: offset) }

  private func unexpected() -> JsonError {
    error(offset < limit ? .unexpectedByte(bytes[offset]) : .unexpectedEnd)
  }

  @inline(__always)
  private mutating func skipSpace() {
    while offset < limit {
      let byte = bytes[offset]
      guard
        byte == Ascii.space || byte == Ascii.lineFeed || byte == Ascii.carriageReturn
          || byte == Ascii.tab
      else { return }
      offset += 1
    }
  }

  /// Skips a string whose opening quote is the current byte.
  @inline(__always)
  private mutating func skipString() throws(JsonError) {
    offset = endOfPlainText(from: offset + 1)
    while offset < limit {
      let byte = bytes[offset]
      if byte == Ascii.quote {
        offset += 1
        return
      }
      if byte == Ascii.backslash {
        let letter = offset + 1 < limit ? bytes[offset + 1] : 0
        if letter == Ascii.quote || letter == UInt8(ascii: "n") {
          offset += 2
        } else {
          try skipEscape()
        }
      } else if byte == Ascii.lineFeed || byte == Ascii.carriageReturn {
        throw error(.lineEndInString)
      } else {
        offset += 1
      }
      offset = endOfPlainText(from: offset)
    }
    throw error(.unexpectedEnd)
  }

  /// The offset of the first byte that may be more than text of a string; it may also be one of the
  /// last few before the limit. Looks at 8 bytes at a time.
  @inline(__always)
  private func endOfPlainText(from start: Int) -> Int {
    let span = bytes.span
    var offset = start
    while limit - offset >= 8 {
      let word = span.word(at: offset)
      let found =
        word.bytes(equal: Ascii.quote) | word.bytes(equal: Ascii.backslash)
        | word.bytes(equal: Ascii.lineFeed) | word.bytes(equal: Ascii.carriageReturn)
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    return offset
  }

  private mutating func skipEscape() throws(JsonError) {
    let letter = offset + 1
    guard letter < limit else {
      offset = limit
      throw error(.unexpectedEnd)
    }
    switch bytes[letter] {
    case Ascii.quote, Ascii.backslash, Ascii.slash, UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"):
      for digit in (letter + 1)..<(letter + 5) {
        guard digit < limit else {
          offset = limit
          throw error(.unexpectedEnd)
        }
        guard hexadecimalDigitValue(bytes[digit]) != nil else { throw error(.invalidEscape) }
      }
      offset += 6
    default: throw error(.invalidEscape)
    }
  }

  @inline(__always)
  private mutating func skipNumber() throws(JsonError) {
    if current == Ascii.minus { offset += 1 }
    if current == Ascii.zero {
      offset += 1
      if Ascii.isDigit(current) { throw error(.invalidNumber) }
    } else {
      try skipDigits()
    }
    if current == UInt8(ascii: ".") {
      offset += 1
      try skipDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      offset += 1
      if current == Ascii.plus || current == Ascii.minus { offset += 1 }
      try skipDigits()
    }
  }

  /// Skips digits; throws if there is none.
  @inline(__always)
  private mutating func skipDigits() throws(JsonError) {
    guard Ascii.isDigit(current) else {
      throw error(offset < limit ? .invalidNumber : .unexpectedEnd)
    }
    while Ascii.isDigit(current) { offset += 1 }
  }

  private mutating func readWord(_ word: String) throws(JsonError) {
    try append()
    for byte in word.utf8 {
      guard current == byte else { throw error(offset < limit ? .invalidWord : .unexpectedEnd) }
      offset += 1
    }
  }
}
