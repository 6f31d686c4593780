import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// How paths of source files are shown.
struct SourcePathOptions: ParsableArguments {
  @Flag(help: "Show the paths of source files, not only their names.")
  var fullPath = false

  @Option(
    name: .customLong("map-path"),
    help: ArgumentHelp(
      "Replace the folders OLD at the start of source paths with NEW. Repeatable; the first match is applied. Implies --full-path.",
      valueName: "old=new"),
    transform: { argument in
      guard let mapping = PathMapping(argument) else {
        throw ValidationError(UsageMessages.notAPathMapping(argument))
      }
      return mapping
    })
  var pathMappings: [PathMapping] = []

  @Option(
    name: .customLong("strip-prefix"),
    help: ArgumentHelp(
      "Remove these folders from the start of source paths, after mapping. Repeatable; the longest match is removed. Implies --full-path.",
      valueName: "folders"),
    transform: { argument in
      guard let prefix = PathPrefix(argument) else {
        throw ValidationError(UsageMessages.emptyPrefix)
      }
      return prefix
    })
  var strippedPrefixes: [PathPrefix] = []

  var rules: SourcePathRules {
    SourcePathRules(
      showsFullPath: fullPath, mappings: pathMappings, strippedPrefixes: strippedPrefixes)
  }
}
