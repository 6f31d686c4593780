extension Array where Element: Hashable {
  /// The elements in their order, each only once: where it comes first.
  package var withoutRepetitions: [Element] {
    var known: Set<Element> = []
    var elements: [Element] = []
    // `filter` in generic code searches all conformances once for each type of element.
    for element in self where known.insert(element).inserted { elements.append(element) }
    return elements
  }
}
