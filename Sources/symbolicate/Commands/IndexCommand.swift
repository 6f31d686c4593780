import ArgumentParser
import FileSystem
import ReportRendering
import ReportRuns
import ReportSymbolication
import SymbolTools
import SymbolicationModel
import SymbolicationWorker
import Wording

/// `symbolicate index PATH…`
struct IndexCommand: ProgramCommand {
  static let name = "index"
  static let synopsis = "symbolicate index SYMBOLS… [-o DIRECTORY]"

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Build indexes of symbol files, for faster lookups.",
    usage: """
      symbolicate index PATH… [-o DIRECTORY] [--jobs N]
      symbolicate index --from REPORT… [-d SYMBOLS]… [-s DIRECTORY]… [-o DIRECTORY]
      symbolicate index --uuids FILE [-d SYMBOLS]… [-s DIRECTORY]… [-o DIRECTORY]
      symbolicate index --system PATH… [-o DIRECTORY]
      symbolicate index --learn REPORT… [-o DIRECTORY]
      symbolicate index --clean
      """,
    discussion: """
      PATH is a dSYM, the DWARF file in it, an executable or library (Mach-O or ELF), or a \
      directory, which is searched for them. Each image, and each slice of a fat file, gets one \
      index: a GSYM file with its debug information and its symbol table. The paths of the indexes \
      go to standard output, one per line. An index that is up to date is not built again. A Breakpad \
      .sym file and a GSYM file get none.

      With --from, the paths are reports, directories of reports, or '-' for standard input, and just \
      the indexes that they need are made. With --uuids, the needed images are listed in a file, or \
      '-': a UUID or build-id a line, and maybe an architecture and a name. The symbol files are found \
      as for 'symbolicate REPORT'. A summary and the missing UUIDs go to standard error. Of several \
      processes that want the same index, one makes it.

      With --system, the paths are dyld shared caches, such as dyld_shared_cache_arm64e, or directories \
      of them or of libraries, such as Xcode's 'iOS DeviceSupport'. The names of all libraries in them are \
      kept in the cache, and every later report finds them by UUID. With -o, find them with \
      '-s DIRECTORY'.

      With --learn, the names of system functions are learnt from the frames of .ips reports, and \
      added to what was learnt before. The paths are reports, directories, archives (zip, tar) of \
      reports, or '-'. Reports that come later and have only addresses in the same build of a system \
      library are named from it, if no symbol file has a name.

      Without -o, indexes go to the cache, where 'symbolicate' and 'atos' find them: \
      $XDG_CACHE_HOME/symbolicate, or ~/.cache/symbolicate. The cache holds 2 GiB, or the size in \
      SYMBOLICATE_CACHE_LIMIT (bytes, or 500M, 4G); when it is full, the least recently used \
      indexes are removed.
      """)

  static let shortHelp = """
    Build indexes of symbol files, which make lookups in large files faster.

    Usage: \(synopsis)

      symbolicate index App.dSYM                  into the cache
      symbolicate index --from logs -s dSYMs      just what these reports need
      symbolicate index --clean                   empty the cache

      -o, --output DIRECTORY  write the indexes here instead of the cache
      --uuids FILE            index the images that a list names

    'symbolicate index --help' has more options.
    """

  static let exitStatus = """
      0   done
      1   internal error
      64  wrong usage, or -o is a symbol file, or an index would overwrite an input
      65  a path has nothing to index, or no report; or a line of the list has no UUID
      66  a path cannot be read
      73  an index cannot be created
      74  an index cannot be written, or the cache cannot be emptied
    If several apply, the first of 1, 74, 73, 66, 65 is returned. All other indexes are built.
    """

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write the indexes to this directory instead of the cache.", valueName: "path"),
    completion: .directory)
  var outputDirectory: String?

  @Flag(
    name: .customLong("from"),
    help: "Make the indexes that reports need: the paths are reports and directories of reports.")
  var readsReports = false

  @Option(
    name: .customLong("uuids"),
    help: ArgumentHelp(
      "Make the indexes of the images listed in this file: a UUID or build-id a line.",
      valueName: "file"),
    completion: .file())
  var uuidListPath: String?

  @Flag(
    name: .customLong("system"),
    help: "Keep the names of a system: the paths are dyld shared caches and directories.")
  var readsSystem = false

  @Flag(
    name: .customLong("learn"),
    help: "Learn the names of system functions from .ips reports: the paths are reports.")
  var learns = false

  @OptionGroup(title: HelpSection.symbols) var symbols: SymbolsOptions

  @OptionGroup(title: HelpSection.symbols) var servers: ServerOptions

  @OptionGroup(title: HelpSection.resources) var jobs: JobsOption

  @OptionGroup(title: HelpSection.resources) var limits: LimitsOptions

  @Flag(help: "Remove everything from the cache.")
  var clean = false

  @OptionGroup var general: GeneralOptions

  @Argument(
    help: ArgumentHelp(
      "Symbol files, and directories of symbol files; with --from and --learn, reports.",
      valueName: "path"),
    completion: .file())
  var paths: [String] = []

  func validate() throws {
    if outputDirectory?.isEmpty == true {
      throw ValidationError("-o needs a directory.")
    }
    if clean, !paths.isEmpty || outputDirectory != nil || isForReports || readsSystem || learns {
      throw ValidationError(
        "--clean empties the whole cache; it cannot be combined with paths or -o.")
    }
    if clean { return }
    if readsSystem, isForReports || learns {
      throw ValidationError("--system cannot be combined with --from, --uuids or --learn.")
    }
    if learns, isForReports {
      throw ValidationError("--learn cannot be combined with --from or --uuids.")
    }
    if isForReports {
      if uuidListPath == "-", readsReports, paths.isEmpty || paths.contains("-") {
        throw ValidationError(
          "Standard input cannot be both the list of --uuids and a report of --from.")
      }
    } else if paths.isEmpty, !learns {
      throw ValidationError("Give at least one symbol file or directory.")
    } else if !symbols.symbolPaths.isEmpty || !symbols.searchDirectories.isEmpty
      || !servers.servers.isEmpty
    {
      throw ValidationError(
        "-d, -s and --symbol-server say where to look for what reports need; give the reports with --from, or symbol files without -d."
      )
    }
    do {
      _ = try CacheLimit.stated()
    } catch {
      throw ValidationError(error.message)
    }
  }

  private var isForReports: Bool { readsReports || uuidListPath != nil }

  func perform() throws -> ExitStatus { clean ? cleanCache() : try makeIndexes() }

  private func cleanCache() -> ExitStatus {
    do {
      let result = try IndexCleaning.perform()
      for problem in result.problems { Diagnostics.error(problem) }
      Diagnostics.line(result.note)
      return result.problems.isEmpty ? .success : .cannotWriteOutput
    } catch {
      Diagnostics.error(error.message)
      return .cannotCreateOutput
    }
  }

  private func makeIndexes() throws -> ExitStatus {
    do {
      if let outputDirectory {
        try OutputGuard(
          reports: (readsReports || learns ? paths : []) + [uuidListPath].compactMap(\.self),
          symbolPaths: symbols.symbolPaths + (readsReports || learns ? [] : paths)
        ).check(indexDirectory: outputDirectory)
      } else {
        try OutputGuard.checkCache()
      }
    } catch {
      Diagnostics.error(error.message(for: outputDirectory == nil ? .cache : .index))
      return .usage
    }
    if isForReports { return try makeNeededIndexes() }
    if readsSystem { return makeSystemIndexes() }
    if learns { return learnNames() }
    let cacheLimit = try CacheLimit.stated()
    var run: IndexRun
    do {
      run = try IndexRun(
        paths: paths, directory: outputDirectory, cacheLimit: cacheLimit, jobs: jobs.threadCount,
        limits: limits.stated)
    } catch {
      Diagnostics.error(error.message)
      return .cannotCreateOutput
    }
    for problem in run.problems { Diagnostics.error(problem) }
    while let image = run.nextImage {
      // Nobody reads any more, so the rest is not built.
      if let failure = show(image, { run.indexNext(progress: $0) }) { return ExitStatus(failure) }
    }
    if let note = run.displacementNote { Diagnostics.warning(note) }
    return .combined(Set(run.failureKinds.map { ExitStatus($0) }))
  }
}

