import Foundation
import TestSupport
import Testing

/// The documents against the program and the files that they describe.
struct DocumentationTests {
  private static func document(_ path: String) throws -> MarkdownDocument {
    try require(MarkdownDocument.all.first { $0.path == path })
  }

  // MARK: - README.md

  @Test func readmeIsShortAndNamesTheTestCommand() throws {
    let readme = try MarkdownDocument("README.md")
    #expect(readme.lineCount <= 120)
    expectTrue(readme.lines.contains { $0.contains("make test") })
  }

  /// Text that README.md quotes is in the example report or in what the program prints for it. A
  /// line that ends with `…` is quoted in part.
  @Test func readmeQuotesTheExampleReport() async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport, "-d", Fixtures.storyBundle])
    let report = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    // The report has no-break spaces in its columns; README.md has ordinary ones.
    let printed = [report, result.outputText, result.standardError].joined(separator: "\n")
      .replacing("\u{a0}", with: " ").components(separatedBy: "\n")
    let blocks = try Self.document("README.md").codeBlocks.filter { $0.language == "text" }
    expectEqual(blocks.count, 3)
    for line in blocks.flatMap(\.lines) {
      let isQuoted =
        line.hasSuffix(" …")
        ? printed.contains { $0.hasPrefix(line.dropLast(2)) } : printed.contains(line)
      expectTrue(isQuoted, "\(line)")
    }
  }

  @Test(
    .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
      Program.path(of: "python3") != nil
    })
  func demoPictureShowsWhatTheProgramPrints() async throws {
    let picture = try await Program.run(
      try require(Program.path(of: "python3")),
      ["Scripts/draw-demo.py", Program.builtProgramPath],
      workingDirectory: Fixtures.packageDirectory)
    let file = "\(Fixtures.packageDirectory)/docs/demo.svg"
    expectEqual(picture.status, 0)
    try expectEqual(
      picture.standardOutput, Fixtures.bytes(of: file),
      "run 'make demo-picture' and look at docs/demo.svg")
  }

  // MARK: - Code blocks

  @Test(arguments: MarkdownDocument.all)
  func commandsRun(in document: MarkdownDocument) async throws {
    for block in document.codeBlocks where block.language == "sh" {
      let result = try await DocumentExamples().run(block.lines.joined(separator: "\n"))
      expectEqual(result.status, 0, "\(document.path):\(block.lineNumber)\n\(result.outputText)")
    }
  }

  @Test(arguments: MarkdownDocument.all)
  func commandsPrintWhatIsShown(in document: MarkdownDocument) async throws {
    for block in document.codeBlocks where block.language == "console" {
      let examples = try DocumentExamples()
      var shown: [(command: String, output: [String])] = []
      for line in block.lines {
        if line.hasPrefix("$ ") {
          shown.append((String(line.dropFirst(2)), []))
        } else if !shown.isEmpty {
          shown[shown.count - 1].output.append(line)
        }
      }
      expectFalse(shown.isEmpty, "\(document.path):\(block.lineNumber)")
      for (command, output) in shown {
        let result = try await examples.run(command)
        expectEqual(
          result.outputText, output.map { $0 + "\n" }.joined(),
          "\(document.path):\(block.lineNumber): \(command)")
      }
    }
  }

  /// The examples are worth running only if their `.ips` resolves.
  @Test func exampleAsJsonResolves() async throws {
    let result = try await DocumentExamples().run(
      "symbolicate crash.ips -d App.dSYM --strict --format crash")
    expectEqual(result.status, 0)
    expectContains(result.outputText, "GameViewController.viewDidLoad()")
  }

  // MARK: - Options

  /// The program describes its options once; help, man pages and these tables are made from that.
  @Test func optionTablesAreThoseOfTheProgram() async throws {
    let path = "\(Fixtures.packageDirectory)/docs/cli.md"
    let document = try Fixtures.bytes(of: path)
    let tables = try await OptionTables()
    let written = try tables.written(into: String(decoding: document, as: UTF8.self))
    try ExpectedOutput.expect(Array(written.text.utf8), at: path)
    expectEqual(written.tables, tables.all)
  }

  /// `atos` has a sentence instead of tables.
  @Test(arguments: [
    "index", "uuid", "check", "doctor", "group", "dsym-for-uuid", "worker", "",
  ])
  func statusesAreThoseOfTheHelp(command: String) async throws {
    let words = [command].filter { !$0.isEmpty }
    let help = try await Program.symbolicate(words + ["--help-all"])
    let listed = help.outputText.components(separatedBy: "\n")
      .compactMap { $0.firstMatch(of: /^  (\d+) {2,}/)?.1 }
    let heading = (["## symbolicate"] + words).joined(separator: " ")
    let documented = try Self.document("docs/cli.md").section(heading)
      .compactMap { $0.firstMatch(of: /^\| (\d+) \|/)?.1 }
    expectFalse(documented.isEmpty)
    expectEqual(documented, listed)
    // A disk may fail under a mapped file, whatever the command (`EndingSignals`).
    expectTrue(documented.contains("66"))
  }

  // MARK: - References

  @Test(arguments: MarkdownDocument.all)
  func linksLeadSomewhere(in document: MarkdownDocument) throws {
    let folder = (document.path as NSString).deletingLastPathComponent
    for link in document.localLinks {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? document.path
        : ((folder as NSString).appendingPathComponent(String(parts[0])) as NSString)
          .standardizingPath
      expectTrue(
        FileManager.default.fileExists(atPath: "\(Fixtures.packageDirectory)/\(target)"), "\(link)")
      if parts.count > 1 {
        let anchors = try MarkdownDocument(target).anchors
        expectTrue(anchors.contains(String(parts[1])), "\(link)")
      }
    }
  }

  @Test(arguments: MarkdownDocument.all)
  func makeTargetsExist(in document: MarkdownDocument) throws {
    let makefile = String(
      decoding: try Fixtures.bytes(of: "\(Fixtures.packageDirectory)/Makefile"), as: UTF8.self)
    let targets = Set(makefile.matches(of: /(?m)^([a-z0-9-]+):/).map { $0.1 })
    let blocks = document.codeBlocks.flatMap(\.lines).filter { $0.hasPrefix("make ") }
    let indented = document.lines.filter { $0.hasPrefix("    make ") }
    for command in document.codeSpans + blocks + indented {
      guard let target = command.firstMatch(of: /^ *make ([a-z0-9-]+)/)?.1 else { continue }
      expectTrue(targets.contains(target), "\(command)")
    }
  }

  /// Imports and the table of docs/design.md are those that Package.swift declares.
  @Test(
    .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
      Program.path(of: "python3") != nil
    })
  func modulesAreAsDeclared() async throws {
    let result = try await Program.run(
      try require(Program.path(of: "python3")), ["Scripts/check_modules.py"],
      workingDirectory: Fixtures.packageDirectory)
    expectEqual(result.standardError, "")
    expectEqual(result.status, 0)
  }

  /// These documents name files, folders, types and variables, and all of them exist.
  @Test(arguments: ["CONTRIBUTING.md", "docs/design.md", "docs/testing.md", "docs/library.md"])
  func namesOfTheSourcesExist(path: String) throws {
    let sources = try SourceNames.all.get()
    for span in try Self.document(path).codeSpans {
      expectFalse(sources.isMissing(span), "\(span)")
    }
  }
}
