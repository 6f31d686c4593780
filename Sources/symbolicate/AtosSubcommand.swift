import ArgumentParser

/// `symbolicate atos`, as help and completions list it. What runs is `AtosCommand`, without
/// ArgumentParser: the options of Apple's `atos` have a grammar of their own.
struct AtosSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atos",
    abstract: "Look up single addresses, as Apple's atos does.",
    usage: "symbolicate atos -o SYMBOLS [-l LOAD-ADDRESS] ADDRESS…",
    helpNames: [.short, .long])

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The options and addresses of atos.", valueName: "argument"),
    completion: .file())
  var arguments: [String] = []

  func run() { AtosCommand.run(arguments) }
}
