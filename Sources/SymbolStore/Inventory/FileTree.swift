import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// Files under relative paths: a directory, a bundle, or one file alone. An archive is one, too.
package protocol FileTree: Sendable {
  /// The path of the directory or file, as it was given.
  var path: String { get }

  /// Every regular file, ascending by path, and what cannot be read.
  func content() -> FileTreeContent

  /// The object file at `entry`; nil if the file there is not an object file.
  ///
  /// Throws if the file begins like one and none of its slices can be used, or if it cannot be
  /// read.
  func objectContainer(
    of entry: FileTreeContent.Entry
  ) throws(SymbolFileProblem) -> ObjectContainer?
}

/// The files of a `FileTree`.
package struct FileTreeContent: Sendable {
  package let entries: [Entry]
  /// Directories without any file.
  package let emptyDirectories: [String]
  package let problems: [SymbolFileProblem]

  package struct Entry: Hashable, Sendable {
    /// Relative to the tree; if the tree is one file, its name.
    package let path: String
    /// What to call the file in messages and in output.
    package let shownPath: String
    /// In bytes.
    package let size: UInt64

    package init(path: String, shownPath: String, size: UInt64) {
      self.path = path
      self.shownPath = shownPath
      self.size = size
    }
  }

  package init(
    entries: [Entry], emptyDirectories: [String] = [], problems: [SymbolFileProblem] = []
  ) {
    self.entries = entries
    self.emptyDirectories = emptyDirectories
    self.problems = problems
  }
}

/// The trees that paths lead to.
package enum FileTrees {
  /// The tree at `path`: a directory or a file. Throws `inaccessible`.
  package static func open(path: String) throws(SymbolFileProblem) -> any FileTree {
    switch try FileKind(orProblemAt: path) {
    case .directory:
      do throws(FileSystemError) {
        try FileAccess.check([.read, .execute], path: path)
      } catch {
        throw SymbolFileProblem(error)
      }
      return DirectoryFileTree(path: path)
    case .regularFile: return SingleFileTree(path: path)
    case .special, .symbolicLink: throw SymbolFileProblem(path: path, kind: .specialFile)
    }
  }
}
