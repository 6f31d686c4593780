import ObjectFiles
import SymbolicationModel
import Synchronization

/// The directories that the user gave. They are searched through, once, when an image is asked for
/// by its identity. A file there never fits by its name.
final class SearchedDirectories: SymbolFileLocator {
  private let directories: [String]
  private let content = Mutex<Content?>(nil)

  private struct Content {
    let index: SymbolFileIndex
    let problems: [SymbolFileProblem]
  }

  init(_ directories: [String]) { self.directories = directories }

  /// The files found; nil if nothing was searched yet.
  var index: SymbolFileIndex? { content.withLock { $0?.index } }

  /// What is wrong with files and directories that were met, and directories without a symbol file.
  var problems: [SymbolFileProblem] { content.withLock { $0?.problems ?? [] } }

  /// While one thread searches, the others wait.
  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, image.identity != nil else {
      return SymbolFileAnswer()
    }
    let index = content.withLock { content in
      let searched = content ?? search()
      content = searched
      return searched.index
    }
    return index.answer(for: image)
  }

  private func search() -> Content {
    var files: [ObjectFile] = []
    var problems: [SymbolFileProblem] = []
    for directory in directories {
      let found = DirectorySearch.objectFiles(under: directory)
      files += found.files
      problems += found.problems
      if found.files.isEmpty, found.problems.isEmpty {
        problems.append(SymbolFileProblem(path: directory, kind: .noSymbolFiles))
      }
    }
    return Content(index: SymbolFileIndex(files), problems: problems)
  }
}
