import SymbolicationModel

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
