import ArgumentParser

/// The indexes that `symbolicate` uses in place of symbol files.
struct IndexOptions: ParsableArguments {
  @Flag(name: .customLong("no-index"), help: "Read the symbol files themselves, not their indexes.")
  var areIgnored = false

  @Option(
    name: .customLong("index-dir"),
    help: ArgumentHelp(
      "Look for indexes in this directory. (default: the user's cache)", valueName: "directory"),
    completion: .directory)
  var directory: String?
}
