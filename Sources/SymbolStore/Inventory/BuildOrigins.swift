import Archives
import FileSystem
import PropertyLists
import SymbolicationModel

/// The origins of symbol files on disk and in archives. Each archive is read once.
package struct BuildOrigins {
  private var archives: [String: ArchivedLists] = [:]

  /// The property lists of an archive that may be about a build, by their paths.
  private struct ArchivedLists {
    let tree: any FileTree
    let entries: [String: FileTreeContent.Entry]
  }

  package init() {}

  /// What `BuildOrigin` says of a file; `path` may be that of a member of an archive
  /// (`dSYMs.zip/App.dSYM/…`).
  package mutating func origin(ofFileAt path: String) -> BuildOrigin? {
    guard FileKind(path: path) == nil, let archivePath = Self.archive(holding: path) else {
      return BuildOrigin(ofFileAt: path)
    }
    let lists = archives[archivePath] ?? Self.lists(of: archivePath)
    archives[archivePath] = lists
    return BuildOrigin(ofFileAt: path) { path in
      lists.entries[path].flatMap { lists.tree.propertyList(of: $0) }
    }
  }

  /// The file among the folders of `path`, which is no folder at all.
  private static func archive(holding path: String) -> String? {
    var folder = path.folder
    while folder != ".", folder != "/" {
      if let kind = FileKind(path: folder) { return kind == .regularFile ? folder : nil }
      folder = folder.folder
    }
    return nil
  }

  private static func lists(of archivePath: String) -> ArchivedLists {
    let tree = (try? FileTrees.open(path: archivePath)) ?? SingleFileTree(path: archivePath)
    let entries = tree.content().entries.filter {
      $0.path.lastPathComponent == "Info.plist"
        && ($0.path.folder.hasSuffix(BundleName.dsymSuffix + "/Contents")
          || $0.path.folder.hasSuffix(BundleName.archiveSuffix))
    }
    return ArchivedLists(
      tree: tree,
      entries: Dictionary(
        entries.map { ($0.shownPath, $0) }, uniquingKeysWith: { first, _ in first }))
  }
}
