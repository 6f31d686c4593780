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

/// The package of a symbol file's split units, named after the file as `dwp` and `llvm-dwp` do by
/// default. A separate debug file `X.debug` may have the package of `X`.
struct SplitPackages: PathLocator {
  func paths(for request: SymbolFileRequest) -> [String] {
    guard case .splitPackage = request.wanted, let files = request.askingFile?.paths else {
      return []
    }
    return files.map { $0 + ".dwp" }
      + files.filter { $0.hasSuffix(".debug") }.map { $0.dropLast(".debug".count) + ".dwp" }
  }
}
