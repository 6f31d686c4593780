/// Where symbol files are looked for: what the user and the environment state.
///
/// The places are asked in the order of the properties. A later one is asked only for what no
/// earlier one has.
package struct SymbolPlaces: Hashable, Sendable {
  /// Symbol files, bundles, archives and directories that the user gave by name (`-d`), most wanted
  /// first. Directories are searched with all their subfolders.
  package var paths: [String]
  /// Directories that are searched with all their subfolders (`-s`, `SYMBOLICATE_SYMBOL_PATH`,
  /// `SWIFT_SYMBOLICATE_SYMBOL_PATHS`). Unlike a directory in `paths`, one of them that is absent
  /// or holds no symbol file is not a problem.
  package var searchDirectories: [String]
  /// The folders that the reports are in. Only their own entries are looked at, not all subfolders.
  package var reportFolders: [String]
  /// Where the system keeps debug information; absolute paths.
  package var debugDirectories: [String]
  /// The directory that is used in place of the user's cache; nil for that of the environment.
  package var cacheDirectory: String?
  /// Whether what was learnt from reports is used, and in which directory of indexes it is; nil for
  /// the cache.
  package var usesIndexes = true
  package var indexDirectory: String?
  /// Whether the cache keeps an index of each large directory that is searched.
  package var usesSearchIndex = false
  /// Servers that are asked for what no place on this machine has, first to last.
  package var servers: [SymbolServer] = []
  /// Whether the servers in debuginfod's own variables are asked, after `servers`.
  package var usesDebuginfod = false
  /// Whether servers are not asked, and only what they delivered before is used.
  package var isOffline = false
  package var serverLimits = ServerLimits()
  /// How much is read of symbol files, archives and directories.
  package var limits = ResourceLimits()

  /// Where Linux distributions keep debug information.
  package static let systemDebugDirectories = ["/usr/lib/debug"]

  package init(
    paths: [String] = [], searchDirectories: [String] = [], reportFolders: [String] = [],
    debugDirectories: [String] = systemDebugDirectories
  ) {
    self.paths = paths
    self.searchDirectories = searchDirectories
    self.reportFolders = reportFolders
    self.debugDirectories = debugDirectories
  }
}
