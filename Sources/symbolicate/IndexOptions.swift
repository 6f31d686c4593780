import ArgumentParser
import SymbolicationModel

/// The indexes that `symbolicate` uses in place of symbol files.
struct IndexOptions: OptionList {
  @Flag(name: .customLong("no-index"), help: "Read the symbol files themselves, not their indexes.")
  var ignoresIndexes = false

  @Option(
    name: .customLong("index-dir"),
    help: ArgumentHelp(
      "Look for indexes in this directory. (default: the user's cache)", valueName: "directory"),
    completion: .directory)
  var indexDirectory: String?

  var options: [Mirror.Child] {
    [("_ignoresIndexes", _ignoresIndexes), ("_indexDirectory", _indexDirectory)]
  }

  var use: IndexUse { ignoresIndexes ? .never : .cached(directory: indexDirectory) }
}
