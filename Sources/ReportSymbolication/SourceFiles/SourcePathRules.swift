import SymbolicationModel

/// How the paths of source files are shown. They are applied where answers become the texts of
/// frames, and to nothing that a report says itself.
package struct SourcePathRules: Hashable, Sendable {
  /// Where text has room for one file alone: show its path, not only its name.
  package let showsFullPath: Bool
  /// The first one that fits a path is applied to it, as in gdb and lldb.
  private let mappings: [PathMapping]
  /// Of those that fit a path, the longest one is taken away, after mapping.
  private let strippedPrefixes: [PathPrefix]

  /// - Parameter showsFullPath: mappings and prefixes imply it: they have nothing else to work on.
  package init(
    showsFullPath: Bool = false, mappings: [PathMapping] = [],
    strippedPrefixes: [PathPrefix] = []
  ) {
    self.showsFullPath = showsFullPath || !mappings.isEmpty || !strippedPrefixes.isEmpty
    self.mappings = mappings
    self.strippedPrefixes = strippedPrefixes.sorted { $0.length > $1.length }
  }

  /// Where the file is, mapped.
  func mapped(_ location: SourceLocation) -> String {
    if mappings.isEmpty || location.namesNoFile { return location.path }
    for mapping in mappings {
      if let path = mapping.applied(to: location.path) { return path }
    }
    return location.path
  }

  /// The line to show of its file; nil for code that belongs to none.
  func sourceLine(_ location: SourceLocation) -> SourceLine? {
    guard location.line > 0, !location.namesNoFile else { return nil }
    return SourceLine(path: mapped(location), line: Int(location.line))
  }

  /// The place with its path as it is to be shown.
  func shown(_ location: SourceLocation) -> SourceLocation {
    if (mappings.isEmpty && strippedPrefixes.isEmpty) || location.namesNoFile { return location }
    var path = mapped(location)
    for prefix in strippedPrefixes {
      guard let rest = prefix.remainder(of: path) else { continue }
      // A path that would vanish stays.
      if !rest.isEmpty { path = String(rest) }
      break
    }
    return SourceLocation(path: path, line: location.line, column: location.column)
  }

  /// What text shows of a place whose path is as it is to be shown.
  func shownFile(_ location: SourceLocation) -> String {
    showsFullPath && !location.namesNoFile ? location.path : location.fileName
  }
}

extension SourceLocation {
  /// Whether its name stands for code that is in no file: `<compiler-generated>`, `<stdin>`, in
  /// whatever folder.
  var namesNoFile: Bool {
    guard path.utf8.last == UInt8(ascii: ">") else { return false }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.utf8.index(after: $0) } ?? path.utf8.startIndex
    return path.utf8[start...].first == UInt8(ascii: "<")
  }
}
