import ArgumentParser
import FileSystem
import ReportSymbolication
import SymbolicationModel
import SymbolTools
import SystemPackage

/// `symbolicate uuid PATH…`
struct UuidCommand: ProgramCommand {
  static let name = "uuid"
  static let synopsis = "symbolicate uuid PATH…"

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Print the UUIDs of symbol files and of reports.",
    usage: "symbolicate uuid PATH… [--format FORMAT]",
    discussion: """
      PATH is a Mach-O or ELF file, an index (GSYM), a Breakpad .sym file, Apple's .symbols, a dyld \
      shared cache, a bundle (.dSYM, .app, .framework, .xcframework, .xcarchive), a directory, which is searched with all its subfolders, a zip or tar \
      archive or an .ipa, or a report; '-' is a report from standard input.

      Each slice gets a line, as 'dwarfdump --uuid' prints it:
        UUID: 4C4C4421-5555-3144-A1AE-D843571BB5E2 (arm64) App.dSYM/Contents/Resources/DWARF/App
      ELF files have a build-id instead, in lower case, as 'readelf -n' prints it.

      Each image of a report with frames in it gets a line, too: its name in place of the path, its \
      addresses, and the frames that need its symbols. Images of the app come first, then those of \
      the operating system.
      """)

  static let shortHelp = """
    Print the UUIDs in symbol files, and those that reports need.

    Usage: \(synopsis)

      symbolicate uuid App.dSYM                   one line for each slice
      symbolicate uuid crash.ips                  the images whose symbols it needs
      symbolicate uuid dSYMs --format json        everything in a folder, as JSON

    'symbolicate uuid --help' has more options.
    """

  static let exitStatus = """
      0   done
      1   internal error
      64  wrong usage
      65  a path has no UUID: it is neither a symbol file nor a report, or has none
      66  a path cannot be read, or a symbol file is damaged
      74  standard output cannot be written
    If several apply, the first of 1, 74, 66, 65 is returned. All other paths are listed.
    """

  @OptionGroup(title: HelpSection.output) var format: DocumentFormatOption

  @OptionGroup(title: HelpSection.resources) var limits: LimitsOptions

  @OptionGroup var general: GeneralOptions

  @Argument(
    help: ArgumentHelp(
      "Symbol files, bundles, directories, archives and reports.", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  func validate() throws {
    if paths.isEmpty {
      throw ValidationError("Give at least one symbol file, directory or report.")
    }
  }

  func perform() -> ExitStatus {
    let limits = limits.stated
    let listing = UuidListing(paths: paths, limits: limits) { path in
      Result { () throws(ReportReadError) in
        try InputFile.readReport(path: path, limits: limits).bytes
      }
    }
    for problem in listing.problems { Diagnostics.error(problem) }
    var statuses = Set(listing.failures.map { ExitStatus($0) })
    let text = format.isJson ? UuidRenderer.json(listing) : UuidRenderer.text(listing).shownPath
    statuses.insert(.ofWriting(text))
    return .combined(statuses)
  }
}

extension ExitStatus {
  init(_ failure: UuidListing.Failure) {
    self =
      switch failure {
      case .nothingFound: .noReport
      case .unreadable: .unreadableInput
      }
  }
}
