import ArgumentParser
import Platform

/// The help of a command, in the order in which people look for it: usage, what the command does,
/// options in sections, exit statuses. ArgumentParser writes the parts.
enum HelpText {
  /// Which options are shown.
  enum Extent {
    /// Those that most people need some day.
    case usual
    case all
  }

  /// Options that are shown only with `--help-all`. Man pages and completions have all options.
  static let rareOptions: Set<Substring> = [
    "--no-search-index", "--offline", "--demangle", "--strict-all", "--skip-existing",
    "--hyperlinks", "--color", "--process",
    "--log-field", "--resymbolicate", "--load-address", "--user-code", "--library-code", "--rules",
    "--strip-prefix", "--source-root", "--il2cpp-map", "--no-index", "--index-dir", "--cache-dir",
    "--jobs", "--memory", "--limit", "--dwarf-reader", "--signature-version", "--window",
    "--max-record", "--timeout", "--retry", "--ignoreNegativeCache", "--copyExecutable",
    "--copySource",
  ]

  /// Of `symbolicate` with its commands.
  static func ofProgram(_ extent: Extent, columns: Int = columns) -> String {
    var configuration = ProgramDescription.configuration
    if extent == .usual {
      configuration.usage = SymbolicateCommand.synopsis
    }
    return text(
      ProgramDescription.helpMessage(columns: columns).replacingHeading("OPTIONS:", "General:"),
      configuration, SymbolicateCommand.exitStatus, extent, columns)
  }

  static func of(
    _ command: any ProgramCommand.Type, _ extent: Extent, columns: Int = columns
  ) -> String {
    text(
      command.helpMessage(columns: columns), command.configuration, command.exitStatus, extent,
      columns)
  }

  private static func text(
    _ written: String, _ configuration: CommandConfiguration, _ exitStatus: String,
    _ extent: Extent, _ columns: Int
  ) -> String {
    let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
    let usageStart = lines.firstIndex { $0.hasPrefix("USAGE: ") } ?? 0
    var sections = lines[usageStart...].drop { !$0.isEmpty }.dropFirst().map(line)
    // The abstract was wrapped behind a heading.
    let discussion = lines[..<usageStart].drop { !$0.isEmpty }.dropFirst()
    var more = ""
    if extent == .usual {
      let count = removeRareOptions(from: &sections)
      let name = configuration.commandName ?? ""
      let isProgram = name == "symbolicate"
      more =
        (isProgram ? "\n  '\(name)" : "\n\n'symbolicate \(name)")
        + " --help-all' has \(count) more options."
    }
    return [
      usage(configuration.usage ?? "", columns),
      hanging(Substring(configuration.abstract), by: 0, columns),
      discussion.joined(separator: "\n").trimmedAtEnd,
      sections.joined(separator: "\n").trimmedAtEnd + more,
      "Exit status:\n"
        + exitStatus.split(separator: "\n").filter { extent == .all || $0.hasPrefix(" ") }
        .map { hanging($0, by: $0.hasPrefix(" ") ? 6 : 0, columns) }.joined(separator: "\n"),
    ].joined(separator: "\n\n")
  }

  /// Removes entries, and sections without any left.
  ///
  /// - Returns: the number of removed options.
  private static func removeRareOptions(from lines: inout [String]) -> Int {
    var kept: [String] = []
    var count = 0
    var isRare = false
    for line in lines {
      // `  -d, --dsym <symbols>    A symbol file`; its further lines are indented more.
      if line.hasPrefix("  -") {
        isRare = line.split(separator: " ").prefix { $0.hasPrefix("-") }
          .contains { rareOptions.contains($0) }
        if isRare { count += 1 }
      } else if !line.hasPrefix("   ") {
        isRare = false
        if line.isEmpty, kept.last?.hasSuffix(":") == true { kept.removeLast() }
        if line.isEmpty, kept.last?.isEmpty == true { continue }
      }
      if !isRare { kept.append(line) }
    }
    lines = kept
    return count
  }

  /// A line of ArgumentParser's sections, in our words.
  private static func line(_ line: Substring) -> String {
    if let section = sectionNames.first(where: { $0.uppercased() + ":" == line }) {
      return section + ":"
    }
    switch line {
    case "OPTIONS:": return "Options:"
    case "SUBCOMMANDS:": return "Commands:"
    default:
      return line.hasPrefix("  See '")
        ? "  'symbolicate help COMMAND' describes one." : String(line)
    }
  }

  private static let sectionNames = [
    "Arguments", HelpSection.symbols, HelpSection.output, HelpSection.frames, HelpSection.indexes,
    HelpSection.resources, HelpSection.diagnostics,
  ]

  /// `Usage: ` and the synopses below each other. A long one is broken before an option.
  private static func usage(_ usage: String, _ columns: Int) -> String {
    let indent = "Usage: ".count
    let lines = usage.split(separator: "\n").flatMap { synopsis -> [String] in
      var lines = [""]
      for part in synopsis.partsBeforeOptions {
        if lines[lines.count - 1].count + part.count > columns - indent, lines != [""] {
          lines.append("    " + part.drop { $0 == " " })
        } else {
          lines[lines.count - 1] += part
        }
      }
      return lines
    }
    return "Usage: " + lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// The line, broken between words; the following lines are indented.
  private static func hanging(_ line: Substring, by indent: Int, _ columns: Int) -> String {
    var lines = [""]
    for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if lines[lines.count - 1].count + 1 + word.count > columns, !word.isEmpty {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] += (index == 0 ? "" : " ") + word
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The width of the terminal, or what COLUMNS says; 80 if neither is known.
  static var columns: Int {
    if let word = unsafe getenv("COLUMNS"), let columns = unsafe Int(String(cString: word)),
      columns > 0
    {
      return columns
    }
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}

extension Substring {
  /// `symbolicate`, ` REPORT…`, ` [-d SYMBOLS]…`: cut before each space that is not in brackets.
  fileprivate var partsBeforeOptions: [String] {
    var parts = [""]
    var depth = 0
    for character in self {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      if character == " ", depth == 0, parts != [""] { parts.append("") }
      parts[parts.count - 1].append(character)
    }
    return parts
  }
}

extension String {
  /// The text with another heading of a section.
  fileprivate func replacingHeading(_ heading: String, _ other: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0 == heading ? other : String($0) }.joined(separator: "\n")
  }

  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == "\n" || text.last == " " { text.removeLast() }
    return text
  }
}
