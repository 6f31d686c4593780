import FileSystem
import ObjectFiles
import SymbolicationModel

/// The folders that the reports are in: the symbol files that lie directly in them, and the bundles
/// (dSYMs, archives of Xcode, apps, frameworks), which are searched. Archives (zip, tar) are noted.
///
/// A report often lies among downloads, so other folders are not entered, a bundle of more than
/// `entryLimit` entries is not searched to its end, and damaged files, and those without
/// permission, are nobody's concern. That the disk fails is: what is looked for may be there.
final class ReportFolders: ImagePlace {
  let place = SymbolPlace.reportFolder
  private let folders: [String]
  private let searched: SearchedPlace

  /// Archives of large apps have a few thousand files.
  private static let entryLimit = 20_000

  /// - Parameters:
  ///   - folders: one for each report; repeated ones are left out.
  ///   - searched: directories that are searched anyway.
  init(_ folders: [String], searched: [SearchRoot], _ settings: SearchSettings) {
    var known: Set<String> = []
    let folders = folders.filter { folder in
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
    self.folders = folders
    self.searched = SearchedPlace { Self.search(folders, settings) }
  }

  var entries: SymbolFileEntries { searched.found.entries }

  /// Files with one of the image's names and an architecture that serves for it; none if nothing
  /// was searched yet.
  func files(named image: ImageDescription) -> [SymbolFileEntry] { searched.files(named: image) }

  /// The paths of archives that were found; none before anything was searched.
  var archives: [String] { searched.found.archives }

  /// The faults of the system in the search so far.
  var problems: [SymbolFileProblem] { searched.found.problems }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard !folders.isEmpty else { return SymbolFileAnswer() }
    return searched.answer(request) { $0.isFaultOfTheSystem }
  }

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    folders.isEmpty ? [] : searched.findings(for: image, place: place, roots: folders)
  }

  private static func search(
    _ folders: [String], _ settings: SearchSettings
  ) -> SearchedPlace.Content {
    var content = SearchedPlace.Content()
    let entries = folders.flatMap { self.entries(in: $0, settings, &content) }
    content.entries = SymbolFileEntries(entries)
    return content
  }

  private static func entries(
    in folder: String, _ settings: SearchSettings, _ content: inout SearchedPlace.Content
  ) -> [SymbolFileEntry] {
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
          entryLimit: entryLimit)
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

  private static func target(
    ofLinkAt path: String, _ content: inout SearchedPlace.Content
  ) -> FileKind? {
    do throws(FileSystemError) {
      let status = try FileStatus(path: path)
      return KernelFiles.contain(status, at: path) ? .special : status.kind
    } catch {
      content.add([SymbolFileProblem(error)])
      return nil
    }
  }
}

extension SearchedPlace.Content {
  /// Adds the faults of the system, each once.
  fileprivate mutating func add(_ problems: some Sequence<SymbolFileProblem>) {
    for problem in problems where problem.isFaultOfTheSystem { add(problem) }
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
