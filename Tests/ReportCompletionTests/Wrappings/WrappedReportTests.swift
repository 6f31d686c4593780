import Foundation
import ReportRuns
import ReportSymbolication
import TestSupport
import Testing

/// A report that is pasted comes out as the completed report pasted in the same way.
struct WrappedReportTests {
  /// The story, and what Fixtures/LetterShuffle/README.md expects of it.
  private static func story() throws -> (report: String, completed: String) {
    let expected = "\(Fixtures.packageDirectory)/Tests/EndToEndTests/Expected/letter-shuffle.crash"
    return (
      String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self),
      String(decoding: try Fixtures.bytes(of: expected), as: UTF8.self)
    )
  }

  private static func result(
    of input: [UInt8], as form: OutputForm = .auto
  ) -> ReportJob.Result {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], form: form)
    return job.symbolicate(input, shownPath: "report")
  }

  @Test(arguments: PasteForm.all)
  func isCompletedInItsWrapping(_ form: PasteForm) throws {
    let (report, completed) = try Self.story()
    let result = Self.result(of: form.wrap(report))
    expectTrue(result.hasReport)
    expectEqual(
      String(decoding: result.output, as: UTF8.self),
      String(decoding: form.wrap(completed), as: UTF8.self))
  }

  @Test(arguments: PasteForm.all)
  func secondRunChangesNothing(_ form: PasteForm) throws {
    let input = form.wrap(try Self.story().completed)
    let first = Self.result(of: input).output
    expectEqual(Self.result(of: first).output, first)
    expectEqual(first, input)
  }

  @Test(arguments: PasteForm.all)
  func readsTheSame(_ form: PasteForm) throws {
    let (report, completed) = try Self.story()
    let input = form.wrap(report)
    let plain = Self.result(of: Array(report.utf8), as: .summary)
    let wrapped = Self.result(of: input, as: .summary)
    expectEqual(
      String(decoding: wrapped.output, as: UTF8.self), String(decoding: plain.output, as: UTF8.self)
    )
    expectEqual(wrapped.notes.first, plain.notes.first)
    // The conversion to Apple's text drops the wrapping.
    let text = String(decoding: Self.result(of: input, as: .crash).output, as: UTF8.self)
    if form.name != "strings of a list, a line each", !form.name.hasPrefix("CRLF") {
      expectTrue(text.contains(completed.split(separator: "\n\n")[0].dropFirst(600)))
    }
  }

  /// Mail programs may break the lines of quoted-printable text anywhere, so the decoded text
  /// counts.
  @Test func isCompletedInQuotedPrintableText() throws {
    let (report, completed) = try Self.story()
    let head = "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
    let output = String(
      decoding: Self.result(of: Array((head + quotedPrintable(report)).utf8)).output, as: UTF8.self)
    expectTrue(output.hasPrefix(head))
    expectEqual(decoded(String(output.dropFirst(head.count))), completed)
    expectTrue(output.split(separator: "\n").allSatisfy { $0.utf8.count <= 140 })
    let again = Self.result(of: Array(output.utf8)).output
    expectEqual(String(decoding: again, as: UTF8.self), output)
  }

  /// The line below a heading, and links, are not taken for the encoding of mails.
  @Test(arguments: [
    "Crash\n=====\n\n", "See https://example.com/?page=20&id=3D4E\n\n",
    "let key = \"abc=\"\nQUJD=\n\n",
  ])
  func isNotTakenForQuotedPrintableText(_ head: String) throws {
    let (report, completed) = try Self.story()
    func quoted(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { "> \($0)\n" }
        .joined()
    }
    let output = Self.result(of: Array((head + quoted(report)).utf8)).output
    expectEqual(String(decoding: output, as: UTF8.self), head + quoted(completed))
  }

  private func quotedPrintable(_ text: String) -> String {
    var result = ""
    var column = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\n") {
        result += "\n"
        column = 0
        continue
      }
      if column > 70 {
        result += "=\n"
        column = 0
      }
      if byte == UInt8(ascii: "=") || byte >= 0x7F || byte < 0x20 {
        result += "=" + String(format: "%02X", byte)
        column += 3
      } else {
        result += String(Unicode.Scalar(byte))
        column += 1
      }
    }
    return result
  }

  private func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.replacingOccurrences(of: "=\n", with: "").utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "="), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Line prefixes that change

  /// The inlined call, line 33 of the output, gets the number of the frame below it.
  @Test func keepsTheNumberOfEachLine() throws {
    let (report, completed) = try Self.story()
    func numbered(_ text: String, _ number: (Int) -> Int) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().enumerated()
        .map { "\(number($0 + 1))\t\($1)\n" }.joined()
    }
    let inlined = try require(
      completed.split(separator: "\n", omittingEmptySubsequences: false)
        .firstIndex { $0.hasSuffix("[inlined]") })
    let output = Self.result(of: Array(numbered(report) { $0 }.utf8)).output
    let expected = numbered(completed) { $0 > inlined + 1 ? $0 - 1 : $0 }
    expectEqual(String(decoding: output, as: UTF8.self), expected)
    expectEqual(Self.result(of: output).output, output)
  }

  @Test func keepsTheTimeStampOfEachLine() throws {
    let (report, completed) = try Self.story()
    func stamped(_ lines: [Substring], _ stamp: (Int) -> String) -> String {
      lines.enumerated().map { "\(stamp($0)) App[77]: \($1)\n" }.joined()
    }
    let stamp = { (line: Int) in "Mar \(line % 28 + 1) 10:\(10 + line % 50):59.\(line * 13)" }
    let lines = report.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let output = Self.result(of: Array(stamped(Array(lines), stamp).utf8)).output
    // Line 33 of the output is the inlined call, which gets the stamp of the frame below it.
    let expected = completed.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let inlined = try require(expected.firstIndex { $0.hasSuffix("[inlined]") })
    expectEqual(
      String(decoding: output, as: UTF8.self),
      stamped(Array(expected)) { stamp($0 <= inlined ? $0 : $0 - 1) })
  }

  // MARK: Broken lines

  /// The text with a line end after so many characters of a line.
  private func cut(_ text: String, at columns: Int) -> String {
    text.components(separatedBy: "\n").flatMap { line in
      var parts: [Substring] = []
      var rest = line[...]
      repeat {
        parts.append(rest.prefix(columns))
        rest = rest.dropFirst(columns)
      } while !rest.isEmpty
      return parts
    }.joined(separator: "\n")
  }

  /// The text as mail programs fold it: broken at spaces, words stay whole.
  private func folded(_ text: String, at columns: Int) -> String {
    text.components(separatedBy: "\n").map { line in
      var (result, column) = ("", 0)
      // Padding belongs to the word after it, and is dropped where the line is broken.
      var rest = line[...]
      while !rest.isEmpty {
        let padding = rest.prefix { $0 == " " }
        rest = rest.dropFirst(padding.count)
        let word = rest.prefix { $0 != " " }
        rest = rest.dropFirst(word.count)
        if column > 0, column + padding.count + word.count > columns {
          result += "\n" + word
          column = word.count
        } else {
          result += padding + word
          column += padding.count + word.count
        }
      }
      return result
    }.joined(separator: "\n")
  }

  /// 66, 70 and 72 columns cut frames inside their offsets; all cut the path, the JSON above the
  /// report, and the images.
  @Test(arguments: [66, 70, 72, 76, 78, 80], [false, true])
  func joinsLinesThatAreCertainlyBroken(columns: Int, folds: Bool) throws {
    let report = try Self.story().report
    let broken = folds ? folded(report, at: columns) : cut(report, at: columns)
    expectNotEqual(broken, report)
    let result = Self.result(of: Array(broken.utf8))
    let plain = Self.result(of: Array(report.utf8))
    expectEqual(result.notes.first, plain.notes.first)
    expectFalse(result.notes.contains { $0.contains("wrapped") || $0.contains("damaged") })
    let output = String(decoding: result.output, as: UTF8.self)
    expectContains(output, "GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)\n")
    let again = Self.result(of: result.output)
    expectEqual(again.output, result.output)
    let summary = Self.result(of: Array(broken.utf8), as: .summary).output
    expectEqual(summary, Self.result(of: Array(report.utf8), as: .summary).output)
  }

  /// Names of functions have spaces, too.
  @Test(arguments: [66, 70, 72, 76, 78, 80], [false, true])
  func joinsNamesThatAreBroken(columns: Int, folds: Bool) throws {
    let completed = try Self.story().completed
    let broken = Array((folds ? folded(completed, at: columns) : cut(completed, at: columns)).utf8)
    let summary = Self.result(of: broken, as: .summary).output
    expectEqual(
      String(decoding: summary, as: UTF8.self),
      String(
        decoding: Self.result(of: Array(completed.utf8), as: .summary).output, as: UTF8.self))
    expectEqual(Self.result(of: broken).output, broken)
  }

  /// A value that stands below its key, and paths that were broken.
  @Test func joinsFieldsThatAreBroken() throws {
    let report = try Self.story().report
    let broken = report.replacing("Identifier:          com", with: "Identifier:\ncom")
      .replacing("Path:                /", with: "Path:\n/")
      .replacing("Process:             Letter", with: "Process:\n  Letter")
    let result = Self.result(of: Array(broken.utf8), as: .summary)
    expectEqual(result.output, Self.result(of: Array(report.utf8), as: .summary).output)
  }

  /// A header and what is below it, in an HTML page.
  @Test func findsTheJsonBelowATextOnAPage() throws {
    let text = try Self.story().report
    let body = """
      {"procName":"Letter Shuffle","threads":[{"triggered":true,"frames":[{"imageOffset":160156,"imageIndex":0}]}],
       "usedImages":[{"base":4297228288,"size":278528,"name":"Letter Shuffle",
        "uuid":"a4b1de49-70b3-301d-a644-58d6bc22f513"}]}
      """
    let json = "{\"app_name\":\"Letter Shuffle\",\"bug_type\":\"309\"}\n\(body)\n"
    let page = { (text: String) in
      "<html><body><pre>"
        + text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;").replacing("\"", with: "&quot;") + "</pre></body></html>\n"
    }
    let plain = Self.result(of: Array((text + "\n" + json).utf8))
    let result = Self.result(of: Array(page(text + "\n" + json).utf8))
    expectEqual(result.notes.first, plain.notes.first)
    expectEqual(plain.notes.first, "7 of 12 frames resolved")
    expectEqual(
      String(decoding: result.output, as: UTF8.self),
      page(String(decoding: plain.output, as: UTF8.self)))
  }

  // MARK: JSON

  private static let ipsHeader = #"{"app_name":"Letter Shuffle","bug_type":"309"}"#
  private static let ipsBody = """
    {
      "procName" : "Letter Shuffle",
      "threads" : [{"triggered" : true, "frames" : [{"imageOffset" : 160156, "imageIndex" : 0}]}],
      "usedImages" : [{"base" : 4297228288, "size" : 278528, "name" : "Letter Shuffle",
        "uuid" : "a4b1de49-70b3-301d-a644-58d6bc22f513"}]
    }
    """

  private static func escapedJson(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
        "\n", with: "\\n") + "\""
  }

  /// The input has quotes only, but what escapes these escapes angle brackets too.
  private static func escapedPage(_ text: String) -> String {
    text.replacing("\"", with: "&quot;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static let ipsForms: [@Sendable (_ header: String, _ body: String) -> String] = [
    { "[\($0),\n\($1)]\n" }, { "[\n\($0),\n\($1)\n]\n" },
    { "[\($0),\(escapedJson($1))]" }, { "[\(escapedJson($0)),\(escapedJson($1))]" },
    { "{\"header\":\($0),\"body\":\($1)}" },
    { "{noformat}\n\($0)\n\($1)\n{noformat}\n" }, { "{code:json}\n\($0)\n\($1)\n{code}\n" },
    { "```json\n\($0)\n\($1)\n```\n" },
    { escapedPage("\($0)\n\($1)") },
    { "> " + escapedPage("\($0)\n\($1)\n").replacing("\n", with: "\n> ") },
  ]

  /// Header and body of an `.ips` are found, and answers go into the body.
  @Test(arguments: ipsForms.indices)
  func completesIps(_ index: Int) throws {
    let form = Self.ipsForms[index]
    let plain = Self.result(of: Array("\(Self.ipsHeader)\n\(Self.ipsBody)\n".utf8))
    let completed = String(decoding: plain.output, as: UTF8.self).dropFirst(
      Self.ipsHeader.utf8.count + 1
    ).dropLast()
    let wrapped = form(Self.ipsHeader, Self.ipsBody)
    let result = Self.result(of: Array(wrapped.utf8))
    let expected = form(Self.ipsHeader, String(completed))
    expectEqual(String(decoding: result.output, as: UTF8.self), expected)
    expectEqual(result.notes.first, plain.notes.first)
    expectEqual(plain.notes.first, "1 of 1 frame resolved")
    expectEqual(Self.result(of: result.output).output, result.output)
    let json = Self.result(of: Array(wrapped.utf8), as: .json).output
    expectContains(String(decoding: json, as: UTF8.self), "\"309\"")
  }
}
