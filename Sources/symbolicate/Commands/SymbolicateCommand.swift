import Wording
import ArgumentParser
import Platform
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// `symbolicate REPORT -d SYMBOLS…`
struct SymbolicateCommand: ProgramCommand {
  static let name = "symbolicate"
  static let synopsis = """
    symbolicate REPORT… [-d SYMBOLS]… [-s DIRECTORY]… [-o FILE | --in-place]
    symbolicate DIRECTORY… [-d SYMBOLS]… [-o DIRECTORY/]
    … | symbolicate -d SYMBOLS [--stream]
    """

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Turn the addresses in crash reports into functions, files and lines.",
    usage: synopsis,
    discussion: """
      REPORT is a crash report, or '-' for standard input; a DIRECTORY or an archive of reports, \
      given alone, is searched for reports. SYMBOLS is a dSYM, an executable or library (Mach-O or \
      ELF), an index (GSYM), a Breakpad .sym file, a dyld shared cache, or a directory or archive \
      (zip, ipa, tar) of them. Symbol files may follow the reports. They are also looked for beside \
      the report, and below the directories in SYMBOLICATE_SYMBOL_PATH.

      The output is the input with the resolved frames filled in; all other bytes are unchanged. A \
      tally and any missing symbols go to standard error.
      """)

  static let shortHelp = """
    Turn the addresses in crash reports into functions, files and lines.

    Usage: symbolicate REPORT… [-d SYMBOLS]… [-s DIRECTORY]… [-o FILE]

      symbolicate crash.ips -d App.dSYM           fill in the names of one report
      symbolicate crash.ips -s ~/Archives         find its dSYM below a folder
      symbolicate logs -d dSYMs -o out/           all reports in a folder

      -d, --dsym SYMBOLS      a dSYM, a program, or a folder or zip of them
      -s, --search DIRECTORY  look for symbols here and in all folders below
      -o, --output FILE       write to a file; --in-place replaces the report
      --format FORMAT         auto, crash, ips, json, ndjson, html, markdown
      --summary               a few lines: what happened, and where
      --strict                exit with status 2 if names are missing
      -q, --quiet             report nothing but errors
      -v, --verbose           say which symbol file was used for each image

    Commands: \(ProgramDescription.subcommandNames.joined(separator: ", "))
    'symbolicate --help' has more options, 'symbolicate help COMMAND' a command.
    """

  /// What is said on a terminal if there is nothing to read, below the error.
  private static let shortestHelp = """
    Usage: symbolicate REPORT… [-d SYMBOLS]…
    For example: symbolicate crash.ips -d App.dSYM
    'symbolicate -h' has more examples, and 'symbolicate --help' the options.
    """

  static let exitStatus = """
      0   done; frames may be unresolved
      1   internal error
      2   --strict was given and a frame is unresolved
      3   a file given with -d is from another build of an image that is unresolved
      64  wrong usage, or the output would overwrite a symbol file or an input
      65  no report found, or it cannot be converted to the requested format
      66  an input cannot be read
      73  the output cannot be created
      74  the output cannot be written
    If several apply, the first of 1, 74, 73, 66, 65, 3, 2 is returned.
    """

  var symbols = SymbolsOptions()
  var servers = ServerOptions()
  var output = OutputOptions()
  var terminal = TerminalOptions()
  var selection = SelectionOptions()
  var logField = LogFieldOption()
  var frames = FrameOptions()
  var codePatterns = CodePatternOptions()
  var sourcePaths = SourcePathOptions()
  var sourceLines = SourceLineOptions()
  var indexes = IndexOptions()
  var jobs = JobsOption()
  var limits = LimitsOptions()
  var diagnostics = DiagnosticsOptions()
  var general = GeneralOptions()

  var operands = PathOperands()

  var paths: [String] {
    get { operands.paths }
    set { operands.paths = newValue }
  }

  func validate() throws {
    for section in sections { try section.validate() }
    try refusePathsOfStream()
    if diagnostics.verbose, general.quiet { throw ValidationError("-q and -v cannot be combined.") }
    if sourceLines.lineCount != nil, output.format == .ips {
      throw ValidationError(
        "--source-context cannot be combined with --format ips, which has no room for source lines; use --format crash, json, ndjson, html or markdown, or --summary."
      )
    }
  }

  func perform() throws -> ExitStatus {
    guard !paths.isEmpty || isatty(STDIN_FILENO) == 0 else {
      // Nobody waits for a report to be typed on a terminal.
      Diagnostics.error("there is no crash report to read")
      Diagnostics.text(Self.shortestHelp)
      return .usage
    }
    if output.isStream { return try runStream() }
    if paths.contains("") {
      throw ValidationError(
        "The path of a report is empty; is a variable of the command line not set?")
    }
    var options = options
    let inputs = InputPaths(paths, limits: options.limits)
    if output.inPlace, inputs.reports.contains("-") {
      throw ValidationError("--in-place needs reports in files; standard input was given.")
    }
    let reports = reports(inputs, options.limits)
    if output.inPlace, let archive = reports.archives.first {
      throw ValidationError(
        "--in-place replaces files, not those in an archive; use --output-dir for the reports in \(archive)."
      )
    }
    if output.format == .html, output.outputDirectory == nil {
      if reports.inputs.count > 1 || reports.isWalk {
        throw ValidationError(
          "--format html makes a page of each report; use -o DIRECTORY/ for several.")
      }
      if output.outputFile == nil, TerminalOutput.current != nil {
        throw ValidationError(
          "--format html is for a browser, not for a terminal; use -o page.html.")
      }
    }
    options.il2cppMap = try sourceLines.il2cppMap(limits: limits.stated)
    options.signatureRules = try codePatterns.signatureRules(limits: limits.stated)
    let run = SymbolicateRun(
      reports: reports,
      places: places(symbolFiles: inputs.symbolFiles, reports: reports.filePaths),
      warnings: warnings,
      destination: output.destination, skipsExisting: output.skipsExisting, options: options,
      form: output.form,
      look: terminal.look(hyperlinks: output.hyperlinks), strictness: diagnostics.strictness,
      otherInputs: [sourceLines.il2cppMapPath, codePatterns.rulesPath].compactMap(\.self))
    return run.perform()
  }

  private func reports(_ inputs: InputPaths, _ limits: ResourceLimits) -> ReportInputs {
    guard inputs.reports == ["-"] else {
      return ReportInputs(inputs, excluding: output.outputDirectory, limits: limits)
    }
    let content = Result { () throws(Errno) in
      try InputFile.read(path: "-", limit: limits.reportSize)
    }
    return ReportInputs(standardInput: content, limits: limits)
  }

  private func refusePathsOfStream() throws {
    guard output.isStream, !paths.isEmpty else { return }
    throw ValidationError("--stream reads standard input; give symbol files with -d.")
  }

  private func runStream() throws -> ExitStatus {
    // Paths at the end are not there yet when options are checked.
    try refusePathsOfStream()
    var options = options
    options.il2cppMap = try sourceLines.il2cppMap(limits: limits.stated)
    for warning in warnings { Diagnostics.show(warning) }
    var run = StreamRun(
      places: places(reports: ["-"]), options: options,
      look: terminal.look(hyperlinks: output.hyperlinks),
      strictness: diagnostics.strictness)
    return run.perform()
  }

  private func places(symbolFiles: [String] = [], reports: [String]) -> SymbolPlaces {
    var places = symbols.places(symbolFiles: symbolFiles, reports: reports)
    servers.apply(to: &places)
    indexes.apply(to: &places)
    return places
  }

  private var warnings: [Message] {
    symbols.warnings(includesEnvironment: diagnostics.explain) + indexes.warnings
  }

  private var options: SymbolicationOptions {
    var options = SymbolicationOptions()
    options.logField = logField.logField
    options.threads = selection.threads
    options.processes = Set(selection.processes)
    frames.apply(to: &options)
    options.sourcePaths = sourcePaths.rules
    options.codePatterns = codePatterns.patterns
    options.explains = diagnostics.explain
    options.namesFiles = diagnostics.verbose
    options.sourceContext = sourceLines.context
    options.dwarfReader = diagnostics.dwarfReader
    options.indexUse = indexes.use
    options.jobs = jobs.threadCount
    options.limits = limits.stated
    return options
  }
}

