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
