import Foundation
import TestSupport
import Testing

/// One of the project's documents, as far as its tests need it: headings, links, tables and code.
struct MarkdownDocument: CustomTestStringConvertible, Sendable {
  /// Relative to the package's directory.
  let path: String
  /// The text without code blocks.
  let lines: [String]
  let codeBlocks: [CodeBlock]

  struct CodeBlock: Sendable {
    /// What follows the opening fence: `sh`, `console`, `text`, or nothing.
    let language: String
    let lines: [String]
    /// The line of the opening fence, from 1.
    let lineNumber: Int
  }

  var testDescription: String { path }

  /// Every document but those of `Fixtures` is in one of these folders.
  static let all: [MarkdownDocument] = {
    let folders = ["", "docs/", "Fixtures/", "Fixtures/LetterShuffle/"]
    return folders.flatMap { folder in
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: "\(Fixtures.packageDirectory)/\(folder)")
      return (names ?? []).sorted().filter { $0.hasSuffix(".md") }
        .compactMap { try? MarkdownDocument(folder + $0) }
    }
  }()

  init(_ path: String) throws {
    self.path = path
    let text = try String(
      contentsOfFile: "\(Fixtures.packageDirectory)/\(path)", encoding: .utf8)
    var lines: [String] = []
    var codeBlocks: [CodeBlock] = []
    var block: (language: String, lines: [String], lineNumber: Int)?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        if let open = block {
          codeBlocks.append(
            CodeBlock(language: open.language, lines: open.lines, lineNumber: open.lineNumber))
          block = nil
        } else {
          block = (String(line.dropFirst(3)), [], index + 1)
        }
      } else if block != nil {
        block?.lines.append(line)
      } else {
        lines.append(line)
      }
    }
    self.lines = lines
    self.codeBlocks = codeBlocks
  }

  /// The number of lines in the file.
  var lineCount: Int {
    lines.count + codeBlocks.reduce(0) { $0 + $1.lines.count + 2 } - 1
  }

  /// The anchors of the headings, as GitHub makes them.
  var anchors: Set<String> {
    Set(
      lines.filter { $0.hasPrefix("#") }.map { heading in
        heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .replacingOccurrences(of: " ", with: "-")
      })
  }

  /// The targets of links and pictures, without those on the web.
  var localLinks: [String] {
    let text = lines.joined(separator: "\n")
    return text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
      .filter { !$0.contains("://") }
  }

  /// The lines of the section with this heading, subsections included.
  func section(_ heading: String) -> [String] {
    let level = heading.prefix { $0 == "#" }.count
    guard let start = lines.firstIndex(of: heading) else { return [] }
    let section = lines[(start + 1)...].prefix { line in
      let hashes = line.prefix { $0 == "#" }.count
      return hashes == 0 || hashes > level
    }
    return Array(section)
  }

  /// What stands between backticks in the text.
  var codeSpans: [String] {
    lines.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
  }
}
