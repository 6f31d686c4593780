import ArgumentParser
import FileSystem
import ReportSymbolication
import SymbolicationModel
import SymbolTools

/// `symbolicate dsym-for-uuid UUID…`, which LLDB can run.
struct DsymForUuidCommand: ProgramCommand {
  static let name = "dsym-for-uuid"
  static let synopsis = "symbolicate dsym-for-uuid UUID… [-s DIRECTORY]…"

  static let configuration = CommandConfiguration(
    command: name,
    abstract: "Find dSYMs by UUID, for LLDB.",
    usage: "symbolicate dsym-for-uuid UUID… [-d SYMBOLS]… [-s DIRECTORY]… [--symbol-server URL]…",
    discussion: """
      Prints a property list for LLDB: for each UUID a dictionary with DBGDSYMPath, the DWARF file, \
      or DBGError. In place of a UUID, the path of a program or library can be given.

      LLDB runs the program that LLDB_APPLE_DSYMFORUUID_EXECUTABLE names, with no other arguments \
      than the UUID. Let it name a script:

        #!/bin/sh
        exec symbolicate dsym-for-uuid -s ~/Archives "$@"

      A link called dsymForUUID to this program behaves like this command.
      """)

  static let shortHelp = """
    Find dSYMs by UUID, for LLDB.

    Usage: \(synopsis)

      symbolicate dsym-for-uuid A4B1DE49-70B3-301D-A644-58D6BC22F513 -s dSYMs
      symbolicate dsym-for-uuid App.app/Contents/MacOS/App -s ~/Archives

    'symbolicate dsym-for-uuid --help' has more options.
    """

  static let exitStatus = """
      0   a property list was printed; it may hold nothing but DBGError
      1   internal error
      64  wrong usage
      66  a symbol file became shorter, or its disk failed, while it was read
      74  the output cannot be written
    """

  @OptionGroup(title: HelpSection.symbols) var symbols: SymbolsOptions

  @OptionGroup(title: HelpSection.symbols) var servers: ServerOptions

  @OptionGroup(title: HelpSection.resources) var limits: LimitsOptions

  // What Apple's program is called with. There is nothing to copy, and nothing is remembered.

  @Flag(
    name: .customLong("ignoreNegativeCache"),
    help: "Accepted for compatibility, without effect.")
  var ignoresNegativeCache = false

  @Flag(
    name: .customLong("copyExecutable"), help: "Accepted for compatibility, without effect.")
  var copiesExecutable = false

  @Flag(name: .customLong("copySource"), help: "Accepted for compatibility, without effect.")
  var copiesSource = false

  @OptionGroup var general: GeneralOptions

  @Argument(
    help: ArgumentHelp(
      "UUIDs or build-ids, in any spelling, or paths of programs and libraries.",
      valueName: "uuid"),
    completion: .file())
  var arguments: [String]

  func perform() -> ExitStatus {
    var places = symbols.places()
    servers.apply(to: &places)
    places.limits = limits.stated
    for warning in symbols.warnings() { Diagnostics.show(warning) }
    let download = DownloadLine()
    let search = DsymForUuid(
      places, progress: ProgressLine.searchProgress(), downloadProgress: download.progress)
    let answer = search.answer(for: arguments)
    download.clear()
    for problem in search.problems { Diagnostics.show(problem) }
    return .ofWriting(answer)
  }
}
