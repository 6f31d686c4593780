import FileSystem
package import ObjectFiles
import SymbolicationModel

/// The folders and the symbol files below a directory, as a scan found them. It is what the index
/// of a searched directory holds.
///
/// Paths are relative to the directory, and sorted as a walk meets them.
package struct DirectoryTree: Hashable, Sendable {
  /// The folders that were listed; the directory itself has the path "".
  package var folders: [Folder] = []
  /// The symbol files, and those that may become one.
  package var files: [File] = []

  package struct Folder: Hashable, Sendable {
    package let path: String
    /// Nil for a folder that must be listed again: it could not be read, or it was changed so
    /// shortly before it was listed that a later change may have the same time.
    package let stamp: FileStamp?
    /// The paths of the links in it that lead to directories, or nowhere.
    package var links: [String] = []
  }

  package struct File: Hashable, Sendable {
    package let path: String
    /// Nil for a file that must be read again, as a folder: it is damaged or unreadable, or was
    /// just changed.
    package let stamp: FileStamp?
    /// Empty for an archive, and for a file that is not a symbol file, but may become one without a
    /// change of its folder: an empty one, or a link that leads nowhere.
    package let slices: [SymbolFileHeader]
    /// Whether the name says that it is an archive (`hasArchiveName`).
    package var isArchive = false
  }

  /// The paths of archives, below `root`.
  func archives(root: String) -> [String] {
    files.filter(\.isArchive).map { root.appendingPath($0.path) }
  }

  /// The symbol files, below `root`.
  func entries(root: String) -> [SymbolFileEntry] {
    files.flatMap { file in
      let path = file.slices.isEmpty ? "" : root.appendingPath(file.path)
      return file.slices.map { SymbolFileEntry(path: path, header: $0) }
    }
  }

  mutating func sort() {
    folders.sort { $0.path.walksBefore($1.path) }
    files.sort { $0.path.walksBefore($1.path) }
  }
}

/// By what a file is known not to have changed since it was last read: the time of change, which no
/// program can set, and size and inode.
package struct FileStamp: Hashable, Sendable {
  let size: UInt64
  let changeTime: FileTime
  let inode: UInt64

  /// The stamp of a link that leads nowhere.
  static let absent = FileStamp(
    size: 0, changeTime: FileTime(seconds: 0, nanoseconds: 0), inode: 0)
}

extension FileStamp {
  init(_ status: FileStatus) {
    self.init(
      size: status.size, changeTime: status.changeTime, inode: status.identity.inode)
  }
}

extension String {
  /// Whether a file of this name is most likely an archive that holds symbol files. In a directory
  /// the name decides: jars, documents and logs are zip files and compressed files too.
  var hasArchiveName: Bool {
    let name = lowercased()
    return [
      ".zip", ".ipa", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".tar.bz2",
      ".tbz", ".tbz2",
    ]
    .contains { name.hasSuffix($0) && name != $0 }
  }

  /// Whether a walk that visits the entries of each folder in the order of the bytes of their names
  /// meets this path first: the slash sorts before every other byte.
  func walksBefore(_ other: String) -> Bool {
    var (first, second) = (utf8.makeIterator(), other.utf8.makeIterator())
    while true {
      switch (first.next(), second.next()) {
      case (_, nil): return false
      case (nil, _?): return true
      case (let left?, let right?):
        guard left != right else { continue }
        let slash = UInt8(ascii: "/")
        return left == slash ? true : right == slash ? false : left < right
      }
    }
  }
}
