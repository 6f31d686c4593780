import ArgumentParser
import Platform
import ReportSymbolication
import SymbolicationModel

/// `symbolicate REPORT -d SYMBOLS…`
struct SymbolicateCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    command: "symbolicate",
    abstract: "Turn the addresses in crash reports into functions, files and lines.",
    usage: """
      symbolicate REPORT… [-d SYMBOLS]… [-s DIRECTORY]… [-o FILE | --in-place]
      symbolicate DIRECTORY… [-d SYMBOLS]… [--output-dir DIRECTORY]
      … | symbolicate -d SYMBOLS [--stream]
      """,
    discussion: """
      REPORT is a crash report, or '-' for standard input, which is also read if no report is given \
      and it is not a terminal. Symbol files may follow the reports. A DIRECTORY alone is walked for \
      reports of any format; beside a report, it is searched for symbols.

      SYMBOLS is a dSYM, the DWARF file in it, an executable or library (Mach-O or ELF), an index \
      (GSYM), a Breakpad .sym file, a directory, or an archive (zip, ipa, tar). Directories and \
      archives are searched for the UUIDs in the report. So are the directories given with -s and in \
      SYMBOLICATE_SYMBOL_PATH, and symbol files, bundles and archives in the folder of the report.

      The output is the input with the resolved frames filled in; all other bytes are unchanged. A \
      tally and any missing symbols go to standard error.

      The names of commands are reserved: a report called 'index' is given as './index'.
      """)

  static var shortHelp: String { ShortHelp.program }

  static let exitStatus = """
      0   done; frames may be unresolved
      1   internal error
      2   --strict was given and a frame is unresolved
      3   a file given with -d is from another build of an image that is unresolved
      64  wrong usage, or the output would overwrite a symbol file or an input
      65  no report found, or it cannot be converted to the requested format (it is \
    passed through)
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
    if output.isStream, !paths.isEmpty { throw ValidationError(UsageMessages.streamWithPaths) }
    if diagnostics.verbose, general.quiet { throw ValidationError(UsageMessages.quietVerbose) }
    if sourceLines.lineCount != nil, output.format == .ips {
      throw ValidationError(UsageMessages.sourceLinesInIps)
    }
  }

  func run() throws {
    guard !paths.isEmpty || isatty(STDIN_FILENO) == 0 else {
      // Nobody waits for a report to be typed on a terminal.
      Diagnostics.error(UsageMessages.missingReport)
      Diagnostics.text(ShortHelp.withoutReport)
      throw ExitCode(ExitStatus.usage.rawValue)
    }
    if output.isStream { return try runStream() }
    if paths.contains("") { throw ValidationError(UsageMessages.emptyPath) }
    let inputs = InputPaths(paths)
    if output.inPlace, inputs.reports.contains("-") {
      throw ValidationError(UsageMessages.inPlaceStandardInput)
    }
    let reports = ReportInputs(inputs, excluding: output.outputDirectory)
    if output.format == .html, output.outputDirectory == nil {
      if reports.inputs.count > 1 || reports.isWalk {
        throw ValidationError(UsageMessages.severalPagesInOne)
      }
      if output.outputPath == nil, TerminalOutput.current != nil {
        throw ValidationError(UsageMessages.pageOnTerminal)
      }
    }
    var places = symbols.places(
      symbolFiles: inputs.symbolFiles, reports: reports.inputs.map(\.path))
    servers.apply(to: &places)
    indexes.apply(to: &places)
    var options = options
    options.il2cppMap = try sourceLines.il2cppMap(limits: limits.stated)
    options.signatureRules = try codePatterns.signatureRules(limits: limits.stated)
    let run = SymbolicateRun(
      reports: reports, places: places,
      warnings: symbols.warnings(includesEnvironment: diagnostics.explain) + indexes.warnings,
      destination: output.destination, skipsExisting: output.skipsExisting, options: options,
      form: output.form,
      look: terminal.look(hyperlinks: output.hyperlinks), strictness: diagnostics.strictness,
      otherInputs: [sourceLines.il2cppMapPath, codePatterns.rulesPath].compactMap(\.self))
    let status = run.perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func runStream() throws {
    // Paths at the end are not there yet when options are checked.
    if !paths.isEmpty { throw ValidationError(UsageMessages.streamWithPaths) }
    var places = symbols.places(reports: ["-"])
    servers.apply(to: &places)
    indexes.apply(to: &places)
    var options = options
    options.il2cppMap = try sourceLines.il2cppMap(limits: limits.stated)
    for warning in symbols.warnings(includesEnvironment: diagnostics.explain) + indexes.warnings {
      Diagnostics.warning(warning)
    }
    var run = StreamRun(
      places: places, options: options, look: terminal.look(hyperlinks: output.hyperlinks),
      strictness: diagnostics.strictness)
    let status = run.perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private var options: SymbolicationOptions {
    var options = SymbolicationOptions()
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
