import BinaryInput
import Foundation
import PropertyLists
import SystemPackage
import TestSupport
import Testing

/// Foundation writes the lists, or reads what is written here.
struct PropertyListTests {
  static var sample: [String: Any] {
    [
      "CFBundleIdentifier": "com.example.<App> & \"Co\"",
      "Größe": "ä€𝄞",
      "empty": "",
      "number": 42, "negative": -7, "large": Int64.max, "least": Int64.min,
      "real": 1.5, "yes": true, "no": false,
      "date": Date(timeIntervalSince1970: 1_700_000_000),
      "data": Data((0...255).map { UInt8($0) }),
      "list": [1, "two", ["three": 3], [] as [Int], [:] as [String: Int]] as [Any],
    ]
  }

  static let expected: PropertyList = .dictionary([
    "CFBundleIdentifier": .string("com.example.<App> & \"Co\""),
    "Größe": .string("ä€𝄞"),
    "empty": .string(""),
    "number": .integer(42), "negative": .integer(-7), "large": .integer(Int128(Int64.max)),
    "least": .integer(Int128(Int64.min)),
    "real": .real(1.5), "yes": .boolean(true), "no": .boolean(false),
    "date": .date(secondsSince1970: 1_700_000_000),
    "data": .data((0...255).map { UInt8($0) }),
    "list": .array([
      .integer(1), .string("two"), .dictionary(["three": .integer(3)]), .array([]),
      .dictionary([:]),
    ]),
  ])

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func readsWhatFoundationWrites(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: Self.sample, format: format, options: 0)
    try expectEqual(PropertyList(Array(data)), Self.expected)
  }

  @Test func readsManyAndLongValues() throws {
    let long = String(repeating: "x", count: 70_000)
    let list = (0..<1000).map { "element \($0)" } + [long, String(repeating: "é", count: 300)]
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    try expectEqual(PropertyList(Array(data)), .array(list.map { .string($0) }))
  }

  @Test func foundationReadsWhatIsWritten() throws {
    let read = try unsafe PropertyListSerialization.propertyList(
      from: Data(Self.expected.xml.utf8), options: [], format: nil)
    let dictionary = try require(read as? NSDictionary)
    expectEqual(dictionary, Self.sample as NSDictionary)
  }

  @Test func writesAsAppleDoes() {
    let list = PropertyList.dictionary([
      "b": .array([.string("<&>"), .boolean(true)]), "a": .dictionary([:]),
      "c": .date(secondsSince1970: -1),
    ])
    expectEqual(
      list.xml,
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>a</key>
      \t<dict/>
      \t<key>b</key>
      \t<array>
      \t\t<string>&lt;&amp;&gt;</string>
      \t\t<true/>
      \t</array>
      \t<key>c</key>
      \t<date>1969-12-31T23:59:59Z</date>
      </dict>
      </plist>

      """)
  }

  @Test func readsXmlAsPeopleWriteIt() throws {
    let text = """
      \u{FEFF}<?xml version='1.0'?><!-- <plist> -->
      <!DOCTYPE plist SYSTEM "file://localhost/System/DTDs/PropertyList.dtd">
      <plist version="1.0"><!-- a > b --><dict >
        <key>a<!-- no -->b</key> <string>x<![CDATA[<&>]]>&#x41;&#66;&apos;</string>
        <key>hex</key><integer> -0x1F </integer>
        <key>huge</key><integer>18446744073709551615</integer>
        <key>data</key><data>
          AAEC
          /w==
        </data>
        <key/><true></true>
      </dict></plist>

      """
    try expectEqual(
      PropertyList(Array(text.utf8)),
      .dictionary([
        "ab": .string("x<&>AB'"), "hex": .integer(-31), "huge": .integer(Int128(UInt64.max)),
        "data": .data([0, 1, 2, 255]), "": .boolean(true),
      ]))
  }

  @Test func findsMembers() throws {
    expectEqual(Self.expected["number"]?.integer, 42)
    expectEqual(Self.expected["yes"]?.boolean, true)
    expectEqual(Self.expected["date"]?.secondsSince1970, 1_700_000_000)
    expectEqual(Self.expected["list"]?.array?.count, 5)
    expectEqual(Self.expected["empty"]?.string, "")
    expectEqual(Self.expected["data"]?.data?.count, 256)
    expectNil(Self.expected["absent"])
    expectNil(Self.expected["number"]?["x"])
  }

  @Test func readsFiles() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.expected.xml.utf8, to: "Info.plist")
    try expectEqual(PropertyList(contentsOfFile: path), Self.expected)
    let broken = try directory.write("<dict>".utf8, to: "Broken.plist")
    #expect(
      throws: PropertyListFileError.malformed(
        path: broken, PropertyListError(offset: 6, kind: .unexpectedEnd))
    ) { try PropertyList(contentsOfFile: broken) }
    #expect(
      throws: PropertyListFileError.inaccessible(
        FileAccessError(path: directory.path, operation: .read, errno: .isDirectory))
    ) { try PropertyList(contentsOfFile: directory.path) }
  }
}
