import ArgumentParser

/// A command with options of the usual kind: all but `atos`.
protocol ProgramCommand: ParsableCommand {
  static var name: String { get }
  /// The lines of the program's usage that are about the command.
  static var synopsis: String { get }
  /// What `-h` prints: a synopsis, examples, and the options that most runs need, in 80 columns.
  static var shortHelp: String { get }
  /// The list of exit statuses, which is the end of the help.
  static var exitStatus: String { get }
  var general: GeneralOptions { get }
  /// Does what the command is for, once its options are checked.
  func perform() throws -> ExitStatus
}

extension ProgramCommand {
  func run() throws {
    let status = try perform()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// Runs the command with `arguments`, and ends the program if it fails.
  static func runToEnd(_ arguments: [String]) {
    runToEnd(EarlierSpellings.replaced(in: arguments, of: name)) { _ in }
  }

  /// - Parameter complete: adds what did not go through ArgumentParser.
  static func runToEnd(_ arguments: [String], complete: (inout Self) -> Void) {
    do {
      var parsed = try parseAsRoot(arguments)
      // Anything else is what ArgumentParser runs itself.
      if var command = parsed as? Self {
        complete(&command)
        if command.general.quiet { Diagnostics.beQuiet() }
        parsed = command
      }
      try parsed.run()
    } catch {
      end(after: error)
    }
  }
}

extension CommandConfiguration {
  /// The configuration of a command that is parsed alone, without a tree of subcommands.
  ///
  /// - Parameter command: `symbolicate`, or the name of a subcommand.
  init(command: String, abstract: String, usage: String, discussion: String) {
    self.init(
      commandName: command, abstract: abstract, usage: usage, discussion: discussion, helpNames: [])
    // With this name, ArgumentParser does not look for a request of a completion script with two
    // parsers of its own, which was a quarter of a small run. `main.swift` answers that request.
    _superCommandName = "symbolicate"
  }
}

/// Names of options in earlier versions. They go on working, and no help shows them.
enum EarlierSpellings {
  /// `arguments` with the names of today.
  ///
  /// - Parameter command: the name of a subcommand.
  static func replaced(in arguments: [String], of command: String) -> [String] {
    let (earlier, today) =
      switch command {
      case "uuid", "check", "doctor": ("--json", "--format=json")
      case "worker": ("--output", "--format")
      case "index": ("--index-dir", "--output")
      default: ("", "")
      }
    guard !earlier.isEmpty else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let renamed = arguments[..<end].map { word in
      let isEarlier = word == earlier || word.hasPrefix(earlier + "=")
      return isEarlier ? today + word.dropFirst(earlier.count) : word
    }
    return renamed + arguments[end...]
  }
}
