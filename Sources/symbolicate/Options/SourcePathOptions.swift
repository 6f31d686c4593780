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
      "Show NEW for OLD in source paths (repeatable).",
      valueName: "old=new"))
  var pathMappings: [String] = []

  @Option(
    name: .customLong("strip-prefix"),
    help: ArgumentHelp(
      "Remove these folders from the start of source paths, after mapping (repeatable).",
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
      throw ValidationError("--map-path needs OLD=NEW, not '\(argument)'.")
    }
    if strippedPrefixes.contains(where: { PathPrefix($0) == nil }) {
      throw ValidationError("--strip-prefix needs the folders to remove.")
    }
  }

  var rules: SourcePathRules {
    SourcePathRules(
      showsFullPath: fullPath, mappings: pathMappings.compactMap { PathMapping($0) },
      strippedPrefixes: strippedPrefixes.compactMap { PathPrefix($0) })
  }
}

/// The source lines that `symbolicate` shows.
struct SourceLineOptions: OptionList {
  @Option(
    name: .customLong("source-context"),
    help: ArgumentHelp(
      "Show source lines, with N before and after each.",
      valueName: "n"))
  var lineCount: Int?

  @Option(
    name: .customLong("source-root"),
    help: ArgumentHelp(
      "Show source lines only from files in this folder (repeatable).",
      valueName: "directory"),
    completion: .directory)
  var roots: [String] = []

  @Option(
    name: .customLong("il2cpp-map"),
    help: ArgumentHelp(
      "Show lines of C# for the C++ that Unity's il2cpp made: its LineNumberMappings.json.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var il2cppMapPath: String?

  var options: [Mirror.Child] {
    [("_lineCount", _lineCount), ("_roots", _roots), ("_il2cppMapPath", _il2cppMapPath)]
  }

  func validate() throws {
    if let lineCount {
      guard context != nil else {
        throw ValidationError(
          "--source-context needs a number from 0 to \(SourceContext.maximumLineCount), not \(lineCount)."
        )
      }
    } else if !roots.isEmpty {
      throw ValidationError("--source-root needs --source-context.")
    }
  }

  var context: SourceContext? { lineCount.flatMap { SourceContext(lineCount: $0, roots: roots) } }

  /// Ends the command if the map cannot be read.
  func il2cppMap(limits: ResourceLimits) throws -> Il2CppLineMap? {
    guard let il2cppMapPath else { return nil }
    let bytes = try InputFile.readForOption(path: il2cppMapPath, limits: limits)
    do throws(Il2CppMapError) {
      return try Il2CppLineMap(bytes)
    } catch {
      Diagnostics.error(error.message(path: il2cppMapPath))
      throw ExitCode(ExitStatus.unreadableInput.rawValue)
    }
  }
}
