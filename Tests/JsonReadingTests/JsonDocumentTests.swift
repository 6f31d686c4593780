import JsonReading
import TestSupport
import Testing

/// One JSON value read from text, with its ranges. Expected values are read off the text.
struct JsonDocumentTests {
  private struct Parsed {
    let text: String
    let document: JsonDocument

    init(_ text: String) throws {
      self.text = text
      document = try JsonDocument(Array(text.utf8))
    }

    var root: JsonValue { document.root }

    subscript(range: Range<Int>) -> String {
      String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }
  }

  @Test func membersKeepOrderKindAndRange() throws {
    let json = try Parsed(
      " \r\n\t{ \"a\" : [1, {\"b\":[]} ,\"x\"],\"c\":{},\"d\":-2.5e+1 , \"e\":true,\"f\":false,\"g\":null }"
    )
    expectNil(json.document.damage)
    expectEqual(json.document.byteRange, 4..<json.text.utf8.count)
    expectEqual(json.root.kind, .object)
    let members = Array(json.root.members)
    expectEqual(members.map(\.key), ["a", "c", "d", "e", "f", "g"])
    expectEqual(members.map(\.value.kind), [.array, .object, .number, .true, .false, .null])
    expectEqual(
      members.map { json[$0.value.byteRange] },
      [
        "[1, {\"b\":[]} ,\"x\"]", "{}", "-2.5e+1", "true", "false", "null",
      ])
    expectEqual(members.map { json[$0.keyRange] }.first, "\"a\"")
    expectEqual(json[members[2].byteRange], "\"d\":-2.5e+1")
    let elements = Array(try require(json.root["a"]).elements)
    expectEqual(elements.map { json[$0.byteRange] }, ["1", "{\"b\":[]}", "\"x\""])
    expectEqual(elements[1]["b"]?.kind, .array)
    expectEqual(elements[1]["b"].map { Array($0.elements).count }, 0)
    expectEqual(json.root["c"].map { Array($0.members).count }, 0)
    expectNil(json.root["b"])
    expectNil(elements[0]["b"])
    expectEmpty(Array(elements[0].members))
    expectEmpty(Array(json.root.elements))
  }

  @Test func theFirstOfRepeatedKeysIsFound() throws {
    let json = try Parsed(#"{"a":1,"b":2,"a":3}"#)
    expectEqual(json.root["a"]?.integer, 1)
    expectEqual(json.root.members.map(\.key), ["a", "b", "a"])
    expectEqual(json.root.members.map(\.value.integer), [1, 2, 3])
  }

  @Test func keysAreFoundWithEscapes() throws {
    let json = try Parsed(
      #"{"sym\u0062ol":1,"symbol":2,"a\/b":3,"":4,"é":5,"symbolLocation":6,"\\":7}"#)
    expectEqual(json.root["symbol"]?.integer, 1)
    expectEqual(json.root["a/b"]?.integer, 3)
    expectEqual(json.root[""]?.integer, 4)
    expectEqual(json.root["é"]?.integer, 5)
    expectEqual(json.root["symbolLocation"]?.integer, 6)
    expectEqual(json.root["\\"]?.integer, 7)
    expectNil(json.root["sym"])
    expectNil(json.root["symbolLocations"])
    expectEqual(json.root.members.map(\.key)[0], "symbol")
  }

  @Test(arguments: [
    ("{} more", 2), ("[1]]", 3), ("\"a\"\"b\"", 3), ("12,", 2), ("true1", 4), ("{\"a\":1}\n{", 7),
    ("null", 4), ("0", 1),
  ])
  func textMayFollow(text: String, end: Int) throws {
    let json = try Parsed(text)
    expectEqual(json.document.byteRange, 0..<end)
    expectNil(json.document.damage)
    expectEqual(json.root.byteRange, 0..<end)
  }

  @Test func aRangeOfTheInputIsRead() throws {
    let bytes = Array(#"xx {"a":[1,2]} {"b":1}"#.utf8)
    try expectEqual(JsonDocument(bytes, in: 14..<bytes.count).root["b"]?.integer, 1)
    let cut = try JsonDocument(bytes, in: 2..<10)
    expectEqual(cut.damage, JsonError(kind: .unexpectedEnd, offset: 10))
    expectEqual(cut.byteRange, 3..<10)
    #expect(throws: JsonError(kind: .unexpectedEnd, offset: 3)) {
      try JsonDocument(bytes, in: 2..<3)
    }
    #expect(throws: JsonError(kind: .unexpectedEnd, offset: bytes.count)) {
      try JsonDocument(bytes, in: 100..<200)
    }
  }

  @Test func deepNestingIsSafe() throws {
    let depth = 100_000
    let arrays = try JsonDocument(
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8))
    expectNil(arrays.damage)
    expectEqual(arrays.byteRange, 0..<(2 * depth))
    var value = arrays.root
    var count = 1
    while let inner = value.elements.first(where: { _ in true }) {
      value = inner
      count += 1
    }
    expectEqual(count, depth)
    expectEqual(value.byteRange, (depth - 1)..<(depth + 1))

    let objects = String(repeating: "{\"a\":", count: depth)
    let open = try JsonDocument(Array(objects.utf8))
    expectEqual(open.damage, JsonError(kind: .unexpectedEnd, offset: objects.utf8.count))
    expectFalse(open.root.isComplete)
    expectEqual(open.root["a"]?["a"]?["a"]?.isComplete, false)
  }
}
