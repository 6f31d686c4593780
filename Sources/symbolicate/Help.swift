import Glibc

/// Requests for help and for the version, which end the program.
enum Help {
  /// `symbolicate help [COMMAND]`
  static func run(_ words: ArraySlice<String>) -> Never {
    switch words.first {
    case nil, "help": OutputFile.printToEnd(HelpText.ofProgram())
    case "atos": AtosCommand.run(["--help"])
    case let name?:
      guard let command = ProgramDescription.subcommand(name) else {
        Diagnostics.error(UsageMessages.noSuchCommand(name))
        exit(ExitStatus.usage.rawValue)
      }
      OutputFile.printToEnd(HelpText.of(command))
    }
    exit(ExitStatus.success.rawValue)
  }

  /// Ends the program if one of the options is `-h`, `--help`, `-V` or `--version`. What is missing
  /// or wrong besides does not matter then.
  static func answerRequest(in arguments: [String]) {
    let options = arguments.prefix { $0 != "--" }
    guard let request = options.first(where: isRequest) else { return }
    let command = arguments.first.flatMap(ProgramDescription.subcommand)
    switch request {
    case "-V", "--version": OutputFile.printToEnd(VersionText.full)
    case "-h": OutputFile.printToEnd(command?.shortHelp ?? ShortHelp.program)
    default: OutputFile.printToEnd(command.map { HelpText.of($0) } ?? HelpText.ofProgram())
    }
    exit(ExitStatus.success.rawValue)
  }

  private static func isRequest(_ word: String) -> Bool {
    switch word {
    case "-h", "--help", "-V", "--version": true
    default: false
    }
  }
}