/// How the options of `symbolicate` reach ArgumentParser (see `OptionList`).
extension SymbolicateCommand: CustomReflectable {
  /// In the order of the help.
  var sections: [OptionSection] {
    [
      OptionSection(symbols, title: HelpSection.symbols),
      OptionSection(servers, title: HelpSection.symbols),
      OptionSection(output, title: HelpSection.output),
      OptionSection(terminal, title: HelpSection.output),
      OptionSection(selection, title: HelpSection.frames),
      OptionSection(logField, title: HelpSection.frames),
      OptionSection(frames, title: HelpSection.frames),
      OptionSection(codePatterns, title: HelpSection.frames),
      OptionSection(sourcePaths, title: HelpSection.frames),
      OptionSection(sourceLines, title: HelpSection.frames),
      OptionSection(indexes, title: HelpSection.indexes),
      OptionSection(jobs, title: HelpSection.resources),
      OptionSection(limits, title: HelpSection.resources),
      OptionSection(diagnostics, title: HelpSection.diagnostics),
      OptionSection(general),
      OptionSection(operands),
    ]
  }

  /// What ArgumentParser reads the definitions of options from.
  var customMirror: Mirror {
    Mirror(
      self, children: sections.flatMap(\.list.options), ancestorRepresentation: .suppressed)
  }

