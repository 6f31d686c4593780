import SymbolicationModel

/// Parses one JSON value into a tape (`JsonContent.tape`), in one pass and without recursion.
///
/// While an object or array is open, the tape entry for the position after its content holds the
/// position of its parent instead. So no separate stack is needed.
///
/// The methods get the entries as a span, whose accesses are checked once: an array would also be
/// asked each time whether anybody else has it. They get the bytes as an array then, because Swift
/// 6.2 does not take two values that cannot escape if one is `inout`.
struct JsonTapeBuilder {
  private let array: [UInt8]
  /// The offset of the value.
  private(set) var start: Int
  /// The offset of the next byte to read.
  private(set) var offset: Int
  /// The offset at which reading ends.
  private let limit: Int
  private(set) var tape: [UInt32] = []
  /// The number of tape entries in use.
  private var count = 0
  /// The number of tape entries to keep if the value breaks off now: without a key that has no
  /// value yet.
  private var completeCount = 0
  /// The tape position of the innermost open object or array; -1 if none is open.
  private var innermost = -1
  private var isInObject = false

  private static let greatestCount = Int(UInt32.max) - 8
  /// The entries of a tape at first. Reports of everyday size need no more than a few times that.
  private static let firstCount = 4096
  /// How many times the entries in use are added at once, at most.
  private static let greatestGrowth = 4
  /// How many entries may be unused once the value is read.
  private static let greatestWaste = 1 << 14
  /// How many entries a value and the key after it take at most.
  private static let greatestStep = 4

  /// - Parameter range: must lie in `bytes`.
  init(bytes: [UInt8], range: Range<Int>) {
    array = bytes
    limit = range.upperBound
    start = range.lowerBound
    offset = range.lowerBound
  }

  /// - Returns: why the value is incomplete; nil if it is complete.
  mutating func build() throws(JsonError) -> JsonError? {
    let array = array
    skipSpace(array.span.extracting(0..<limit))
    start = offset
    // A value takes a byte at least, and an object or array two.
    var entries = [UInt32](
      repeating: 0, count: min(Self.firstCount, (limit - start) / 8) + Self.greatestStep)
    defer { tape = entries.capacity - entries.count > Self.greatestWaste ? entries.copy : entries }
    do {
      while true {
        var span = entries.mutableSpan
        if try readValues(array, &span) { break }
        try makeRoom(in: &entries)
      }
      entries.removeLast(entries.count - count)
      return nil
    } catch {
      count = completeCount
      entries.removeLast(entries.count - count)
      guard count > 0 else { throw error }
      var span = entries.mutableSpan
      closeAll(array, &span)
      return error
    }
  }

  /// - Returns: whether the value is complete; false if there must be more entries.
  private mutating func readValues(
    _ array: [UInt8], _ tape: inout MutableSpan<UInt32>
  ) throws(JsonError) -> Bool {
    while true {
      guard tape.count - count >= Self.greatestStep else { return false }
      if try readValue(array, &tape) { continue }
      guard try readSeparators(array, &tape) else { return true }
    }
  }

  /// Reads a value; of an object or array, only the part before its first value.
  ///
  /// - Returns: whether a value must follow immediately.
  @inline(__always)
  private mutating func readValue(
    _ array: [UInt8], _ tape: inout MutableSpan<UInt32>
  ) throws(JsonError) -> Bool {
    let bytes = array.span.extracting(0..<limit)
    switch current(bytes) {
    case Ascii.quote:
      append(to: &tape)
      try skipString(bytes)
    case Ascii.openBrace:
      open(isObject: true, &tape)
      skipSpace(bytes)
      if current(bytes) != Ascii.closeBrace {
        try readKey(array, &tape)
        return true
      }
      offset += 1
      close(array, &tape)
    case Ascii.openBracket:
      open(isObject: false, &tape)
      skipSpace(bytes)
      if current(bytes) != Ascii.closeBracket { return true }
      offset += 1
      close(array, &tape)
    case UInt8(ascii: "t"): try readWord("true", array, &tape)
    case UInt8(ascii: "f"): try readWord("false", array, &tape)
    case UInt8(ascii: "n"): try readWord("null", array, &tape)
    case Ascii.minus, Ascii.zero...UInt8(ascii: "9"):
      append(to: &tape)
      try skipNumber(bytes)
      // The input may have been cut in the middle of this number.
      if offset >= bytes.count, innermost >= 0 { throw unexpected(bytes) }
    default: throw unexpected(bytes)
    }
    completeCount = count
    return false
  }

