import FileSystem
import ObjectFiles
import SymbolicationModel

/// The debug directories, in a folder with the same path as the program's: where gdb looks for the
/// file of `.gnu_debuglink` last.
struct MirroredFolders: PathLocator {
  let debugDirectories: [String]

  func paths(for request: SymbolFileRequest) -> [String] {
    guard case .separateDebugFile(let link) = request.wanted, let name = link?.fileName,
      let askingFile = request.askingFile
    else { return [] }
    let folders = askingFile.distinctPaths.map(\.folder).filter(\.isAbsolutePath)
      .withoutRepetitions
    return debugDirectories.flatMap { directory in
      folders.map { (directory + $0).appendingPath(name) }
    }
  }
}

extension DebugLink {
  /// The last component of the name stated; nil for a name that leads to a folder.
  var fileName: String? {
    guard let name = name.split(separator: "/").last, name != ".", name != ".." else { return nil }
    return String(name)
  }
}
