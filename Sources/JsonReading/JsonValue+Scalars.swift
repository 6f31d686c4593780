import SymbolicationModel

/// The values of strings, numbers and words. Every property is nil for values of another kind.
extension JsonValue {
  /// The text of a string with its escapes decoded. Half a surrogate pair, and invalid UTF-8,
  /// become U+FFFD.
  package var string: String? {
    guard kind == .string else { return nil }
    if let text = content.plainText(ofStringAt: start) {
      return String(decoding: content.bytes[text], as: UTF8.self)
    }
    let text = byteRange.dropFirst().dropLast()
    return JsonEscapes.decode(content.bytes[text.startIndex..<text.endIndex])
  }

  /// Passes on the bytes of a string with its escapes decoded, without a `String` if it has none.
  /// Invalid UTF-8 is then passed on as it is. Nil for other values.
  package func withStringBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
    guard kind == .string else { return nil }
    guard let text = content.plainText(ofStringAt: start) else {
      return string.map { Array($0.utf8) }.map { body($0.span) }
    }
    let document = content.bytes
    return body(document.span.extracting(text))
  }

  package var boolean: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  package var isNull: Bool { kind == .null }

  /// The spelling of a number.
  package var numberText: String? {
    kind == .number ? String(decoding: content.bytes[byteRange], as: UTF8.self) : nil
  }

  /// The exact value of a number that is whole, not negative and less than 2⁶⁴, however it is spelt
  /// (`12`, `1.2e1`, `12.0`).
  package var unsignedInteger: UInt64? {
    guard let (isNegative, magnitude) = wholeNumber, !isNegative || magnitude == 0 else {
      return nil
    }
    return magnitude
  }

  /// The exact value of a number that is whole and fits.
  package var integer: Int64? {
    guard let (isNegative, magnitude) = wholeNumber else { return nil }
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
  }

  /// Sign and magnitude of a number that is whole and whose magnitude is less than 2⁶⁴.
  private var wholeNumber: (isNegative: Bool, magnitude: UInt64)? {
    guard kind == .number else { return nil }
    if let magnitude = fewDigits { return (false, magnitude) }
    var magnitude: UInt64 = 0
    // Zeros wait until another digit follows, so that trailing ones only change the exponent:
    // 1.50e1 is 15 times ten to the power of 0.
    var heldZeros = 0
    var power = 0
    var isInFraction = false
    var offset = byteRange.lowerBound
    let end = byteRange.upperBound
    let isNegative = content.byte(at: offset) == Ascii.minus
    if isNegative { offset += 1 }
    while offset < end {
      let byte = content.byte(at: offset)
      offset += 1
      if byte == UInt8(ascii: ".") {
        isInFraction = true
      } else if Ascii.isDigit(byte) {
        if isInFraction { power -= 1 }
        if byte == Ascii.zero {
          heldZeros += 1
          continue
        }
        guard let scaled = Self.scaled(magnitude, byPowerOfTen: heldZeros + 1) else { return nil }
        let (sum, overflow) = scaled.addingReportingOverflow(UInt64(byte - Ascii.zero))
        guard !overflow else { return nil }
        magnitude = sum
        heldZeros = 0
      } else {
        break  // The `e` of the exponent.
      }
    }
    guard magnitude > 0 else { return (isNegative, 0) }
    guard let exponent = exponent(from: offset, to: end) else { return nil }
    power += heldZeros + exponent
    guard power >= 0, let value = Self.scaled(magnitude, byPowerOfTen: power) else { return nil }
    return (isNegative, value)
  }

  private var fewDigits: UInt64? {
    let bytes = content.bytes
    return Self.fewDigits(in: bytes.span, at: content.offset(at: position), end: content.end)
  }

  /// A fast path for numbers of up to 18 digits and nothing else, which is almost every number in a
  /// report.
  @inline(__always)
  package static func fewDigits(in bytes: Span<UInt8>, at start: Int, end: Int) -> UInt64? {
    let end = min(end, bytes.count)
    let limit = min(start + 18, end)
    var offset = start
    var value: UInt64 = 0
    while offset < limit, Ascii.isDigit(bytes[offset]) {
      value = value &* 10 &+ UInt64(bytes[offset] &- Ascii.zero)  // < 10^18
      offset += 1
    }
    guard offset > start, offset < end, !isPartOfNumber(bytes[offset]) else { return nil }
    return value
  }

  /// The value of the exponent; 0 if there is none, nil if it makes any number a fraction or too
  /// large.
  private func exponent(from start: Int, to end: Int) -> Int? {
    var offset = start
    let isNegative = content.byte(at: offset) == Ascii.minus
    if isNegative || content.byte(at: offset) == Ascii.plus { offset += 1 }
    var value = 0
    while offset < end {
      value = value * 10 + Int(content.byte(at: offset) &- Ascii.zero)
      guard value < 1 << 40 else { return nil }
      offset += 1
    }
    return isNegative ? -value : value
  }

  private static func scaled(_ value: UInt64, byPowerOfTen power: Int) -> UInt64? {
    guard value > 0 else { return 0 }
    var result = value
    var rest = power
    while rest > 0 {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      result = product
      rest -= 1
    }
    return result
  }

  /// `true`, the string `"true"`, or a number other than 0: writers differ.
  package var isAffirmative: Bool {
    switch kind {
    case .true: true
    case .string: string == "true"
    case .number: unsignedInteger.map { $0 != 0 } ?? false
    case .object, .array, .false, .null: false
    }
  }
}

/// Decodes the escapes in strings.
enum JsonEscapes {
  /// The text between the quotes of a string, with its escapes decoded.
  static func decode(_ text: ArraySlice<UInt8>) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var rest = text
    while true {
      let plain = rest.prefix(rest.span.firstOffset(of: Ascii.backslash, from: 0))
      decoded += plain
      rest = rest[plain.endIndex...]
      guard rest.popFirst() != nil else { break }
      guard let letter = rest.popFirst() else {
        decoded.append(Ascii.backslash)
        break
      }
      switch letter {
      case UInt8(ascii: "b"): decoded.append(0x08)
      case UInt8(ascii: "f"): decoded.append(0x0C)
      case UInt8(ascii: "n"): decoded.append(Ascii.lineFeed)
      case UInt8(ascii: "r"): decoded.append(Ascii.carriageReturn)
      case UInt8(ascii: "t"): decoded.append(Ascii.tab)
      case UInt8(ascii: "u"): decoded.append(contentsOf: Character(scalar(&rest)).utf8)
      default: decoded.append(letter)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Decodes the digits after `\u`, and a second escape if the two are a surrogate pair. Half a
  /// pair is U+FFFD.
  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    let first = codeUnit(&rest)
    guard (0xD800...0xDFFF).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    guard first < 0xDC00, rest.starts(with: [Ascii.backslash, UInt8(ascii: "u")]) else {
      return "\u{FFFD}"
    }
    var afterFirst = rest.dropFirst(2)
    let second = codeUnit(&afterFirst)
    guard (0xDC00...0xDFFF).contains(second) else { return "\u{FFFD}" }
    rest = afterFirst
    return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00))) ?? "\u{FFFD}"
  }

  private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      value = value << 4 | UInt32(rest.popFirst().flatMap(hexadecimalDigitValue) ?? 0)
    }
    return value
  }
}
