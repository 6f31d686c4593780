import ArgumentParser

/// The program with all its commands, for help, completions and the description for tools. Nothing
/// is run through it: each command is parsed alone, which takes less time.
struct ProgramDescription: ParsableCommand, CustomReflectable {
  /// The subcommands, in the order of the help: all but `atos`, which is the first. A new one is a
  /// line here.
  static let subcommands: [any ProgramCommand.Type] = [
    IndexCommand.self, UuidCommand.self, CheckCommand.self, DoctorCommand.self, GroupCommand.self,
    DsymForUuidCommand.self, WorkerCommand.self,
  ]

  static let configuration: CommandConfiguration = {
    let reports = SymbolicateCommand.configuration
    return CommandConfiguration(
      commandName: reports.commandName, abstract: reports.abstract,
      usage: ([SymbolicateCommand.synopsis, AtosSubcommand.synopsis]
        + subcommands.map { $0.synopsis })
        .joined(separator: "\n"),
      discussion: reports.discussion,
      subcommands: [AtosSubcommand.self] + subcommands, helpNames: [])
  }()

  init() {}

  init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: OptionName.self) }

  /// The options of `symbolicate` in sections.
  var customMirror: Mirror {
    let sections = SymbolicateCommand().sections.enumerated().map { number, section in
      (label: String?("section\(number)"), value: section.group())
    }
    return Mirror(self, children: sections)
  }

  /// The subcommand of that name, unless it is `atos`.
  static func subcommand(_ name: String) -> (any ProgramCommand.Type)? {
    subcommands.first { $0.name == name }
  }

  static var subcommandNames: [String] { [AtosSubcommand.name] + subcommands.map { $0.name } }

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

// The names of commands, for those who mistype one.
extension ProgramDescription {
  /// How many characters may be wrong.
  private static let mostErrors = 2

  /// The command whose name is most like `word`; nil if none is, or if the word is the path of a
  /// file in a folder or with a suffix.
  static func similarName(to word: String) -> String? {
    guard word.utf8.count >= 3, word.utf8.count <= 20, !word.contains("/"), !word.contains(".")
    else { return nil }
    let names = subcommandNames + ["help"]
    let distances = names.map { (name: $0, errors: errors(in: word, for: $0)) }
    return distances.filter { $0.errors <= min(mostErrors, $0.name.count / 2) }
      .min { $0.errors < $1.errors }?.name
  }

  /// How many characters are wrong, missing, too much, or exchanged with the next one.
  static func errors(in word: String, for name: String) -> Int {
    let (word, name) = (Array(word), Array(name))
    var earlier: [Int] = []
    var last = Array(0...name.count)
    for (row, character) in word.enumerated() {
      var current = [row + 1]
      for (column, expected) in name.enumerated() {
        var best = min(
          last[column] + (character == expected ? 0 : 1), last[column + 1] + 1,
          current[column] + 1)
        if row > 0, column > 0, character == name[column - 1], word[row - 1] == expected {
          best = min(best, earlier[column - 1] + 1)
        }
        current.append(best)
      }
      (earlier, last) = (last, current)
    }
    return last[name.count]
  }

  static func noSuchCommand(_ word: String) -> String {
    if let name = similarName(to: word) {
      return "there is no command '\(word)'; did you mean '\(name)'?"
    }
    let names = subcommandNames.joined(separator: ", ")
    return "there is no command '\(word)'; the commands are \(names)"
  }
}
