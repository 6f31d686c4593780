import FileSystem
import SymbolStore
package import SymbolicationModel

extension SymbolPlaces {
  /// The directories and archives that are searched, as they were given: not the symbol files and
  /// bundles among the paths.
  package var searchedPaths: [String] {
    (paths.filter(Self.isSearched) + searchDirectories.filter { FileKind(path: $0) == .directory })
      .withoutRepetitions
  }

  private static func isSearched(_ path: String) -> Bool {
    let isBundle = BundleName.isBundle(
      path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path)
    return switch FileKind(path: path) {
    case .directory: !isBundle
    case .regularFile: SymbolFileKind(path: path) == .zipOrTar
    default: false
    }
  }
}
