import Foundation
import Testing

/// A way in which a report is pasted: what becomes of its bytes.
struct PasteForm: Sendable, CustomTestStringConvertible {
  let name: String
  let wrap: @Sendable (String) -> [UInt8]

  var testDescription: String { name }

  init(_ name: String, _ wrap: @escaping @Sendable (String) -> String) {
    self.name = name
    self.wrap = { Array(wrap($0).utf8) }
  }

  init(bytes name: String, _ wrap: @escaping @Sendable (String) -> [UInt8]) {
    self.name = name
    self.wrap = wrap
  }

  static let all: [PasteForm] =
    ["> ", ">> ", "> > ", "- ", "# ", "// ", " * ", "| ", "\t", "    "].map { prefix in
      PasteForm("'\(prefix)' before every line") { lines($0) { prefix + $0 } }
    }
    + [
      PasteForm("'> ', but '>' for empty lines") { lines($0) { $0.isEmpty ? ">" : "> " + $0 } },
      PasteForm("indentation of lines with text") { lines($0) { $0.isEmpty ? "" : "    " + $0 } },
      PasteForm("back-ticks around every line") { lines($0) { "`" + $0 + "`" } },
      PasteForm("colours around every line") { lines($0) { "\u{1B}[31m" + $0 + "\u{1B}[0m" } },
      PasteForm("the name of a log before every line") {
        lines($0) { "2024-03-05 11:22:33.123 host App[4242:77] " + $0 }
      },
      PasteForm("strings of a list, a line each") { text in
        // The report has no quotes below its first line.
        lines(text.replacingOccurrences(of: "\"", with: "'")) { "\"" + $0 + "\"," }
      },
      PasteForm("a backslash behind every line") { lines($0) { $0 + "\\" } },
      PasteForm("doubled line ends") { lines($0) { $0 + "\n" } },
      PasteForm("a quoted mail with doubled line ends") {
        lines(lines($0) { $0 + "\n" }) { $0.isEmpty ? ">" : "> " + $0 }
      },
      PasteForm("CR alone") { $0.replacingOccurrences(of: "\n", with: "\r") },
      PasteForm("CRLF and '> '") { lines($0) { "> " + $0 + "\r" } },
      PasteForm("<pre><code> on the first line") {
        "<p>It crashed:</p>\n<pre><code>" + escaped($0) + "</code></pre>\n"
      },
      PasteForm("<br> after every line") { lines(escaped($0)) { $0 + "<br>" } },
      PasteForm("<br/> in place of line ends") {
        escaped($0).replacingOccurrences(of: "\n", with: "<br/>")
      },
      PasteForm("entities and '> '") { lines(escaped($0)) { "> " + $0 } },
      PasteForm("entities, &quot; too, and '> '") { lines(quoteEscaped($0)) { "> " + $0 } },
      PasteForm("a page with &quot; in a quoted mail") {
        lines("<p>x</p>\n<pre><code>" + quoteEscaped($0) + "</code></pre>\n") { "> " + $0 }
      },
      PasteForm("a fence in a quoted mail") { lines(fenced($0)) { $0.isEmpty ? ">" : "> " + $0 } },
      PasteForm("an indented block in a quoted mail") {
        lines("It crashed:\n\n" + lines($0) { "    " + $0 } + "\nThanks\n") { "> " + $0 }
      },
      PasteForm("a fence in a quoted mail in base64") {
        base64(lines(fenced($0)) { $0.isEmpty ? ">" : "> " + $0 })
      },
      PasteForm("a fence in a string of JSON") {
        "{\"title\": \"c\", \"body\": \(json(fenced($0)))}"
      },
      PasteForm("App Store Connect's crash log") {
        "{\"data\":{\"type\":\"betaFeedbackCrashSubmissions\",\"id\":\"1\",\"attributes\":{\"logText\":"
          + json($0) + "}},\"links\":{\"self\":\"https:\\/\\/a.example\"}}"
      },
      PasteForm("an array of header and body, two strings") { text in
        "[" + headAndBody(text).map(json).joined(separator: ",") + "]\n"
      },
      PasteForm("an array of header and body, the body a string") { text in
        let parts = headAndBody(text)
        return "[\n\(parts[0]),\n\(json(parts[1]))\n]\n"
      },
      PasteForm("an array with a string for each line") { text in
        let strings = text.components(separatedBy: "\n").map { "  " + json($0) }
        return "[\n" + strings.joined(separator: ",\n") + "\n]\n"
      },
      PasteForm("RTF") { text in rtf(text, "\\\n") },
      PasteForm("RTF with \\par") { text in rtf(text, "\\par\n") },
      PasteForm("{noformat} above the report") { "{noformat}\n" + $0 + "{noformat}\n" },
      PasteForm("{code} above the report") { "{code:title=a.crash}\n" + $0 + "{code}\n" },
      PasteForm("a fence on the first line") { "Hello\n```" + $0 + "```\n" },
      PasteForm("a span of code") { "Hello\n`" + $0 + "`\n" },
      PasteForm("{noformat} on the first line") { "{noformat}" + $0 + "{noformat}\n" },
      PasteForm("a string of JSON") { "{\"id\": 3, \"log\": \(json($0)), \"x\": \"y\"}" },
      PasteForm(bytes: "UTF-16, little-endian") { text in
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      },
      PasteForm(bytes: "UTF-16, big-endian") { text in
        [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      },
      PasteForm("a base64 part of a mail") {
        base64($0)
      },
    ]

  private static func base64(_ text: String) -> String {
    "From: a@example.com\nContent-Transfer-Encoding: base64\n\n"
      + Data(text.utf8).base64EncodedString(options: [
        .lineLength76Characters, .endLineWithLineFeed,
      ])
      + "\n\n--boundary--\n"
  }

  private static func fenced(_ text: String) -> String { "Hello\n\n```text\n\(text)```\nBye\n" }

  /// The JSON on the first line, and the rest.
  private static func headAndBody(_ text: String) -> [String] {
    let head = text.prefix { $0 != "\n" }
    return [String(head), String(text.dropFirst(head.count + 1))]
  }

  private static func rtf(_ text: String, _ lineEnd: String) -> String {
    // RTF is ASCII: other characters are numbers.
    let escaped = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\\", "{", "}": "\\\(scalar)"
      case "\n": "\n"
      default:
        scalar.isASCII
          ? "\(scalar)"
          : String(scalar).utf16.map { "\\u\(Int16(bitPattern: $0))?" }.joined()
      }
    }.joined()
    return "{\\rtf1\\ansi{\\fonttbl\\f0 Menlo;}\n\\f0\\fs22 "
      + escaped.replacingOccurrences(of: "\n", with: lineEnd) + "}"
  }

  private static func quoteEscaped(_ text: String) -> String {
    escaped(text).replacingOccurrences(of: "\"", with: "&quot;")
  }

  private static func lines(_ text: String, _ change: (String) -> String) -> String {
    var lines = text.components(separatedBy: "\n")
    let last = lines.removeLast()
    return lines.map { change($0) + "\n" }.joined() + (last.isEmpty ? "" : change(last))
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }

  private static func json(_ text: String) -> String {
    "\""
      + text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n")
      .replacingOccurrences(of: "\t", with: "\\t") + "\""
  }
}
