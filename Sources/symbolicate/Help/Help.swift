import Platform

/// Requests for help and for the version, which end the program.
enum Help {
  /// `symbolicate help [COMMAND]`
  static func run(_ words: ArraySlice<String>) -> Never {
    switch words.first {
    case nil, "help": OutputFile.printToEnd(HelpText.ofProgram(.usual))
    case "atos": AtosCommand.run(["--help"])
    case let name?:
      guard let command = ProgramDescription.subcommand(name) else {
        Diagnostics.error(ProgramDescription.noSuchCommand(name))
        exit(ExitStatus.usage.rawValue)
      }
      OutputFile.printToEnd(HelpText.of(command, .usual))
    }
    exit(ExitStatus.success.rawValue)
  }

  /// Ends the program if one of the options is `-h`, `--help`, `--help-all`, `-V` or `--version`
  /// (Apple's tools have `-version` and `-help`), or has one of these letters among others, as
  /// `-qh`. What is missing or wrong besides does not matter then.
  static func answerRequest(in arguments: [String]) {
    guard let request = request(among: arguments) else { return }
    let command = arguments.first.flatMap(ProgramDescription.subcommand)
    switch request {
    case .version: OutputFile.printToEnd(VersionText.full)
    case .shortHelp: OutputFile.printToEnd(command?.shortHelp ?? SymbolicateCommand.shortHelp)
    case .help(let extent):
      OutputFile.printToEnd(
        command.map { HelpText.of($0, extent) } ?? HelpText.ofProgram(extent))
    }
    exit(ExitStatus.success.rawValue)
  }

  private enum Request {
    case help(HelpText.Extent)
    case shortHelp
    case version
  }

  /// The first of the options. For a lazy sequence the runtime would build types at each start.
  private static func request(among arguments: [String]) -> Request? {
    for word in arguments {
      if word == "--" { return nil }
      if let request = request(word) { return request }
    }
    return nil
  }

  private static func request(_ word: String) -> Request? {
    switch word {
    case "--help", "-help": return .help(.usual)
    case "--help-all": return .help(.all)
    case "--version", "-version": return .version
    default:
      let letters = word.utf8.dropFirst()
      guard word.utf8.first == UInt8(ascii: "-"), letters.allSatisfy("hqvV".utf8.contains) else {
        return nil
      }
      if letters.contains(UInt8(ascii: "h")) { return .shortHelp }
      return letters.contains(UInt8(ascii: "V")) ? .version : nil
    }
  }
}
