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
    // Asked for each frame: the two lists are not joined.
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

/// The folders, or the whole path, at the start of other paths. Whole components are compared:
/// `/a/b` is not a prefix of `/a/bc/x.swift`. Paths are not normalised: `/a/b` is not a prefix of
/// `/a/./b/x.swift`.
package struct PathPrefix: Hashable, Sendable {
  /// Without separators at its end; the root keeps its slash.
  package let text: String

  /// Nil for an empty text.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text.withoutTrailingSeparators
  }

  var length: Int { text.utf8.count }

  /// The part of `path` after the prefix, without the separators between the two; nil if `path`
  /// does not begin with the prefix.
  ///
  /// `.` is a prefix of every relative path, with `./` in front or without.
  func remainder(of path: String) -> Substring? {
    let isWindowsPath = path.isAbsoluteWindowsPath
    func isSeparator(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "/") || (isWindowsPath && byte == UInt8(ascii: "\\"))
    }
    if text == "." {
      guard !isWindowsPath, path.utf8.first != UInt8(ascii: "/") else { return nil }
      var rest = path[...]
      while rest.utf8.starts(with: "./".utf8) {
        rest = Substring(rest.utf8.dropFirst(2).drop(while: isSeparator))
      }
      return rest
    }
    var rest = path.utf8[...]
    for byte in text.utf8 {
      guard let next = rest.popFirst(),
        next == byte || (isSeparator(next) && isSeparator(byte))
      else { return nil }
    }
    if let next = rest.first, !isSeparator(next), let last = text.utf8.last, !isSeparator(last) {
      return nil
    }
    return Substring(rest.drop(while: isSeparator))
  }
}

/// A replacement for the folders at the start of source paths: from where the sources were when the
/// app was built, to where they are now.
package struct PathMapping: Hashable, Sendable {
  let old: PathPrefix
  /// Without separators at its end; the root keeps its slash. If it is empty, the path becomes
  /// relative.
  let new: String

  /// Nil for an empty `old`.
  package init?(from old: String, to new: String) {
    guard let old = PathPrefix(old) else { return nil }
    self.old = old
    self.new = new.withoutTrailingSeparators
  }

  /// - Parameter argument: `OLD=NEW`; the first `=` separates. Nil for anything else, and for an
  ///   empty OLD.
  package init?(_ argument: String) {
    guard let separator = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    self.init(
      from: String(argument[..<separator]),
      to: String(argument[argument.utf8.index(after: separator)...]))
  }

  /// `path` with its folders replaced; nil if it does not begin with the old ones.
  package func applied(to path: String) -> String? {
    guard let rest = old.remainder(of: path) else { return nil }
    // A path is never replaced with nothing.
    if rest.isEmpty { return new.isEmpty ? path : new }
    var tail = String(rest)
    if path.isAbsoluteWindowsPath, !new.isAbsoluteWindowsPath {
      tail = String(
        decoding: tail.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }, as: UTF8.self
      )
    }
    return new.isEmpty || new.utf8.last == UInt8(ascii: "/") ? new + tail : "\(new)/\(tail)"
  }
}

extension String {
  fileprivate var withoutTrailingSeparators: String {
    let isWindowsPath = isAbsoluteWindowsPath
    var rest = utf8[...]
    while rest.count > 1, let last = rest.last,
      last == UInt8(ascii: "/") || (isWindowsPath && last == UInt8(ascii: "\\"))
    {
      rest.removeLast()
    }
    return String(Substring(rest))
  }
}
