import FileSystem
package import ObjectFiles
import SymbolicationModel
import Synchronization

/// A symbol file that needs another one, with the paths under which its neighbours are looked for.
///
/// The system is asked for the path without links once, when the first place needs it.
package final class AskingFile: Sendable {
  package let objectFile: ObjectFile
  private let links = Mutex<Links?>(nil)

  private struct Links {
    let realPath: String?
    /// Whether the folder of `realPath` is that of the path as it was opened.
    let isSameFolder: Bool
  }

  package init(_ objectFile: ObjectFile) { self.objectFile = objectFile }

  /// - Parameter realPath: the path without links, so that the system is not asked.
  init(_ objectFile: ObjectFile, realPath: String?) {
    self.objectFile = objectFile
    links.withLock { $0 = Links(realPath: realPath, isSameFolder: false) }
  }

  /// The path as it was opened.
  var path: String { objectFile.path }

  /// The path as it was opened, and the path without links if that is another one.
  var paths: [String] { [path, resolved.realPath ?? path].withoutRepetitions }

  /// The paths beside which neighbours are looked for: `paths`, but only the second if the first is
  /// in the same folder under another path and has the same name.
  var distinctPaths: [String] {
    let links = resolved
    guard let realPath = links.realPath else { return [path] }
    return links.isSameFolder ? [realPath] : [path, realPath].withoutRepetitions
  }

  /// The folders of `paths`.
  var folders: [String] { paths.map(\.folder).withoutRepetitions }

  private var resolved: Links {
    links.withLock { known in
      if let known { return known }
      let realPath = objectFile.realPath
      let isSameFolder =
        realPath.map { realPath in
          realPath.lastPathComponent == path.lastPathComponent
            && FileLinks.realPath(of: path.folder) == realPath.folder
        } ?? false
      let links = Links(realPath: realPath, isSameFolder: isSameFolder)
      known = links
      return links
    }
  }
}

extension AskingFile: Hashable {
  /// Two slices of one file are two asking files.
  package static func == (first: AskingFile, second: AskingFile) -> Bool {
    first.path == second.path && first.objectFile.architecture == second.objectFile.architecture
      && first.objectFile.identity == second.objectFile.identity
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(objectFile.architecture)
    hasher.combine(objectFile.identity)
  }
}

extension AskingFile {
  /// `Contents/Resources` of the dSYM that holds the file, for each path of the file; empty if it
  /// is not in a dSYM.
  var resourceFolders: [String] {
    distinctPaths.map(\.folder).filter {
      $0 == BundleName.dsymContent || $0.hasSuffix("/" + BundleName.dsymContent)
    }.map(\.folder).withoutRepetitions
  }

  /// The folder of the dSYM that holds the file; if it is not in a dSYM, its own folder. One for
  /// each path of the file.
  var holdingFolders: [String] {
    let bundles = resourceFolders.map { $0.folder.folder }
    return (bundles.isEmpty ? distinctPaths : bundles).map(\.folder).withoutRepetitions
  }
}
