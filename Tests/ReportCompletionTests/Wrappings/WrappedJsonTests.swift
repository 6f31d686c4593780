import Foundation
import ReportRuns
import TestSupport
import Testing

/// Reports that are JSON are found below other text and in what people paste, and come out as the
/// completed report pasted in the same way. What the completed reports look like is tested with
/// their formats.
struct WrappedJsonTests {
  struct Document: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var symbols = Fixtures.storyBundle

    var testDescription: String { name }

    func result(_ input: String) -> ReportJob.Result {
      var job = ReportJob(symbolPaths: [symbols])
      return job.symbolicate(Array(input.utf8), shownPath: "report")
    }

    func completed(_ input: String) -> String {
      String(decoding: result(input).output, as: UTF8.self)
    }
  }

  private static let uuid = "a4b1de49-70b3-301d-a644-58d6bc22f513"

  private static let bugsnag = #"""
    {
      "exceptions" : [
        {
          "errorClass" : "EXC_BREAKPOINT",
          "stacktrace" : [
            {
              "frameAddress" : "0x1002453f4",
              "machoLoadAddress" : "0x100228000",
              "machoUUID" : "\#(uuid)",
              "machoFile" : "/Letter Shuffle"
            }
          ]
        }
      ]
    }

    """#
  private static let sentry = #"""
    {
      "platform": "cocoa",
      "exception": {"values": [{"type": "SIGTRAP", "stacktrace": {"frames": [
        {
          "instruction_addr": "0x1002453f4"
        }
      ]}}]},
      "debug_meta": {"images": [{"type": "macho", "image_addr": "0x100228000",
        "image_size": 278528, "debug_id": "\#(uuid)"}]}
    }

    """#
  private static let measure = #"""
    {
      "exceptions": [{"signal": "SIGTRAP", "frames": [
        {
          "binary_address": "100228000",
          "symbol_address": "1002453f4"
        }
      ]}],
      "binary_images": [
        {"start_addr": "100228000", "end_addr": "10026bfff", "uuid": "\#(uuid)", "arch": "arm64"}
      ]
    }

    """#

  static let documents: [Document] = {
    let ksCrash = SdkJsonSplicingTests.ksCrash("            {\"instruction_addr\": 4297348084}")
    var documents = [
      Document(name: "KSCrash", text: ksCrash), Document(name: "Bugsnag", text: bugsnag),
      Document(name: "Sentry", text: sentry), Document(name: "Measure", text: measure),
    ]
    documents += documents.map {
      let line = $0.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
      return Document(name: "\($0.name) on one line", text: line + "\n")
    }
    func fixture(_ name: String, _ path: String, symbols: String = Fixtures.storyBundle) {
      let bytes = (try? Fixtures.bytes(of: path)) ?? []
      var text = String(decoding: bytes, as: UTF8.self)
      if text.last != "\n" { text += "\n" }
      documents.append(Document(name: name, text: text, symbols: symbols))
    }
    let metricKit = Fixtures.path("MetricKit")
    fixture("MetricKit", "\(metricKit)/payload.json")
    fixture("MetricKit on lines", "\(metricKit)/payloads.ndjson")
    fixture("MetricKit's tree", "\(metricKit)/tree.json")
    fixture(
      "Swift", SwiftBacktraceTests.path("Reports/bank-off.json"),
      symbols: SwiftBacktraceTests.path("bank.elf"))
    return documents
  }()

  private static let forms: [PasteForm] = [
    PasteForm("below other text") { "Hello,\n\nit crashed:\n\n\($0)\nBye\n" },
    PasteForm("a fence") { "# Crash\n\n```json\n\($0)```\n\nBye\n" },
    PasteForm("indentation") { "It crashed:\n\n" + lines($0) { "    " + $0 } },
    PasteForm("a quoted mail") { "On Monday, he wrote:\n\n" + lines($0) { "> " + $0 } + "\nBye\n" },
    PasteForm("the time of a log") {
      lines("Start\n" + $0) { "2024-03-05 11:22:33.123 host App[4242:77] " + $0 }
    },
    PasteForm("a page") {
      "<p>It crashed:</p>\n<pre><code>\(escaped($0))</code></pre>\n"
    },
  ]

  private static func lines(_ text: String, _ change: (String) -> String) -> String {
    text.components(separatedBy: "\n").dropLast().map { change($0) + "\n" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
      .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
  }

  @Test(arguments: documents, forms)
  func isCompletedWhereItIsPasted(_ document: Document, _ form: PasteForm) throws {
    let completed = document.completed(document.text)
    try require(completed != document.text)
    let input = String(decoding: form.wrap(document.text), as: UTF8.self)
    let expected = String(decoding: form.wrap(completed), as: UTF8.self)
    let output = document.completed(input)
    expectEqual(output, expected)
    expectEqual(document.completed(output), output)
  }

  /// A prefix on a line of its own is no prefix of other lines.
  @Test func isFoundBehindWords() {
    let document = Self.documents[4]
    let output = document.completed("Lost. Body: " + document.text)
    expectEqual(output, "Lost. Body: " + document.completed(document.text))
  }

  /// JSON above or below a report in Apple's format: both are completed.
  @Test func isCompletedBesideText() throws {
    let story = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    for document in Self.documents where !document.name.hasPrefix("Swift") {
      let (completed, text) = (document.completed(story), document.completed(document.text))
      expectEqual(
        document.completed("JSON:\n\(document.text)\nText:\n\(story)"),
        "JSON:\n\(text)\nText:\n\(completed)", "\(document.name)")
    }
  }

  /// A backtrace as text in a page: the angle brackets of `<unknown>` are escaped.
  @Test func unknownFunctionsInAPage() throws {
    let plain = try SwiftBacktraceTests.log("bank-off").replacing(
      "0x00007ffff7f8f310", with: "0x00007ffff7f8f310 <unknown> in libswift_Concurrency.so")
    let document = Document(name: "", text: plain, symbols: SwiftBacktraceTests.path("bank.elf"))
    let completed = document.completed(plain)
    try require(completed != plain && completed.contains("<unknown> in"))
    let page = Self.forms[5]
    let output = document.completed(String(decoding: page.wrap(plain), as: UTF8.self))
    expectEqual(output, String(decoding: page.wrap(completed), as: UTF8.self))
  }

  /// Pieces of such JSON above a report do not hide it.
  @Test func piecesDoNotHideReports() throws {
    let story = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    let document = Self.documents[0]
    let completed = document.completed(story)
    for piece in [
      "\"binary_images\": [\n", "{ \"kind\": \"crashReport\" }\n", "> {\n> \"callStacks\n",
    ] {
      expectEqual(document.completed("Look:\n" + piece + story), "Look:\n" + piece + completed)
    }
  }
}
