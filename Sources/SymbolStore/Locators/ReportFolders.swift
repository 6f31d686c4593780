import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization

/// The folders that the reports are in: the symbol files that lie directly in them, and the bundles
/// (dSYMs, archives of Xcode, apps, frameworks), which are searched. Archives (zip, tar) are noted.
///
/// A report often lies among downloads, so other folders are not entered, a bundle of more than
/// `entryLimit` entries is not searched to its end, and damaged files are nobody's concern.
final class ReportFolders: ImagePlace {
  let place = SymbolPlace.reportFolder
  private let folders: [String]
  private let settings: SearchSettings
  private let content = Mutex<Content?>(nil)

  private struct Content {
    var entries = SymbolFileEntries()
    var archives: [String] = []
  }

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

  var entries: SymbolFileEntries { content.withLock { $0?.entries ?? SymbolFileEntries() } }

  /// The paths of archives that were found; none before anything was searched.
  var archives: [String] { content.withLock { $0?.archives ?? [] } }

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
      let searched = content ?? search()
      content = searched
      return searched.entries
    }
  }

  private func search() -> Content {
    var archives: [String] = []
    let entries = folders.flatMap { self.entries(in: $0, &archives) }
    return Content(entries: SymbolFileEntries(entries), archives: archives)
  }

  private func entries(in folder: String, _ archives: inout [String]) -> [SymbolFileEntry] {
    var found: [SymbolFileEntry] = []
    for entry in (try? Directory.entries(of: folder)) ?? [] {
      guard entry.kind != .special else { continue }
      let path = folder == "." ? entry.name : folder.appendingPath(entry.name)
      switch entry.kind == .link ? FileKind(path: path) : entry.kind.fileKind {
      case .directory where BundleName.isBundle(entry.name):
        let scan = DirectoryScan(
          root: SearchRoot(path, followsLinks: false), settings: settings, known: nil,
          entryLimit: Self.entryLimit)
        let tree = scan.run().tree
        settings.progress?(nil)
        found += tree.entries(root: path)
        archives += tree.archives(root: path)
      case .regularFile:
        let headers = try? SymbolFileHeaders.read(path: path)
        found += (headers?.slices ?? []).map { SymbolFileEntry(path: path, header: $0) }
        if headers == nil, entry.name.hasArchiveName { archives.append(path) }
      default: continue
      }
    }
    return found
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
