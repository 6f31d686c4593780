import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization

/// The folders that the reports are in: the symbol files that lie directly in them, and the bundles
/// (dSYMs, archives of Xcode, apps, frameworks), which are searched.
///
/// A report often lies among downloads, so other folders are not entered, a bundle of more than
/// `entryLimit` entries is not searched to its end, and damaged files are nobody's concern.
final class ReportFolders: ImagePlace {
  let place = SymbolPlace.reportFolder
  private let folders: [String]
  private let settings: SearchSettings
  private let content = Mutex<SymbolFileEntries?>(nil)

  /// Archives of large apps have a few thousand files.
  private static let entryLimit = 20_000

  /// - Parameters:
  ///   - folders: one for each report; repeated ones are left out.
  ///   - searched: directories that are searched anyway.
  init(_ folders: [String], searched: [SearchRoot], _ settings: SearchSettings) {
    var known: Set<String> = []
    self.folders = folders.filter { folder in
      guard let realPath = FileLinks.realPath(of: folder) else { return false }
      return known.insert(realPath).inserted
        && !searched.contains { realPath.isInFolder($0.realPath) }
    }
    self.settings = settings
  }

  var entries: SymbolFileEntries { content.withLock { $0 } ?? SymbolFileEntries() }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, image.identity != nil, !folders.isEmpty else {
      return SymbolFileAnswer()
    }
    return searched().answer(for: image).answer
  }

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    image.identity == nil || folders.isEmpty
      ? [] : searched().findings(for: image, place: place, roots: folders)
  }

  private func searched() -> SymbolFileEntries {
    content.withLock { content in
      let searched = content ?? SymbolFileEntries(folders.flatMap(entries(in:)))
      content = searched
      return searched
    }
  }

  private func entries(in folder: String) -> [SymbolFileEntry] {
    ((try? Directory.entries(of: folder)) ?? []).flatMap { entry -> [SymbolFileEntry] in
      guard entry.hasExactName, entry.kind != .special else { return [] }
      let path = folder == "." ? entry.name : folder.appendingPath(entry.name)
      switch entry.kind == .link ? FileKind(path: path) : entry.kind.fileKind {
      case .directory where BundleName.isBundle(entry.name):
        let scan = DirectoryScan(
          root: SearchRoot(path, followsLinks: false), settings: settings, known: nil,
          entryLimit: Self.entryLimit)
        let tree = scan.run().tree
        settings.progress?(nil)
        return tree.entries(root: path)
      case .regularFile:
        let headers = try? SymbolFileHeaders.read(path: path)
        return (headers?.slices ?? []).map { SymbolFileEntry(location: .file(path), header: $0) }
      default: return []
      }
    }
  }
}

extension Directory.Entry.Kind {
  fileprivate var fileKind: FileKind {
    switch self {
    case .directory: .directory
    case .regularFile: .regularFile
    case .link: .symbolicLink
    case .special: .special
    }
  }
}
