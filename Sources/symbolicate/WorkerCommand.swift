import ArgumentParser
import FileSystem
import Platform
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// `symbolicate worker`
struct WorkerCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    command: "worker",
    abstract: "Answer records on standard input, one line of JSON for each line of JSON.",
    usage: "… | symbolicate worker [-d SYMBOLS]… [-s DIRECTORY]… [--output report|json|summary]",
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
      are asked only with --symbol-server. With --output json, indexes are used only with \
      --index-dir, because they have no columns.
      """)

  static var shortHelp: String { ShortHelp.worker }

  static let exitStatus = """
      0   all records were answered, some maybe with errors
      1   internal error
      64  wrong usage
      66  standard input cannot be read
      73  the file of --stats cannot be created
      74  standard output cannot be written, or nobody reads it
    """

  @OptionGroup(title: HelpSection.symbols) var symbols: SymbolsOptions

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("What an answer carries: report, json or summary.", valueName: "content"))
  var output = WorkerOutput.json

  @OptionGroup(title: HelpSection.selection) var frames: FrameOptions

  @OptionGroup(title: HelpSection.sourcePaths) var sourcePaths: SourcePathOptions

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
      "Answer a record that takes longer with an error; 0 for no limit. (default: 60)",
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
    if statisticsPath?.isEmpty == true { throw ValidationError(UsageMessages.emptyStatistics) }
    if let jobs, jobs < 1 { throw ValidationError(UsageMessages.notANumberOfJobs(jobs)) }
    if let window, window < 1 { throw ValidationError(UsageMessages.notAWindow(window)) }
    if let maximumRecord, WorkerOptions.recordSize(maximumRecord) == nil {
      throw ValidationError(UsageMessages.notARecordSize(maximumRecord))
    }
    for (name, number) in [("timeout", timeout), ("retry", retryInterval)] {
      if let number, number < 0 {
        throw ValidationError(UsageMessages.notANumberOfSeconds(option: name, number))
      }
    }
  }

  func run() throws {
    do {
      try InputFile.checkStandardInput()
    } catch {
      Diagnostics.error(InputMessages.unreadable("standard input", error))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
    var places = symbols.places()
    servers.apply(to: &places)
    indexes.apply(to: &places)
    // The environment of whoever starts workers may name servers for other programs.
    places.usesDebuginfod = false
    for warning in symbols.warnings() + indexes.warnings { Diagnostics.warning(warning) }
    let status = perform(places: places, options: options)
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func perform(places: SymbolPlaces, options: WorkerOptions) -> ExitStatus {
    guard let memory = keptMemory.map({ KeptMemory.adopt($0) }) ?? KeptMemory.make() else {
      Diagnostics.error(InputMessages.noKeptMemory)
      return .internalError
    }
    if statisticsPath != nil { RequestSignal.listen(SIGUSR1) }
    Restart.prepare(memory, arguments: Self.argumentsToStartAnew, seconds: options.timeout)
    var status = ExitStatus.success
    var run = WorkerRun(
      places: places, options: options, input: .standardInput, memory: memory,
      WorkerRun.Outlets(
        answers: Self.write, problem: { Diagnostics.warning($0) },
        statistics: statisticsPath.map { path in
          { line in
            do throws(FileWriteError) {
              try WholeFile.replace(path: path, with: line)
            } catch {
              Diagnostics.error(error)
              status = ExitStatus(error)
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

  private static let keptMemoryOption = "--kept-memory"

  /// The arguments of this process, and the option that takes the memory.
  private static var argumentsToStartAnew: [String] {
    var words = ProgramArguments.all ?? []
    if words.dropLast().last == keptMemoryOption { words.removeLast(2) }
    return words + [keptMemoryOption]
  }

  /// Ends the process if the answers cannot be written: nobody would get the others.
  private static func write(_ answers: [UInt8]) {
    do throws(FileWriteError) {
      try OutputFile.writeToStandardOutput(answers)
    } catch {
      Diagnostics.error(error)
      EndingSignals.endProcess(status: ExitStatus(error).rawValue)
    }
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
