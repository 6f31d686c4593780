import PropertyLists
import TestSupport
import Testing

struct MalformedPropertyListTests {
  private func kind(_ bytes: some Sequence<UInt8>) -> PropertyListError.Kind? {
    do throws(PropertyListError) {
      _ = try PropertyList(Array(bytes))
      return nil
    } catch {
      return error.kind
    }
  }

  /// A binary list whose objects lie one after the other.
  private func binary(
    _ objects: [[UInt8]], referenceSize: UInt8 = 1, top: UInt64 = 0
  ) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: true)
    builder.append("bplist00".utf8)
    var offsets: [UInt32] = []
    for object in objects {
      offsets.append(UInt32(builder.count))
      builder.append(object)
    }
    let table = builder.count
    for offset in offsets { builder.u32(offset) }
    builder.append([UInt8](repeating: 0, count: 6))
    builder.u8(4)
    builder.u8(referenceSize)
    builder.u64(UInt64(objects.count))
    builder.u64(top)
    builder.u64(UInt64(table))
    return builder.bytes
  }

  @Test func builtListsAreRead() throws {
    try expectEqual(
      PropertyList(binary([[0xa2, 1, 1], [0x09]])), .array([.boolean(true), .boolean(true)]))
    try expectEqual(PropertyList(binary([[0x10, 0xff]])), .integer(255))
    try expectEqual(
      PropertyList(binary([[0x13] + [UInt8](repeating: 0xff, count: 8)])), .integer(-1))
    try expectEqual(
      PropertyList(
        binary([[0x14] + [UInt8](repeating: 0, count: 8) + [0x80] + [UInt8](repeating: 0, count: 7)]
        )), .integer(1 << 63))
    try expectEqual(PropertyList(binary([[0x22, 0x3f, 0xc0, 0, 0]])), .real(1.5))
    try expectEqual(PropertyList(binary([[0x81, 1, 2]])), .dictionary(["CF$UID": .integer(258)]))
  }

  @Test(arguments: [
    ("", PropertyListError.Kind.notAPropertyList(firstBytes: [])),
    ("{ a = b; }", .notAPropertyList(firstBytes: Array("{ a = b; }".utf8))),
    ("<plist>", .unexpectedEnd),
    ("<plist/>", .unexpectedElement("plist")),
    ("<plist></plist>", .unexpectedElement("/plist")),
    ("<html><body>", .unexpectedElement("html")),
    ("<dict><string>a</string></dict>", .unexpectedElement("string")),
    ("<dict><key>a</key></dict>", .unexpectedElement("/dict")),
    ("<array></dict>", .unexpectedEndOfElement(found: "dict", expected: "array")),
    ("<string>a</str>", .unexpectedEndOfElement(found: "str", expected: "string")),
    ("<string>a<b/></string>", .unexpectedElement("b")),
    ("<string>&lol;</string>", .unknownEntity("lol")),
    ("<string>&#xD800;</string>", .unknownEntity("#xD800")),
    ("<string>& and a long text after it</string>", .unknownEntity("& and a long")),
    ("<integer>0x</integer>", .invalidText("0x", element: "integer")),
    ("<integer>--1</integer>", .invalidText("--1", element: "integer")),
    ("<integer>1 2</integer>", .invalidText("1 2", element: "integer")),
    ("<integer/>", .invalidText("", element: "integer")),
    ("<real>x</real>", .invalidText("x", element: "real")),
    ("<data>A===</data>", .invalidText("A===", element: "data")),
    ("<data>AA=A</data>", .invalidText("AA=A", element: "data")),
    ("<data>AAA</data>", .invalidText("AAA", element: "data")),
    ("<true/><true/>", .unexpectedByte(UInt8(ascii: "<"))),
    ("<array>x</array>", .unexpectedByte(UInt8(ascii: "x"))),
    ("<!DOCTYPE plist [<!ENTITY a 'b'>]><true/>", .unexpectedByte(UInt8(ascii: "["))),
    ("<string><![CDATA[a</string>", .unexpectedEnd),
    ("<dict attribute=\">", .unexpectedEnd),
  ])
  func refusesXml(_ text: String, _ expected: PropertyListError.Kind) {
    expectEqual(kind(text.utf8), expected)
  }

  @Test func refusesBinaryLists() {
    expectEqual(kind("bplist15".utf8), .unsupportedVersion(Array("15".utf8)))
    expectEqual(kind("bplist00".utf8), .unexpectedEnd)
    expectEqual(kind(binary([[0x09]], top: 1)), .malformed(structure: .offsetTable, value: 1))
    expectEqual(kind(binary([[0x09]], referenceSize: 9)), .malformed(structure: .trailer, value: 9))
    expectEqual(kind(binary([[0x07]])), .malformed(structure: .marker, value: 7))
    expectEqual(kind(binary([[0xa1, 9]])), .malformed(structure: .offsetTable, value: 9))
    expectEqual(kind(binary([[0xd1, 1, 1], [0x09]])), .malformed(structure: .key, value: 9))
    expectEqual(kind(binary([[0x5f, 0x09]])), .malformed(structure: .count, value: 9))
    expectEqual(
      kind(binary([[0x6f, 0x13] + [UInt8](repeating: 0xff, count: 8)])),
      .malformed(structure: .count, value: .max))
    expectEqual(
      kind(binary([[0x33] + [UInt8](repeating: 0xff, count: 8)])),
      .malformed(structure: .date, value: .max))
  }

  @Test func limitsDepthCyclesAndExpansion() {
    let depth = PropertyListLimits.depth
    let nested = { (count: Int) in
      String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
    }
    expectNil(kind(nested(depth).utf8))
    expectEqual(kind(nested(depth + 1).utf8), .tooDeep(limit: depth))
    expectEqual(kind(nested(1_000_000).utf8), .tooDeep(limit: depth))
    expectEqual(kind(binary([[0xa1, 0]])), .tooDeep(limit: depth))
    // Each array holds the next one twice.
    let doubling = (1...40).map { [0xa2, UInt8($0), UInt8($0)] } + [[0xa0]]
    expectEqual(kind(binary(doubling)), .tooManyValues)
    // One text of 4,000 bytes, 60 times in each of 60 lists.
    let text = [UInt8]([0x5f, 0x11, 0x0f, 0xa0]) + [UInt8](repeating: 0xff, count: 4000)
    let list = [UInt8]([0xaf, 0x10, 60])
    let lists = [list + [UInt8](repeating: 1, count: 60), list + [UInt8](repeating: 2, count: 60)]
    expectEqual(kind(binary(lists + [text])), .tooManyValues)
    // Once in a list of 60, it is within 64 times the size.
    let once = binary([lists[0], text])
    expectNil(kind(once))
    let value = PropertyList.string(String(repeating: "\u{fffd}", count: 4000))
    expectEqual(try? PropertyList(once), .array(Array(repeating: value, count: 60)))
    let large = [UInt8](repeating: 0x20, count: PropertyListLimits.byteCount + 1)
    expectEqual(kind(large), .tooLarge(limit: PropertyListLimits.byteCount))
  }

  @Test func everyCutIsRefused() throws {
    let list = PropertyListTests.expected
    let xml = Array(list.xml.utf8)
    // Without the end tag of `plist` and what follows, nothing is complete.
    for count in 0..<(xml.count - 1) { expectTrue(kind(xml[..<count]) != nil) }
    let bytes = binary([[0xa2, 1, 2], [0x09], [0x51, 0x41]])
    for count in 0..<bytes.count { expectTrue(kind(bytes[..<count]) != nil) }
  }
}
