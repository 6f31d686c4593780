extension JsonValue {
  /// The objects in this value, or the value itself, that fulfil a condition, in the order of the
  /// document. What is in such an object is not looked at.
  ///
  /// Time: one look at each object and list outside of those that are found.
  package func objects(where isWanted: (JsonValue) -> Bool) -> [JsonValue] {
    var found: [JsonValue] = []
    // The document decides how deep it is, so there is no recursion.
    var open: [Level] = []
    func enter(_ value: JsonValue) {
      switch value.kind {
      case .array: open.append(.array(value.elements))
      case .object where isWanted(value): found.append(value)
      case .object: open.append(.object(value.members))
      default: break
      }
    }
    enter(self)
    while let level = open.popLast() {
      switch level {
      case .array(var elements):
        guard let element = elements.next() else { continue }
        open.append(.array(elements))
        enter(element)
      case .object(var members):
        guard let member = members.next() else { continue }
        open.append(.object(members))
        enter(member.value)
      }
    }
    return found
  }

  private enum Level {
    case array(JsonElements)
    case object(JsonMembers)
  }
}

/// Keys to look for together: a list of many objects is read faster in one pass over each.
package struct JsonKeys: Sendable {
  fileprivate let texts: [String]
  fileprivate let packed: [JsonPackedKey?]

  package init(_ keys: [String]) {
    texts = keys
    packed = keys.map { JsonPackedKey($0) }
  }
}

extension JsonValue {
  /// The value of the first member with each key, in the order of the keys; nil for a key that is
  /// missing, and for values other than objects.
  package func firstValues(of keys: JsonKeys) -> [JsonValue?] {
    var values = [JsonValue?](repeating: nil, count: keys.texts.count)
    for member in members {
      let key = member.packedKey
      let index =
        key == nil
        ? keys.texts.firstIndex { member.hasKey($0) } : keys.packed.firstIndex { $0 == key }
      if let index, values[index]?.position == nil { values[index] = member.value }
    }
    return values
  }
}
