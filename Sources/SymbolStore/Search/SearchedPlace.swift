import ObjectFiles
import SymbolicationModel
import Synchronization

/// What a place found that searches once, when an image is first asked for by its identity.
final class SearchedPlace: Sendable {
  private let content = Mutex<Content?>(nil)
  /// Looked for when reasons are first asked for.
  private let emptyBundles = Mutex<EmptyBundles?>(nil)
  private let search: @Sendable () -> Content

  struct Content: Sendable {
    var entries = SymbolFileEntries()
    /// The paths of archives.
    var archives: [String] = []
    private var distinctProblems = DistinctValues<SymbolFileProblem>()

    var problems: [SymbolFileProblem] { distinctProblems.values }

    /// Each problem is kept once.
    mutating func add(_ problem: SymbolFileProblem) { distinctProblems.insert(problem) }
  }

  init(search: @escaping @Sendable () -> Content) { self.search = search }

  /// Nothing if nothing was searched yet.
  var found: Content { content.withLock { $0 } ?? Content() }

  /// Files with one of the image's names and an architecture that serves for it; none if nothing
  /// was searched yet.
  func files(named image: ImageDescription) -> [SymbolFileEntry] {
    content.withLock { $0?.entries.files(named: image) ?? [] }
  }

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
        for problem in problems where isNoted(problem) { content?.add(problem) }
      }
    }
    return answer
  }

  /// What could be meant for the image among what was found, and empty dSYMs that lie directly in
  /// one of `roots`, which are the same in each call.
  func findings(
    for image: ImageDescription, place: SymbolPlace, roots: [String]
  ) -> [SymbolFinding] {
    guard image.identity != nil else { return [] }
    let empty = emptyBundles.withLock { known in
      let bundles = known ?? EmptyBundles(in: roots)
      known = bundles
      return bundles
    }
    return entries().findings(for: image, place: place)
      + empty.paths(for: image).map { SymbolFinding(path: $0, place: place, outcome: .emptyBundle) }
  }
}
