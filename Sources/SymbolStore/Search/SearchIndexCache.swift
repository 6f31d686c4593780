import BinaryInput
package import FileSystem
import SymbolicationModel
import SystemPackage

/// The user's indexes of searched directories: one file for each directory, named after its path,
/// in the folder `searched` of the user's cache.
///
/// Several processes may read and write it at a time: a file appears whole, and the last writer
/// wins. An index that is damaged, or was made by another version, is as good as none. Nothing
/// found through an index is used unseen: every folder and file in it is asked for its time of
/// change, and the file that answers is opened and compared.
package struct SearchIndexCache: Sendable {
  package let directory: String
  /// A directory with fewer folders and files is searched faster than its index is kept.
  let smallestTree: Int
  /// The bytes that all indexes may have together.
  let sizeLimit: UInt64

  package static let standardSmallestTree = 200

  package init(
    directory: String, smallestTree: Int = standardSmallestTree, sizeLimit: UInt64 = 256 << 20
  ) {
    self.directory = directory
    self.smallestTree = smallestTree
    self.sizeLimit = sizeLimit
  }

  /// The cache beside the user's indexes of symbol files (`IndexCache.user`); nil without one.
  package static func user(
    directory: String? = nil,
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) -> SearchIndexCache? {
    IndexCache.user(directory: directory, environment: environment).map {
      SearchIndexCache(directory: $0.directory.appendingPath("searched"))
    }
  }

  /// FNV-1a, 64 bits. An index also holds the path itself.
  private func path(of root: SearchRoot) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in root.realPath.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let links = root.followsLinks ? "-links" : ""
    return directory.appendingPath(hash.hexadecimalDigits(count: 16) + links + Self.suffix)
  }

  private static let suffix = ".tree"
  private static let temporaryStart = ".symbolicate-tree-"
  private static let temporaryEnd = ".partial"

  /// What the index of `root` holds; nil if there is none that can be used, or others could have
  /// written it.
  func tree(of root: SearchRoot) -> DirectoryTree? {
    let path = path(of: root)
    guard folder.isPrivate(path.lastPathComponent),
      let region = try? MappedFile.openRegularFile(path: path)
    else { return nil }
    return DirectoryTreeCoding.decode(region, of: root)
  }

  /// Writes the index of `root`, unless the tree is small. A cache that cannot be written is left
  /// as it is.
  func store(_ tree: DirectoryTree, of root: SearchRoot) {
    guard tree.folders.count + tree.files.count >= smallestTree,
      let bytes = DirectoryTreeCoding.encode(tree, of: root),
      (try? folder.makeDirectory()) != nil
    else { return }
    let path = path(of: root)
    folder.removeAbandonedFiles()
    try? WholeFile.write(
      [bytes], to: path, permissions: FilePermissions(rawValue: 0o600),
      temporaryName: { Self.temporaryStart + $0.hexadecimalDigits() + Self.temporaryEnd })
    folder.removeLeastRecentlyUsed { $0 == path.lastPathComponent }
  }

  /// Removes all indexes.
  package func clean() -> CacheFolder.Removal { folder.clean() }

  private var folder: CacheFolder {
    CacheFolder(directory: directory, sizeLimit: sizeLimit) { name in
      if name.hasPrefix(Self.temporaryStart), name.hasSuffix(Self.temporaryEnd) {
        return .temporary
      }
      return name.hasSuffix(Self.suffix) ? .content : nil
    }
  }
}
