package import SymbolStore
package import SymbolicationModel

/// How the paths of source files are shown. The rules apply to paths from symbol files, not to
/// those that a report already has.
package struct SourcePathRules: Hashable, Sendable {
  /// Whether text shows the path of a file, not only its name.
  package let showsFullPath: Bool
  /// The first mapping that matches a path is applied to it, as in gdb and lldb.
  private let mappings: [PathMapping]
  /// What the dSYM of the image records, for paths that no mapping of the user matches.
  private var recordedMappings: [PathMapping] = []
  /// The longest prefix of a path is removed, after mapping.
  private let strippedPrefixes: [PathPrefix]

  /// - Parameter showsFullPath: mappings and prefixes imply it, since names have no folders.
  package init(
    showsFullPath: Bool = false, mappings: [PathMapping] = [],
    strippedPrefixes: [PathPrefix] = []
  ) {
    self.showsFullPath = showsFullPath || !mappings.isEmpty || !strippedPrefixes.isEmpty
    self.mappings = mappings
    self.strippedPrefixes = strippedPrefixes.sorted { $0.length > $1.length }
  }

  /// The rules for an image whose dSYM records where the sources are now. They do not make text
  /// show paths.
  package func with(_ recorded: [RecordedSourceMapping]) -> SourcePathRules {
    guard !recorded.isEmpty else { return self }
    var rules = self
    rules.recordedMappings = recorded.compactMap { PathMapping(from: $0.old, to: $0.new) }
    return rules
  }

  private var hasMappings: Bool { !mappings.isEmpty || !recordedMappings.isEmpty }

  /// The file's path after mapping.
  func mapped(_ location: SourceLocation) -> String {
    if !hasMappings || location.namesNoFile { return location.path }
    for mapping in mappings {
      if let path = mapping.applied(to: location.path) { return path }
    }
    for mapping in recordedMappings {
      if let path = mapping.applied(to: location.path) { return path }
    }
    return location.path
  }

  /// The line to show from the source file; nil for code that is in no file.
  func sourceLine(_ location: SourceLocation) -> SourceLine? {
    guard location.line > 0, !location.namesNoFile else { return nil }
    return SourceLine(path: mapped(location), line: Int(location.line))
  }

  /// The location with its path as it is shown: mapped, and without the longest prefix.
  func shown(_ location: SourceLocation) -> SourceLocation {
    if (!hasMappings && strippedPrefixes.isEmpty) || location.namesNoFile { return location }
    var path = mapped(location)
    for prefix in strippedPrefixes {
      guard let rest = prefix.remainder(of: path) else { continue }
      // A path is never reduced to nothing.
      if !rest.isEmpty { path = String(rest) }
      break
    }
    return SourceLocation(path: path, line: location.line, column: location.column)
  }

  /// The file as text shows it: the path or the name. `location` has been through `shown(_:)`.
  package func shownFile(_ location: SourceLocation) -> String {
    showsFullPath && !location.namesNoFile ? location.path : location.fileName
  }
}

extension SourceLocation {
  /// Whether the name stands for code that is in no file: `<compiler-generated>`, `<stdin>`, in any
  /// folder.
  var namesNoFile: Bool {
    guard path.utf8.last == UInt8(ascii: ">") else { return false }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.utf8.index(after: $0) } ?? path.utf8.startIndex
    return path.utf8[start...].first == UInt8(ascii: "<")
  }
}
