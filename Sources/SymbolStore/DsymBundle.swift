import Glibc
import SymbolicationModel

/// The layout of a `….dSYM` directory: `Contents/Resources/DWARF` holds one file per binary.
enum DsymBundle {
  static func isBundle(path: String) -> Bool {
    var name = path[...]
    while name.last == "/" { name.removeLast() }
    return name.hasSuffix(".dSYM")
  }

  /// The DWARF files of the bundle at `path`, by name.
  static func dwarfFiles(in path: String) throws(SymbolFileProblem) -> [String] {
    let folder = joined(path, "Contents/Resources/DWARF")
    switch PathKind(path: folder) {
    case .directory: break
    case .inaccessible(let errno) where errno != ENOENT && errno != ENOTDIR:
      throw SymbolFileProblem(path: folder, kind: .inaccessible(errno: errno))
    case .regularFile, .special, .inaccessible:
      throw SymbolFileProblem(path: path, kind: .emptyBundle)
    }
    let files = try DirectoryListing.entries(of: folder)
      .map { joined(folder, $0.name) }
      .filter { PathKind(path: $0) == .regularFile }
    guard !files.isEmpty else { throw SymbolFileProblem(path: path, kind: .emptyBundle) }
    return files
  }
}

/// `directory` and `name` with one slash between them.
func joined(_ directory: String, _ name: String) -> String {
  directory.hasSuffix("/") ? directory + name : directory + "/" + name
}
