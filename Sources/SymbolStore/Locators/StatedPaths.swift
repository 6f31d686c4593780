import FileSystem
import ObjectFiles
import SymbolicationModel

/// The paths that a symbol file states: those of dwz's supplementary file and of split units.
///
/// A relative path is never relative to the working directory of this program: it is relative to
/// the symbol file, or to the folder in which the unit was compiled.
struct StatedPaths: PathLocator {
  let debugDirectories: [String]

  func paths(for request: SymbolFileRequest) -> [String] {
    guard let askingFile = request.askingFile, !request.name.isEmpty else { return [] }
    switch request.wanted {
    case .supplementaryFile(let link): return supplementaryFile(link.path, of: askingFile)
    case .splitUnit(let name, let directory):
      return splitUnit(name, compiledIn: directory, of: askingFile)
    case .image, .separateDebugFile, .splitPackage, .debugMapObject, .index: return []
    }
  }

  /// An absolute path below another root comes first: a symbol file below a `usr/lib/debug` that is
  /// not the system's (an unpacked package, another system's root) has its supplementary file below
  /// the same root. Then come the path itself, and the same path below the debug directories.
  private func supplementaryFile(_ path: String, of askingFile: AskingFile) -> [String] {
    guard path.isAbsolutePath else {
      return askingFile.folders.map { $0.appendingPath(path) }
    }
    let roots = askingFile.paths.compactMap(Self.root)
    return roots.map { $0 + path } + [path]
      + debugDirectories.filter { !path.hasPrefix($0 + "/") }.map { $0 + path }
  }

  /// Where the unit was compiled, then the same relative path from the symbol file's folder.
  private func splitUnit(
    _ name: String, compiledIn directory: String?, of askingFile: AskingFile
  ) -> [String] {
    if name.isAbsolutePath { return [name] }
    let folders = askingFile.folders
    var paths: [String] = []
    if let directory, !directory.isEmpty {
      let compiled = directory.appendingPath(name)
      paths = compiled.isAbsolutePath ? [compiled] : folders.map { $0.appendingPath(compiled) }
    }
    return paths + folders.map { $0.appendingPath(name) }
  }

  /// What stands before `/usr/lib/debug/` in the path of a symbol file: the root of the system that
  /// it belongs to. Nil for this system's own files, and for files elsewhere.
  private static func root(of path: String) -> String? {
    path.utf8.dropFirst().firstRange(of: "/usr/lib/debug/".utf8)
      .map { String(path[..<$0.lowerBound]) }
  }
}

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
