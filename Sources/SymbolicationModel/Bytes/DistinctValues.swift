extension Array where Element: Hashable {
  /// The elements in their order, each only once: where it comes first.
  package var withoutRepetitions: [Element] {
    guard count > 1 else { return self }
    var known: Set<Element> = []
    var elements: [Element] = []
    // `filter` in generic code searches all conformances once for each type of element.
    for element in self where known.insert(element).inserted { elements.append(element) }
    return elements
  }
}

extension Array {
  /// Appends an element, or changes the one that is there for its key.
  ///
  /// - Parameter places: where the elements of the keys are.
  package mutating func merge<Key: Hashable>(
    _ element: @autoclosure () -> Element, _ key: Key, _ places: inout [Key: Int],
    _ change: (inout Element) -> Void
  ) {
    if let place = places[key] { return change(&self[place]) }
    places[key] = count
    append(element())
  }
}

/// Values in the order in which they first came, each once. Inserting takes the same time however
/// many there are.
package struct DistinctValues<Value: Hashable> {
  package private(set) var values: [Value] = []
  private var known: Set<Value> = []

  package init() {}

  /// - Returns: whether the value is new.
  @discardableResult
  package mutating func insert(_ value: Value) -> Bool {
    guard known.insert(value).inserted else { return false }
    values.append(value)
    return true
  }
}

extension DistinctValues: Sendable where Value: Sendable {}
