import ArgumentParser
import ReportSymbolication
import SymbolicationModel
import Synchronization
import Wording

/// Where symbol files are looked for: the options of every command that finds symbols by itself.
struct SymbolsOptions: OptionList {
  @Option(
    name: [.customShort("d"), .customLong("dsym")],
    help: ArgumentHelp(
      "A symbol file, directory or archive (repeatable).", valueName: "symbols"),
    completion: .file())
  var symbolPaths: [String] = []

  @Option(
    name: [.customShort("s"), .customLong("search")],
    help: ArgumentHelp(
      "Search here and in all folders below (repeatable).", valueName: "dir"),
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
    if symbolPaths.contains("") {
      throw ValidationError("-d needs a symbol file or a directory; what was given is empty.")
    }
    if searchDirectories.contains("") {
      throw ValidationError("-s needs a directory; what was given is empty.")
    }
  }

  /// - Parameters:
  ///   - symbolFiles: further paths that the user named.
  ///   - reports: the paths of the reports; `-` for standard input.
  func places(symbolFiles: [String] = [], reports: [String] = []) -> SymbolPlaces {
    var places = SymbolPlaces(
      paths: symbolPaths + symbolFiles,
      searchDirectories: SearchPath.readable(allSearchDirectories, searchProblems),
      reportFolders: ReportFolder.folders(of: reports))
    places.usesSearchIndex = !ignoresSearchIndex
    places.limits = .ofEnvironment
    return places
  }

  /// What is wrong with search directories, a sentence each. Of those that the environment names,
  /// absent ones count only if `includesEnvironment`.
  func warnings(includesEnvironment: Bool = false) -> [Message] {
    searchProblems.compactMap { problem in
      if searchDirectories.contains(problem.path) { return .warning(problem.message).whenQuiet }
      return includesEnvironment || problem.isRefusal ? .warning(problem.message) : nil
    }
  }

  private var allSearchDirectories: [String] { searchDirectories + SearchPath.directories() }

  /// What is wrong with search directories. They are looked at once in a run, so that messages name
  /// those that are not searched, whatever happens to them meanwhile.
  private var searchProblems: [SearchDirectoryProblem] {
    Self.knownProblems.withLock { known in
      let problems = known ?? SearchPath.problems(with: allSearchDirectories)
      known = problems
      return problems
    }
  }

  private static let knownProblems = Mutex<[SearchDirectoryProblem]?>(nil)
}

/// The options for servers of symbol files.
struct ServerOptions: OptionList {
  /// Texts, because ArgumentParser repeats a value that it cannot convert, with its password.
  @Option(
    name: .customLong("symbol-server"),
    help: ArgumentHelp(
      "Ask mozilla, electron, microsoft, chromium or a URL.", valueName: "url"))
  var servers: [String] = []

  @Flag(help: "Ask no server, but use what servers delivered before.")
  var offline = false

  var options: [Mirror.Child] { [("_servers", _servers), ("_offline", _offline)] }

  func validate() throws {
    guard isNeeded else { return }
    do {
      for text in servers { _ = try SymbolServer(text) }
      _ = try ServerLimits.stated()
    } catch let error as InvalidSymbolServer {
      throw ValidationError(error.message)
    } catch let error as ServerLimits.Unreadable {
      throw ValidationError(error.message)
    }
  }

  /// The environment is read only if it says something about servers.
  private var isNeeded: Bool { !servers.isEmpty || ServerLimits.namesDebuginfod() }

  func apply(to places: inout SymbolPlaces) {
    guard isNeeded else { return }
    places.servers = servers.compactMap { try? SymbolServer($0) }
    places.usesDebuginfod = ServerLimits.namesDebuginfod()
    places.isOffline = offline
    if let limits = try? ServerLimits.stated() { places.serverLimits = limits }
  }
}

extension InvalidSymbolServer {
  fileprivate var message: String {
    switch self {
    case .otherScheme(let text):
      "--symbol-server needs a URL that begins with https:// or http://, or one of \(PublicServer.allCases.map(\.rawValue).joined(separator: ", ")), not '\(text)'."
    case .notAUrl(let text):
      "--symbol-server needs a URL of a host and maybe a path, without spaces, ? and #, not '\(text)'."
    case .unknownLayout(let word):
      "--symbol-server needs one of the layouts \(SymbolLayout.allCases.map(\.rawValue).joined(separator: ", ")), not '\(word)'."
    }
  }
}

extension ServerLimits.Unreadable {
  fileprivate var message: String {
    isSize
      ? "\(variable) needs a size in bytes, or like 500M or 4G, not '\(value)'."
      : "\(variable) needs a number of seconds, not '\(value)'."
  }
}
