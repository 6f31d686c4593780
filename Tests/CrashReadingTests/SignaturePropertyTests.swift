import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What may become of a report without another signature: symbols of the system, lines, a
/// translation, and what people paste it into. Over the fixtures, and the corpus if there is one.
struct SignaturePropertyTests {
  /// A file whose reports have signatures, without the samples, whose trees take long.
  struct File: Sendable, CustomTestStringConvertible {
    let path: String
    let bytes: [UInt8]

    var testDescription: String { path }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isIps: Bool { path.hasSuffix(".ips") }
  }

  private static let folders = [
    "crash-text", "crash-text-jsonheader", "ips-309", "ips-other", "wild", "wild2",
  ]

  private static let files: [File] = {
    let fixtures = [
      "LetterShuffle/letter-shuffle.crash", "LetterShuffle/letter-shuffle-web-copy.crash",
    ].map { Fixtures.path($0) }
    let ofCorpus = folders.flatMap { folder -> [String] in
      guard let corpus = Corpus.path else { return [] }
      let root = "\(corpus)/reports/\(folder)"
      let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
      return names.sorted().map { "\(root)/\($0)" }
    }
    return (fixtures + ofCorpus).compactMap { path in
      guard let data = FileManager.default.contents(atPath: path), data.count < 400_000 else {
        return nil
      }
      return File(path: path, bytes: Array(data))
    }
  }()

  private static func document(_ bytes: [UInt8]) -> JsonDocument? {
    var job = ReportJob(symbolPaths: [], form: .json)
    let result = job.symbolicate(bytes, shownPath: "report")
    guard result.hasReport else { return nil }
    return try? JSONDecoder().decode(JsonDocument.self, from: Data(result.output))
  }

  private static func signatures(_ bytes: [UInt8]) -> [String?] {
    document(bytes)?.reports.map { $0.signature?.text } ?? []
  }

  /// The files with one crash report, and its signature.
  private static let crashes: [(file: File, report: JsonReport)] = files.compactMap { file in
    guard let reports = document(file.bytes)?.reports, reports.count == 1,
      let report = reports.first,
      ["crashText", "crashTextWithJsonHeader", "ips"].contains(report.format)
    else { return nil }
    return (file, report)
  }

  // MARK: Lines of frames

