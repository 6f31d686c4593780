import CrashLogParser
import Foundation
import TestSupport
import Testing

/// Documents that list the formats, compared with the list of readers.
struct FormatListTests {
  /// The names in JSON of all formats with stacks, in the order of the readers.
  private static let names = CrashLogParser.readers.flatMap(\.formats).filter(\.hasStacks)
    .map(\.schemaName)

  private static func text(_ path: String) throws -> String {
    String(decoding: try Fixtures.bytes(of: path), as: UTF8.self)
  }

  @Test func namesAreDistinct() {
    #expect(Set(Self.names).count == Self.names.count)
  }

  /// With `UPDATE_EXPECTED=1` the list in the schema is written, and the test fails if that changes
  /// it.
  @Test func schema() throws {
    let path = "\(Fixtures.packageDirectory)/docs/report.schema.json"
    let text = try Self.text(path)
    let head = try #require(text.firstRange(of: "\"format\": {\n          \"enum\": [\n"))
    let end = try #require(text[head.upperBound...].firstRange(of: "\n          ]"))
    // A jetsam report or a panic has no stacks, but is a report in JSON.
    let list = CrashLogParser.readers.flatMap(\.formats).map(\.schemaName).map {
      "            \"\($0)\""
    }.joined(separator: ",\n")
    let isCurrent = text[head.upperBound..<end.lowerBound] == list
    #expect(isCurrent, "run make update-expected")
    if !isCurrent, ProcessInfo.processInfo.environment["UPDATE_EXPECTED"] != nil {
      let new = text[..<head.upperBound] + list + text[end.lowerBound...]
      try Data(new.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  /// The table of formats has each name, and no other.
  @Test func page() throws {
    let text = try Self.text("\(Fixtures.packageDirectory)/docs/formats.md")
    let table = try #require(text.firstRange(of: "| name in JSON |\n"))
    let rows = text[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .dropFirst().prefix { $0.hasPrefix("|") }
    let words = rows.flatMap { row in
      row.split(separator: "|").last?.split(separator: ",").map {
        $0.filter { $0 != " " && $0 != "`" }
      } ?? []
    }
    #expect(Set(words) == Set(Self.names))
  }
}
