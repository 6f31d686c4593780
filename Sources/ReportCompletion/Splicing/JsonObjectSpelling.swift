import CrashLogParser
import Wording

/// How a JSON object is written: its white space, judging by its first members. New members, and
/// new objects beside it, are written in the same way.
struct JsonObjectSpelling {
  let afterOpeningBrace: ArraySlice<UInt8>
  let keySeparator: ArraySlice<UInt8>
  let memberSeparator: [UInt8]
  let beforeClosingBrace: ArraySlice<UInt8>
  /// Whether slashes in its strings are escaped (`\/`).
  let escapesSlashes: Bool

  /// Nil for an object without members, or one that was cut.
  init?(_ object: JsonValue, _ bytes: [UInt8]) {
    var members = object.members.makeIterator()
    guard object.kind == .object, object.isComplete, let first = members.next() else { return nil }
    let range = object.byteRange
    var last = first
    var separator: ArraySlice<UInt8>?
    while let member = members.next() {
      if separator == nil {
        separator = bytes[last.byteRange.upperBound..<member.byteRange.lowerBound]
      }
      last = member
    }
    afterOpeningBrace = bytes[range.lowerBound + 1..<first.byteRange.lowerBound]
    keySeparator = bytes[first.keyRange.upperBound..<first.value.byteRange.lowerBound]
    beforeClosingBrace = bytes[last.byteRange.upperBound..<range.upperBound - 1]
    memberSeparator =
      separator.map(Array.init)
      ?? Self.separator(afterOpeningBrace: afterOpeningBrace, keySeparator: keySeparator)
    escapesSlashes = bytes[range].firstRange(of: Array(#"\/"#.utf8)) != nil
  }

  /// What would stand between two members of an object that has only one.
  private static func separator(
    afterOpeningBrace: ArraySlice<UInt8>, keySeparator: ArraySlice<UInt8>
  ) -> [UInt8] {
    let comma = UInt8(ascii: ",")
    if !afterOpeningBrace.isEmpty { return [comma] + afterOpeningBrace }
    return keySeparator.last == UInt8(ascii: " ") ? [comma, UInt8(ascii: " ")] : [comma]
  }

  /// Appends a member without what separates it from others.
  func append(_ key: String, to bytes: inout [UInt8], value: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    bytes += key.utf8
    bytes.append(UInt8(ascii: "\""))
    bytes += keySeparator
    value(&bytes)
  }

  func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    JsonText.append(text, to: &bytes, escapesSlashes: escapesSlashes)
  }
}
