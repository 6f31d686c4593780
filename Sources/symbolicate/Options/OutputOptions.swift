import ArgumentParser
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import Wording

/// Where the results of `symbolicate` go, and in which form.
struct OutputOptions: OptionList {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write the output of all reports to this file, completely or not at all.",
      valueName: "file"),
    completion: .file())
  var outputPath: String?

  @Option(
    name: .customLong("output-dir"),
    help: ArgumentHelp(
      "Write a file for each report to this directory, each completely or not at all. The folders of a directory of reports are kept.",
      valueName: "directory"),
    completion: .directory)
  var outputDirectory: String?

  @Flag(
    name: .customLong("skip-existing"),
    help: "Leave reports whose files in --output-dir exist: resume a run that was ended.")
  var skipsExisting = false

  @Flag(
    name: .customLong("stream"),
    help:
      "Pass standard input through line by line, and each report in it, symbolicated, as soon as it is complete: for a log that never ends."
  )
  var isStream = false

  @Flag(help: "Replace each report with its output, completely or not at all.")
  var inPlace = false

  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "The output format. auto is that of the input (on a terminal, text for JSON), crash or text is Apple's text, html is a page for browsers, and markdown is for an issue on GitHub or GitLab. (values: auto, crash, ips, json, ndjson, summary, html, markdown; default: auto)",
      valueName: "format"),
    completion: .list(OutputForm.allCases.map(\.rawValue)))
  var formatName: String?

  @Flag(help: "Print a few lines instead: what happened, and the crashed thread.")
  var summary = false

  @Option(
    name: .customLong("hyperlinks"),
    help: ArgumentHelp(
      "Link places in source files that are on this machine: auto (a terminal that shows links), always or never. (values: auto, always, never; default: auto)",
      valueName: "when"),
    completion: .list(TerminalChoice.allCases.map(\.rawValue)))
  var hyperlinksName: String?

  var options: [Mirror.Child] {
    [
      ("_outputPath", _outputPath), ("_outputDirectory", _outputDirectory),
      ("_skipsExisting", _skipsExisting), ("_isStream", _isStream),
      ("_inPlace", _inPlace),
      ("_formatName", _formatName), ("_summary", _summary), ("_hyperlinksName", _hyperlinksName),
    ]
  }

  // Converted here, and not by ArgumentParser, as in `SourcePathOptions`.
  var format: OutputForm { formatName.flatMap { OutputForm(optionValue: $0) } ?? .auto }
  var hyperlinks: TerminalChoice {
    hyperlinksName.flatMap { TerminalChoice(rawValue: $0) } ?? .auto
  }

  func validate() throws {
    if let formatName, OutputForm(optionValue: formatName) == nil {
      throw ValidationError(
        "--format needs \(alternatives(OutputForm.optionValues)), not '\(formatName)'.")
    }
    if let hyperlinksName, TerminalChoice(rawValue: hyperlinksName) == nil {
      throw ValidationError(
        TerminalChoice.refusal(of: hyperlinksName, option: "hyperlinks"))
    }
    if outputPath == "" { throw ValidationError("-o needs a file; what was given is empty.") }
    if inPlace, outputPath != nil { throw ValidationError("--in-place and -o cannot be combined.") }
    if let outputDirectory {
      if inPlace { throw ValidationError("--in-place and --output-dir cannot be combined.") }
      if outputPath != nil {
        throw ValidationError(
          "-o names one file for all reports, and --output-dir a directory with a file for each; they cannot be combined."
        )
      }
      if outputDirectory.isEmpty { throw ValidationError("--output-dir needs a directory.") }
    } else if skipsExisting {
      throw ValidationError(
        "--skip-existing needs --output-dir, whose files show which reports are done.")
    }
    if isStream {
      if inPlace || outputPath != nil || outputDirectory != nil {
        throw ValidationError(
          "--stream writes to standard output; it cannot be combined with -o, --output-dir and --in-place."
        )
      }
      if summary || format != .auto {
        throw ValidationError(
          "--stream keeps the format of each report; it cannot be combined with --format and --summary."
        )
      }
    }
    if inPlace, summary || !format.isReport {
      throw ValidationError(
        "--in-place cannot be combined with --summary, or --format json, ndjson, html or markdown, which would lose the report; use -o."
      )
    }
    if summary, format != .auto {
      throw ValidationError("--summary and --format cannot be combined.")
    }
  }

  var form: OutputForm { summary ? .summary : format }

  var destination: ReportDestination {
    if inPlace { return .inPlace }
    if let outputDirectory {
      return .directory(ResultPlan(directory: outputDirectory, form: form))
    }
    return outputPath.map(ReportDestination.file) ?? .standardOutput
  }
}

/// `auto, always or never`.
func alternatives(_ words: [String]) -> String {
  words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
}

extension OutputForm {
  /// The words that `--format` takes: `text` is a name for `crash`.
  static var optionValues: [String] {
    allCases.flatMap { $0 == .crash ? [$0.rawValue, "text"] : [$0.rawValue] }
  }

  /// The form that `--format` names; nil for any other word.
  init?(optionValue word: String) {
    self.init(rawValue: word == "text" ? Self.crash.rawValue : word)
  }
}
