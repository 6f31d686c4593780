import Foundation
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Validates outputs against `docs/report.schema.json` with Python's `jsonschema`.
///
/// The check is stricter than the schema: keys that the schema does not describe are errors, so
/// that none is added without a description.
@Suite(
  .enabled("python3-jsonschema is not installed (Scripts/install-packages.sh test)") {
    await SchemaCheck.isInstalled
  })
struct JsonSchemaTests {
  /// Inputs of every format, with and without each optional part.
  private static func inputs() throws -> [[UInt8]] {
    let story = try JsonFixture.story
    let ips = Array(JsonFixture.ips.utf8)
    let texts = [
      // Only frames, in an image that is not listed.
      "0   Letter Shuffle 0x000000010024f19c 0x100228000 + 160156\n1   ??? 0xdeadbeef0000 ???\n",
      // A head without frames, and frames without a head.
      "Process: A [1]\nIdentifier: b\nVersion: ???\nReport Version: 104\nException Type: SIGSEGV\n",
      "Thread 0 Crashed:\n0 A 0x0000000000000001 0x1 + 0\n\nBinary Images:\n0x1 - 0x0 A (1.0) </A\n",
      // Numbers that are too large.
      #"{"bug_type":"309"}"# + "\n"
        + #"{"pid":99999999999999999999,"procName":"A","faultingThread":-1,"threads":[{"frames":[{"imageOffset":18446744073709551615,"imageIndex":0,"symbolLocation":18446744073709551615,"symbol":"a","sourceLine":18446744073709551615,"sourceFile":"f"},{"imageIndex":7},3]}],"usedImages":[{"base":18446744073709551615,"size":18446744073709551615,"uuid":"no"},7]}"#,
      JsonFixture.ips.replacing("\"threads\" : [{", with: "\"threads\" : [7,{"),
      String(JsonFixture.ips.prefix(2200)),
    ]
    let swift = try [
      "workers-off.log", "bank-friendly.log", "bank-no-images.log", "bank-off.json",
    ].map { try Fixtures.bytes(of: Fixtures.path("SwiftBacktrace/Reports/\($0)")) }
    return [story, ips, story + ips, ips + [0x0a] + ips] + swift + texts.map { Array($0.utf8) }
  }

  @Test(arguments: [[Fixtures.storyBundle], []])
  func outputsFitTheSchema(symbols: [String]) async throws {
    var documents: [String] = []
    var lines: [String] = []
    for input in try Self.inputs() {
      documents.append(JsonFixture.output(input, as: .json, with: symbols))
      let text = JsonFixture.output(input, as: .ndjson, with: symbols)
      lines += text.split(separator: "\n").map(String.init)
    }
    #expect(lines.count > documents.count)
    try await expectEqual(SchemaCheck.complaints(documents, "document"), "")
    try await expectEqual(SchemaCheck.complaints(lines, "line"), "")
  }

  @Test(arguments: [[Fixtures.storyBundle], []])
  func explainedFramesFitTheSchema(symbols: [String]) async throws {
    var options = SymbolicationOptions()
    options.explains = true
    options.resymbolicates = true
    let documents = try Self.inputs().map {
      JsonFixture.output($0, as: .json, with: symbols, options)
    }
    try await expectEqual(SchemaCheck.complaints(documents, "document"), "")
  }

