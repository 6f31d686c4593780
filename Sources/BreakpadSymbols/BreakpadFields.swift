import BinaryInput

/// Reads one record field by field. Fields are divided by spaces, and the line's end ends the last.
///
/// It never passes the end of the line, so that a missing field is noticed.
struct BreakpadFields {
  private let region: ByteRegion
  fileprivate var cursor: ByteCursor

  init(_ region: ByteRegion, at offset: UInt64) {
    self.region = region
    self.cursor = region.cursor(at: offset, byteOrder: .little)
  }

  /// The next byte; nil at the end of the line or of the file. Does not move.
  @inline(__always)
  var next: UInt8? {
    guard let byte = cursor.nextByte else { return nil }
    return byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? nil : byte
  }

  /// The offset of the next byte.
  var position: UInt64 { UInt64(cursor.position) }

  mutating func seek(to offset: UInt64) { cursor.seek(to: offset) }

  /// Whether no field is left.
  var isAtEnd: Bool { next == nil }

  /// Skips the word with which a record begins, and the space after it. Returns whether it is
  /// there.
  mutating func skip(_ record: BreakpadFault.Record) -> Bool {
    let word = record.rawValue.utf8
    let start = position
    for byte in word {
      guard next == byte else {
        cursor.seek(to: start)
        return false
      }
      cursor.skip(1)
    }
    guard next == UInt8(ascii: " ") else {
      cursor.seek(to: start)
      return false
    }
    skipSpaces()
    return true
  }

  /// Skips the `m` of functions and symbols that share their code with others.
  mutating func skipMultipleMark() {
    guard next == UInt8(ascii: "m") else { return }
    cursor.skip(1)
    skipSpaces()
  }

  private mutating func skipSpaces() {
    while next == UInt8(ascii: " ") { cursor.skip(1) }
  }

  /// Skips a field and the spaces after it. Returns false if there is none.
  mutating func skipField() -> Bool {
    guard !isAtEnd else { return false }
    while let byte = next, byte != UInt8(ascii: " ") { cursor.skip(1) }
    skipSpaces()
    return true
  }

  /// A hexadecimal number and the spaces after it. Nil, and anywhere in the line, if the field is
  /// not a number of up to 64 bits.
  @inline(__always)
  mutating func readHexadecimal() -> UInt64? {
    var number: UInt64 = 0
    var isEmpty = true
    while let byte = next {
      guard let digit = Self.hexadecimalValue(byte) else { break }
      guard number < 1 << 60 else { return nil }
      number = number << 4 | UInt64(digit)
      isEmpty = false
      cursor.skip(1)
    }
    return isEmpty ? nil : endField(number)
  }

  /// A decimal number and the spaces after it. Nil, and anywhere in the line, if the field is not a
  /// number of up to 32 bits.
  @inline(__always)
  mutating func readDecimal() -> UInt32? {
    var number: UInt64 = 0
    var isEmpty = true
    while let byte = next {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      number = number * 10 + UInt64(digit)
      guard number <= UInt64(UInt32.max) else { return nil }
      isEmpty = false
      cursor.skip(1)
    }
    return isEmpty ? nil : endField(number).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// `number`, if its field ends here.
  @inline(__always)
  private mutating func endField(_ number: UInt64) -> UInt64? {
    guard let byte = next else { return number }
    guard byte == UInt8(ascii: " ") else { return nil }
    skipSpaces()
    return number
  }

  /// The number of a file before a name: a field of digits that another field follows. `-1` stands
  /// for no file. Nothing is read if the next field is something else.
  mutating func readLeadingFileNumber() -> UInt32? {
    let start = position
    if next == UInt8(ascii: "-") {
      cursor.skip(1)
      if readDecimal() == 1, !isAtEnd { return nil }
    } else if let number = readDecimal(), !isAtEnd {
      return number
    }
    cursor.seek(to: start)
    return nil
  }

  /// The rest of the line. Bytes that are not UTF-8 are replaced by U+FFFD.
  mutating func readText() -> String {
    let start = position
    skipText()
    guard let text = try? region.subregion(offset: start, count: position - start) else {
      return ""
    }
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// The rest of the line as a path, which keeps bytes that are not UTF-8.
  mutating func readPath() -> String {
    let start = position
    skipText()
    return region.path(at: start, count: Int(position - start)) ?? ""
  }

  private mutating func skipText() {
    while next != nil { cursor.skip(1) }
  }

  /// Moves to the start of the next line; to the end of the file after the last.
  mutating func skipLine() { cursor.skipLine() }

  /// Whether nothing is left of the file.
  var isAtEndOfFile: Bool { cursor.isAtEnd }

  @inline(__always)
  private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// Whether a word can begin here.
  var isAtCapital: Bool {
    guard let next else { return false }
    return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(next)
  }

  /// Whether a line row can begin here.
  var isAtHexadecimalDigit: Bool {
    guard let next else { return false }
    return Self.hexadecimalValue(next) != nil
  }
}

extension BreakpadFields {
  /// Skips `byte` if it is the next one.
  mutating func skipByte(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    cursor.skip(1)
    return true
  }
}
