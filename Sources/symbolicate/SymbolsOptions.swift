import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// Where symbol files are looked for: the options of every command that finds symbols by itself.
struct SymbolsOptions: OptionList {
  @Option(
    name: [.customShort("d"), .customLong("dsym")],
    help: ArgumentHelp(
      "A symbol file, or a directory or archive of symbol files. Repeatable.", valueName: "symbols"),
    completion: .file())
  var symbolPaths: [String] = []

  @Option(
    name: [.customShort("s"), .customLong("search")],
    help: ArgumentHelp(
      "Search this directory and all below it, after -d. Repeatable; SYMBOLICATE_SYMBOL_PATH lists more.",
      valueName: "directory"),
    completion: .directory)
  var searchDirectories: [String] = []

  @Flag(
    name: .customLong("no-search-index"),
    help: "Search directories anew, without the index of each in the cache.")
  var ignoresSearchIndex = false

  var options: [Mirror.Child] {
    [
      ("_symbolPaths", _symbolPaths), ("_searchDirectories", _searchDirectories),
      ("_ignoresSearchIndex", _ignoresSearchIndex),
    ]
  }

  func validate() throws {
    if symbolPaths.contains("") { throw ValidationError(UsageMessages.emptySymbols) }
    if searchDirectories.contains("") {
      throw ValidationError(UsageMessages.emptySearchDirectory)
    }
  }

  /// - Parameters:
  ///   - symbolFiles: further paths that the user named.
  ///   - reports: the paths of the reports; `-` for standard input.
  func places(symbolFiles: [String] = [], reports: [String] = []) -> SymbolPlaces {
    var places = SymbolPlaces(
      paths: symbolPaths + symbolFiles,
      searchDirectories: searchDirectories + SearchPath.directories(),
      reportFolders: ReportFolder.folders(of: reports))
    places.usesSearchIndex = !ignoresSearchIndex
    places.limits = .ofEnvironment
    return places
  }

  /// What is wrong with search directories, a sentence each: only those given by name count, unless
  /// `includesEnvironment`.
  func warnings(includesEnvironment: Bool = false) -> [String] {
    let stated = searchDirectories + (includesEnvironment ? SearchPath.directories() : [])
    return SearchPath.problems(with: stated).map(\.message)
  }
}