  /// Reads everything between a value and the next one, including the ends of objects and arrays.
  ///
  /// - Returns: whether there is a next value.
  @inline(__always)
  private mutating func readSeparators(
    _ array: [UInt8], _ tape: inout MutableSpan<UInt32>
  ) throws(JsonError) -> Bool {
    let bytes = array.span.extracting(0..<limit)
    while innermost >= 0 {
      skipSpace(bytes)
      let byte = current(bytes)
      if byte == Ascii.comma {
        offset += 1
        skipSpace(bytes)
        if isInObject { try readKey(array, &tape) }
        return true
      }
      guard byte == (isInObject ? Ascii.closeBrace : Ascii.closeBracket) else {
        throw unexpected(bytes)
      }
      offset += 1
      close(array, &tape)
    }
    return false
  }

  @inline(__always)
  private mutating func readKey(
    _ array: [UInt8], _ tape: inout MutableSpan<UInt32>
  ) throws(JsonError) {
    let bytes = array.span.extracting(0..<limit)
    guard current(bytes) == Ascii.quote else { throw unexpected(bytes) }
    append(to: &tape)
    try skipString(bytes)
    skipSpace(bytes)
    guard current(bytes) == Ascii.colon else { throw unexpected(bytes) }
    offset += 1
    skipSpace(bytes)
  }

  // MARK: Tape

  /// Adds entries for the rest of the input, assuming that it has as many values per byte as the
  /// part already read. Otherwise the tape of a large report would be copied several times, with
  /// both copies in memory. But the value may end long before the input, so the tape gets only a
  /// few times as long as the part in use.
  private func makeRoom(in entries: inout [UInt32]) throws(JsonError) {
    guard count < Self.greatestCount else { throw error(.tooLarge) }
    let byteCount = Double(limit - start)
    let estimate = Double(count) * byteCount / Double(max(offset - start, 1)) * 1.125
    let greatestRest = Self.greatestStep * (max(limit - offset, 0) + 1)
    let room = max(
      min(Int(min(estimate, byteCount / 2)) - count, Self.greatestGrowth * count), count / 4,
      min(Self.firstCount, greatestRest))
    let missing = count + room - entries.count
    entries.append(addingCapacity: missing) { $0.append(repeating: 0, count: missing) }
  }

  @inline(__always)
  private mutating func append(to tape: inout MutableSpan<UInt32>) {
    tape[count] = UInt32(truncatingIfNeeded: offset)
    count += 1
  }

  @inline(__always)
  private mutating func open(isObject: Bool, _ tape: inout MutableSpan<UInt32>) {
    let position = count
    append(to: &tape)
    tape[position + 1] = UInt32(truncatingIfNeeded: innermost + 1)
    tape[position + 2] = JsonContent.incompleteEnd
    count = position + JsonContent.containerHeadCount
    innermost = position
    isInObject = isObject
    completeCount = count
    offset += 1
  }

  @inline(__always)
  private mutating func close(_ array: [UInt8], _ tape: inout MutableSpan<UInt32>) {
    close(end: UInt32(truncatingIfNeeded: offset), array, &tape)
  }

  @inline(__always)
  private mutating func close(
    end: UInt32, _ array: [UInt8], _ tape: inout MutableSpan<UInt32>
  ) {
    let parent = Int(tape[innermost + 1]) - 1
    tape[innermost + 1] = UInt32(truncatingIfNeeded: count)
    tape[innermost + 2] = end
    completeCount = count
    innermost = parent
    isInObject = parent >= 0 && array[Int(tape[parent])] == Ascii.openBrace
  }

  private mutating func closeAll(_ array: [UInt8], _ tape: inout MutableSpan<UInt32>) {
    while innermost >= 0 { close(end: JsonContent.incompleteEnd, array, &tape) }
  }

  // MARK: Bytes

  @inline(__always)
  private func current(_ bytes: Span<UInt8>) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  private func error(_ kind: JsonError.Kind) -> JsonError { JsonError(kind: kind, offset: offset) }

  private func unexpected(_ bytes: Span<UInt8>) -> JsonError {
    error(offset < bytes.count ? .unexpectedByte(bytes[offset]) : .unexpectedEnd)
  }

