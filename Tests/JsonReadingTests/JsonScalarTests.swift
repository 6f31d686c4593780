import JsonReading
import TestSupport
import Testing

/// Strings, numbers and words. Expected values follow RFC 8259 (sections 6 and 7).
struct JsonScalarTests {
  private func value(_ text: String) throws -> JsonValue {
    let document = try JsonDocument(Array(text.utf8))
    expectEqual(document.byteRange, 0..<text.utf8.count)
    return document.root
  }

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""é😀""#, "é😀"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
    (#""\u0041\u00e9\u00E9\u20ac""#, "Aéé€"), (#""\u0000""#, "\0"),
    (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00x""#, "😀x"),
    (#""\udbff\udfff""#, "\u{10ffff}"),
    // Half a pair, in any surroundings.
    (#""\ud83d""#, "\u{fffd}"), (#""\ude00""#, "\u{fffd}"), (#""\ud83dx""#, "\u{fffd}x"),
    (#""\ud83d\n""#, "\u{fffd}\n"), (#""\ud83d\u0041""#, "\u{fffd}A"),
    (#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"), (#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
    ("\"a\tb\u{1}\"", "a\tb\u{1}"),
  ])
  func strings(json: String, text: String) throws {
    try expectEqual(value(json).string, text)
    try expectEqual(bytes(of: value(json)), Array(text.utf8))
  }

  private func bytes(of value: JsonValue) -> [UInt8]? {
    value.withStringBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  @Test func invalidUtf8IsReplaced() throws {
    try expectEqual(JsonDocument([0x22, 0x61, 0xFF, 0x22]).root.string, "a\u{fffd}")
    try expectEqual(JsonDocument([0x22, 0x5C, 0x6E, 0xFF, 0x22]).root.string, "\n\u{fffd}")
  }

  @Test func bytesOfStrings() throws {
    try expectEqual(bytes(of: JsonDocument([0x22, 0x61, 0xFF, 0x22]).root), [0x61, 0xFF])
    for other in ["7", "true", "null", "[]", "{}"] { try expectNil(bytes(of: value(other))) }
  }

  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("9007199254740993", 9_007_199_254_740_993),
      ("9223372036854775808", 9_223_372_036_854_775_808), ("18446744073709551615", UInt64.max),
      ("-0", 0), ("1e3", 1000), ("1.5e1", 15), ("1.50e1", 15), ("12.0", 12), ("12.000e0", 12),
      ("120e-1", 12), ("1000000000000000000000e-21", 1), ("1E+2", 100), ("0e99", 0), ("0.0e-5", 0),
      ("0.001e3", 1), ("1.8446744073709551615e19", UInt64.max),
      ("100000000000000000000e-10", 10_000_000_000),
    ] as [(String, UInt64)])
  func wholeNumbers(text: String, expected: UInt64) throws {
    let number = try value(text)
    expectEqual(number.kind, .number)
    expectEqual(number.unsignedInteger, expected)
    expectEqual(number.integer, Int64(exactly: expected))
    expectEqual(number.numberText, text)
  }

  @Test(
    arguments: [
      ("-1", -1), ("-9223372036854775808", Int64.min), ("-1.20e1", -12),
      ("-9007199254740993", -9_007_199_254_740_993),
    ] as [(String, Int64)])
  func negativeNumbers(text: String, expected: Int64) throws {
    try expectEqual(value(text).integer, expected)
    try expectNil(value(text).unsignedInteger)
  }

  @Test(arguments: [
    "1.5", "0.1", "1e-1", "12e-2", "18446744073709551616", "-9223372036854775809", "1e20",
    "1e99999999999999999999", "1e-99999999999999999999", "123456789012345678901234567890",
    "18446744073709551620",
  ])
  func numbersThatAreNotIntegers(text: String) throws {
    try expectEqual(value(text).kind, .number)
    try expectNil(value(text).unsignedInteger)
    try expectNil(value(text).integer)
    try expectEqual(value(text).numberText, text)
  }

  @Test func kindsAreKeptApart() throws {
    try expectEqual(value("true").boolean, true)
    try expectEqual(value("false").boolean, false)
    try expectTrue(value("null").isNull)
    try expectNil(value("null").boolean)
    try expectNil(value("1").string)
    try expectNil(value("1").boolean)
    try expectNil(value("\"1\"").unsignedInteger)
    try expectNil(value("\"1\"").numberText)
    try expectNil(value("[1]").unsignedInteger)
  }

  @Test(arguments: [
    ("", JsonError.Kind.unexpectedEnd, 0), (" ", .unexpectedEnd, 1),
    ("x", .unexpectedByte(UInt8(ascii: "x")), 0), ("}", .unexpectedByte(UInt8(ascii: "}")), 0),
    ("'a'", .unexpectedByte(UInt8(ascii: "'")), 0), ("\0", .unexpectedByte(0), 0),
    ("\"", .unexpectedEnd, 1), ("\"abc", .unexpectedEnd, 4), ("\"a\\", .unexpectedEnd, 3),
    ("\"a\\u00", .unexpectedEnd, 6), ("\"a\\x\"", .invalidEscape, 2),
    ("\"\\u00g0\"", .invalidEscape, 1), ("\"a\nb\"", .lineEndInString, 2),
    ("\"a\r\nb\"", .lineEndInString, 2),
    ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1), ("01", .invalidNumber, 1),
    ("1.", .unexpectedEnd, 2), ("1.x", .invalidNumber, 2), ("1e", .unexpectedEnd, 2),
    ("1e+,", .invalidNumber, 3), (".5", .unexpectedByte(UInt8(ascii: ".")), 0),
    ("+1", .unexpectedByte(UInt8(ascii: "+")), 0), ("tru", .unexpectedEnd, 3),
    ("trUe", .invalidWord, 2), ("nil", .invalidWord, 1), ("NaN", .unexpectedByte(0x4E), 0),
  ])
  func damagedScalars(text: String, kind: JsonError.Kind, offset: Int) {
    #expect(throws: JsonError(kind: kind, offset: offset)) { try JsonDocument(Array(text.utf8)) }
  }
}
