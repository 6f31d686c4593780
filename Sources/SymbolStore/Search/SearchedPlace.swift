import ObjectFiles
import SymbolicationModel
import Synchronization

/// What a place found that searches once, when an image is first asked for by its identity.
final class SearchedPlace: Sendable {
  private let content = Mutex<Content?>(nil)
  private let search: @Sendable () -> Content

  struct Content: Sendable {
    var entries = SymbolFileEntries()
    /// The paths of archives.
    var archives: [String] = []
    var problems: [SymbolFileProblem] = []
  }

  init(search: @escaping @Sendable () -> Content) { self.search = search }

  /// Nothing if nothing was searched yet.
  var found: Content { content.withLock { $0 } ?? Content() }

  /// Searches, unless that was done. While one thread searches, the others wait.
  func entries() -> SymbolFileEntries {
    content.withLock { content in
      let searched = content ?? search()
      content = searched
      return searched.entries
    }
  }

  /// The file for an image; nothing for any other request.
  ///
  /// - Parameter isNoted: whether a problem of a file that was opened is kept. Each is kept once.
  func answer(
    _ request: SymbolFileRequest, isNoted: (SymbolFileProblem) -> Bool = { _ in true }
  ) -> SymbolFileAnswer {
    guard case .image(let image) = request.wanted, image.identity != nil else {
      return SymbolFileAnswer()
    }
    let (answer, problems) = entries().answer(for: image)
    if !problems.isEmpty {
      content.withLock { content in
        let known = content?.problems ?? []
        content?.problems += problems.filter { isNoted($0) && !known.contains($0) }
      }
    }
    return answer
  }

  func findings(
    for image: ImageDescription, place: SymbolPlace, roots: [String]
  ) -> [SymbolFinding] {
    image.identity == nil ? [] : entries().findings(for: image, place: place, roots: roots)
  }
}
