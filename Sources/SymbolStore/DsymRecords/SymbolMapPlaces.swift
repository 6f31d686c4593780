import SystemPackage
import FileSystem
package import ObjectFiles
package import SymbolicationModel

/// The places of symbol maps (``BcSymbolMap``), which are not symbol files and so have no
/// `SymbolFileLocator`. A map is known by its file's name alone, `UUID.bcsymbolmap`: it states no
/// identity.
struct SymbolMapPlaces: Sendable {
  /// The maps that the user gave by name.
  private let files: [String]
  /// The directories that the user gave.
  private let directories: [String]

  private static let suffix = ".bcsymbolmap"
  private static let folderName = "BCSymbolMaps"

  /// - Returns: the places, and the others of `paths`, which may be symbol files.
  static func sorted(
    _ paths: [String], searchDirectories: [String]
  ) -> (places: SymbolMapPlaces, otherPaths: [String]) {
    let files = paths.filter { $0.hasSuffix(suffix) }
    var directories: [String] = []
    var others: [String] = []
    for path in paths where !path.hasSuffix(suffix) {
      if path.lastPathComponent == folderName, FileKind(path: path) == .directory {
        directories.append(path)
      } else {
        others.append(path)
        if !BundleName.isDsym(path), FileKind(path: path) == .directory {
          directories.append(path)
        }
      }
    }
    return (Self(files: files, directories: directories + searchDirectories), others)
  }

  /// The map of an image, whose DWARF `file` has.
  func find(for file: AskingFile, originalIdentity: ImageIdentity?) -> SymbolMapAnswer {
    let identities = [originalIdentity, file.objectFile.identity].compactMap(\.self)
      .withoutRepetitions
    var unusable: SymbolMapFinding?
    for path in identities.flatMap({ paths(of: $0, for: file) }).withoutRepetitions {
      do throws(SymbolMapRefusal) {
        return .found(FoundSymbolMap(map: try BcSymbolMap(contentsOfFile: path), path: path))
      } catch {
        if !error.isAbsence { unusable = unusable ?? .unusable(path: path, error) }
      }
    }
    let name = identities.first.map { "\($0)" + Self.suffix } ?? "*" + Self.suffix
    return .missing(unusable ?? .absent(name: name))
  }

  /// Beside the dSYM, in the `BCSymbolMaps` of its archive, in the dSYM, and where the user says.
  private func paths(of identity: ImageIdentity, for file: AskingFile) -> [String] {
    let upper = "\(identity)" + Self.suffix
    let names = [upper, upper.lowercased()].withoutRepetitions
    let given = files.filter { $0.lastPathComponent.lowercased() == upper.lowercased() }
    let holders = file.holdingFolders
    let archives = holders.filter { $0.lastPathComponent == "dSYMs" }
      .map { $0.folder.appendingPath(Self.folderName) }
    let folders =
      holders + archives + file.resourceFolders
      + (holders + directories).flatMap { [$0, $0.appendingPath(Self.folderName)] }
    return given
      + folders.withoutRepetitions.flatMap { folder in names.map { folder.appendingPath($0) } }
  }
}

/// A symbol map and where it was found.
package struct FoundSymbolMap: Sendable {
  package let map: BcSymbolMap
  package let path: String
}

/// The outcome of the search for a symbol map.
package enum SymbolMapAnswer: Sendable {
  case found(FoundSymbolMap)
  case missing(SymbolMapFinding)
}

extension SymbolStore {
  /// The symbol map with the names that a build with bitcode hid from `file`. Cost: some ten paths
  /// are tried; the answer is not remembered.
  ///
  /// - Parameter originalIdentity: ``DsymPropertyList/originalIdentity``.
  package func symbolMap(
    for file: AskingFile, originalIdentity: ImageIdentity?
  ) -> SymbolMapAnswer {
    symbolMapPlaces.find(for: file, originalIdentity: originalIdentity)
  }
}

extension SymbolMapRefusal {
  fileprivate var isAbsence: Bool {
    guard case .inaccessible(let errno) = self else { return false }
    return [Errno.noSuchFileOrDirectory, .notDirectory].contains(Errno(rawValue: errno))
  }
}
