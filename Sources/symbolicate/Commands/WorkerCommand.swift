import ArgumentParser
import FileSystem
import Platform
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SymbolicationWorker
import SystemPackage

/// `symbolicate worker`
struct WorkerCommand: ProgramCommand {
  static let name = "worker"
  static let synopsis = "… | symbolicate worker [-d SYMBOLS]… [-s DIRECTORY]…"

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Answer records on standard input, one line for each.",
    usage: "… | symbolicate worker [-d SYMBOLS]… [-s DIRECTORY]… [--format report|json|summary]",
    discussion: """
      Each line in is one record:
        {"id": …, "report": "the whole report"}
        {"id": …, "path": "report.ips"}
        {"id": …, "frames": [{"image": "App", "uuid": "…", "offset": "0x1f00"}]}
        "the whole report"
      Each line out answers one record, in the same order, as {"id": …, "ok": true, …} or \
      {"id": …, "ok": false, "error": {"code": "…", "message": "…"}}. A record that cannot be \
      answered is one line with an error. docs/worker.md has the keys and the codes.

      Answers are written whenever the input pauses. Start one worker for each processor. Servers \
      are asked only with --symbol-server. With --format json, indexes are used only with \
      --index-dir, because they have no columns.
      """)

  static let shortHelp = """
    Answer records on standard input, one line of JSON for each line of JSON.

    Usage: \(synopsis)

      echo '{"id": 1, "path": "crash.ips"}' | symbolicate worker -d App.dSYM

      --format FORMAT         what an answer has: report, json or summary
      --stats FILE            write statistics here at the end and on SIGUSR1

    'symbolicate worker --help' has more options.
    """

  static let exitStatus = """
      0   all records were answered, some maybe with errors
      1   internal error
      64  wrong usage, or the file of --stats is an input or holds no statistics
      66  standard input cannot be read
      73  the file of --stats cannot be created
      74  standard output cannot be written, or nobody reads it
    """

  @OptionGroup(title: HelpSection.symbols) var symbols: SymbolsOptions

  @Option(
    name: .customLong("format"),
    help: ArgumentHelp("What an answer carries.", valueName: "format"))
  var output = WorkerOutput.json

  @OptionGroup(title: HelpSection.frames) var logField: LogFieldOption

  @OptionGroup(title: HelpSection.frames) var frames: FrameOptions

  @OptionGroup(title: HelpSection.frames) var sourcePaths: SourcePathOptions

  @OptionGroup(title: HelpSection.indexes) var indexes: IndexOptions

  @OptionGroup(title: HelpSection.symbols) var servers: ServerOptions

  @Option(
    help: ArgumentHelp("Work on so many records at the same time. (default: 1)", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Read at most so many records ahead. (default: 4 for each job)", valueName: "n"))
  var window: Int?

  @Option(
    name: .customLong("max-record"),
    help: ArgumentHelp(
      "Answer a longer line with an error, without keeping it (bytes, or 500K, 64M). (default: 64M)",
      valueName: "size"))
  var maximumRecord: String?

  @Option(
    help: ArgumentHelp(
      "Answer a record that takes longer (0: never) with an error. (default: 60)",
      valueName: "seconds"))
  var timeout: Int?

  @Option(
    name: .customLong("retry"),
    help: ArgumentHelp(
      "Look again for symbols that were missing after so many seconds. (default: 60)",
      valueName: "seconds"))
  var retryInterval: Int?

  @Option(
    name: .customLong("stats"),
    help: ArgumentHelp(
      "Write one line of statistics to this file at the end and on SIGUSR1.", valueName: "file"),
    completion: .file())
  var statisticsPath: String?

  @OptionGroup(title: HelpSection.resources) var limits: LimitsOptions

  @OptionGroup var general: GeneralOptions

  /// The memory that the program kept when it started itself anew. Always the last option.
  @Option(name: .customLong("kept-memory"), help: .hidden)
  var keptMemory: CInt?

  func validate() throws {
    if statisticsPath?.isEmpty == true { throw ValidationError("--stats needs a file.") }
    if let jobs, jobs < 1 { throw ValidationError(JobsOption.refusal(of: jobs)) }
    if let window, window < 1 {
      throw ValidationError("--window needs a number above 0, not \(window).")
    }
    if let maximumRecord, WorkerOptions.recordSize(maximumRecord) == nil {
      throw ValidationError(
        "--max-record needs a size in bytes, or like 500K or 64M, not '\(maximumRecord)'.")
    }
    for (name, number) in [("timeout", timeout), ("retry", retryInterval)] {
      if let number, number < 0 {
        throw ValidationError("--\(name) needs a number of seconds from 0 on, not \(number).")
      }
    }
  }

  func perform() -> ExitStatus {
    do {
      try InputFile.checkStandardInput()
    } catch {
      Diagnostics.error(InputMessages.unreadable("standard input", error))
      return .unreadableInput
    }
    var places = symbols.places()
    servers.apply(to: &places)
    indexes.apply(to: &places)
    // The environment of whoever starts workers may name servers for other programs.
    places.usesDebuginfod = false
    let statisticsFile = statisticsPath.map {
      StatisticsFile(path: $0, symbolPaths: places.paths)
    }
    do throws(OutputRefusal) {
      try statisticsFile?.check()
    } catch {
      Diagnostics.error(error.message(for: .statistics))
      return .usage
    }
    for warning in symbols.warnings() + indexes.warnings { Diagnostics.show(warning) }
    guard let memory = keptMemory.map({ KeptMemory.adopt($0) }) ?? KeptMemory.make() else {
      Diagnostics.error("cannot get memory for the input: memfd_create(2) fails here")
      return .internalError
    }
    if statisticsPath != nil { RequestSignal.listen(SIGUSR1) }
    Restart.prepare(memory, arguments: Self.argumentsToStartAnew, seconds: options.timeout)
    var status = ExitStatus.success
    var run = WorkerRun(
      places: places, options: options, input: .standardInput, memory: memory,
      WorkerRun.Outlets(
        answers: Self.write, problem: { Diagnostics.show($0) },
        statistics: statisticsFile.map { file in
          { line in
            do throws(StatisticsFile.Failure) {
              try file.write(line)
            } catch {
              status = Self.status(of: error)
            }
          }
        }))
    do {
      try run.perform()
    } catch {
      Diagnostics.error(InputMessages.unreadable("standard input", error))
      return .unreadableInput
    }
    return status
  }

  /// Reports why the statistics were not written.
  private static func status(of failure: StatisticsFile.Failure) -> ExitStatus {
    switch failure {
    case .refused(let refusal):
      Diagnostics.error(refusal.message(for: .statistics))
      return .cannotCreateOutput
    case .unwritten(let error):
      Diagnostics.error(error)
      return ExitStatus(error)
    }
  }

  private static let keptMemoryOption = "--kept-memory"

  /// The arguments of this process, and the option that takes the memory.
  private static var argumentsToStartAnew: [String] {
    var words = ProgramArguments.all ?? []
    if words.dropLast().last == keptMemoryOption { words.removeLast(2) }
    return words + [keptMemoryOption]
  }

  /// Ends the process if the answers cannot be written: nobody would get the others.
  private static func write(_ answers: [UInt8]) {
    let status = ExitStatus.of { () throws(FileWriteError) in
      try OutputFile.writeToStandardOutput(answers)
    }
    if status != .success { EndingSignals.endProcess(status: status.rawValue) }
  }

  private var options: WorkerOptions {
    var options = WorkerOptions()
    let jobs = jobs ?? 1
    options.window = window ?? jobs.multipliedReportingOverflow(by: 4).partialValue
    options.timeout = timeout ?? options.timeout
    options.retryInterval = retryInterval ?? options.retryInterval
    options.output = output
    if let size = maximumRecord.flatMap({ WorkerOptions.recordSize($0) }) {
      options.recordSize = size
    }
    var symbolication = SymbolicationOptions()
    symbolication.logField = logField.logField
    frames.apply(to: &symbolication)
    symbolication.sourcePaths = sourcePaths.rules
    // Indexes have no columns.
    let usesIndexes = output != .json || indexes.indexDirectory != nil
    symbolication.indexUse = usesIndexes ? indexes.use : .never
    symbolication.jobs = jobs
    symbolication.limits = limits.stated
    options.symbolication = symbolication
    return options
  }
}

extension WorkerOutput: ExpressibleByArgument {
  // ArgumentParser would find these by reflection.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }
  package var defaultValueDescription: String { rawValue }
}
