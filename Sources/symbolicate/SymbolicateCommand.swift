import ArgumentParser
import Glibc
import ReportSymbolication

/// `symbolicate REPORT -d SYMBOLS…`
struct SymbolicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbolicate",
    abstract: "Turns the addresses of a crash report into functions, files and lines.",
    usage: """
      symbolicate REPORT [-d SYMBOLS]… [-o FILE]
      … | symbolicate -d SYMBOLS
      symbolicate atos -o SYMBOLS [-l LOAD-ADDRESS] ADDRESS…
      """,
    discussion: """
      SYMBOLS is a dSYM, the DWARF file in it, an executable or library (Mach-O or ELF), or a \
      directory, which is searched for the files that the report's UUIDs ask for. The report comes \
      out as it went in, byte for byte, but for the frames that were resolved. What is missing is \
      told on standard error.

      'symbolicate atos --help' tells of single addresses.

      Exit status: 0 done (frames may have stayed unresolved), 1 internal error, 2 a frame is \
      unresolved and --strict was given, 3 a file given with -d is for no image of the report while \
      an image of its name stayed unresolved, 64 wrong usage, 65 no report in the input (it is \
      passed through as it is), 66 an input cannot be read, 73 the output cannot be created, 74 the \
      output cannot be written. Where several hold, the first of 1, 74, 73, 66, 65, 3, 2.
      """,
    version: "symbolicate \(symbolicateVersion)")

  @Option(
    name: [.customShort("d"), .customLong("dsym")],
    help: ArgumentHelp("A symbol file, or a directory of them. Repeatable.", valueName: "symbols"))
  var symbolPaths: [String] = []

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file, whole or not at all.", valueName: "file"))
  var outputPath: String?

  @Flag(help: "Exit with 2 when a frame stays unresolved.")
  var strict = false

  @Argument(
    help: ArgumentHelp(
      "The report ('-', or nothing with input piped in: standard input), then symbol files.",
      valueName: "report"))
  var paths: [String] = []

  func run() throws {
    guard !paths.isEmpty || isatty(STDIN_FILENO) == 0 else {
      // Nothing to read and nobody who pipes: waiting for a report to be typed helps nobody.
      Diagnostics.note(Self.helpMessage())
      throw ExitCode(ExitStatus.usage.rawValue)
    }
    let run = SymbolicateRun(
      reportPath: paths.first ?? "-", symbolPaths: symbolPaths + paths.dropFirst(),
      outputPath: outputPath, isStrict: strict)
    let status = run.perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}

/// The version of this program.
let symbolicateVersion = "0.1.0"