  /// Index, image and address; what follows; for frames of these images.
  private static func changing(
    _ text: String, images: (String) -> Bool, _ change: (Int, String) -> String
  ) -> String {
    let frame = /^(\d+\s+(\S.*?)\s+0x[0-9a-f]{8,16}\s)(.*)$/
    var count = 0
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      guard let match = line.wholeMatch(of: frame), images(String(match.2)) else {
        return String(line)
      }
      count += 1
      return match.1 + change(count, String(match.3))
    }.joined(separator: "\n")
  }

  /// The names of images that only the system has.
  private static func systemNames(_ report: JsonReport) -> Set<String> {
    let others = report.images.filter { !$0.system }.compactMap(\.name)
    return Set(report.images.filter(\.system).compactMap(\.name)).subtracting(others)
  }

  /// Names that mean something in the frames of an app.
  private static let names = [
    "abort", "__exceptionPreprocess", "std::terminate()", "rust_panic", "free", "-[UIView layout]",
    "konan::abort()", "_dispatch_client_callout", "closure #1 in View.body.getter",
  ]

  @Test func symbolsOfTheSystemChangeNothing() {
    for (file, report) in Self.crashes where report.format != "ips" {
      let system = Self.systemNames(report)
      let without = Self.changing(file.text, images: { system.contains($0) }) { number, _ in
        "0x1a0000000 + \(number)"
      }
      let with = Self.changing(file.text, images: { system.contains($0) }) { number, _ in
        "\(Self.names[number % Self.names.count]) + 12"
      }
      for text in [without, with] {
        expectEqual(Self.signatures(Array(text.utf8)), [report.signature?.text], file.path)
      }
    }
  }

  @Test func linesChangeNothing() {
    for (file, report) in Self.crashes where report.format != "ips" {
      let system = Self.systemNames(report)
      let text = Self.changing(file.text, images: { !system.contains($0) }) { number, content in
        // Nobody has the line of a frame whose name is that of a function far away.
        let offset = content.wholeMatch(of: /[^\s0].* \+ (\d+)/).flatMap { Int($0.1) }
        return offset.map { $0 <= 0x1_0000 } == true ? "\(content) (File.swift:\(number))" : content
      }
      expectEqual(Self.signatures(Array(text.utf8)), [report.signature?.text], file.path)
    }
  }

  /// The keys `symbol` and `symbolLocation` of frames of the system, removed and put in.
  @Test func symbolsInJsonChangeNothing() throws {
    for (file, report) in Self.crashes where report.format == "ips" {
      guard let end = file.bytes.firstIndex(of: UInt8(ascii: "\n")),
        let body = try? JSONSerialization.jsonObject(with: Data(file.bytes[(end + 1)...])),
        var object = body as? [String: Any], var threads = object["threads"] as? [[String: Any]]
      else { continue }
      let system = Self.systemNames(report)
      let images = object["usedImages"] as? [[String: Any]] ?? []
      for isNamed in [false, true] {
        for index in threads.indices {
          guard var frames = threads[index]["frames"] as? [[String: Any]] else { continue }
          for frame in frames.indices {
            guard let image = frames[frame]["imageIndex"] as? Int, images.indices.contains(image),
              let name = images[image]["name"] as? String, system.contains(name)
            else { continue }
            frames[frame]["symbol"] = isNamed ? Self.names[frame % Self.names.count] : nil
            frames[frame]["symbolLocation"] = isNamed ? 12 : nil
          }
          threads[index]["frames"] = frames
        }
        object["threads"] = threads
        let bytes = file.bytes[...end] + (try JSONSerialization.data(withJSONObject: object))
        expectEqual(Self.signatures(Array(bytes)), [report.signature?.text], file.path)
      }
    }
  }

  @Test func translationChangesNothing() {
    for (file, report) in Self.crashes where report.format == "ips" {
      var job = ReportJob(symbolPaths: [], form: .crash)
      let text = job.symbolicate(file.bytes, shownPath: "report").output
      expectEqual(Self.signatures(text), [report.signature?.text], file.path)
    }
  }

  // MARK: Wrappings

  private static func lines(_ text: String, _ change: (String) -> String) -> String {
    text.components(separatedBy: "\n").map(change).joined(separator: "\n")
  }

  /// One of these for each file: all for all would take minutes.
  private static let forms: [(name: String, wrap: @Sendable (String) throws -> String)] = [
    ("quotation", { lines($0) { "> " + $0 } }),
    ("indentation", { lines($0) { "    " + $0 } }),
    ("fence", { "Hello\n\n```text\n\($0)\n```\nBye\n" }),
    ("quoted fence", { lines("Hello\n\n```text\n\($0)\n```\nBye") { "> " + $0 } }),
    (
      "page",
      { text in
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
          .replacing(">", with: "&gt;")
        return "<p>It crashed:</p>\n<pre><code>\(escaped)</code></pre>\n"
      }
    ),
    ("JSON", { String(decoding: try JSONEncoder().encode(["body": $0]), as: UTF8.self) }),
  ]

  @Test func wrappingChangesNothing() throws {
    // What is wrapped already is read as far as two wrappings go.
    let plain = Self.crashes.filter { file, report in
      report.format != "ips" && !file.path.contains("/pasted/") && !file.path.hasSuffix(".md")
    }
    for (index, (file, report)) in plain.enumerated() {
      guard let text = String(bytes: file.bytes, encoding: .utf8), !text.contains("\r") else {
        continue
      }
      let form = Self.forms[index % Self.forms.count]
      expectEqual(
        Self.signatures(Array(try form.wrap(text).utf8)), [report.signature?.text],
        "\(file.path), \(form.name)")
    }
  }
}