  @inline(__always)
  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    guard offset < bytes.count, bytes[offset] <= Ascii.space else { return }
    skipSpaces(bytes)
  }

  /// Skips white space: line ends, and indentation 8 bytes at a time.
  private mutating func skipSpaces(_ bytes: Span<UInt8>) {
    let spaces = UInt64.everyByte &* UInt64(Ascii.space)
    while offset < bytes.count {
      if bytes.count - offset >= 8 {
        let others = bytes.word(at: offset) ^ spaces
        offset += others.trailingZeroBitCount / 8
        if others == 0 { continue }
      }
      guard Ascii.isJsonSpace(bytes[offset]) else { return }
      offset += 1
    }
  }

  /// Skips a string whose opening quote is the current byte.
  @inline(__always)
  private mutating func skipString(_ bytes: Span<UInt8>) throws(JsonError) {
    var place = offset + 1
    while place < bytes.count {
      if bytes.count - place >= 16 {
        let stops = bytes.block(at: place).jsonTextStops
        place += stops.firstLane
        if !stops.hasLanes { continue }
      }
      let byte = bytes[place]
      if byte == Ascii.quote {
        offset = place + 1
        return
      }
      let isPlain = byte >= Ascii.space && byte != Ascii.backslash
      place = isPlain ? place + 1 : try end(ofEscapeOrControl: place, bytes)
    }
    offset = bytes.count
    throw error(.unexpectedEnd)
  }

  /// The offset after the escape or control character at `place`, which is in a string.
  @inline(__always)
  private mutating func end(ofEscapeOrControl place: Int, _ bytes: Span<UInt8>) throws(JsonError)
    -> Int
  {
    if bytes[place] == Ascii.backslash {
      let letter = place + 1 < bytes.count ? bytes[place + 1] : 0
      if letter == Ascii.quote || letter == UInt8(ascii: "n") { return place + 2 }
      offset = place
      try skipEscape(bytes)
      return offset
    }
    if bytes[place] == Ascii.lineFeed || bytes[place] == Ascii.carriageReturn {
      offset = place
      throw error(.lineEndInString)
    }
    return place + 1
  }

  private mutating func skipEscape(_ bytes: Span<UInt8>) throws(JsonError) {
    let letter = offset + 1
    guard letter < bytes.count else {
      offset = bytes.count
      throw error(.unexpectedEnd)
    }
    switch bytes[letter] {
    case Ascii.quote, Ascii.backslash, Ascii.slash, UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"):
      for digit in (letter + 1)..<(letter + 5) {
        guard digit < bytes.count else {
          offset = bytes.count
          throw error(.unexpectedEnd)
        }
        guard hexadecimalDigitValue(bytes[digit]) != nil else { throw error(.invalidEscape) }
      }
      offset += 6
    default: throw error(.invalidEscape)
    }
  }

  @inline(__always)
  private mutating func skipNumber(_ bytes: Span<UInt8>) throws(JsonError) {
    if current(bytes) == Ascii.minus { offset += 1 }
    if current(bytes) == Ascii.zero {
      offset += 1
      if Ascii.isDigit(current(bytes)) { throw error(.invalidNumber) }
    } else {
      try skipDigits(bytes)
    }
    if current(bytes) == UInt8(ascii: ".") {
      offset += 1
      try skipDigits(bytes)
    }
    if current(bytes) == UInt8(ascii: "e") || current(bytes) == UInt8(ascii: "E") {
      offset += 1
      if current(bytes) == Ascii.plus || current(bytes) == Ascii.minus { offset += 1 }
      try skipDigits(bytes)
    }
  }

  /// Skips digits; throws if there is none.
  @inline(__always)
  private mutating func skipDigits(_ bytes: Span<UInt8>) throws(JsonError) {
    guard Ascii.isDigit(current(bytes)) else {
      throw error(offset < bytes.count ? .invalidNumber : .unexpectedEnd)
    }
    while Ascii.isDigit(current(bytes)) { offset += 1 }
  }

  private mutating func readWord(
    _ word: String, _ array: [UInt8], _ tape: inout MutableSpan<UInt32>
  ) throws(JsonError) {
    let bytes = array.span.extracting(0..<limit)
    append(to: &tape)
    for byte in word.utf8 {
      guard current(bytes) == byte else {
        throw error(offset < bytes.count ? .invalidWord : .unexpectedEnd)
      }
      offset += 1
    }
  }
}

extension [UInt32] {
  /// The same entries in memory of their own, without room for more.
  fileprivate var copy: [UInt32] {
    var copy: [UInt32] = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}
