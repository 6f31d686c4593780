import ArgumentParser
import Glibc
import ReportSymbolication
import SymbolicationModel

/// `symbolicate REPORT -d SYMBOLS…`, and the root of the subcommands in help and completions.
struct SymbolicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbolicate",
    abstract: "Turn the addresses in crash reports into functions, files and lines.",
    usage: """
      symbolicate REPORT… [-d SYMBOLS]… [-s DIRECTORY]… [-o FILE | --in-place]
      symbolicate DIRECTORY… [-d SYMBOLS]… [--output-dir DIRECTORY]
      … | symbolicate -d SYMBOLS [--stream]
      symbolicate atos -o SYMBOLS [-l LOAD-ADDRESS] ADDRESS…
      symbolicate index SYMBOLS… [-o DIRECTORY]
      symbolicate uuid PATH…
      symbolicate check RELEASE [-d SYMBOLS]…
      symbolicate doctor REPORT [-d SYMBOLS]… [-s DIRECTORY]…
      symbolicate group PATH… [-d SYMBOLS]… [-s DIRECTORY]…
      symbolicate dsym-for-uuid UUID… [-s DIRECTORY]…
      … | symbolicate worker [-d SYMBOLS]… [-s DIRECTORY]…
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

      The names of subcommands are reserved: a report called 'index' is given as './index'.

      Exit status:
        0   done; frames may be unresolved
        1   internal error
        2   --strict was given and a frame is unresolved
        3   a file given with -d is from another build of an image that is unresolved
        64  wrong usage, or the output would overwrite a symbol file or an input
        65  no report found, or it cannot be converted to the requested format (it is passed through)
        66  an input cannot be read
        73  the output cannot be created
        74  the output cannot be written
      If several apply, the first of 1, 74, 73, 66, 65, 3, 2 is returned.
      """,
    version: VersionText.full,
    subcommands: [
      AtosSubcommand.self, IndexCommand.self, UuidCommand.self, CheckCommand.self,
      DoctorCommand.self, GroupCommand.self, DsymForUuidCommand.self, WorkerCommand.self,
    ])

  @OptionGroup var symbols: SymbolsOptions

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
    help: ArgumentHelp(
      "The output format. auto is that of the input, crash is Apple's text, and html is a page for browsers.",
      valueName: "format"))
  var format = OutputForm.auto

  @Flag(help: "Print a few lines instead: what happened, and the crashed thread.")
  var summary = false

  @Flag(name: .customLong("no-inlines"), help: "Leave out inlined calls.")
  var hidesInlines = false

  @OptionGroup var sourcePaths: SourcePathOptions

  @Option(
    name: .customLong("source-context"),
    help: ArgumentHelp(
      "Show each frame's source line with N lines before and after it. The files are read on this machine; --map-path says where they are. Symbol files from strangers may name any file: use --source-root with them.",
      valueName: "n"))
  var sourceLineCount: Int?

  @Option(
    name: .customLong("source-root"),
    help: ArgumentHelp(
      "Show source lines only from files in this folder, after following links. Relative paths start there. Repeatable.",
      valueName: "directory"),
    completion: .directory)
  var sourceRoots: [String] = []

  @Option(
    name: .customLong("il2cpp-map"),
    help: ArgumentHelp(
      "Show lines of C# for the C++ that Unity's il2cpp made: its LineNumberMappings.json.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var il2cppMapPath: String?

  @Flag(help: "Also look up frames that have a name and a line already.")
  var resymbolicate = false

  @Option(
    help: ArgumentHelp(
      "The threads to symbolicate: all, crashed, or numbers (0,3).", valueName: "threads"))
  var threads = SymbolicationOptions.ThreadSelection.all

  @Option(
    name: .customLong("process"),
    help: ArgumentHelp(
      "Symbolicate only this process of a report about several: its name or its number. Repeatable.",
      valueName: "process"))
  var processes: [String] = []

  @Flag(help: "Skip frames in libraries of the operating system.")
  var onlyUserCode = false

  @OptionGroup var codePatterns: CodePatternOptions

  @OptionGroup var rules: RulesOption

  @Flag(
    help:
      "Explain each frame on standard error and in JSON: the source of its answer, and what was rejected."
  )
  var explain = false

  @Option(
    name: .customLong("demangle"),
    help: ArgumentHelp(
      "How to show names: simplified, full (with modules, types and hashes), or none (mangled).",
      valueName: "style"),
    completion: .list(["simplified", "full", "none"]),
    transform: { word in
      guard let style = DemanglingStyle(optionValue: word) else {
        throw ValidationError(UsageMessages.notADemanglingStyle(word))
      }
      return style
    })
  var demangling = DemanglingStyle.simplified

  @Option(
    name: .customLong("dwarf-reader"),
    help: ArgumentHelp(
      "What reads DWARF: built-in, or libdwarf, the reference. Damaged files can crash libdwarf, so use it only with symbol files you trust.",
      valueName: "reader"),
    completion: .list(DwarfReaderChoice.allCases.map(\.rawValue)),
    transform: { word in
      guard let reader = DwarfReaderChoice(rawValue: word) else {
        throw ValidationError(UsageMessages.notADwarfReader(word))
      }
      return reader
    })
  var dwarfReader = DwarfReaderChoice.builtIn

  @Flag(name: .customLong("no-index"), help: "Read the symbol files themselves, not their indexes.")
  var ignoresIndexes = false

  @Option(
    name: .customLong("index-dir"),
    help: ArgumentHelp(
      "Look for indexes in this directory. (default: the user's cache)", valueName: "directory"),
    completion: .directory)
  var indexDirectory: String?

  @OptionGroup var servers: ServerOptions

  @OptionGroup var jobs: JobsOption

  @OptionGroup var limits: LimitsOptions

  @Flag(help: "Exit with status 2 if a frame is unresolved.")
  var strict = false

  /// Hidden because of the completions (see `CompletionScript`); the discussion describes them.
  @Argument(help: .hidden) var paths: [String] = []

  func validate() throws {
    if inPlace, outputPath != nil { throw ValidationError(UsageMessages.inPlaceWithOutput) }
    if let outputDirectory {
      if inPlace { throw ValidationError(UsageMessages.inPlaceWithOutputDirectory) }
      if outputPath != nil { throw ValidationError(UsageMessages.outputWithOutputDirectory) }
      if outputDirectory.isEmpty { throw ValidationError(UsageMessages.emptyOutputDirectory) }
    } else if skipsExisting {
      throw ValidationError(UsageMessages.skipWithoutOutputDirectory)
    }
    if isStream {
      if !paths.isEmpty { throw ValidationError(UsageMessages.streamWithPaths) }
      if inPlace || outputPath != nil || outputDirectory != nil {
        throw ValidationError(UsageMessages.streamWithOutput)
      }
      if summary || format != .auto { throw ValidationError(UsageMessages.streamWithFormat) }
    }
    if inPlace, summary || !format.isReport { throw ValidationError(UsageMessages.inPlaceExtract) }
    if let sourceLineCount {
      guard SourceContext(lineCount: sourceLineCount) != nil else {
        throw ValidationError(UsageMessages.notASourceContext(sourceLineCount))
      }
      if format == .ips { throw ValidationError(UsageMessages.sourceLinesInIps) }
    } else if !sourceRoots.isEmpty {
      throw ValidationError(UsageMessages.sourceRootWithoutContext)
    }
    if summary, format != .auto { throw ValidationError(UsageMessages.summaryWithFormat) }
  }

  func run() throws {
    guard !paths.isEmpty || isatty(STDIN_FILENO) == 0 else {
      // Nobody waits for a report to be typed on a terminal.
      Diagnostics.help(Self.helpMessage())
      throw ExitCode(ExitStatus.usage.rawValue)
    }
    if isStream { return try runStream() }
    let inputs = InputPaths(paths)
    if inPlace, inputs.reports.contains("-") {
      throw ValidationError(UsageMessages.inPlaceStandardInput)
    }
    let reports = ReportInputs(inputs, excluding: outputDirectory)
    if format == .html, outputDirectory == nil {
      if reports.inputs.count > 1 || reports.isWalk {
        throw ValidationError(UsageMessages.severalPagesInOne)
      }
      if outputPath == nil, TerminalOutput.current != nil {
        throw ValidationError(UsageMessages.pageOnTerminal)
      }
    }
    var places = symbols.places(
      symbolFiles: inputs.symbolFiles, reports: reports.inputs.map(\.path))
    servers.apply(to: &places)
    var options = options
    options.il2cppMap = try il2cppMap()
    options.signatureRules = try rules.read(limits: limits.stated)
    let run = SymbolicateRun(
      reports: reports, places: places,
      warnings: symbols.warnings(includesEnvironment: explain), destination: destination,
      skipsExisting: skipsExisting, options: options, form: form, isStrict: strict,
      otherInputs: [il2cppMapPath, rules.path].compactMap(\.self))
    let status = run.perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func runStream() throws {
    // Paths at the end are not there yet when options are checked.
    if !paths.isEmpty { throw ValidationError(UsageMessages.streamWithPaths) }
    var places = symbols.places(reports: ["-"])
    servers.apply(to: &places)
    var options = options
    options.il2cppMap = try il2cppMap()
    for warning in symbols.warnings(includesEnvironment: explain) { Diagnostics.print(warning) }
    var run = StreamRun(places: places, options: options, isStrict: strict)
    let status = run.perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func il2cppMap() throws -> Il2CppLineMap? {
    guard let il2cppMapPath else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try InputFile.read(path: il2cppMapPath, limit: limits.stated.reportSize)
    } catch {
      Diagnostics.print(InputMessages.unreadable(il2cppMapPath, error))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
    do throws(Il2CppMapError) {
      return try Il2CppLineMap(bytes)
    } catch {
      Diagnostics.print(error.message(path: il2cppMapPath))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
  }

  private var options: SymbolicationOptions {
    var options = SymbolicationOptions()
    options.showsInlinedFrames = !hidesInlines
    options.resymbolicates = resymbolicate
    options.threads = threads
    options.processes = Set(processes)
    options.sourcePaths = sourcePaths.rules
    options.onlyUserCode = onlyUserCode
    options.codePatterns = codePatterns.patterns
    options.explains = explain
    options.demangling = demangling
    options.sourceContext = sourceLineCount.flatMap {
      SourceContext(lineCount: $0, roots: sourceRoots)
    }
    options.dwarfReader = dwarfReader
    options.indexUse = ignoresIndexes ? .never : .cached(directory: indexDirectory)
    options.jobs = jobs.threadCount
    options.limits = limits.stated
    return options
  }

  private var form: OutputForm { summary ? .summary : format }

  private var destination: ReportDestination {
    if inPlace { return .inPlace }
    if let outputDirectory {
      return .directory(ResultPlan(directory: outputDirectory, form: form))
    }
    return outputPath.map(ReportDestination.file) ?? .standardOutput
  }
}

/// The program without its reports. Through this root ArgumentParser finds the subcommands, and
/// names them in full in its messages.
struct Subcommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbolicate",
    subcommands: [
      IndexCommand.self, UuidCommand.self, CheckCommand.self, DoctorCommand.self,
      GroupCommand.self, DsymForUuidCommand.self, WorkerCommand.self,
    ])
}

extension DemanglingStyle {
  /// The style that `--demangle` names; nil for any other word.
  init?(optionValue word: String) {
    switch word {
    case "simplified": self = .simplified
    case "full": self = .full
    case "none": self = .raw
    default: return nil
    }
  }
}

extension OutputForm: ExpressibleByArgument {
  // ArgumentParser would find these by reflection, which takes a twelfth of a small run.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }
  package var defaultValueDescription: String { rawValue }
}

extension SymbolicationOptions.ThreadSelection: ExpressibleByArgument {
  /// Parses `all`, `crashed`, or thread numbers separated by commas (`0,3`); nil for anything else.
  public init?(argument: String) {
    switch argument {
    case "all": self = .all
    case "crashed": self = .crashed
    default:
      let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.allSatisfy({ $0 != nil }) else { return nil }
      self = .numbered(Set(numbers.compactMap(\.self)))
    }
  }

  /// Without reflection, as above.
  public var defaultValueDescription: String {
    switch self {
    case .all: "all"
    case .crashed: "crashed"
    case .numbered(let numbers): numbers.sorted().map(String.init).joined(separator: ",")
    }
  }
}
