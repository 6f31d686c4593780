internal import SymbolicationModel

/// The bytes of the input with the few readings that every line needs.
///
/// Values of a report hold this next to their ranges and make a `String` of a part only when it is
/// asked for. Copies share the bytes.
struct TextSource: Sendable {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  /// The byte at `offset`, or 0 where there is none: 0 is part of no line grammar.
  subscript(offset: Int) -> UInt8 {
    @inline(__always) get {
      offset >= 0 && offset < bytes.count ? bytes[offset] : 0
    }
  }

  /// Whether `text` stands at `offset` and ends at or before `limit`.
  func has(_ text: String, at offset: Int, limit: Int) -> Bool {
    guard limit - offset >= text.utf8.count else { return false }
    var place = offset
    for byte in text.utf8 {
      if self[place] != byte { return false }
      place += 1
    }
    return true
  }

  /// The first place at or after `offset` where `text` stands and ends by `limit`.
  func find(_ text: String, from offset: Int, limit: Int) -> Int? {
    guard let first = text.utf8.first else { return nil }
    let last = limit - text.utf8.count
    var place = offset
    while place <= last {
      if self[place] == first, has(text, at: place, limit: limit) { return place }
      place += 1
    }
    return nil
  }

  // MARK: Separators

  /// The length of the separator at `offset`: a space or tab (1), a no-break space in UTF-8 (2), as
  /// reports copied from web pages have them, or none (0).
  @inline(__always)
  func separatorLength(at offset: Int, limit: Int) -> Int {
    guard offset < limit else { return 0 }
    let byte = self[offset]
    if byte == Ascii.space || byte == Ascii.tab { return 1 }
    if byte == 0xC2, offset + 1 < limit, self[offset + 1] == 0xA0 { return 2 }
    return 0
  }

  /// The first offset at or after `offset` where no separator stands, at most `limit`.
  @inline(__always)
  func skipSeparators(from offset: Int, limit: Int) -> Int {
    var place = offset
    while true {
      let length = separatorLength(at: place, limit: limit)
      if length == 0 { return place }
      place += length
    }
  }

  /// The end of `start..<end` without the separators at its end.
  func trimEnd(from start: Int, to end: Int) -> Int {
    var place = end
    while place > start {
      let byte = self[place - 1]
      if byte == Ascii.space || byte == Ascii.tab {
        place -= 1
      } else if byte == 0xA0, place - 2 >= start, self[place - 2] == 0xC2 {
        place -= 2
      } else {
        break
      }
    }
    return place
  }

  /// The range without separators at either end.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    let start = skipSeparators(from: range.lowerBound, limit: range.upperBound)
    return start..<trimEnd(from: start, to: range.upperBound)
  }

  // MARK: Numbers

  /// Decimal digits at `offset`: their value, or nil where it does not fit, and where they end.
  func decimal(at offset: Int, limit: Int) -> (value: UInt64?, end: Int)? {
    var place = offset
    var value: UInt64? = 0
    while place < limit, Ascii.isDigit(self[place]) {
      if let soFar = value {
        let (product, overflow) = soFar.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(self[place] - Ascii.zero))
        value = overflow || carry ? nil : sum
      }
      place += 1
    }
    return place > offset ? (value, place) : nil
  }

  /// Decimal digits at `offset` whose value fits, and where they end.
  func number(at offset: Int, limit: Int) -> (value: UInt64, end: Int)? {
    guard let (value, end) = decimal(at: offset, limit: limit), let value else { return nil }
    return (value, end)
  }

  /// `0x` and 1 to 16 hexadecimal digits at `offset`: the value, and where the digits end. Nil
  /// where more digits follow than an address has.
  @inline(__always)
  func hexadecimal(at offset: Int, limit: Int) -> (value: UInt64, end: Int)? {
    guard limit - offset >= 3, self[offset] == Ascii.zero, self[offset + 1] == Ascii.x else {
      return nil
    }
    var place = offset + 2
    var value: UInt64 = 0
    while place < limit, let digit = hexadecimalDigitValue(self[place]) {
      value = value << 4 | UInt64(digit)
      place += 1
    }
    let digits = place - offset - 2
    return digits >= 1 && digits <= 16 ? (value, place) : nil
  }

  // MARK: Text

  /// The text of a range. Bytes that are no UTF-8 become U+FFFD; the five entities of XML (`&lt;`,
  /// `&quot;`, …), which reports taken from web pages and property lists have, are decoded.
  func string(_ range: Range<Int>) -> String {
    let clamped = range.clamped(to: 0..<bytes.count)
    guard bytes[clamped].contains(Ascii.ampersand) else {
      return String(decoding: bytes[clamped], as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(clamped.count)
    var place = clamped.lowerBound
    while place < clamped.upperBound {
      if let (character, length) = entity(at: place, limit: clamped.upperBound) {
        decoded.append(character)
        place += length
      } else {
        decoded.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The character that an entity at `offset` stands for, and the entity's length.
  private func entity(at offset: Int, limit: Int) -> (character: UInt8, length: Int)? {
    guard self[offset] == Ascii.ampersand else { return nil }
    if has("&lt;", at: offset, limit: limit) { return (UInt8(ascii: "<"), 4) }
    if has("&gt;", at: offset, limit: limit) { return (UInt8(ascii: ">"), 4) }
    if has("&amp;", at: offset, limit: limit) { return (UInt8(ascii: "&"), 5) }
    if has("&quot;", at: offset, limit: limit) { return (UInt8(ascii: "\""), 6) }
    if has("&apos;", at: offset, limit: limit) { return (UInt8(ascii: "'"), 6) }
    if has("&#39;", at: offset, limit: limit) { return (UInt8(ascii: "'"), 5) }
    return nil
  }
}
