import ArgumentParser
import FileSystem
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SymbolTools
import Wording

/// `symbolicate check PATH`
struct CheckCommand: ProgramCommand {
  static let name = "check"
  static let synopsis = "symbolicate check RELEASE [-d SYMBOLS]…"

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Check that every program of a release has its dSYM.",
    usage:
      "symbolicate check PATH [-d SYMBOLS]… [-s DIRECTORY]… [--allow NAME]… [--format FORMAT] [--junit FILE]",
    discussion: """
      PATH is an .xcarchive, an .ipa, an app, another directory, or a zip or tar archive of one. \
      Every Mach-O program and library in it \
      must have a dSYM of its UUID, slice by slice, that has debug information and line numbers, \
      and whose names are not hidden (__hidden#…) unless their BCSymbolMap is there. The dSYMs are \
      looked for in PATH, in what -d names, and in search directories (-s).

      The libraries that Apple delivers with Xcode and that no one has dSYMs for are listed as \
      'apple' and pass: libswift*.dylib in Frameworks and SwiftSupport, and the stubs of watch apps \
      and sticker packs. An image with a defect that --allow names passes as 'allowed'.

      If there are only dSYMs at PATH, what they hold is checked.
      """)

  static let shortHelp = """
    Check that every program and library of a release has its dSYM.

    Usage: \(synopsis)

      symbolicate check App.xcarchive             all dSYMs are in the archive
      symbolicate check App.ipa -d dSYMs.zip      the dSYMs are in a zip
      symbolicate check App.xcarchive --junit symbols.xml

      -d, --dsym SYMBOLS      also look for dSYMs here
      --allow NAME            let an image pass without debug information
      --format json           print JSON instead of the table

    'symbolicate check --help' has more options.
    """

  static let exitStatus = """
      0   every image has complete debug information, or is excused
      1   internal error
      2   an image has no complete debug information
      64  wrong usage, or FILE is a symbol file or an input
      65  there is no Mach-O program, library or dSYM at PATH
      66  PATH or SYMBOLS, or a file in them, cannot be read
      73  FILE cannot be created
      74  FILE or standard output cannot be written
    If several apply, the first of 1, 74, 73, 66, 65, 2 is returned.
    """

  @OptionGroup(title: HelpSection.symbols) var symbols: SymbolsOptions

  @OptionGroup(title: HelpSection.output) var terminal: TerminalOptions

  @OptionGroup(title: HelpSection.resources) var limits: LimitsOptions

  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "Let this image pass without debug information: the name of its file or bundle (repeatable).",
      valueName: "name"))
  var allowedNames: [String] = []

  @OptionGroup(title: HelpSection.output) var format: DocumentFormatOption

  @Option(
    name: .customLong("junit"),
    help: ArgumentHelp(
      "Also write the result to this file, as test results that CI systems read (JUnit XML).",
      valueName: "file"),
    completion: .file())
  var junitPath: String?

  @OptionGroup var general: GeneralOptions

  @Argument(
    help: ArgumentHelp("The release.", valueName: "path"), completion: .file())
  var path: String

  func validate() throws {
    if allowedNames.contains("") { throw ValidationError("--allow needs the name of an image.") }
  }

  func perform() -> ExitStatus {
    if let junitPath {
      do throws(OutputRefusal) {
        let inputs = [path] + symbols.symbolPaths
        try OutputGuard(reports: [], symbolPaths: inputs)
          .check(junitPath, notIn: inputs, replacesOnly: ReleaseCheck.junitStart)
      } catch {
        Diagnostics.error(error.message(for: .extract))
        return .usage
      }
    }
    for warning in symbols.warnings() { Diagnostics.show(warning) }
    var places = symbols.places()
    places.limits = limits.stated
    let check: ReleaseCheck
    var isReadable = true
    do throws(SymbolFileProblem) {
      check = try ReleaseCheck(
        path: path, places: places, allowedNames: allowedNames,
        progress: ProgressLine.searchProgress())
    } catch {
      check = ReleaseCheck(path: path, unreadable: error)
      isReadable = false
    }
    var statuses: Set<ExitStatus> = []
    for problem in check.problems { Diagnostics.show(.error(problem.message)) }
    for problem in check.searchProblems { Diagnostics.show(problem.searchMessage) }
    if !check.problems.isEmpty { statuses.insert(.unreadableInput) }
    if check.images.isEmpty { statuses.insert(.noReport) }
    if !check.isComplete { statuses.insert(.unresolved) }
    if format.isJson {
      statuses.insert(.ofWriting(check.json))
    } else if isReadable {
      let look = terminal.look()
      statuses.insert(.ofWriting(check.lines(width: look.width), look))
    }
    if let junitPath {
      statuses.insert(
        .of { () throws(FileWriteError) in
          try OutputFile.replace(path: junitPath, with: Array(check.junit.utf8))
        })
    }
    return .combined(statuses)
  }
}
