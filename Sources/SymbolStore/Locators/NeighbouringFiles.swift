import FileSystem
import SymbolicationModel

/// The folder of the symbol file, for what it names: the file of its `.gnu_debuglink` (also in
/// `.debug` there, as gdb looks for it), its supplementary file, its split units. Only the last
/// component of a stated path counts.
struct NeighbouringFiles: PathLocator {
  func paths(for request: SymbolFileRequest) -> [String] {
    guard let askingFile = request.askingFile else { return [] }
    switch request.wanted {
    case .separateDebugFile(let link):
      guard let name = link?.fileName else { return [] }
      let folders = askingFile.distinctPaths.map(\.folder).withoutRepetitions
      return folders.map { $0.appendingPath(name) }
        + folders.map { $0.appendingPath(".debug").appendingPath(name) }
    case .supplementaryFile, .splitUnit:
      guard let name = request.name.split(separator: "/").last else { return [] }
      return askingFile.folders.map { $0.appendingPath(String(name)) }
    case .image, .splitPackage, .debugMapObject, .index: return []
    }
  }
}
