import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// Where the results of `symbolicate` go, and in which form.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write the output of all reports to this file, completely or not at all.",
      valueName: "file"),
    completion: .file())
  var path: String?

  @Option(
    name: .customLong("output-dir"),
    help: ArgumentHelp(
      "Write a file for each report to this directory, each completely or not at all. The folders of a directory of reports are kept.",
      valueName: "directory"),
    completion: .directory)
  var directory: String?

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
    help: ArgumentHelp(
      "The output format. auto is that of the input (on a terminal, text for JSON), crash or text is Apple's text, and html is a page for browsers.",
      valueName: "format"))
  var format = OutputForm.auto

  @Flag(help: "Print a few lines instead: what happened, and the crashed thread.")
  var summary = false

  @Option(
    name: .customLong("hyperlinks"),
    help: ArgumentHelp(
      "Link places in source files that are on this machine: auto (a terminal that shows links), always or never.",
      valueName: "when"))
  var hyperlinks = TerminalChoice.auto

  func validate() throws {
    if path == "" { throw ValidationError(UsageMessages.emptyOutput) }
    if inPlace, path != nil { throw ValidationError(UsageMessages.inPlaceWithOutput) }
    if let directory {
      if inPlace { throw ValidationError(UsageMessages.inPlaceWithOutputDirectory) }
      if path != nil { throw ValidationError(UsageMessages.outputWithOutputDirectory) }
      if directory.isEmpty { throw ValidationError(UsageMessages.emptyOutputDirectory) }
    } else if skipsExisting {
      throw ValidationError(UsageMessages.skipWithoutOutputDirectory)
    }
    if isStream {
      if inPlace || path != nil || directory != nil {
        throw ValidationError(UsageMessages.streamWithOutput)
      }
      if summary || format != .auto { throw ValidationError(UsageMessages.streamWithFormat) }
    }
    if inPlace, summary || !format.isReport { throw ValidationError(UsageMessages.inPlaceExtract) }
    if summary, format != .auto { throw ValidationError(UsageMessages.summaryWithFormat) }
  }

  var form: OutputForm { summary ? .summary : format }

  var destination: ReportDestination {
    if inPlace { return .inPlace }
    if let directory { return .directory(ResultPlan(directory: directory, form: form)) }
    return path.map(ReportDestination.file) ?? .standardOutput
  }
}

extension OutputForm: ExpressibleByArgument {
  /// `text` is a name for `crash`.
  package init?(argument: String) {
    self.init(rawValue: argument == "text" ? Self.crash.rawValue : argument)
  }

  // ArgumentParser would find these by reflection, which takes a twelfth of a small run.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }
  package var defaultValueDescription: String { rawValue }
}
