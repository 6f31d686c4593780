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
    #expect(written.status == 0)
    #expect(written.standardOutput.isEmpty)
    #expect(written.standardError.hasPrefix("6 of 11 frames resolved\n"))
    let bytes = try directory.bytes(of: "page.html")
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"))
    #expect(text.hasSuffix("</script>\n</body>\n</html>\n"))
    #expect(text.contains("<code>GameData.swift:18</code>"))
    let piped = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", "html",
    ])
    #expect(piped.standardOutput == bytes)
  }

  @Test func severalReportsGetAPageEach() async throws {
    let arguments = [
      Fixtures.storyReport, Fixtures.storyWebCopy, "-d", Fixtures.storyBundle, "--format", "html",
    ]
    let result = try await Program.symbolicate(
      arguments + ["--output-dir", directory.path("pages")])
    #expect(result.status == 0)
    for name in ["letter-shuffle.html", "letter-shuffle-web-copy.html"] {
      let page = String(decoding: try directory.bytes(of: "pages/\(name)"), as: UTF8.self)
      #expect(page.hasPrefix("<!DOCTYPE html>\n"))
      #expect(page.contains("GameViewController.<wbr>loadRound(_:)"))
    }
    let refused = try await Program.symbolicate(arguments)
    #expect(refused.status == 64)
    #expect(refused.standardOutput.isEmpty)
    #expect(
      refused.standardError.contains(
        "--format html makes a page of each report; use --output-dir DIRECTORY for several"))
  }

  @Test func aPageIsNotForATerminal() throws {
    let result = try Terminal.run(
      Program.builtProgramPath, [Fixtures.storyReport, "--format", "html"], columns: 400)
    #expect(result.status == 64)
    #expect(
      String(decoding: result.shown, as: UTF8.self).contains(
        "--format html is for a browser, not for a terminal; use -o page.html"))
  }

  /// The input could be a page with a script: nothing of it is in the output.
  @Test func anInputWithoutReportIsNotPassedOn() async throws {
    let result = try await Program.symbolicate(
      ["--format", "html"], input: Array("<html><script>alert(1)</script>\n".utf8))
    #expect(result.status == 65)
    #expect(result.outputText.contains("<h1>No report found</h1>"))
    #expect(!result.outputText.contains("alert"))
  }
}