  init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: OptionName.self)
    symbols = try SymbolsOptions(from: decoder)
    servers = try ServerOptions(from: decoder)
    output = try OutputOptions(from: decoder)
    terminal = try TerminalOptions(from: decoder)
    selection = try SelectionOptions(from: decoder)
    logField = try LogFieldOption(from: decoder)
    frames = try FrameOptions(from: decoder)
    codePatterns = try CodePatternOptions(from: decoder)
    sourcePaths = try SourcePathOptions(from: decoder)
    sourceLines = try SourceLineOptions(from: decoder)
    indexes = try IndexOptions(from: decoder)
    jobs = try JobsOption(from: decoder)
    limits = try LimitsOptions(from: decoder)
    diagnostics = try DiagnosticsOptions(from: decoder)
    general = try GeneralOptions(from: decoder)
    operands = try PathOperands(from: decoder)
  }
}

extension SymbolicateCommand {
  /// Runs the command with `arguments`, and ends the program if it fails.
  ///
  /// Paths at the end, which are reports for the most part, go past ArgumentParser: it copies the
  /// list of paths for each path that it adds, which takes seconds for ten thousand reports.
  static func run(_ arguments: [String]) {
    let arguments = arguments.map { $0 == "--strict=all" ? "--strict-all" : $0 }
    if let word = arguments.first(where: { $0.hasPrefix("--strict=") }) {
      end(
        after: ValidationError(
          "--strict takes no value but 'all' (--strict=all), not '\(word.dropFirst("--strict=".count))'."
        ))
    }
    // `-` is a path too. The first of them may be the value of an option.
    let paths = arguments.suffix(while: { $0 == "-" || !$0.hasPrefix("-") }).dropFirst()
    runToEnd(Array(arguments.dropLast(paths.count))) { $0.paths += paths }
  }
}

extension [String] {
  /// The longest end of the list whose elements all satisfy `condition`.
  fileprivate func suffix(while condition: (String) -> Bool) -> ArraySlice<String> {
    let last = lastIndex { !condition($0) }
    return last.map { self[($0 + 1)...] } ?? self[...]
  }
}

/// The reports, directories and symbol files that `symbolicate` is given.
struct PathOperands: OptionList {
  /// Hidden because of the completions (see `CompletionScript`); the discussion describes them.
  @Argument(help: .hidden) var paths: [String] = []

  var options: [Mirror.Child] { [("_paths", _paths)] }
}
