import TestSupport
import Testing

@testable import CrashLogParser
@testable import JsonReading
@testable import ReportFormats

/// The tape grows while it is written, and white space and keys are read 8 bytes at a time. The
/// expected values are what the input was made of.
struct JsonTapeTests {
  /// Tapes that are a little shorter and longer than the entries that are there at first.
  @Test(arguments: [1, 1363, 1364, 1365, 1366, 1367, 4090, 4095, 4096, 4097, 4100, 20_000])
  func longLists(count: Int) throws {
    let numbers = Array("[\((0..<count).map(String.init).joined(separator: ","))]".utf8)
    let document = try JsonDocument(numbers)
    expectNil(document.damage)
    expectEqual(document.byteRange, 0..<numbers.count)
    expectEqual(document.root.elements.map(\.unsignedInteger), (0..<count).map { UInt64($0) })

    // An empty list takes three entries for two bytes.
    let lists = try JsonDocument(
      Array("[\(Array(repeating: "[]", count: count).joined(separator: ","))]".utf8))
    expectEqual(lists.root.elementCount, count)

    let members = (0..<count).map { "\"k\($0)\":{\"v\":\($0)}" }.joined(separator: ",")
    let object = try JsonDocument(Array("{\(members)}".utf8))
    expectEqual(object.root.members.map(\.key), (0..<count).map { "k\($0)" })
    expectEqual(object.root["k\(count - 1)"]?["v"]?.integer, Int64(count - 1))
  }

  /// A value keeps memory for itself, and not for what follows it in the input.
  @Test func aListBeforeMuchElse() throws {
    let count = 5000
    let list = "[\((0..<count).map(String.init).joined(separator: ","))]"
    let document = try JsonDocument(Array((list + String(repeating: " [1]", count: 100_000)).utf8))
    expectEqual(document.root.elementCount, count)
    #expect(document.root.content.tape.capacity < 5 * count)
  }

  @Test(arguments: [1, 1365, 1366, 1400, 5000])
  func deepLists(depth: Int) throws {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var value = try JsonDocument(Array(text.utf8)).root
    for _ in 1..<depth {
      var elements = value.elements
      let next = elements.next()
      value = try require(next)
      expectNil(elements.next())
    }
    expectEqual(value.elementCount, 0)
    // Each list that was open when the input broke off is kept.
    let cut = try JsonDocument(Array(text.utf8.prefix(depth)))
    expectEqual(cut.damage, JsonError(kind: .unexpectedEnd, offset: depth))
    expectFalse(cut.root.isComplete)
  }

  /// What is complete is kept, also behind the first entries.
  @Test func damageInALongList() throws {
    let start = "[" + (0..<5000).map { "\"\($0)\"," }.joined()
    for (rest, kind) in [("\"cut", JsonError.Kind.unexpectedEnd), ("x", .unexpectedByte(0x78))] {
      let document = try JsonDocument(Array((start + rest).utf8))
      expectEqual(document.damage?.kind, kind)
      expectEqual(document.root.elements.map(\.string), (0..<5000).map { "\($0)" })
    }
  }

  @Test func whiteSpaceOfEachLength() throws {
    for count in 0..<20 {
      for unit in [" ", "\t", "\n", "\r", " \n", "\r\n  ", "       \t"] {
        let space = String(repeating: unit, count: count)
        let text =
          "\(space){\(space)\"a\"\(space):\(space)[\(space)1\(space),\(space)2\(space)]\(space)}"
        let document = try JsonDocument(Array((text + space).utf8))
        expectEqual(document.byteRange, space.utf8.count..<text.utf8.count)
        expectEqual(document.root["a"]?.elements.map(\.integer), [1, 2])
        // A form feed is no white space.
        let damaged = try JsonDocument(Array("[\(space)\u{c}1]".utf8))
        expectEqual(damaged.damage?.offset, 1 + space.utf8.count)
      }
    }
  }

  /// Keys are compared in one step up to 15 bytes, wherever they stand, and as text beyond.
  @Test func keysOfEachLength() throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    for length in 0...18 {
      let key = String(letters.prefix(length))
      for padding in 0...20 {
        let text = "{\"\(key)\":1\(String(repeating: " ", count: padding))}"
        let document = try JsonDocument(Array(text.utf8))
        let member = try require(document.root.members.first { _ in true })
        expectEqual(member.packedKey == nil, length > JsonPackedKey.greatestByteCount)
        expectEqual(member.packedKey, JsonPackedKey(key))
        for other in [key + "a", String(key.dropLast()), key.uppercased(), key + "\0", "x"]
        where other != key {
          expectTrue(member.packedKey == nil || member.packedKey != JsonPackedKey(other))
        }
      }
    }
  }

  /// Several keys are looked for together; the values are those of a search for each.
  @Test(arguments: [
    "{}", "[]", "7", #"{"a":1}"#, #"{"b":[2],"a":1,"c":3}"#, #"{"a":1,"a":2,"b":3,"b":4}"#,
    #"{"\u0061":1,"a":2}"#, #"{"a-key-of-more-than-15":{"a":5},"b":null}"#, #"{"A":1,"":2,"ab":3}"#,
  ])
  func keysTogether(text: String) throws {
    let names = ["a", "b", "a-key-of-more-than-15", ""]
    let value = try JsonDocument(Array(text.utf8)).root
    let found = value.firstValues(of: JsonKeys(names))
    expectEqual(found.map { $0?.byteRange }, names.map { value[$0]?.byteRange })
  }

  @Test func keysWithEscapesAreComparedAsText() throws {
    for (text, key) in [(#"{"a\u0062c":1}"#, "abc"), (#"{"\u0061":1            }"#, "a")] {
      let member = try require(JsonDocument(Array(text.utf8)).root.members.first { _ in true })
      expectNil(member.packedKey)
      expectTrue(member.hasKey(key))
    }
  }
}

