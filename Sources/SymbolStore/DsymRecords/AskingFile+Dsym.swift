import FileSystem
import SymbolicationModel

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
