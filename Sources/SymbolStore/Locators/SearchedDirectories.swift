import FileSystem
import ObjectFiles
import SymbolicationModel

/// Directories that are searched with all their subfolders, once, when an image is asked for by its
/// identity. A file there never fits by its name.
final class SearchedDirectories: ImagePlace {
  let place: SymbolPlace
  private let roots: [SearchRoot]
  private let searched: SearchedPlace

  /// - Parameters:
  ///   - roots: a directory in another one of them is not searched again.
  ///   - expectsFiles: whether a directory without a symbol file is a problem.
  init(_ roots: [SearchRoot], place: SymbolPlace, expectsFiles: Bool, _ settings: SearchSettings) {
    self.place = place
    self.roots = roots
    searched = SearchedPlace {
      Self.search(roots, expectsFiles: expectsFiles, settings)
    }
  }

  /// What was found; nothing if nothing was searched yet.
  var entries: SymbolFileEntries { searched.found.entries }

  /// Files with one of the image's names and an architecture that serves for it; none if nothing
  /// was searched yet.
  func files(named image: ImageDescription) -> [SymbolFileEntry] { searched.files(named: image) }

  /// The paths of archives that were found; none before anything was searched.
  var archives: [String] { searched.found.archives }

  /// What is wrong with files and directories that were met, and directories without a symbol file.
  var problems: [SymbolFileProblem] { searched.found.problems }

  func locate(_ request: SymbolFileRequest, skipping known: Set<String>) -> SymbolFileAnswer {
    roots.isEmpty ? SymbolFileAnswer() : searched.answer(request)
  }

  func findings(for image: ImageDescription) -> [SymbolFinding] {
    roots.isEmpty ? [] : searched.findings(for: image, place: place, roots: roots.map(\.path))
  }

  private static func search(
    _ roots: [SearchRoot], expectsFiles: Bool, _ settings: SearchSettings
  ) -> SearchedPlace.Content {
    var entries: [SymbolFileEntry] = []
    var content = SearchedPlace.Content()
    for root in roots {
      let found = root.search(settings)
      entries += found.entries
      content.archives += found.archives
      for problem in found.problems { content.add(problem) }
      if expectsFiles, found.entries.isEmpty, found.archives.isEmpty, found.problems.isEmpty {
        content.add(SymbolFileProblem(emptyDirectory: root.path))
      }
    }
    content.entries = SymbolFileEntries(entries)
    return content
  }
}
