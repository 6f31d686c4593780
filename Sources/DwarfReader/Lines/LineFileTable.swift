import SymbolicationModel

/// The file names of one unit's line table. Each path is composed when it is first needed, and
/// kept.
package final class LineFileTable {
  /// An entry of the file table.
  package struct File: Sendable {
    let name: StringReference?
    let directory: UInt64

    /// - Parameter directory: the number of the directory in the header.
    package init(name: StringReference?, directory: UInt64) {
      self.name = name
      self.directory = directory
    }
  }

  private let sections: DwarfSections
  /// The version of the line table, which may differ from that of the unit.
  private let version: UInt64
  /// `DW_AT_comp_dir` of the unit.
  private let compilationDirectory: String?
  /// In the order of the header. The first has number 0 in DWARF 5, and number 1 before.
  private let directories: [StringReference?]
  private let files: [File]
  private let limits: DecodingLimits?
  private var paths: [UInt32: String] = [:]
  /// Whether a name that was needed could not be read. Paths with that name are missing or shorter.
  package private(set) var hasUnreadableNames = false

  /// A table without limits on the text that is read.
  package convenience init(
    sections: DwarfSections, version: UInt64, compilationDirectory: String?,
    directories: [StringReference?], files: [File]
  ) {
    self.init(
      sections: sections, version: version, compilationDirectory: compilationDirectory,
      directories: directories, files: files, limits: nil)
  }

  /// - Parameter limits: the limits that the text read for paths counts towards.
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

  /// The path of the file with `index` in the line program or `DW_AT_call_file`. Nil if the table
  /// has no such file (before DWARF 5, number 0 means "no file"), or its name cannot be read. Bytes
  /// that are not UTF-8 are kept (`PathByte`).
  package func path(at index: UInt32) -> String? {
    if let path = paths[index] { return path }
    let path = composePath(at: index)
    if let path { paths[index] = path }
    return path
  }

  /// A relative name is relative to its directory, and a relative directory to the compilation
  /// directory, which is directory 0 (DWARF 5, section 6.2.4). Since version 5, the table also
  /// lists the compilation directory, and it is the same as `DW_AT_comp_dir`.
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

  /// Nil if the table has no such directory.
  private func directory(at index: UInt64) -> String? {
    guard version >= 5 || index > 0,
      let position = Int(exactly: version >= 5 ? index : index - 1),
      directories.indices.contains(position)
    else { return nil }
    return string(directories[position])
  }

  private func string(_ reference: StringReference?) -> String? {
    if let limits, !limits.texts.permitsMore { return nil }
    let text = reference.flatMap { sections.path(in: $0.section, at: $0.offset) }
    limits?.texts.add(text?.utf8.count ?? 0)
    if text == nil { hasUnreadableNames = true }
    return text
  }

  private static func isAbsolute(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/") || path.isAbsoluteWindowsPath
  }

  /// Joins two parts with one slash. Nothing else is normalised: the path is that given to the
  /// compiler.
  private static func append(_ part: String, to path: inout String) {
    if part.isEmpty { return }
    if !path.isEmpty, path.utf8.last != UInt8(ascii: "/") { path += "/" }
    path += part
  }
}
