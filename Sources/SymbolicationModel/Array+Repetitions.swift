extension Sequence where Element: Hashable {
  /// The elements in their order, each only once: where it comes first.
  package var withoutRepetitions: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
