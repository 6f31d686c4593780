import ArgumentParser
import FileSystem
import ReportGrouping
import ReportSymbolication
import SymbolicationModel

/// `symbolicate group PATH…`
struct GroupCommand: ProgramCommand {
  static let name = "group"
  static let synopsis = "symbolicate group PATH… [-d SYMBOLS]… [-s DIRECTORY]…"

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Count reports of the same crash together.",
    usage: """
      symbolicate group PATH… [-d SYMBOLS]… [-s DIRECTORY]… [--by KEY] [--top N] [--format FORMAT]
      symbolicate group PATH… --format html -o DIRECTORY/
      symbolicate group --merge PARTIAL…
      """,
    discussion: """
      PATH is a report, a directory, which is searched with all its subfolders, an archive (zip, tar) \
      of reports, or '-' for standard input. Output of --format ndjson or json counts as the reports that it was made from; they are \
      not symbolicated again.

      Reports are symbolicated with SYMBOLS and grouped by their signature: what happened, and the \
      three innermost frames of the app without what differs between builds. docs/signature.md has \
      the rules.

      With --merge, PARTIAL is the output of group --format ndjson. The groups are the same as if all \
      reports had been grouped in one run.

      --format html is a page for browsers. With -o DIRECTORY/, it is index.html there, with links to a \
      page of one report of each group.
      """)

  static let shortHelp = """
    Count reports of the same crash together.

    Usage: \(synopsis)

      symbolicate group logs -d dSYMs             a table, the most frequent first
      symbolicate group logs --top 5 --by line    the five worst lines of code
      symbolicate group --merge mon.ndjson tue.ndjson

      --by KEY                signature, line, exception or version
      --format FORMAT         text, json, ndjson or csv

    'symbolicate group --help' has more options.
    """

  static let exitStatus = """
      0   done
      1   internal error
      64  wrong usage, or the output would overwrite an input
      65  no report in PATH, or a line that is not what it should be
      66  PATH, a file in it, or FILE of --rules cannot be read; all others are grouped
      73  a file of -o cannot be created
      74  standard output or a file of -o cannot be written
    If several apply, the first of 1, 74, 73, 66, 65 is returned.
    """

  @OptionGroup(title: HelpSection.symbols) var symbols: SymbolsOptions

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      "What the reports of a group have in common: signature, line, exception or version. (default: signature)",
      valueName: "key"),
    completion: .list(GroupCriterion.allCases.map(\.rawValue)))
  var criterion: GroupCriterion?

  @Option(
    name: .customLong("signature-version"),
    help: ArgumentHelp(
      "The rules of signatures: 2, or 1 to go on from older groups. (default: 2)",
      valueName: "version"),
    completion: .list(SignatureVersion.allCases.map { String($0.rawValue) }))
  var signatureVersion: Int?

  @Option(help: ArgumentHelp("Print only the N largest groups.", valueName: "n"))
  var top: Int?

  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format = GroupForm.text

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write the groups to this file, or pages to out/.", valueName: "path"),
    completion: .file())
  var outputPath: String?

  /// The spelling of `-o DIRECTORY/` in earlier versions.
  @Option(name: .customLong("output-dir"), help: .hidden, completion: .directory)
  var earlierDirectory: String?

  @Flag(name: .customLong("merge"), help: "Add up groups that other runs wrote as NDJSON.")
  var merges = false

  @OptionGroup(title: HelpSection.frames) var logField: LogFieldOption

  @OptionGroup(title: HelpSection.frames) var codePatterns: CodePatternOptions

  @OptionGroup(title: HelpSection.indexes) var indexes: IndexOptions

  @OptionGroup(title: HelpSection.symbols) var servers: ServerOptions

  @OptionGroup(title: HelpSection.resources) var jobs: JobsOption

  @OptionGroup(title: HelpSection.output) var terminal: TerminalOptions

  @OptionGroup(title: HelpSection.resources) var limits: LimitsOptions

  @OptionGroup var general: GeneralOptions

  @Argument(
    help: ArgumentHelp("Reports, directories, or '-'.", valueName: "path"), completion: .file())
  var paths: [String] = []

  func validate() throws {
    if paths.isEmpty { throw ValidationError("Give at least one report, directory or '-'.") }
    if let signatureVersion, SignatureVersion(rawValue: signatureVersion) == nil {
      throw ValidationError("--signature-version needs 1 or 2, not \(signatureVersion).")
    }
    if merges, signatureVersion != nil {
      throw ValidationError(
        "--merge cannot be combined with --signature-version: the groups say what they are made by."
      )
    }
    if merges, criterion != nil {
      throw ValidationError(
        "--merge cannot be combined with --by: the groups say what they are made by.")
    }
    if outputPath == "" { throw ValidationError("-o needs a file.") }
    if let outputPath, !outputPath.namesDirectory,
      (try? FileStatus(path: outputPath))?.kind == .directory
    {
      throw ValidationError(
        "\(outputPath) is a directory; give a file, or with --format html -o \(outputPath)/ for pages."
      )
    }
    if earlierDirectory == "" { throw ValidationError("--output-dir needs a directory.") }
    if outputPath != nil, earlierDirectory != nil {
      throw ValidationError("-o and --output-dir cannot be combined.")
    }
    if outputDirectory != nil, format != .html {
      throw ValidationError(
        "\(earlierDirectory == nil ? "-o DIRECTORY/" : "--output-dir") needs --format html; other formats have no pages."
      )
    }
    if format == .html, outputPath == nil, outputDirectory == nil, TerminalOutput.current != nil {
      throw ValidationError(
        "--format html is for a browser, not for a terminal; use -o page.html, or -o DIRECTORY/.")
    }
    if let top, top < 1 { throw ValidationError("--top needs a number above 0, not \(top).") }
  }

  /// The directory of the pages.
  private var outputDirectory: String? {
    earlierDirectory ?? outputPath.flatMap { $0.namesDirectory ? $0 : nil }
  }

  func perform() throws -> ExitStatus {
    var options = SymbolicationOptions()
    options.logField = logField.logField
    options.codePatterns = codePatterns.patterns
    options.signatureRules = try codePatterns.signatureRules(limits: limits.stated)
    options.signatureVersion =
      signatureVersion.flatMap { SignatureVersion(rawValue: $0) } ?? .current
    options.indexUse = indexes.use
    options.jobs = jobs.threadCount
    options.limits = limits.stated
    var places = symbols.places()
    servers.apply(to: &places)
    indexes.apply(to: &places)
    var run = GroupRun(
      criterion: criterion ?? .signature, options: options, form: format, look: terminal.look(),
      top: top,
      pages: outputDirectory.map { GroupPages(directory: $0, places: places) },
      outputPath: outputPath.flatMap { $0.namesDirectory ? nil : $0 },
      otherInputs: [codePatterns.rulesPath].compactMap(\.self))
    if merges { return run.merge(paths) }
    for warning in symbols.warnings() + indexes.warnings { Diagnostics.show(warning) }
    return run.group(paths, places)
  }
}

extension GroupCriterion: ExpressibleByArgument {
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension GroupForm: ExpressibleByArgument {
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }
  package var defaultValueDescription: String { rawValue }
}
