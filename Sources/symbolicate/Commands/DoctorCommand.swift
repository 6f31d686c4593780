import ArgumentParser
import FileSystem
import ReportSymbolication
import SymbolicationModel
import SymbolTools
import SystemPackage

/// `symbolicate doctor REPORT`
struct DoctorCommand: ProgramCommand {
  static let name = "doctor"
  static let synopsis = "symbolicate doctor REPORT [-d SYMBOLS]… [-s DIRECTORY]…"

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Explain why symbols of a report were not found.",
    usage:
      "symbolicate doctor REPORT [-d SYMBOLS]… [-s DIRECTORY]… [--symbol-server URL]… [--format FORMAT]",
    discussion: """
      Looks for the symbols of each image with frames, as 'symbolicate REPORT' does with the same \
      options, and prints for each image what was found and where; or what is in the way: nothing of that UUID, a \
      file from another build (whose, which version, from which archive), another architecture, an \
      empty dSYM, a file without debug information, hidden names, a library of the operating system. \
      The last line is the command to run next. '-' is standard input.
      """)

  static let shortHelp = """
    Explain which symbols a report needs, and why some were not found.

    Usage: \(synopsis)

      symbolicate doctor crash.ips -d App.dSYM    is this the right dSYM?
      symbolicate doctor crash.ips -s ~/Archives  is it below this folder?
      symbolicate doctor crash.ips --format json  for programs

    'symbolicate doctor --help' has more options.
    """

  static let exitStatus = """
      0   the symbols of all images of the app were found
      1   internal error
      2   an image of the app has no or incomplete symbols
      64  wrong usage
      65  the input is not a report (the output says what it is)
      66  the input or a symbol file given with -d cannot be read
      74  standard output cannot be written
    If several apply, the first of 1, 74, 66, 65, 2 is returned.
    """

  @OptionGroup(title: HelpSection.symbols) var symbols: SymbolsOptions

  @OptionGroup(title: HelpSection.symbols) var servers: ServerOptions

  @OptionGroup(title: HelpSection.output) var terminal: TerminalOptions

  @OptionGroup(title: HelpSection.resources) var limits: LimitsOptions

  @OptionGroup(title: HelpSection.output) var format: DocumentFormatOption

  @OptionGroup var general: GeneralOptions

  @Argument(help: ArgumentHelp("The report.", valueName: "report"), completion: .file())
  var path: String

  /// The report: of a bundle of Xcode's Organizer the first one in it, because all are about the
  /// same crash.
  private var reportPath: String {
    guard CrashPoint.isOne(path) else { return path }
    let reports = CrashPoint.reports(in: path)
    if reports.count > 1 {
      Diagnostics.note(
        "\(path) has \(reports.count) reports of one crash; this is about \(reports[0]); name another one to diagnose it"
      )
    }
    return reports.first ?? path
  }

  /// An archive without reports is read as it is: the diagnosis says what it is, and what to do
  /// with it.
  private static func read(
    _ path: String, _ limits: ResourceLimits
  ) throws(ReportReadError) -> [UInt8] {
    do throws(ReportReadError) {
      return try InputFile.readReport(path: path, limits: limits).bytes
    } catch {
      guard case .archive(0, _) = error else { throw error }
    }
    do throws(Errno) {
      return try InputFile.read(path: path, limit: limits.reportSize)
    } catch {
      throw .unreadable(error)
    }
  }

  func perform() -> ExitStatus {
    let path = reportPath
    let shownPath = path == "-" ? "standard input" : path
    let input: [UInt8]
    let limits = limits.stated
    do throws(ReportReadError) {
      input = try Self.read(path, limits)
    } catch {
      Diagnostics.error(InputMessages.unreadableReport(shownPath, error, limits: limits))
      return .unreadableInput
    }
    var places = symbols.places(reports: [path])
    servers.apply(to: &places)
    places.limits = limits
    for warning in symbols.warnings(includesEnvironment: true) { Diagnostics.show(warning) }
    let download = DownloadLine()
    let diagnosis = ReportDiagnosis(
      input, shownPath: shownPath, places: places, progress: ProgressLine.searchProgress(),
      downloadProgress: download.progress)
    download.clear()
    for problem in diagnosis.problems {
      diagnosis.hasUnreadableSymbolFile ? Diagnostics.error(problem) : Diagnostics.warning(problem)
    }
    var statuses: Set<ExitStatus> = []
    if diagnosis.hasUnreadableSymbolFile { statuses.insert(.unreadableInput) }
    if diagnosis.refusal != nil {
      statuses.insert(.noReport)
    } else if !diagnosis.isComplete {
      statuses.insert(.unresolved)
    }
    statuses.insert(
      format.isJson ? .ofWriting(diagnosis.json) : .ofWriting(diagnosis.lines, terminal.look()))
    return .combined(statuses)
  }
}
