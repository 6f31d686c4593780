import ObjectFiles
import SymbolicationModel

/// The symbol files anywhere below a directory.
enum DirectorySearch {
  /// Every slice of every Mach-O and ELF file below `root`, in the order of their paths.
  ///
  /// Other files cost one read of their first bytes and are passed over in silence, as are directories
  /// that cannot be read: a build folder holds much that is nobody's symbol file. Links to files are
  /// followed and links to directories are not, so that no link can lead round in a circle.
  static func objectFiles(under root: String) -> [ObjectFile] {
    var files: [ObjectFile] = []
    // Visited last first: pushed in reverse, so that paths come out ascending.
    var pending = [root]
    while let path = pending.popLast() {
      switch PathKind(path: path) {
      case .directory:
        for entry in (DirectoryListing.entries(of: path) ?? []).reversed() {
          let inner = joined(path, entry.name)
          if entry.isLink, PathKind(path: inner) == .directory { continue }
          pending.append(inner)
        }
      case .file:
        if let container = try? ObjectContainer.open(path: path) {
          files += container.objectFiles
        }
      case .inaccessible:
        continue
      }
    }
    return files
  }
}