extension ExitStatus {
  init(_ kind: IndexRun.FailureKind) {
    self =
      switch kind {
      case .nothingUsable: .noReport
      case .unreadable: .unreadableInput
      case .cannotCreate: .cannotCreateOutput
      case .cannotWrite: .cannotWriteOutput
      }
  }
}

extension IndexCommand {
  /// `index --system PATH…`: the names of the libraries of systems.
  func makeSystemIndexes() -> ExitStatus {
    let run: SystemIndexRun
    do {
      run = try SystemIndexRun(
        paths: paths, directory: outputDirectory, jobs: jobs.threadCount, limits: limits.stated)
    } catch {
      Diagnostics.error(error.message)
      return .cannotCreateOutput
    }
    for problem in run.problems { Diagnostics.error(problem) }
    let line = ProgressLine(title: "libraries")
    var progress: (@Sendable (Int, Int) -> Void)?
    if let line { progress = { line.show(done: $0, of: $1) } }
    let result = run.perform(progress: progress)
    line?.clear()
    for problem in result.problems { Diagnostics.warning(problem) }
    let failure = FileWriteError.thrown { () throws(FileWriteError) in
      try OutputFile.writeToStandardOutput(result.paths.map { $0 + "\n" }.joined().pathBytes)
    }
    if let failure {
      Diagnostics.error(failure)
      return ExitStatus(failure)
    }
    Diagnostics.line(result.summary)
    return .combined(Set(result.failures.map { ExitStatus($0) }))
  }
}
