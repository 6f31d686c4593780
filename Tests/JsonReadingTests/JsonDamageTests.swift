import JsonReading
import TestSupport
import Testing

/// Objects and arrays that break off: what was complete is kept, and nothing else.
struct JsonDamageTests {
  @Test(arguments: [
    (#"{"a":1,"b":[1,{"c":2"#, #"{a:1,b:[1,{"#, 20),
    (#"{"a":1,"b":[1,{"c":2}"#, "{a:1,b:[1,{c:2}", 21),
    (#"{"a":1,"b""#, "{a:1", 10), (#"{"a":1,"b":"#, "{a:1", 11), (#"{"a":"x""#, "{a:x", 8),
    (#"{"a":"x"#, "{", 7), (#"{"a":tru"#, "{", 8), (#"{"a":true"#, "{a:true", 9),
    (#"["a",12"#, "[a", 7), (#"["a",12,"#, "[a,12", 8), ("{", "{", 1), ("[", "[", 1),
    ("[[],[", "[[],[", 5),
  ])
  func aCutValue(text: String, kept: String, offset: Int) throws {
    let document = try JsonDocument(Array(text.utf8))
    expectEqual(document.damage, JsonError(kind: .unexpectedEnd, offset: offset))
    expectEqual(document.byteRange, 0..<text.utf8.count)
    expectFalse(document.root.isComplete)
    expectEqual(document.root.byteRange, 0..<text.utf8.count)
    expectEqual(sketch(document.root), kept)
  }

  @Test(arguments: [
    (#"{"a":1,}"#, "{a:1", 7), (#"{"a":1 "b":2}"#, "{a:1", 7), ("[1,]", "[1", 3),
    ("[1 2]", "[1", 3),
    (#"{a:1}"#, "{", 1), (#"{"a" 1}"#, "{", 5), ("[1}", "[1", 2), (#"{"a":[1,2}}"#, "{a:[1,2", 9),
    ("[1,,2]", "[1", 3), (#"{"a":{"b":1],"c":2}"#, "{a:{b:1", 11), ("[,]", "[", 1),
    (#"[1,“2”]"#, "[1", 3),
  ])
  func aWrongByte(text: String, kept: String, offset: Int) throws {
    let bytes = Array(text.utf8)
    let document = try JsonDocument(bytes)
    expectEqual(document.damage, JsonError(kind: .unexpectedByte(bytes[offset]), offset: offset))
    expectEqual(document.byteRange, 0..<offset)
    expectEqual(sketch(document.root), kept)
  }

  /// The values without quotes and spaces, and with an end only if there is one.
  private func sketch(_ value: JsonValue) -> String {
    switch value.kind {
    case .object:
      "{" + value.members.map { "\($0.key):\(sketch($0.value))" }.joined(separator: ",")
        + (value.isComplete ? "}" : "")
    case .array:
      "[" + value.elements.map(sketch).joined(separator: ",") + (value.isComplete ? "]" : "")
    case .string: value.string ?? "?"
    case .number: value.numberText ?? "?"
    case .true, .false: value.boolean.map { "\($0)" } ?? "?"
    case .null: "null"
    }
  }

  /// How many elements are complete follows from where each one ends.
  @Test func cutAtEveryByte() throws {
    let elements = [
      #""a\u00e9\ud83d\ude00\"]""#, #"{"k":[1,2,{"x":null}],"k":-1.5e3}"#, "[]", "true", "1234",
      "{}", #"[[["]"]]]"#, "null", "\"\"", "0",
    ]
    let text = "[" + elements.joined(separator: ",") + "]"
    var ends: [Int] = []
    for element in elements { ends.append((ends.last ?? 0) + 1 + element.utf8.count) }
    let bytes = Array(text.utf8)
    for length in 1..<bytes.count {
      let document = try JsonDocument(Array(bytes[..<length]))
      expectEqual(document.damage, JsonError(kind: .unexpectedEnd, offset: length))
      // A number at the cut may have more digits.
      let complete = zip(elements, ends).prefix { element, end in
        end < length || end == length && !(element.first?.isNumber ?? false)
      }
      let found = document.root.elements.filter(\.isComplete)
      expectEqual(found.count, complete.count, "cut at \(length)")
      for (value, (element, end)) in zip(found, complete) {
        expectEqual(value.byteRange, (end - element.utf8.count)..<end, "cut at \(length)")
      }
    }
  }

  /// No input makes the reader read outside of it.
  @Test func garbage() {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    let parts = [
      "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"a\":", "1", "-", "true", "null", "\\",
      "\\u12",
      " ", "\n", "\0", "e", ".", "{\"a\":[", "\u{fffd}",
    ]
    var damaged = 0
    for round in 0..<20_000 {
      let text =
        ["{", "["][random(2)] + (0..<random(12)).map { _ in parts[random(parts.count)] }.joined()
      let bytes = Array(text.utf8)
      guard let document = try? JsonDocument(bytes) else { continue }
      if document.damage != nil { damaged += 1 }
      var pending = [document.root]
      while let value = pending.popLast() {
        let range = value.byteRange
        if range.lowerBound < 0 || range.upperBound > bytes.count || range.isEmpty {
          Issue.record("round \(round): \(range) of \(text)")
        }
        _ = (value.string, value.integer, value.numberText)
        pending += value.members.map(\.value)
        pending += Array(value.elements)
        for member in value.members { _ = value[member.key] }
      }
    }
    #expect(damaged > 10_000)
  }
}