/// Strings as bytes, which need not have been parsed.
struct JsonStringBytesTests {
  /// RFC 8259, section 7, one character after the other.
  private static func reference(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.unicodeScalars.dropFirst()
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard scalar == "\\", let letter = rest.popFirst() else {
        bytes += Array(String(scalar).utf8)
        continue
      }
      let plain: [Unicode.Scalar: UInt8] = ["b": 8, "f": 12, "n": 10, "r": 13, "t": 9]
      if letter == "u" {
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        rest = rest.dropFirst(4)
        bytes += Array(String(Unicode.Scalar(UInt32(digits, radix: 16) ?? 0) ?? "?").utf8)
      } else {
        bytes.append(plain[letter] ?? UInt8(letter.value))
      }
    }
    return bytes
  }

  @Test func randomStrings() throws {
    var generator = SeededGenerator(seed: 17)
    let pieces = [
      "a", "bc", "12345678", #"\""#, #"\\"#, #"\/"#, #"\n"#, #"\t"#, #"\u00e9"#, #"\u0007"#, "é",
      "漢", "\t", "\u{7f}", #"\u00A0"#, #"\u00ff"#, #"\u007F"#,
    ]
    for count in 0..<400 {
      let text = (0..<count % 40).map { _ in pieces.randomElement(using: &generator) ?? "" }
        .joined()
      let input = Array("##\"\(text)\",rest".utf8)
      let string = try JsonStringBytes(in: input, at: 2, limit: input.count)
      expectEqual(string.bytes, Self.reference("\"\(text)\""))
      expectEqual(string.end, input.count - 5)
      // The same error as of a document, wherever the string breaks off.
      for limit in 3..<string.end {
        let expected = try require(
          #expect(throws: JsonError.self) { try JsonDocument(input, in: 2..<limit) })
        #expect(throws: expected) { try JsonStringBytes(in: input, at: 2, limit: limit) }
      }
    }
  }

  @Test(arguments: [
    ("\"a\nb\"", JsonError.Kind.lineEndInString, 2), ("\"ab\\x\"", .invalidEscape, 3),
    ("\"\\u12g4\"", .invalidEscape, 1), ("\"\\ud800\"", .halfSurrogate, 1),
    ("\"\\ud800\\u0041\"", .halfSurrogate, 1), ("\"abc", .unexpectedEnd, 4),
    ("\"abc\\", .unexpectedEnd, 5),
  ])
  func whatIsNoString(text: String, kind: JsonError.Kind, offset: Int) {
    #expect(throws: JsonError(kind: kind, offset: offset)) {
      try JsonStringBytes(in: Array(text.utf8), at: 0, limit: text.utf8.count)
    }
  }
}

/// The readers of an input share its documents.
struct JsonDocumentMemoryTests {
  @Test func completeDocumentsAreReadOnce() throws {
    let bytes = Array("{\"a\":1}\n  [2]\n{\"cut\":[3".utf8)
    let memory = JsonDocumentMemory(bytes)
    for _ in 0..<3 {
      expectEqual(memory.document(in: 0..<bytes.count)?.root["a"]?.integer, 1)
      expectEqual(memory.document(in: 7..<bytes.count)?.byteRange, 10..<13)
      expectEqual(memory.document(in: 10..<13)?.root.elementCount, 1)
    }
    expectEqual(memory.readingCount, 2)
    // How far what is cut was read depends on where reading ended.
    expectEqual(memory.document(in: 14..<bytes.count)?.damage?.offset, bytes.count)
    expectEqual(memory.document(in: 14..<bytes.count - 1)?.damage?.offset, bytes.count - 1)
    // A document that reaches beyond the range is not the one in the range.
    expectEqual(memory.document(in: 0..<4)?.damage?.offset, 4)
    expectEqual(memory.readingCount, 5)
  }

  /// A header and a body: however many readers look at them.
  @Test(arguments: [
    ("288", #"{"processByPid":{"1":{"pid":1,"threadById":{}}},"binaryImages":[]}"#),
    ("298", #"{"memoryStatus":{},"largestProcess":"App","processes":[{"name":"App","rpages":9}]}"#),
    ("210", #"{"panicString":"panic(cpu 0 caller 0x1): reason"}"#),
  ])
  func noDocumentOfAReportIsReadTwice(bugType: String, body: String) {
    let bytes = Array("{\"bug_type\":\"\(bugType)\",\"timestamp\":\"2024\"}\n\(body)\n".utf8)
    let memory = JsonDocumentMemory(bytes)
    let format = ReportFormat.detect(bytes)
    var count = 0
    for reader in CrashLogParser.readers {
      count +=
        reader.reports(
          in: ReportInput(
            bytes: bytes, detectedFormat: format, claimedRanges: [],
            signs: CrashLogParser.signs, documents: memory)
        ).count
    }
    expectEqual(count, 1)
    expectEqual(memory.readingCount, 2)
  }
}
