import ReportSymbolication
import SymbolicationModel

/// What the commands say about options that do not make sense: a sentence each.
enum UsageMessages {
  static let missingReport = "there is no crash report to read"
  static let quietVerbose = "-q and -v cannot be combined."
  static let emptyProcess = "--process needs the name or the number of a process."
  static let inPlaceWithOutput = "--in-place and -o cannot be combined."
  static let inPlaceWithOutputDirectory = "--in-place and --output-dir cannot be combined."
  static let outputWithOutputDirectory =
    "-o names one file for all reports, and --output-dir a directory with a file for each; they cannot be combined."
  static let skipWithoutOutputDirectory =
    "--skip-existing needs --output-dir, whose files show which reports are done."
  static let emptyOutputDirectory = "--output-dir needs a directory."
  static let emptyOutput = "-o needs a file; what was given is empty."
  static let emptySymbols =
    "-d needs a symbol file or a directory; what was given is empty."
  static let emptySearchDirectory = "-s needs a directory; what was given is empty."
  static let emptyPath =
    "The path of a report is empty; is a variable of the command line not set?"
  static let streamWithPaths =
    "--stream reads standard input; give symbol files with -d."
  static let streamWithOutput =
    "--stream writes to standard output; it cannot be combined with -o, --output-dir and --in-place."
  static let streamWithFormat =
    "--stream keeps the format of each report; it cannot be combined with --format and --summary."
  static let inPlaceExtract =
    "--in-place cannot be combined with --summary, or --format json, ndjson or html, which would lose the report; use -o."
  static let inPlaceStandardInput = "--in-place needs reports in files; standard input was given."
  static let summaryWithFormat = "--summary and --format cannot be combined."
  static let severalPagesInOne =
    "--format html makes a page of each report; use --output-dir DIRECTORY for several."
  static let pageOnTerminal =
    "--format html is for a browser, not for a terminal; use -o page.html."
  static let sourceLinesInIps =
    "--source-context cannot be combined with --format ips, which has no room for source lines; use --format crash, json, ndjson or html, or --summary."
  static let sourceRootWithoutContext = "--source-root needs --source-context."
  static let emptyPrefix = "--strip-prefix needs the folders to remove."
  static let missingIndexPaths = "Give at least one symbol file or directory."
  static let missingUuidPaths = "Give at least one symbol file, directory or report."
  static let emptyAllowance = "--allow needs the name of an image."
  static let emptyStatistics = "--stats needs a file."
  static let emptyCacheDirectory = "--cache-dir needs a directory."
  static let emptyStatedIndexDirectory = "--index-dir needs a directory."
  static let emptyIndexDirectory = "-o needs a directory."
  static let cleanWithPaths =
    "--clean empties the whole cache; it cannot be combined with paths or -o."

  static let standardInputTwice =
    "Standard input cannot be both the list of --uuids and a report of --from."
  static let searchWithoutReports =
    "-d, -s and --symbol-server say where to look for what reports need; give the reports with --from, or symbol files without -d."
  static let pagesOfOtherFormat =
    "--output-dir needs --format html; other formats are written to standard output."
  static let groupPageOnTerminal =
    "--format html is for a browser, not for a terminal; use --output-dir DIRECTORY, or > page.html."
  static let missingGroupPaths = "Give at least one report, directory or '-'."
  static let mergeWithBy =
    "--merge cannot be combined with --by: the groups say what they are made by."

  /// What ArgumentParser or a command says about wrong arguments, in the form of our messages: no
  /// capital at the beginning, no full stop, one line.
  static func shown(_ text: String) -> String {
    if let joined = joinedValue(text) { return joined }
    var text = withValuesInLine(text)
    if text.hasSuffix(".") { text.removeLast() }
    text = text.split(separator: "\n   or: ", omittingEmptySubsequences: false)
      .joined(separator: "; or: ")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
    if let range = text.firstRange(of: ". Did you mean ") {
      text.replaceSubrange(range, with: "; did you mean ")
    }
    // Names of variables keep their capitals.
    let isSentence = text.dropFirst().first?.isLowercase == true
    return isSentence ? text.prefix(1).lowercased() + text.dropFirst() : text
  }

  /// Of `-dd.dSYM`, ArgumentParser says that the option is unknown, or that it needs a value.
  private static func joinedValue(_ text: String) -> String? {
    guard text.contains("Missing value for '-"), let start = text.firstRange(of: ">' in '-")
    else { return nil }
    let word = text[start.upperBound...].prefix { $0 != "'" }
    guard let option = word.first, word.count > 1 else { return nil }
    return "the value of -\(option) needs a space before it: -\(option) \(word.dropFirst())"
  }

