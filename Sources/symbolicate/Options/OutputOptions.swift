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
      "Write this file, or one for each report to out/.",
      valueName: "path"),
    completion: .file())
  var outputPath: String?

  /// The spelling of `-o DIRECTORY/` in earlier versions.
  @Option(name: .customLong("output-dir"), help: .hidden, completion: .directory)
  var earlierDirectory: String?

  @Flag(
    name: .customLong("skip-existing"),
    help: "Leave reports whose files in the directory of -o exist.")
  var skipsExisting = false

  @Flag(
    name: .customLong("stream"),
    help: "Pass a log through, with each report as it completes.")
  var isStream = false

  @Flag(help: "Replace each report with its output.")
  var inPlace = false

  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "The output format. (values: auto, crash, ips, json, ndjson, summary, html, markdown; default: auto)",
      valueName: "format"),
    completion: .list(OutputForm.allCases.map(\.rawValue)))
  var formatName: String?

  @Flag(help: "Short for --format summary.")
  var summary = false

  @Option(
    name: .customLong("hyperlinks"),
    help: ArgumentHelp(
      "Link places in source files that are on this machine. (values: auto, always, never; default: auto)",
      valueName: "when"),
    completion: .list(TerminalChoice.allCases.map(\.rawValue)))
  var hyperlinksName: String?

  var options: [Mirror.Child] {
    [
      ("_outputPath", _outputPath), ("_earlierDirectory", _earlierDirectory),
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
    if earlierDirectory == "" { throw ValidationError("--output-dir needs a directory.") }
    if outputPath != nil, earlierDirectory != nil {
      throw ValidationError("-o and --output-dir say the same; they cannot be combined.")
    }
    let isWritten = outputPath != nil || earlierDirectory != nil
    if inPlace, isWritten {
      throw ValidationError(
        "--in-place and \(outputPath == nil ? "--output-dir" : "-o") cannot be combined.")
    }
    if skipsExisting, outputDirectory == nil {
      throw ValidationError(
        "--skip-existing needs -o DIRECTORY/, whose files show which reports are done.")
    }
    if isStream {
      if inPlace || isWritten {
        throw ValidationError(
          "--stream writes to standard output; it cannot be combined with -o and --in-place.")
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

  /// The one file for all reports.
  var outputFile: String? { outputPath.flatMap { $0.namesDirectory ? nil : $0 } }

  /// The directory with a file for each report.
  var outputDirectory: String? {
    earlierDirectory ?? outputPath.flatMap { $0.namesDirectory ? $0 : nil }
  }

  var destination: ReportDestination {
    if inPlace { return .inPlace }
    if let outputDirectory {
      return .directory(ResultPlan(directory: outputDirectory, form: form))
    }
    return outputFile.map(ReportDestination.file) ?? .standardOutput
  }
}

extension String {
  /// Whether a path ends with a slash, as that of `-o` does if it names a directory.
  var namesDirectory: Bool { utf8.last == UInt8(ascii: "/") }
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

/// `--format`, of the commands that print a text or a JSON document.
struct DocumentFormatOption: OptionList {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "The output format. (values: text, json; default: text)", valueName: "format"),
    completion: .list(["text", "json"]))
  var formatName: String?

  var options: [Mirror.Child] { [("_formatName", _formatName)] }

  var isJson: Bool { formatName == "json" }

  func validate() throws {
    if let formatName, formatName != "text", formatName != "json" {
      throw ValidationError("--format needs text or json, not '\(formatName)'.")
    }
  }
}
