package import Archives
import FileSystem
package import ObjectFiles
package import PropertyLists
package import SymbolicationModel

/// Files under relative paths: a directory, a bundle, an archive (zip, tar), or one file alone.
package protocol FileTree: Sendable {
  /// The path of the directory, archive or file, as it was given.
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

  /// The property list at `entry`; nil if the file there is none, or damaged.
  func propertyList(of entry: FileTreeContent.Entry) -> PropertyList?
}

/// The files of a `FileTree`.
package struct FileTreeContent: Sendable {
  package let entries: [Entry]
  /// Directories without any file.
  package var emptyDirectories: [String] = []
  package var problems: [SymbolFileProblem] = []

  package struct Entry: Hashable, Sendable {
    /// Relative to the tree; if the tree is one file, its name.
    package let path: String
    /// What to call the file in messages and in output.
    package let shownPath: String
    /// In bytes.
    package let size: UInt64
    /// In an archive, the member; before it, if it lies in an archive that is a member itself, that
    /// one.
    var members: [ArchiveMember] = []
    /// In an archive, whether it begins like an object file.
    var isObjectFile = false
  }
}

/// The trees that paths lead to.
package enum FileTrees {
  /// The tree at `path`: a directory, an archive (zip, tar) or a file. Throws `inaccessible`, or
  /// what is wrong with the archive.
  ///
  /// - Parameters:
  ///   - cache: where object files are unpacked; nil to unpack them to memory.
  ///   - limits: how many files are looked at, and how much is unpacked to memory.
  package static func open(
    path: String, cache: ArchiveCache? = nil, limits: ResourceLimits = ResourceLimits()
  ) throws(SymbolFileProblem) -> any FileTree {
    switch try FileKind(orProblemAt: path) {
    case .directory:
      do throws(FileSystemError) {
        try FileAccess.check([.read, .execute], path: path)
      } catch {
        throw SymbolFileProblem(error)
      }
      return DirectoryFileTree(
        path: path, entryLimit: Int(clamping: limits.searchedFiles))
    case .regularFile:
      let kind = SymbolFileKind(path: path)
      guard kind == .zipOrTar || kind == .compressed else { return SingleFileTree(path: path) }
      do throws(ArchiveError) {
        if let archive = try ArchiveFile.open(path: path, limits: ArchiveLimits(limits)) {
          return ArchiveFileTree(archive: archive, cache: cache)
        }
      } catch {
        throw SymbolFileProblem(error)
      }
      return SingleFileTree(path: path)
    case .special, .symbolicLink: throw SymbolFileProblem(path: path, kind: .specialFile)
    }
  }
}
