import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// How paths of source files are shown.
struct SourcePathOptions: OptionList {
  @Flag(help: "Show the paths of source files, not only their names.")
  var fullPath = false

  @Option(
    name: .customLong("map-path"),
    help: ArgumentHelp(
      "Replace the folders OLD at the start of source paths with NEW. Repeatable; the first match is applied. Implies --full-path.",
      valueName: "old=new"))
  var pathMappings: [String] = []

  @Option(
    name: .customLong("strip-prefix"),
    help: ArgumentHelp(
      "Remove these folders from the start of source paths, after mapping. Repeatable; the longest match is removed. Implies --full-path.",
      valueName: "folders"))
  var strippedPrefixes: [String] = []

  var options: [Mirror.Child] {
    [
      ("_fullPath", _fullPath), ("_pathMappings", _pathMappings),
      ("_strippedPrefixes", _strippedPrefixes),
    ]
  }

  // The values are converted here: each type of an option takes ArgumentParser a while at its first
  // use.
  func validate() throws {
    for argument in pathMappings where PathMapping(argument) == nil {
      throw ValidationError(UsageMessages.notAPathMapping(argument))
    }
    if strippedPrefixes.contains(where: { PathPrefix($0) == nil }) {
      throw ValidationError(UsageMessages.emptyPrefix)
    }
  }

  var rules: SourcePathRules {
    SourcePathRules(
      showsFullPath: fullPath, mappings: pathMappings.compactMap { PathMapping($0) },
      strippedPrefixes: strippedPrefixes.compactMap { PathPrefix($0) })
  }
}
