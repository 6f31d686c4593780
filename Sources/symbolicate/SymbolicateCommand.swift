import ArgumentParser
import Glibc
import ReportSymbolication
import SymbolicationModel

/// `symbolicate REPORT -d SYMBOLS…`
struct SymbolicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbolicate",
    abstract: "Turns the addresses of a crash report into functions, files and lines.",
    usage: """
      symbolicate REPORT… [-d SYMBOLS]… [-o FILE | --in-place]
      … | symbolicate -d SYMBOLS
      symbolicate atos -o SYMBOLS [-l LOAD-ADDRESS] ADDRESS…
      symbolicate index SYMBOLS… [-o DIRECTORY]
      """,
    discussion: """
      SYMBOLS is a dSYM, the DWARF file in it, an executable or library (Mach-O or ELF), an index \
      (GSYM), or a directory, which is searched for the files that the report's UUIDs ask for. The report comes \
      out as it went in, byte for byte, but for the frames that were resolved. What is missing is \
      told on standard error.

      'symbolicate atos --help' tells of single addresses, 'symbolicate index --help' of indexes, with \
      which lookups in large symbol files are faster. A report of one of these names: './index'.

      Exit status: 0 done (frames may have stayed unresolved), 1 internal error, 2 a frame is \
      unresolved and --strict was given, 3 a file given with -d is for no image of the report while \
      an image of its name stayed unresolved, 64 wrong usage, 65 no report in the input, or none that the \
      form can be made of (it is passed through), 66 an input cannot be read, 73 the output cannot be created, 74 the \
      output cannot be written. Where several hold, the first of 1, 74, 73, 66, 65, 3, 2.
      """,
    version: "symbolicate \(symbolicateVersion)")

  @Option(
    name: [.customShort("d"), .customLong("dsym")],
    help: ArgumentHelp("A symbol file, or a directory of them. Repeatable.", valueName: "symbols"))
  var symbolPaths: [String] = []

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write to this file, whole or not at all; with several reports, to files of their names in this directory.",
      valueName: "file"))
  var outputPath: String?

  @Flag(help: "Replace each report by what comes out of it, whole or not at all.")
  var inPlace = false

  @Option(
    help: ArgumentHelp(
      "The form that comes out: auto (as it came in), crash (Apple's text), ips, json, ndjson.",
      valueName: "form"))
  var format = OutputForm.auto

  @Flag(help: "Print what happened and the crashed thread, in a few lines.")
  var summary = false

  @Flag(
    name: .customLong("no-inlines"), help: "Leave out the calls that were inlined at an address.")
  var hidesInlines = false

  @Flag(help: "Show the whole paths of source files, not only their names.")
  var fullPath = false

  @Option(
    name: .customLong("map-path"),
    help: ArgumentHelp(
      "Put NEW in the place of the folders OLD that source paths begin with. Repeatable; the first that fits is applied. Implies --full-path.",
      valueName: "old=new"),
    transform: { argument in
      guard let mapping = PathMapping(argument) else {
        throw ValidationError("--map-path needs OLD=NEW, not '\(argument)'.")
      }
      return mapping
    })
  var pathMappings: [PathMapping] = []

  @Option(
    name: .customLong("strip-prefix"),
    help: ArgumentHelp(
      "Leave out these folders at the start of source paths, after mapping. Repeatable; the longest that fits is left out. Implies --full-path.",
      valueName: "folders"),
    transform: { argument in
      guard let prefix = PathPrefix(argument) else {
        throw ValidationError("--strip-prefix needs the folders to leave out.")
      }
      return prefix
    })
  var strippedPrefixes: [PathPrefix] = []

  @Option(
    name: .customLong("source-context"),
    help: ArgumentHelp(
      "Show this many source lines before and after each frame's, of the files on this machine (--map-path says where). Symbol files may name any file: for those of strangers, see --source-root.",
      valueName: "n"))
  var sourceLineCount: Int?

  @Option(
    name: .customLong("source-root"),
    help: ArgumentHelp(
      "Show source lines of files in this folder only, links followed; relative paths start there. Repeatable.",
      valueName: "directory"))
  var sourceRoots: [String] = []

  @Flag(help: "Look up frames that have names and lines already, too.")
  var resymbolicate = false

  @Option(
    help: ArgumentHelp(
      "The threads to symbolicate: all, crashed, or numbers (0,3).", valueName: "threads"))
  var threads = SymbolicationOptions.ThreadSelection.all

  @Flag(help: "Leave alone the frames of the operating system's libraries.")
  var onlyUserCode = false

  @Flag(
    help:
      "Say of each frame, on standard error and in JSON, what its answer rests on and what was refused."
  )
  var explain = false

  @Option(
    name: .customLong("demangle"),
    help: ArgumentHelp(
      "How names are shown: simplified, full (with modules, types and hashes), or none (as they are mangled).",
      valueName: "style"),
    completion: .list(["simplified", "full", "none"]),
    transform: { word in
      switch word {
      case "simplified": return .simplified
      case "full": return .full
      case "none": return .raw
      default: throw ValidationError("Names are demangled as simplified, full or none.")
      }
    })
  var demangling = DemanglingStyle.simplified

  @Option(
    name: .customLong("dwarf-reader"),
    help: ArgumentHelp(
      "What decodes DWARF: built-in, or libdwarf, the reference, which damaged files can crash: only for symbol files you trust.",
      valueName: "reader"),
    completion: .list(DwarfReaderChoice.allCases.map(\.rawValue)),
    transform: { word in
      guard let reader = DwarfReaderChoice(rawValue: word) else {
        throw ValidationError("The DWARF reader is built-in or libdwarf.")
      }
      return reader
    })
  var dwarfReader = DwarfReaderChoice.builtIn

  @Flag(
    name: .customLong("no-index"),
    help: "Ask the symbol files themselves, not the indexes that were made of them.")
  var ignoresIndexes = false

  @Option(
    name: .customLong("index-dir"),
    help: ArgumentHelp(
      "Where indexes are; the user's cache directory without it.", valueName: "directory"))
  var indexDirectory: String?

  @Option(
    help: ArgumentHelp(
      "How many threads may work at a time; as many as there are processors without it.",
      valueName: "n"))
  var jobs: Int?

  @Flag(help: "Exit with 2 when a frame stays unresolved.")
  var strict = false

  @Argument(
    help: ArgumentHelp(
      "Reports ('-', or nothing with input piped in: standard input) and symbol files.",
      valueName: "report"))
  var paths: [String] = []

  func validate() throws {
    if inPlace, outputPath != nil {
      throw ValidationError("--in-place and -o exclude each other.")
    }
    if inPlace, summary || format == .json || format == .ndjson {
      throw ValidationError(
        "--in-place keeps reports what they are: with --summary, --format json and ndjson, give -o."
      )
    }
    if let jobs, jobs < 1 { throw ValidationError("--jobs needs a number above 0.") }
    if let sourceLineCount {
      guard SourceContext(lineCount: sourceLineCount) != nil else {
        throw ValidationError(
          "--source-context needs a number from 0 to \(SourceContext.maximumLineCount).")
      }
      if format == .ips {
        throw ValidationError(
          "An .ips has no place for source lines; --format crash, json, ndjson and --summary have.")
      }
    } else if !sourceRoots.isEmpty {
      throw ValidationError("--source-root is for --source-context.")
    }
    if summary, format != .auto { throw ValidationError("--summary is a form of its own.") }
  }

  func run() throws {
    guard !paths.isEmpty || isatty(STDIN_FILENO) == 0 else {
      // Nothing to read and nobody who pipes: waiting for a report to be typed helps nobody.
      Diagnostics.note(Self.helpMessage())
      throw ExitCode(ExitStatus.usage.rawValue)
    }
    let arguments = PathArguments(paths)
    if inPlace, arguments.reports.contains("-") {
      throw ValidationError("--in-place needs reports in files: standard input has no place.")
    }
    var options = SymbolicationOptions()
    options.showsInlinedFrames = !hidesInlines
    options.resymbolicates = resymbolicate
    options.threads = threads
    options.sourcePaths = SourcePathRules(
      showsFullPath: fullPath, mappings: pathMappings, strippedPrefixes: strippedPrefixes)
    options.onlyUserCode = onlyUserCode
    options.explains = explain
    options.demangling = demangling
    options.sourceContext = sourceLineCount.flatMap {
      SourceContext(lineCount: $0, roots: sourceRoots)
    }
    options.dwarfReader = dwarfReader
    options.indexUse = ignoresIndexes ? .never : .cached(directory: indexDirectory)
    if let jobs { options.jobs = jobs }
    let run = SymbolicateRun(
      reportPaths: arguments.reports, symbolPaths: symbolPaths + arguments.symbolFiles,
      destination: destination(reportCount: arguments.reports.count), options: options,
      form: summary ? .summary : format, isStrict: strict)
    let status = run.perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func destination(reportCount: Int) -> SymbolicateRun.Destination {
    if inPlace { return .inPlace }
    guard let outputPath else { return .standardOutput }
    return reportCount > 1 ? .directory(outputPath) : .file(outputPath)
  }
}

extension OutputForm: ExpressibleByArgument {}

extension SymbolicationOptions.ThreadSelection: ExpressibleByArgument {
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
}

/// The version of this program.
let symbolicateVersion = "0.1.0"
