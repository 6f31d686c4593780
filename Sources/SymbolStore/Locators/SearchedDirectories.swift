import FileSystem
import ObjectFiles
import SymbolicationModel
import Synchronization

/// Directories that are searched with all their subfolders, once, when an image is asked for by its
/// identity. A file there never fits by its name.
final class SearchedDirectories: ImagePlace {
  let place: SymbolPlace
  private let roots: [SearchRoot]
  private let settings: SearchSettings
  /// Whether a directory without a symbol file is a problem.
  private let expectsFiles: Bool
  private let content = Mutex<Content?>(nil)

  private struct Content {
    var entries = SymbolFileEntries()
    var archives: [String] = []
    var problems: [SymbolFileProblem] = []
  }

  /// - Parameter roots: a directory in another one of them is not searched again.
  init(_ roots: [SearchRoot], place: SymbolPlace, expectsFiles: Bool, _ settings: SearchSettings) {
    self.place = place
    self.roots = roots
    self.expectsFiles = expectsFiles
    self.settings = settings
  }

  /// What was found; nothing if nothing was searched yet.
  var entries: SymbolFileEntries { content.withLock { $0?.entries ?? SymbolFileEntries() } }

  /// The paths of archives that were found; none before anything was searched.
  var archives: [String] { content.withLock { $0?.archives ?? [] } }

  /// What is wrong with files and directories that were met, and directories without a symbol file.
  var problems: [SymbolFileProblem] { content.withLock { $0?.problems ?? [] } }

  /// While one thread searches, the others wait.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, image.identity != nil, !roots.isEmpty else {
      return SymbolFileAnswer()
    }
    let (answer, problems) = searched().answer(for: image)
    if !problems.isEmpty {
      content.withLock { content in
        let known = content?.problems ?? []
        content?.problems += problems.filter { !known.contains($0) }
      }
    }
    return answer
  }

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    image.identity == nil || roots.isEmpty
      ? [] : searched().findings(for: image, place: place, roots: roots.map(\.path))
  }

  private func searched() -> SymbolFileEntries {
    content.withLock { content in
      let searched = content ?? search()
      content = searched
      return searched.entries
    }
  }

  private func search() -> Content {
    var entries: [SymbolFileEntry] = []
    var archives: [String] = []
    var problems: [SymbolFileProblem] = []
    for root in roots {
      let found = root.search(settings)
      entries += found.entries
      archives += found.archives
      problems += found.problems
      if expectsFiles, found.entries.isEmpty, found.archives.isEmpty, found.problems.isEmpty {
        problems.append(SymbolFileProblem(path: root.path, kind: .noSymbolFiles))
      }
    }
    return Content(
      entries: SymbolFileEntries(entries), archives: archives, problems: problems)
  }
}
