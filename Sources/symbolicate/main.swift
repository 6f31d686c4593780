// `symbolicate`: arguments, exit status, standard output and standard error. What the commands do
// is in ReportSymbolication.
//
// Called as `atos` or `dsymForUUID`, the program behaves as Apple's. Otherwise the first argument
// may name a subcommand; everything else is read by `SymbolicateCommand`. Each command is parsed
// alone: a tree of commands takes longer, and the list of reports would swallow a subcommand's
// name. The names of subcommands are reserved: a report of such a name is given as `./index`.
//
// An address through `atos` costs no start of ArgumentParser.

import ArgumentParser
import FileSystem
import Platform
import SymbolicationModel

EndingSignals.occupyStandardStreams()

guard var arguments = ProgramArguments.all else {
  Diagnostics.error(
    "cannot read the arguments of the command line: Swift reads them from /proc/self/maps, which fails here"
  )
  exit(ExitStatus.internalError.rawValue)
}
let programName = arguments.removeFirst().lastPathComponent

do {
  let isAtos = programName == "atos" || arguments.first == "atos"
  EndingSignals.handle(
    lostPage: Diagnostics.lostPage(isAtos: isAtos),
    unreadableStatus: isAtos ? AtosCommand.failure : ExitStatus.unreadableInput.rawValue)
}

switch programName {
case "atos": AtosCommand.run(arguments)
case "dsymForUUID": arguments.insert("dsym-for-uuid", at: 0)
default: break
}

switch arguments.first {
case "atos": AtosCommand.run(Array(arguments.dropFirst()))
case "help": Help.run(arguments.dropFirst())
case let option? where option.hasPrefix("--generate-completion-script"):
  // `OPTION SHELL`, or `OPTION=SHELL`.
  let words = option.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
  if let name = (words + arguments.dropFirst()).first, let shell = CompletionShell(rawValue: name) {
    OutputFile.printToEnd(CompletionScript.text(for: shell))
  } else {
    ProgramDescription.answer(arguments)
  }
case "--experimental-dump-help": ProgramDescription.answer(arguments)
case let name?:
  Help.answerRequest(in: arguments)
  if let subcommand = ProgramDescription.subcommand(name) {
    subcommand.runToEnd(Array(arguments.dropFirst()))
  } else {
    SymbolicateCommand.run(arguments)
  }
case nil: SymbolicateCommand.run(arguments)
}

/// The words of the command line.
enum ProgramArguments {
  /// The name of the program, and its arguments, as paths: `CommandLine.arguments` replaces bytes
  /// that are not UTF-8, and no path could be made of that.
  ///
  /// Nil if there are none, not even the name of the program: a static program of Swift finds them
  /// through `/proc`, and takes an error there for an empty list. The program must not act as if
  /// nothing was asked for.
  ///
  /// Soundness: the system's array of arguments lives as long as the process.
  static var all: [String]? {
    let words = (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe String(pathBytes: $0) }
    }
    return words.isEmpty ? nil : words
  }
}
