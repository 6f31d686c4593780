/// Paths. The first one in the order of their bytes is taken out next: a binary heap.
package struct PathHeap {
  private var paths: [String] = []

  package init() {}

  package mutating func insert(_ path: String) {
    paths.append(path)
    var child = paths.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { return }
      paths.swapAt(child, parent)
      child = parent
    }
  }

  /// The first path; nil if there is none.
  package mutating func removeFirst() -> String? {
    guard let last = paths.popLast() else { return nil }
    guard let first = paths.first else { return last }
    paths[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < paths.count && precedes(child, least) {
        least = child
      }
      if least == parent { return first }
      paths.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    paths[left].utf8.lexicographicallyPrecedes(paths[right].utf8)
  }
}
