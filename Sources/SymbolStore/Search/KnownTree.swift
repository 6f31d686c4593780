import FileSystem
import SymbolicationModel
import Synchronization
import SystemPackage

/// What an earlier scan found below a directory, for a scan that reads only what has changed.
struct KnownTree: Sendable {
  let tree: DirectoryTree
  private let folders: [String: FileStamp]
  private let files: [String: DirectoryTree.File]
  private let contents: [String: Content]

  /// The entries of a folder that matter. Paths relative to the root.
  struct Content: Sendable {
    var folders: [String] = []
    var links: [String] = []
    var files: [String] = []
  }

  init(_ tree: DirectoryTree) {
    self.tree = tree
    var folders: [String: FileStamp] = [:]
    var contents: [String: Content] = [:]
    // A folder that a link leads to is not an entry like others: links are followed last.
    let links = Set(tree.folders.flatMap(\.links))
    for folder in tree.folders {
      if let stamp = folder.stamp { folders[folder.path] = stamp }
      if !folder.links.isEmpty { contents[folder.path, default: Content()].links = folder.links }
      if !folder.path.isEmpty {
        let listed = folder.path.bundleOfContent ?? folder.path
        if !listed.isEmpty, !links.contains(listed) {
          contents[listed.parent, default: Content()].folders.append(listed)
        }
      }
    }
    var files: [String: DirectoryTree.File] = [:]
    for file in tree.files {
      files[file.path] = file
      contents[file.path.parent, default: Content()].files.append(file.path)
    }
    self.folders = folders
    self.files = files
    self.contents = contents
  }

  /// The entries of the folder at `path`; nil if it was changed since they were listed.
  func content(ofFolder path: String, stamp: FileStamp) -> Content? {
    guard folders[path] == stamp else { return nil }
    return contents[path] ?? Content()
  }

  /// The file at `path`; nil if it is not known, or was changed since it was read.
  func file(at path: String, stamp: FileStamp) -> DirectoryTree.File? {
    guard let file = files[path], file.stamp == stamp else { return nil }
    return file
  }
}

extension DirectoryTree {
  /// Whether nothing below `root` has changed since the scan: asks the system for the status of
  /// every folder and every symbol file, on several threads.
  func isCurrent(root: String, jobs: Int) -> Bool {
    guard
      let directory = try? FileDescriptor.open(
        FilePath(pathText: root), .readOnly, options: [.directory, .closeOnExec])
    else { return false }
    defer { try? directory.close() }
    let size = 256
    let count = folders.count + files.count
    let isCurrent = Atomic(true)
    ParallelWork.perform(count: (count + size - 1) / size, jobs: jobs) { chunk in
      for index in (chunk * size)..<min(count, (chunk + 1) * size) {
        guard isCurrent.load(ordering: .relaxed) else { return }
        let (path, stamp) =
          index < folders.count
          ? (folders[index].path, folders[index].stamp)
          : (files[index - folders.count].path, files[index - folders.count].stamp)
        let found =
          (try? FileStatus(path: path.isEmpty ? "." : path, in: directory)).map { FileStamp($0) }
        guard stamp == found ?? .absent, stamp != nil else {
          isCurrent.store(false, ordering: .relaxed)
          return
        }
      }
    }
    return isCurrent.load(ordering: .relaxed)
  }
}

extension String {
  /// The folder of a path relative to a root; "" for the root itself.
  fileprivate var parent: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(self[..<slash])
  }

  /// The dSYM whose DWARF files are in the folder; nil for any other folder. "" if it is the root.
  fileprivate var bundleOfContent: String? {
    if self == BundleName.dsymContent { return "" }
    guard hasSuffix(BundleName.dsymSuffix + "/" + BundleName.dsymContent) else { return nil }
    return String(dropLast(BundleName.dsymContent.count + 1))
  }
}
