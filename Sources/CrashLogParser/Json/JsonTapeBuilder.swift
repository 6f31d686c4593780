internal import SymbolicationModel

/// Reads one JSON value onto a tape, in one pass and without recursion.
///
/// While an object or array is open, the place on the tape where its successor will be noted holds
/// its parent instead, so that no other stack is needed.
struct JsonTapeBuilder {
  private let bytes: [UInt8]
  private let limit: Int
  /// Where the value begins.
  private(set) var start: Int
  /// How far was read.
  private(set) var place: Int
  private(set) var tape: [UInt32] = []
  /// How much of the tape holds complete values and open objects and arrays: not a key without a
  /// value.
  private var completeCount = 0
  /// The position of the innermost open object or array, -1 for none.
  private var innermost = -1
  private var isInObject = false

  private static let greatestCount = Int(UInt32.max) - 8
  private static let countToEstimateFrom = 4096

  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.limit = range.upperBound
    self.start = range.lowerBound
    self.place = range.lowerBound
  }

  /// - Returns: why the value is not complete, or nil.
  mutating func build() throws(JsonError) -> JsonError? {
    skipSpace()
    start = place
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

  /// Reads a value, or of an object or array what stands before the first value in it.
  ///
  /// - Returns: whether another value has to follow at once.
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
      place += 1
      close()
    case Ascii.openBracket:
      try open(isObject: false)
      skipSpace()
      if current != Ascii.closeBracket { return true }
      place += 1
      close()
    case UInt8(ascii: "t"): try readWord("true")
    case UInt8(ascii: "f"): try readWord("false")
    case UInt8(ascii: "n"): try readWord("null")
    case Ascii.minus, Ascii.zero...UInt8(ascii: "9"):
      try append()
      try skipNumber()
      // More digits may have followed before the input was cut.
      if place >= limit, innermost >= 0 { throw unexpected() }
    default: throw unexpected()
    }
    completeCount = tape.count
    return false
  }

  /// Reads what stands between a value and the next one, with the ends of objects and arrays.
  ///
  /// - Returns: whether there is a next value.
  @inline(__always)
  private mutating func readSeparators() throws(JsonError) -> Bool {
    while innermost >= 0 {
      skipSpace()
      let byte = current
      if byte == Ascii.comma {
        place += 1
        skipSpace()
        if isInObject { try readKey() }
        return true
      }
      guard byte == (isInObject ? Ascii.closeBrace : Ascii.closeBracket) else { throw unexpected() }
      place += 1
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
    place += 1
    skipSpace()
  }

  // MARK: Tape

  @inline(__always)
  private mutating func append() throws(JsonError) {
    guard tape.count < Self.greatestCount else { throw error(.tooLarge) }
    tape.append(UInt32(truncatingIfNeeded: place))
  }

  /// Makes room for the rest of the input, should it be as dense as what was read: otherwise the
  /// tape of a great report would be copied several times, with both copies in memory. Room that is
  /// not used costs no memory.
  private mutating func reserve() {
    let byteCount = Double(limit - start)
    let estimate = Double(tape.count) * byteCount / Double(max(place - start, 1)) * 1.125
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
    place += 1
  }

  @inline(__always)
  private mutating func close() { close(end: UInt32(truncatingIfNeeded: place)) }

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
  private var current: UInt8 { place < limit ? bytes[place] : 0 }

  private func error(_ kind: JsonError.Kind) -> JsonError { JsonError(kind: kind, offset: place) }

  private func unexpected() -> JsonError {
    error(place < limit ? .unexpectedByte(bytes[place]) : .unexpectedEnd)
  }

  @inline(__always)
  private mutating func skipSpace() {
    while place < limit {
      let byte = bytes[place]
      guard
        byte == Ascii.space || byte == Ascii.lineFeed || byte == Ascii.carriageReturn
          || byte == Ascii.tab
      else { return }
      place += 1
    }
  }

  /// Passes over a string whose opening quote is the current byte.
  @inline(__always)
  private mutating func skipString() throws(JsonError) {
    place += 1
    while place < limit {
      let byte = bytes[place]
      if byte == Ascii.quote {
        place += 1
        return
      }
      if byte == Ascii.backslash {
        try skipEscape()
      } else if byte == Ascii.lineFeed || byte == Ascii.carriageReturn {
        throw error(.lineEndInString)
      } else {
        place += 1
      }
    }
    throw error(.unexpectedEnd)
  }

  private mutating func skipEscape() throws(JsonError) {
    let letter = place + 1
    guard letter < limit else {
      place = limit
      throw error(.unexpectedEnd)
    }
    switch bytes[letter] {
    case Ascii.quote, Ascii.backslash, Ascii.slash, UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      place += 2
    case UInt8(ascii: "u"):
      for digit in (letter + 1)..<(letter + 5) {
        guard digit < limit else {
          place = limit
          throw error(.unexpectedEnd)
        }
        guard hexadecimalDigitValue(bytes[digit]) != nil else { throw error(.invalidEscape) }
      }
      place += 6
    default: throw error(.invalidEscape)
    }
  }

  @inline(__always)
  private mutating func skipNumber() throws(JsonError) {
    if current == Ascii.minus { place += 1 }
    if current == Ascii.zero {
      place += 1
      if Ascii.isDigit(current) { throw error(.invalidNumber) }
    } else {
      try skipDigits()
    }
    if current == UInt8(ascii: ".") {
      place += 1
      try skipDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      place += 1
      if current == Ascii.plus || current == Ascii.minus { place += 1 }
      try skipDigits()
    }
  }

  /// At least one digit.
  @inline(__always)
  private mutating func skipDigits() throws(JsonError) {
    guard Ascii.isDigit(current) else {
      throw error(place < limit ? .invalidNumber : .unexpectedEnd)
    }
    while Ascii.isDigit(current) { place += 1 }
  }

  private mutating func readWord(_ word: String) throws(JsonError) {
    try append()
    for byte in word.utf8 {
      guard current == byte else { throw error(place < limit ? .invalidWord : .unexpectedEnd) }
      place += 1
    }
  }
}
