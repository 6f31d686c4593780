import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import SymbolStore

/// What a search looks at, counted: it grows as the files and links do.
struct LinkGrowthTests {
  /// A folder of links to folders outside of it, each with one file.
  private func entries(links: Int) throws -> Int {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("root")
    for index in 0..<links {
      try directory.makeDirectory("targets/\(index)")
      try directory.write([1, 2, 3], to: "targets/\(index)/file")
      try directory.link("root/\(index)", to: directory.path("targets/\(index)"))
    }
    let count = Mutex(0)
    var settings = SearchSettings()
    settings.jobs = 1
    settings.progress = { total in
      if let total { count.withLock { $0 = max($0, total) } }
    }
    let root = SearchRoot(directory.path("root"), followsLinks: true)
    let found = DirectoryScan(root: root, settings: settings, known: nil).run()
    expectEmpty(found.problems)
    return count.withLock { $0 }
  }

  /// The root, and for each link its folder and the file in it.
  @Test(arguments: [1, 50, 100])
  func links(count: Int) throws {
    try expectEqual(entries(links: count), 1 + 2 * count)
  }

  @Test func pathsComeOutInOrder() {
    var heap = PathHeap()
    var generator = SeededGenerator(seed: 1)
    let paths = (0..<200).map { "p\($0)" }
    for path in paths.shuffled(using: &generator) { heap.insert(path) }
    var taken: [String] = []
    while let path = heap.removeFirst() { taken.append(path) }
    expectEqual(taken, paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    expectNil(heap.removeFirst())
  }
}