  /// ArgumentParser lists the values of an option on lines of their own, or in a sentence.
  private static func withValuesInLine(_ text: String) -> String {
    if let list = text.firstRange(of: ". Please provide one of the following:\n") {
      let values = text[list.upperBound...].split(separator: "\n").map {
        $0.drop { $0 == " " || $0 == "-" }
      }
      return "\(text[..<list.lowerBound]); expected \(values.joined(separator: ", "))"
    }
    let shells = "Please use --generate-completion-script=<shell> with one of:"
    if let list = text.firstRange(of: shells) {
      let sentence = text[..<list.lowerBound].prefix { $0 != "." }
      let words = text[list.upperBound...].split { $0.isWhitespace }.joined(separator: ", ")
      return "\(sentence); expected \(words)"
    }
    guard let list = text.firstRange(of: ". Please provide one of ") else { return text }
    return "\(text[..<list.lowerBound]); expected \(text[list.upperBound...].filter { $0 != "'" })"
  }

  /// The line below an error.
  ///
  /// - Parameter command: `symbolicate`, or the name of a subcommand.
  static func seeHelp(of command: String) -> String {
    let command = command == "symbolicate" ? command : "symbolicate \(command)"
    return "'\(command) -h' shows how it is used, and '\(command) --help' has all options."
  }

  static func noSuchCommand(_ word: String) -> String {
    if let name = CommandName.similar(to: word) {
      return "there is no command '\(word)'; did you mean '\(name)'?"
    }
    let names = ProgramDescription.subcommandNames.joined(separator: ", ")
    return "there is no command '\(word)'; the commands are \(names)"
  }

  static func notAStrictness(_ word: String) -> String {
    "--strict takes no value but 'all' (--strict=all), not '\(word)'."
  }

  static func notANumberOfGroups(_ number: Int) -> String {
    "--top needs a number above 0, not \(number)."
  }

  static func notAPathMapping(_ argument: String) -> String {
    "--map-path needs OLD=NEW, not '\(argument)'."
  }

  static func notASourceContext(_ number: Int) -> String {
    "--source-context needs a number from 0 to \(SourceContext.maximumLineCount), not \(number)."
  }

  static func notThreads(_ word: String) -> String {
    "--threads needs all, crashed, or numbers such as 0,3, not '\(word)'."
  }

  static func emptyPattern(option: String) -> String {
    "--\(option) needs the name of an image or a function, or a pattern such as 'MyKit*'."
  }

  static func notADemanglingStyle(_ word: String) -> String {
    "--demangle needs simplified, full or none, not '\(word)'."
  }

  static func notAFormat(_ word: String) -> String {
    "--format needs \(list(OutputForm.optionValues)), not '\(word)'."
  }

  static func notATerminalChoice(option: String, _ word: String) -> String {
    "--\(option) needs \(list(TerminalChoice.allCases.map(\.rawValue))), not '\(word)'."
  }

  /// `auto, always or never`.
  private static func list(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  static func notADwarfReader(_ word: String) -> String {
    "--dwarf-reader needs built-in or libdwarf, not '\(word)'."
  }

  static func notASymbolServer(_ error: InvalidSymbolServer) -> String {
    switch error {
    case .otherScheme(let text):
      "--symbol-server needs a URL that begins with https:// or http://, not '\(text)'."
    case .notAUrl(let text):
      "--symbol-server needs a URL of a host and maybe a path, without spaces, ? and #, not '\(text)'."
    case .unknownLayout(let word):
      "--symbol-server needs one of the layouts \(SymbolLayout.allCases.map(\.rawValue).joined(separator: ", ")), not '\(word)'."
    }
  }

  static func notAServerLimit(_ limit: ServerLimits.Unreadable) -> String {
    limit.isSize
      ? "\(limit.variable) needs a size in bytes, or like 500M or 4G, not '\(limit.value)'."
      : "\(limit.variable) needs a number of seconds, not '\(limit.value)'."
  }

  static func notAWindow(_ number: Int) -> String {
    "--window needs a number above 0, not \(number)."
  }

  static func notANumberOfSeconds(option: String, _ number: Int) -> String {
    "--\(option) needs a number of seconds from 0 on, not \(number)."
  }

  static func notARecordSize(_ text: String) -> String {
    "--max-record needs a size in bytes, or like 500K or 64M, not '\(text)'."
  }

  static func notANumberOfJobs(_ number: Int) -> String {
    "--jobs needs a number above 0, not \(number)."
  }
}
