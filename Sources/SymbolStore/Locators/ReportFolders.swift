import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization

/// The folders that the reports are in: the symbol files that lie directly in them, and the bundles
/// (dSYMs, archives of Xcode, apps, frameworks), which are searched. Archives (zip, tar) are noted.
///
/// A report often lies among downloads, so other folders are not entered, a bundle of more than
/// `entryLimit` entries is not searched to its end, and damaged files, and those without
/// permission, are nobody's concern. That the disk fails is: what is looked for may be there.
final class ReportFolders: ImagePlace {
  let place = SymbolPlace.reportFolder
  private let folders: [String]
  private let settings: SearchSettings
  private let content = Mutex<Content?>(nil)

  private struct Content {
    var entries = SymbolFileEntries()
    var archives: [String] = []
    var problems: [SymbolFileProblem] = []

    mutating func add(_ problems: some Sequence<SymbolFileProblem>) {
      self.problems += problems.filter { $0.isFaultOfTheSystem && !self.problems.contains($0) }
    }
  }

  /// Archives of large apps have a few thousand files.
  private static let entryLimit = 20_000

  /// - Parameters:
  ///   - folders: one for each report; repeated ones are left out.
  ///   - searched: directories that are searched anyway.
  init(_ folders: [String], searched: [SearchRoot], _ settings: SearchSettings) {
    var known: Set<String> = []
    self.folders = folders.filter { folder in
      let realPath: String
      do throws(FileSystemError) {
        realPath = try FileLinks.resolvedPath(of: folder)
      } catch {
        // The search will report what is wrong.
        return !error.isAbsence
      }
      return known.insert(realPath).inserted
        && !searched.contains { realPath.isInFolder($0.realPath) }
    }
    self.settings = settings
  }

  var entries: SymbolFileEntries { content.withLock { $0?.entries ?? Self.noEntries } }

  private static let noEntries = SymbolFileEntries()

  /// The paths of archives that were found; none before anything was searched.
  var archives: [String] { content.withLock { $0?.archives ?? [] } }

  /// The faults of the system in the search so far.
  var problems: [SymbolFileProblem] { content.withLock { $0?.problems ?? [] } }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, image.identity != nil, !folders.isEmpty else {
      return SymbolFileAnswer()
    }
    let (answer, problems) = searched().answer(for: image)
    content.withLock { $0?.add(problems) }
    return answer
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
    var content = Content()
    let entries = folders.flatMap { self.entries(in: $0, &content) }
    content.entries = SymbolFileEntries(entries)
    return content
  }

  private func entries(in folder: String, _ content: inout Content) -> [SymbolFileEntry] {
    var found: [SymbolFileEntry] = []
    var listed: [Directory.Entry] = []
    do throws(FileSystemError) {
      listed = try Directory.entries(of: folder)
    } catch {
      content.add([SymbolFileProblem(error)])
    }
    for entry in listed {
      guard entry.kind != .special else { continue }
      let path = folder == "." ? entry.name : folder.appendingPath(entry.name)
      switch entry.kind == .link ? target(ofLinkAt: path, &content) : entry.kind.fileKind {
      case .directory where BundleName.isBundle(entry.name):
        let scan = DirectoryScan(
          root: SearchRoot(path, followsLinks: false), settings: settings, known: nil,
          entryLimit: Self.entryLimit)
        let (tree, problems) = scan.run()
        settings.progress?(nil)
        found += tree.entries(root: path)
        content.archives += tree.archives(root: path)
        content.add(problems)
      case .regularFile:
        do throws(ObjectFileError) {
          found += try SymbolFileHeaders.read(path: path).slices
            .map { SymbolFileEntry(path: path, header: $0) }
        } catch {
          if entry.name.hasArchiveName { content.archives.append(path) }
          content.add([SymbolFileProblem(error)])
        }
      default: continue
      }
    }
    return found
  }

  private func target(ofLinkAt path: String, _ content: inout Content) -> FileKind? {
    do throws(FileSystemError) {
      return try FileStatus(path: path).kind
    } catch {
      content.add([SymbolFileProblem(error)])
      return nil
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
