import ObjectFiles
import SymbolicationModel

/// The symbol files anywhere below a directory.
enum DirectorySearch {
  /// Every slice of every Mach-O and ELF file below `root`, in the order of their paths.
  ///
  /// Other files cost one read of their first bytes and are passed over in silence, as are directories
  /// that cannot be read: a build folder holds much that is nobody's symbol file. Links to files are
  /// followed and links to directories are not, so that no link can lead round in a circle.
  ///
  /// - Returns: the slices, and what is wrong with files that begin as a symbol file does.
  static func objectFiles(
    under root: String
  ) -> (files: [ObjectFile], problems: [SymbolFileProblem]) {
    var files: [ObjectFile] = []
    var problems: [SymbolFileProblem] = []
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
        do {
          files += try ObjectContainer.open(path: path).objectFiles
        } catch {
          if error.isAboutAnObjectFile { problems.append(SymbolFileProblem(error)) }
        }
      case .inaccessible:
        continue
      }
    }
    return (files, problems)
  }
}
