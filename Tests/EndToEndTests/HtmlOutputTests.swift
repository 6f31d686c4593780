import TestSupport
import Testing

/// `--format html` from the command line.
struct HtmlOutputTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func writesAPage() async throws {
    let page = directory.path("page.html")
    let written = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", "html", "-o", page,
    ])
    expectEqual(written.status, 0)
    expectEmpty(written.standardOutput)
    expectPrefix(written.standardError, "6 of 11 frames resolved\n")
    let bytes = try directory.bytes(of: "page.html")
    let text = String(decoding: bytes, as: UTF8.self)
    expectPrefix(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    expectSuffix(text, "</script>\n</body>\n</html>\n")
    expectContains(text, "<code>GameData.swift:18</code>")
    let piped = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", "html",
    ])
    expectEqual(piped.standardOutput, bytes)
  }

  @Test func severalReportsGetAPageEach() async throws {
    let arguments = [
      Fixtures.storyReport, Fixtures.storyWebCopy, "-d", Fixtures.storyBundle, "--format", "html",
    ]
    let result = try await Program.symbolicate(
      arguments + ["--output-dir", directory.path("pages")])
    expectEqual(result.status, 0)
    for name in ["letter-shuffle.html", "letter-shuffle-web-copy.html"] {
      let page = String(decoding: try directory.bytes(of: "pages/\(name)"), as: UTF8.self)
      expectPrefix(page, "<!DOCTYPE html>\n")
      expectContains(page, "GameViewController.<wbr>loadRound(_:)")
    }
    let refused = try await Program.symbolicate(arguments)
    expectEqual(refused.status, 64)
    expectEmpty(refused.standardOutput)
    expectTrue(
      refused.standardError.contains(
        "--format html makes a page of each report; use -o DIRECTORY/ for several"))
  }

  @Test func aPageIsNotForATerminal() throws {
    let result = try Terminal.run(
      Program.builtProgramPath, [Fixtures.storyReport, "--format", "html"], columns: 400)
    expectEqual(result.status, 64)
    expectTrue(
      String(decoding: result.shown, as: UTF8.self).contains(
        "--format html is for a browser, not for a terminal; use -o page.html"))
  }

  /// The input could be a page with a script: nothing of it is in the output.
  @Test func anInputWithoutReportIsNotPassedOn() async throws {
    let result = try await Program.symbolicate(
      ["--format", "html"], input: Array("<html><script>alert(1)</script>\n".utf8))
    expectEqual(result.status, 65)
    expectContains(result.outputText, "<h1>No report found</h1>")
    expectFalse(result.outputText.contains("alert"))
  }
}
