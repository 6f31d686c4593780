import ArgumentParser

/// The program with all its commands, for help, completions and the description for tools. Nothing
/// is run through it: each command is parsed alone, which takes less time.
struct ProgramDescription: ParsableCommand, CustomReflectable {
  static let configuration: CommandConfiguration = {
    let reports = SymbolicateCommand.configuration
    return CommandConfiguration(
      commandName: reports.commandName, abstract: reports.abstract,
      usage: """
        \(reports.usage ?? "")
        symbolicate atos -o SYMBOLS [-l LOAD-ADDRESS] ADDRESS…
        symbolicate index SYMBOLS… [-o DIRECTORY]
        symbolicate uuid PATH…
        symbolicate check RELEASE [-d SYMBOLS]…
        symbolicate doctor REPORT [-d SYMBOLS]… [-s DIRECTORY]…
        symbolicate group PATH… [-d SYMBOLS]… [-s DIRECTORY]…
        symbolicate dsym-for-uuid UUID… [-s DIRECTORY]…
        … | symbolicate worker [-d SYMBOLS]… [-s DIRECTORY]…
        """,
      discussion: reports.discussion,
      subcommands: [AtosSubcommand.self] + subcommands, helpNames: [])
  }()

  /// All but `atos`.
  static let subcommands: [any ProgramCommand.Type] = [
    IndexCommand.self, UuidCommand.self, CheckCommand.self, DoctorCommand.self, GroupCommand.self,
    DsymForUuidCommand.self, WorkerCommand.self,
  ]

  init() {}

  init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: OptionName.self) }

  /// The options of `symbolicate` in sections.
  var customMirror: Mirror {
    let sections = SymbolicateCommand().sections.enumerated().map { number, section in
      (label: String?("section\(number)"), value: section.group())
    }
    return Mirror(self, children: sections)
  }

  /// The subcommand of that name, unless it is `atos`. A list would take the time of building it.
  static func subcommand(_ name: String) -> (any ProgramCommand.Type)? {
    switch name {
    case "index": IndexCommand.self
    case "uuid": UuidCommand.self
    case "check": CheckCommand.self
    case "doctor": DoctorCommand.self
    case "group": GroupCommand.self
    case "dsym-for-uuid": DsymForUuidCommand.self
    case "worker": WorkerCommand.self
    default: nil
    }
  }

  static var subcommandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// Ends the program with what ArgumentParser answers to `arguments`.
  static func answer(_ arguments: [String]) -> Never {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      end(after: error)
    }
    end(after: CleanExit.helpRequest())
  }
}
