// `symbolicate`: arguments, exit status, standard output and standard error. What the commands do is
// in ReportSymbolication.
//
// The program answers as Apple's `atos` when it is called by that name, or with `atos` as the first
// argument; `symbolicate index` makes indexes. `atos` has a grammar of its own (`AtosArguments`); everything else is read by
// ArgumentParser.

import ArgumentParser
import SymbolicationModel

var arguments = CommandLine.arguments.dropFirst()
let programName = CommandLine.arguments.first?.lastPathComponent

if programName == "atos" || arguments.first == "atos" {
  if programName != "atos" { arguments.removeFirst() }
  AtosCommand.run(Array(arguments))
} else if arguments.first == "index" {
  IndexCommand.main(Array(arguments.dropFirst()))
} else {
  SymbolicateCommand.main(Array(arguments))
}
