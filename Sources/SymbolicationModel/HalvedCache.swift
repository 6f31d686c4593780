/// A cache that takes a limited amount of memory, and keeps what is asked for again and again.
///
/// It has two halves. When the new one is full, the old one is forgotten, and the new one becomes
/// the old one. So what a single input asked for goes, without any order being kept.
package struct HalvedCache<Key: Hashable, Value> {
  @usableFromInline var recent: [Key: Value] = [:]
  @usableFromInline var older: [Key: Value] = [:]
  @usableFromInline var recentSize = 0
  /// How large each half may become.
  @usableFromInline let halfLimit: Int

  /// - Parameter halfLimit: in the unit of the sizes of the entries.
  @inlinable package init(halfLimit: Int) { self.halfLimit = halfLimit }

  package var count: Int { recent.count + older.count }

  @inlinable package func contains(_ key: Key) -> Bool { recent[key] != nil || older[key] != nil }

  /// Nil if it was never kept, or is forgotten.
  ///
  /// - Parameter size: of the entry, which may have to be kept anew.
  @inlinable package mutating func value(_ key: Key, size: (Value) -> Int) -> Value? {
    if let known = recent[key] { return known }
    guard let known = older[key] else { return nil }
    insert(known, key, size: size(known))
    return known
  }

  @inlinable package mutating func insert(_ value: Value, _ key: Key, size: Int) {
    // An entry of a table that is three quarters full takes about 64 bytes besides.
    let size = size + 64
    recentSize += size
    if recentSize > halfLimit {
      older = recent
      recent = [:]
      recentSize = size
    }
    recent.updateValue(value, forKey: key)
  }
}
