import BinaryInput
import FileSystem
import Glibc
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
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) -> SearchIndexCache? {
    IndexCache.user(environment: environment).map {
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

  /// What the index of `root` holds; nil if there is none that can be used.
  func tree(of root: SearchRoot) -> DirectoryTree? {
    guard let region = try? MappedFile.openRegularFile(path: path(of: root)) else { return nil }
    return DirectoryTreeCoding.decode(region, of: root)
  }

  /// Writes the index of `root`, unless the tree is small. A cache that cannot be written is left
  /// as it is.
  func store(_ tree: DirectoryTree, of root: SearchRoot) {
    guard tree.folders.count + tree.files.count >= smallestTree,
      let bytes = DirectoryTreeCoding.encode(tree, of: root), makeDirectory()
    else { return }
    let path = path(of: root)
    try? WholeFile.write(
      [bytes], to: path, permissions: FilePermissions(rawValue: 0o600),
      temporaryName: { Self.temporaryStart + $0.hexadecimalDigits() + Self.temporaryEnd })
    removeOldest(except: path.lastPathComponent)
  }

  /// The XDG Base Directory Specification wants 0700 for missing directories.
  private func makeDirectory() -> Bool {
    var missing: [String] = []
    var path = directory
    while !FileAccess.exists(path), path != "/", path != "." {
      missing.append(path)
      path = path.folder
    }
    for path in missing.reversed() {
      guard (try? Directory.create(at: path, permissions: .ownerReadWriteExecute)) != nil else {
        return false
      }
    }
    return FileKind(path: directory) == .directory
  }

  private struct CachedFile {
    let name: String
    let size: UInt64
    let time: FileTime
    let isTemporary: Bool
  }

  /// The files whose names the cache gives.
  private func files() -> [CachedFile] {
    ((try? Directory.entries(of: directory)) ?? []).compactMap { entry in
      let isTemporary =
        entry.name.hasPrefix(Self.temporaryStart) && entry.name.hasSuffix(Self.temporaryEnd)
      guard isTemporary || entry.name.hasSuffix(Self.suffix),
        let status = try? FileStatus(withoutFollowingLinks: directory.appendingPath(entry.name)),
        status.kind == .regularFile
      else { return nil }
      return CachedFile(
        name: entry.name, size: status.size, time: status.modificationTime,
        isTemporary: isTemporary)
    }
  }

  /// Removes what interrupted writers left, and the oldest indexes until the others are within the
  /// limit.
  private func removeOldest(except kept: String) {
    let files = files()
    var total = files.reduce(UInt64(0)) { $0 &+ $1.size }
    let now = Int64(time(nil))
    for file in files.sorted(by: { ($0.time, $0.name) < ($1.time, $1.name) })
    where file.name != kept {
      let isAbandoned = file.isTemporary && now &- file.time.seconds >= 3600
      guard isAbandoned || (!file.isTemporary && total > sizeLimit) else { continue }
      guard (try? removeFile(at: directory.appendingPath(file.name))) != nil else { continue }
      total = total &- file.size
    }
  }

  /// Removes all indexes. What cannot be removed stays.
  package func clean() -> IndexCache.Removal {
    var removal = IndexCache.Removal()
    for file in files() {
      let path = directory.appendingPath(file.name)
      do throws(FileSystemError) {
        try removeFile(at: path)
        removal.fileCount += 1
        removal.byteCount += file.size
      } catch  where error.isAbsence {
        continue
      } catch {
        removal.failures.append(IndexCache.Removal.Failure(path: path, errno: error.errno.rawValue))
      }
    }
    return removal
  }
}
