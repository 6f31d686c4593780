import FileSystem
import SymbolicationModel

/// The dSYMs that may lie near a Mach-O program.
///
/// A dSYM is named after the program or after a bundle that holds it: `X.dSYM` and `X.app.dSYM`
/// beside `X`, and `X.app.dSYM` beside `X.app`, which may hold `Contents/MacOS/X`, `Versions/A/X`
/// and the like. The dSYM of a bundle within a bundle lies beside the outer one, where Xcode puts
/// it, or in the folder `dSYMs` of an archive (`X.xcarchive/Products/…`). The DWARF file in a dSYM
/// has the program's name; if the program was renamed, most likely the bundle's.
///
/// Last come the places of lldb (`LocateDSYMInVincinityOfExecutable`): beside each of the four
/// folders above the program whose name holds a dot, whatever kind of bundle it is.
struct NeighbouringDsyms: PathLocator {
  /// How far above the program a bundle may begin that is looked beside: 6 for
  /// `X.app/Contents/PlugIns/Y.appex/Contents/MacOS/Y`, an extension on macOS.
  private static let bundleDepth = 6
  /// How many folders above the program lldb looks beside.
  private static let lldbDepth = 4

  func paths(for request: SymbolFileRequest) -> [String] {
    guard case .separateDebugFile = request.wanted, request.isForMachO else { return [] }
    return (request.askingFile?.distinctPaths ?? []).flatMap(Self.dwarfFiles).withoutRepetitions
  }

  private static func dwarfFiles(near program: String) -> [String] {
    let name = program.lastPathComponent
    return bundles(near: program).flatMap { bundle in
      let content = (bundle + BundleName.dsymSuffix).appendingPath(BundleName.dsymContent)
      let own = bundle.lastPathComponent
      return [name, own, own.withoutExtension].map { content.appendingPath($0) }
    }
  }

  /// What a dSYM of the program may be named after.
  private static func bundles(near program: String) -> [String] {
    let name = program.lastPathComponent
    let holders = holders(of: program)
    var bundles = [name, name + ".app"].map { program.folder.appendingPath($0) } + holders
    // All dSYMs lie beside the outermost bundle, and in an archive.
    if let outermost = holders.last {
      bundles += holders.dropLast().map { outermost.folder.appendingPath($0.lastPathComponent) }
    }
    if let archive = archive(of: program) {
      let names = holders.map(\.lastPathComponent) + [name]
      bundles += names.map { archive.appendingPath("dSYMs").appendingPath($0) }
    }
    return bundles + dottedFolders(of: program)
  }

  /// The next folders above the program whose names hold a dot, innermost first.
  private static func dottedFolders(of program: String) -> [String] {
    folders(above: program, atMost: lldbDepth).filter {
      let name = $0.lastPathComponent
      return name != "." && name != ".." && name.utf8.contains(UInt8(ascii: "."))
    }
  }

  /// The bundles that hold the program, innermost first.
  private static func holders(of program: String) -> [String] {
    folders(above: program, atMost: bundleDepth).filter {
      BundleName.isOfCode($0.lastPathComponent)
    }
  }

  private static func folders(above path: String, atMost limit: Int) -> [String] {
    var folders: [String] = []
    var path = path
    while folders.count < limit, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      slash != path.startIndex
    {
      path = String(path[..<slash])
      folders.append(path)
    }
    return folders
  }

  /// The Xcode archive that holds the program: `…/X.xcarchive`.
  private static func archive(of program: String) -> String? {
    let mark = BundleName.archiveSuffix + "/Products/"
    return program.utf8.firstRange(of: mark.utf8).map {
      String(program[..<$0.lowerBound]) + BundleName.archiveSuffix
    }
  }
}

extension String {
  /// `Letter Shuffle` for `Letter Shuffle.app`; the text itself if it has no dot, or only a leading
  /// one.
  fileprivate var withoutExtension: String {
    guard let dot = lastIndex(of: "."), dot != startIndex else { return self }
    return String(self[..<dot])
  }
}
