import TestSupport

@testable import symbolicate

/// The tables of options in docs/cli.md, each between two comments:
///
///     <!-- options of symbolicate: Symbols -->
///     <!-- end of options -->
///
/// A subcommand has one table, without the options that are as those of `symbolicate`: a sentence
/// below it names them.
struct OptionTables {
  /// What the first comments name: `symbolicate: Symbols`, `group`.
  let all: [String]
  private let texts: [String: String]

  init() async throws {
    let options = try await ProgramOption.all().filter(\.isShown)
    let own = options.filter { $0.command == "symbolicate" }
    var tables: [(name: String, lines: [String])] = []
    for (index, option) in own.enumerated() {
      let name = "symbolicate: \(option.section.isEmpty ? "General" : option.section)"
      if index == 0 || option.section != own[index - 1].section { tables.append((name, [])) }
      tables[tables.count - 1].lines.append(Self.row(option))
    }
    for command in ProgramDescription.subcommands.map({ $0.name }) {
      let options = options.filter { $0.command == command }
      let shared = options.filter { option in own.contains { option.isSame(as: $0) } }
      let rows = options.filter { option in !shared.contains { option.isSame(as: $0) } }
        .map(Self.row)
      let sentence =
        "\(rows.isEmpty ? "It has these options" : "These options are as those") of `symbolicate`: "
        + shared.map { Self.names($0.names, of: nil) }.joined(separator: ", ") + "."
      tables.append((command, rows.isEmpty ? [sentence] : rows + ["", sentence]))
    }
    tables.append(
      (
        "atos",
        AtosOption.all.map { option in
          let names = Self.names(option.names, of: option.valueName, longDash: "-")
          return
            "| \(names) | \(option.description.prefix(1).uppercased())\(option.description.dropFirst()). |"
        }
      ))
    all = tables.map(\.name)
    texts = Dictionary(
      uniqueKeysWithValues: tables.map { name, lines in
        let head = lines[0].hasPrefix("|") ? ["| option | meaning |", "| --- | --- |"] : []
        return (name, (head + lines).joined(separator: "\n"))
      })
  }

  /// The document with the tables of today, and which they are.
  func written(into document: String) throws -> (text: String, tables: [String]) {
    var text = ""
    var tables: [String] = []
    var rest = document[...]
    let comment = /<!-- options of (.+) -->\n/
    while let start = rest.firstMatch(of: comment) {
      let name = String(start.1)
      let end = try require(
        rest[start.range.upperBound...].firstRange(of: "<!-- end of options -->"))
      text += try rest[..<start.range.upperBound] + "\n" + require(texts[name]) + "\n\n"
      tables.append(name)
      rest = rest[end.lowerBound...]
    }
    return (text + rest, tables)
  }

  private static func row(_ option: ProgramOption) -> String {
    "| \(names(option.names, of: option.valueName)) | \(option.meaning.replacing("|", with: "\\|")) |"
  }

  /// `-d`, `--dsym SYMBOLS`, as code.
  private static func names(
    _ names: [String], of valueName: String?, longDash: String = "--"
  ) -> String {
    let value = valueName.map { " " + $0.uppercased() } ?? ""
    let spellings = names.map { ($0.count == 1 ? "-" : longDash) + $0 }
    return spellings.enumerated().map { index, name in
      "`\(name)\(index == spellings.count - 1 ? value : "")`"
    }.joined(separator: ", ")
  }
}

extension ProgramOption {
  fileprivate func isSame(as other: ProgramOption) -> Bool {
    names == other.names && meaning == other.meaning
  }
}
