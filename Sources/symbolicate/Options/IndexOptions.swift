import Wording
import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// The indexes that are used in place of symbol files, and where they and other things are kept.
struct IndexOptions: OptionList {
  @Flag(name: .customLong("no-index"), help: "Read the symbol files themselves, not their indexes.")
  var ignoresIndexes = false

  @Option(
    name: .customLong("index-dir"),
    help: ArgumentHelp(
      "Look for indexes in this directory, not in the user's cache.", valueName: "directory"),
    completion: .directory)
  var indexDirectory: String?

  @Option(
    name: .customLong("cache-dir"),
    help: ArgumentHelp(
      "Use this directory in place of the user's cache.",
      valueName: "directory"),
    completion: .directory)
  var cacheDirectory: String?

  var options: [Mirror.Child] {
    [
      ("_ignoresIndexes", _ignoresIndexes), ("_indexDirectory", _indexDirectory),
      ("_cacheDirectory", _cacheDirectory),
    ]
  }

  func validate() throws {
    if indexDirectory?.isEmpty == true {
      throw ValidationError("--index-dir needs a directory.")
    }
    if cacheDirectory?.isEmpty == true {
      throw ValidationError("--cache-dir needs a directory.")
    }
  }

  func apply(to places: inout SymbolPlaces) {
    places.cacheDirectory = cacheDirectory
    places.usesIndexes = !ignoresIndexes
    places.indexDirectory = indexDirectory
  }

  /// Why the named cache or the indexes cannot be used: a sentence for each.
  var warnings: [Message] {
    let ofIndexes = indexDirectory.flatMap { SearchPath.problems(with: [$0]).first }
    return [
      cacheDirectory.flatMap { CacheDirectoryProblem(with: $0)?.message },
      ofIndexes.map { "--index-dir: \($0.message)" },
    ].compactMap { $0.map { .warning($0).whenQuiet } }
  }

  var use: IndexUse { ignoresIndexes ? .never : .cached(directory: indexDirectory) }
}