  @Test func sourceLinesFitToo() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(String(repeating: "\n", count: 100).utf8, to: "GameData.swift")
    var options = SymbolicationOptions()
    options.sourceContext = SourceContext(lineCount: 3, roots: [directory.path])
    options.sourcePaths = SourcePathRules(
      mappings: [try require(PathMapping("/Users/builder/Letter Shuffle="))])
    let document = JsonFixture.output(try JsonFixture.story, as: .json, options)
    expectContains(document, "\"firstLine\": 15")
    try await expectEqual(SchemaCheck.complaints([document], "document"), "")
  }

  @Test func otherBuildsAndFilesMatchedByNameFitToo() async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "Letter Shuffle")
    let missing = JsonFixture.output(try JsonFixture.story, with: [directory.path])
    expectContains(missing, "4C4C4421-5555-3144-A1AE-D843571BB5E2")
    let byName = JsonFixture.output(
      "0   Letter Shuffle 0x000000010024f19c 0x100228000 + 160156\n".utf8)
    expectTrue(byName.contains(#""matchedBy": "name""#))
    try await expectEqual(SchemaCheck.complaints([missing, byName], "document"), "")
  }

  /// Proves that the check can fail.
  @Test func invalidDocumentsAreRejected() async throws {
    let good = JsonFixture.output(try JsonFixture.story)
    for (text, replacement) in [
      (#""address": "0x10024f19c","#, ""), (#""0x10024f19c""#, #""0x010024f19c""#),
      (#""index": 5"#, #""index": "5""#), (#""origin": "dwarf""#, #""origin": "hearsay""#),
      (#""faults""#, #""mistakes""#), (#""schema": "symbolicate-report""#, #""schema": "x""#),
      (#""inlined": true"#, #""inlined": null"#), (#""line": 18"#, #""line": -18"#),
    ] {
      let bad = good.replacing(text, with: replacement)
      try require(bad != good)
      try await expectNotEqual(SchemaCheck.complaints([bad], "document"), "", "\(text)")
    }
    try await expectNotEqual(SchemaCheck.complaints([good], "line"), "")
  }
}

/// The schema and the page that explains it.
struct JsonDocumentationTests {
  @Test func everyKeyAndNameIsExplained() throws {
    let docs = Fixtures.packageDirectory + "/docs/"
    let schema = try JSONSerialization.jsonObject(
      with: Data(try Fixtures.bytes(of: docs + "report.schema.json")))
    // The names of formats are in the other page.
    let page = try ["json.md", "formats.md"].map {
      String(decoding: try Fixtures.bytes(of: docs + $0), as: UTF8.self)
    }.joined()
    var names: Set<String> = []
    collect(schema, into: &names)
    #expect(names.count > 80)
    for name in names where !page.contains("`\(name)`") { Issue.record("\(name) is missing") }
  }

  /// Collects the keys of all objects in the schema, and the allowed string values.
  private func collect(_ node: Any, into names: inout Set<String>) {
    if let list = node as? [Any] {
      for item in list { collect(item, into: &names) }
    } else if let object = node as? [String: Any] {
      names.formUnion((object["properties"] as? [String: Any] ?? [:]).keys)
      names.formUnion((object["enum"] as? [Any] ?? []).compactMap { $0 as? String })
      for item in object.values { collect(item, into: &names) }
    }
  }
}

/// Python's `jsonschema`.
enum SchemaCheck {
  static var isInstalled: Bool {
    get async {
      guard let python = Program.path(of: "python3") else { return false }
      return (try? await Program.run(python, ["-c", "import jsonschema"]))?.status == 0
    }
  }

  /// What is wrong with JSON texts, one line each; empty if nothing is.
  ///
  /// - Parameter kind: `document`, `line` or `error`.
  static func complaints(_ texts: [String], _ kind: String) async throws -> String {
    let input = try JSONEncoder().encode(texts)
    let python = try require(Program.path(of: "python3"))
    let result = try await Program.run(
      python, ["-c", script, "\(Fixtures.packageDirectory)/docs/report.schema.json", kind],
      input: Array(input))
    try require(result.status == 0, "\(result.standardError)")
    return result.outputText
  }

  private static let script = #"""
    import copy, json, sys
    from jsonschema import Draft7Validator

    schema = json.load(open(sys.argv[1]))
    Draft7Validator.check_schema(schema)
    strict = copy.deepcopy(schema["definitions"])

    def forbid_others(node):
        if isinstance(node, list):
            for item in node:
                forbid_others(item)
        elif isinstance(node, dict):
            if "properties" in node:
                # Only frames of call trees have these two, and only images whose names were learnt
                # the other.
                isFrame = "depth" in node["properties"]
                rare = ("depth", "samples") if isFrame else ("learntFrom",)
                always = [key for key in node["properties"] if key not in rare]
                assert node["required"] == always, node["required"]
                node["additionalProperties"] = False
            for item in node.values():
                forbid_others(item)

    forbid_others(strict)

    def keys(name):
        return list(strict[name]["properties"])

    def check(name, value):
        validator = Draft7Validator({"$ref": "#/definitions/" + name, "definitions": strict})
        for error in validator.iter_errors(value):
            print(list(error.absolute_path), error.message[:200])
        if list(value) != keys(name):
            print("order of keys:", list(value))

    for text in json.load(sys.stdin):
        value = json.loads(text)
        for error in Draft7Validator(schema).iter_errors(value):
            print(list(error.absolute_path), error.message[:200])
        if sys.argv[2] in ("document", "error"):
            check(sys.argv[2], value)
        else:
            # A line is the head and the report in one object.
            head = len(keys("head"))
            check("head", dict(list(value.items())[:head]))
            check("report", dict(list(value.items())[head:]))
    """#
}
