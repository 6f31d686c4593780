import SymbolicationModel

/// The file names of one unit's line table. Paths are composed when they are asked for, once.
package final class LineFileTable {
  package struct File: Sendable {
    let name: StringReference?
    let directory: UInt64

    /// - Parameter directory: its number, as the table's header has it.
    package init(name: StringReference?, directory: UInt64) {
      self.name = name
      self.directory = directory
    }
  }

  private let sections: DwarfSections
  /// Of the line table, which may differ from the unit's.
  private let version: UInt64
  /// `DW_AT_comp_dir` of the unit.
  private let compilationDirectory: String?
  /// As the header has them: before DWARF 5 the first is number 1, since then number 0.
  private let directories: [StringReference?]
  private let files: [File]
  private let limits: DecodingLimits?
  private var paths: [UInt32: String] = [:]
  /// Whether a name was asked for that stands nowhere: the paths made of it are missing, or shorter.
  package private(set) var hasUnreadableNames = false

  package convenience init(
    sections: DwarfSections, version: UInt64, compilationDirectory: String?,
    directories: [StringReference?], files: [File]
  ) {
    self.init(
      sections: sections, version: version, compilationDirectory: compilationDirectory,
      directories: directories, files: files, limits: nil)
  }

  /// - Parameter limits: what the text read for paths counts for.
  init(
    sections: DwarfSections, version: UInt64, compilationDirectory: String?,
    directories: [StringReference?], files: [File], limits: DecodingLimits?
  ) {
    self.limits = limits
    self.sections = sections
    self.version = version
    self.compilationDirectory = compilationDirectory
    self.directories = directories
    self.files = files
  }

  /// The path of the file that the line program, or `DW_AT_call_file`, calls `index`; nil where the
  /// table has no such file (number 0 before DWARF 5) or gives it no name.
  package func path(at index: UInt32) -> String? {
    if let path = paths[index] { return path }
    let path = composePath(at: index)
    if let path { paths[index] = path }
    return path
  }

  /// DWARF 5, section 6.2.4: a name that is not absolute stands in its directory, and a directory
  /// that is not absolute in the compilation directory, which is directory 0. (Since version 5 that is
  /// listed as well, and the same as `DW_AT_comp_dir`.)
  private func composePath(at index: UInt32) -> String? {
    let position = version >= 5 ? Int(index) : Int(index) - 1
    guard files.indices.contains(position), let name = string(files[position].name) else {
      return nil
    }
    if Self.isAbsolute(name) { return name }
    var path = ""
    let directory = directory(at: files[position].directory)
    if directory.map(Self.isAbsolute) != true {
      let base = compilationDirectory ?? (version >= 5 ? self.directory(at: 0) : nil)
      let isBase = version >= 5 && files[position].directory == 0 && directory == base
      if let base, !isBase { Self.append(base, to: &path) }
    }
    Self.append(directory ?? "", to: &path)
    Self.append(name, to: &path)
    limits?.texts.add(path.utf8.count)
    return path.isEmpty ? nil : path
  }

  /// Nil where the table has no such directory.
  private func directory(at index: UInt64) -> String? {
    guard version >= 5 || index > 0,
      let position = Int(exactly: version >= 5 ? index : index - 1),
      directories.indices.contains(position)
    else { return nil }
    return string(directories[position])
  }

  private func string(_ place: StringReference?) -> String? {
    if let limits, !limits.texts.permitsMore { return nil }
    let text = place.flatMap { sections.string(in: $0.section, at: $0.offset) }
    limits?.texts.add(text?.utf8.count ?? 0)
    if text == nil { hasUnreadableNames = true }
    return text
  }

  private static func isAbsolute(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/") || path.isAbsoluteWindowsPath
  }

  /// Joins with one slash. Nothing else is changed: the path is the one that the compiler was given.
  private static func append(_ part: String, to path: inout String) {
    if part.isEmpty { return }
    if !path.isEmpty, path.utf8.last != UInt8(ascii: "/") { path += "/" }
    path += part
  }
}
