import Foundation
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// `--format markdown`, as `cmark-gfm` of Debian, the program that GitHub's renderer is built on,
/// reads it.
struct MarkdownTests {
  private static let limit = 60_000

  private func markdown(_ text: String, with symbols: [String] = []) -> String {
    JsonFixture.output(text.utf8, as: .markdown, with: symbols, SymbolicationOptions())
  }

  /// The page that GitHub would show, before it looks for mentions, references and emoji.
  private func page(_ markdown: String) async throws -> String {
    let directory = try TemporaryDirectory()
    let path = try directory.write(markdown.utf8, to: "a.md")
    let converter = try require(Program.path(of: "cmark-gfm"), "needs Debian's cmark-gfm")
    let extensions = ["table", "strikethrough", "autolink", "tasklist"].flatMap { ["-e", $0] }
    let result = try await Program.run(converter, ["--unsafe"] + extensions + [path])
    expectEqual(result.status, 0)
    return result.outputText
  }

  /// Names are those of `Fixtures/LetterShuffle/README.md`.
  @Test func story() async throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    let markdown = markdown(text, with: [Fixtures.storyBundle])
    expectPrefix(
      markdown,
      """
      ### `Letter Shuffle 6 (1.3)`

      `A failed check in Swift code (nil, index, overflow, cast or precondition)` (likely)
      at `GameData.swift:18` in `one-time initialization function for rounds`

      | | |
      | --- | --- |
      | System | `iPhone OS 12.4 (16G77), arm64, xxx` |

      """)
    expectContains(
      markdown,
      """

      **Crashed thread**

      ```text
      Thread 0 crashed (com.apple.main-thread):

      """)
    expectContains(
      markdown, "   1  Letter Shuffle      one-time initialization function for rounds (GameData")
    expectContains(markdown, "| Frames | `6 of 11 frames have a name` |\n")
    expectContains(try await page(markdown), "<h3><code>Letter Shuffle 6 (1.3)</code></h3>")
    // Without symbols it says which are missing.
    expectContains(
      self.markdown(text),
      """

      **What is missing**

      - `Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64)`: 6 frames

      """)
  }

  private static let attacks = [
    "@octocat", "#1 octocat/Hello-World#2", "https://evil.example/", "www.evil.example",
    "evil@evil.example", ":smile: octocat", "![evil](https://evil.example/a.png)",
    "[evil](javascript:alert(1))", "<img src=evil onerror=alert(1)>", "</code></pre><b>evil</b>",
    "</details><script>evil()</script>", "``` evil", "``````` evil ```", "` @octocat `", "`",
    "~~~ evil", "| evil | @octocat |", "\\| @octocat", "\\\\| evil `| @octocat", "$`evil`$",
    "- [ ] evil", "> [!NOTE] evil", "    evil", "evil\\", "&lt;img src=evil&gt;", "[^evil]",
    "\u{202e}@octocat", "evil\u{2028}# evil", "\u{1b}]8;;https://evil.example\u{7}evil",
  ]

  /// A report with `text` wherever a report has words of its own.
  private func report(_ text: String) -> String {
    """
    Incident Identifier: \(text)
    Hardware Model:      \(text)
    Process:             \(text) [7]
    Path:                /app/\(text)
    Version:             \(text)
    Code Type:           ARM-64
    OS Version:          \(text)

    Exception Type:  EXC_CRASH (SIGABRT)
    Exception Codes: \(text)
    Termination Reason: \(text)
    Application Specific Information:
    *** Terminating app due to uncaught exception '\(text)', reason: '\(text)'

    Thread 0 name:  \(text)
    Thread 0 Crashed:
    0   app                           \t0x0000000100001010 \(text) + 12
    1   app                           \t0x0000000100001091 0x100000000 + 4241

    Thread 1 name:  \(text)
    Thread 1:
    0   libother.dylib                \t0x0000000200001010 \(text) + 12 (\(text):7)

    Binary Images:
    0x100000000 - 0x10000ffff \(text) arm64  <0123456789abcdef0123456789abcdef> /app/\(text)

    """
  }

  /// Nothing of a report's words is outside code, and so nothing of them means anything.
  @Test(arguments: attacks)
  func wordsOfTheReportAreCode(text: String) async throws {
    let markdown = markdown(report(text))
    let page = try await page(markdown)
    expectContains(page, "<details>\n<summary>Other threads (1)</summary>\n")
    let outside = page.replacing(
      #/<pre><code class="language-text">[^<]*<\/code><\/pre>/#, with: ""
    )
    .replacing(#/<code>[^<]*<\/code>/#, with: "")
    for word in ["evil", "octocat", "smile", "@", "://", "www", "alert", "NOTE"] {
      expectFalse(outside.contains(word), "\(word) of \(text):\n\(outside)")
    }
    let tags = Set(outside.matches(of: #/<\/?([a-z0-9]+)/#).map { String($0.1) })
    expectTrue(
      tags.isSubset(of: [
        "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "strong", "details", "summary",
        "ul", "li",
      ]), "\(tags) of \(text)")
    expectFalse(markdown.contains { "\u{202e}\u{2028}\u{1b}\u{7}".contains($0) })
  }

  /// A CI system may print the text.
  @Test func wordsAreNoCommands() {
    for text in ["##[error]evil", "x ##vso[task.x]evil", "::error::evil"] {
      let lines = markdown(report(text)).split(separator: "\n")
      expectFalse(lines.contains { $0.contains("##[") || $0.contains("##vso[") }, text)
      expectFalse(lines.contains { $0.drop { $0 == " " }.hasPrefix("::") }, text)
    }
  }

  /// An issue of GitHub takes 65,536 characters.
  @Test(arguments: [
    (threads: 3000, frames: 20, ends: "more threads left out"),
    (threads: 1, frames: 30_000, ends: "more lines …"),
    (threads: 40, frames: 3, ends: "</details>"),
  ])
  func length(threads: Int, frames: Int, ends: String) async throws {
    var text = "Process:             app [7]\nCode Type:           ARM-64\n\n"
    for thread in 0..<threads {
      text += "Thread \(thread)\(thread == 0 ? " Crashed" : ""):\n"
      for frame in 0..<frames {
        text += "\(frame)   app   \t0x\(String(0x1_0000_0000 + frame * 16, radix: 16)) "
        text += "function\(frame)() + \(frame)\n"
      }
      text += "\n"
    }
    let markdown = markdown(text + "Binary Images:\n0x100000000 - 0x1ffffffff app arm64 /app\n")
    expectContains(markdown, ends)
    expectTrue(markdown.count <= Self.limit, "\(markdown.count)")
    expectTrue(threads * frames < 1000 || markdown.count > Self.limit / 2, "\(markdown.count)")
    let page = try await page(markdown)
    expectEqual(
      page.matches(of: #/<details>/#).count, page.matches(of: #/<\/details>/#).count)
  }
}
