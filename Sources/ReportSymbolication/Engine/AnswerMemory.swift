package import AddressResolver
package import SymbolStore
package import SymbolicationModel

/// The answers that were found for earlier inputs, by image and address.
///
/// It has two halves. When the new one is full, the old one is forgotten, and the new one becomes
/// the old one. So what is asked again and again stays, and what a single input asked goes, without
/// any order being kept.
package struct AnswerMemory {
  package struct Key: Hashable {
    private let resolver: ObjectIdentifier
    private let basis: SymbolMatch.Basis
    private let address: LinkAddress
    private let lookupAddress: LinkAddress

    /// - Parameters:
    ///   - address: where the frame's code is.
    ///   - lookupAddress: what is looked up for it.
    package init(
      _ resolver: ImageResolver, _ basis: SymbolMatch.Basis, at address: LinkAddress,
      lookedUpAt lookupAddress: LinkAddress
    ) {
      self.resolver = ObjectIdentifier(resolver)
      self.basis = basis
      self.address = address
      self.lookupAddress = lookupAddress
    }
  }

  /// `.some(nil)` for an address without a name.
  private var recent: [Key: SharedAnswer?] = [:]
  private var older: [Key: SharedAnswer?] = [:]
  private var recentSize = 0
  /// The resolvers whose answers are known: while one lives, its identifier is its own.
  private var resolvers: [ObjectIdentifier: ImageResolver] = [:]
  private let limit: Int
  package private(set) var hitCount = 0
  package private(set) var missCount = 0

  /// - Parameter limit: about how many bytes the answers may take.
  package init(limit: UInt64) { self.limit = Int(clamping: limit) }

  /// Nil if the address was not asked about, or is forgotten.
  package mutating func answer(to key: Key) -> SharedAnswer?? {
    if let known = recent[key] {
      hitCount += 1
      return known
    }
    if let known = older[key] {
      hitCount += 1
      insert(known, key)
      return known
    }
    missCount += 1
    return nil
  }

  func knows(_ key: Key) -> Bool { recent[key] != nil || older[key] != nil }

  /// - Parameter resolver: the one of the key.
  package mutating func remember(_ answer: SharedAnswer?, _ key: Key, of resolver: ImageResolver) {
    resolvers[ObjectIdentifier(resolver)] = resolver
    insert(answer, key)
  }

  private mutating func insert(_ answer: SharedAnswer?, _ key: Key) {
    recentSize += Self.entrySize + (answer?.size ?? 0)
    if recentSize > limit / 2 {
      older = recent
      recent = [:]
      recentSize = Self.entrySize + (answer?.size ?? 0)
    }
    recent[key] = .some(answer)
  }

  /// Forgets everything but the counts.
  mutating func forgetAll() {
    recent = [:]
    older = [:]
    recentSize = 0
    resolvers = [:]
  }

  /// What an entry takes in a table that is three quarters full.
  private static let entrySize = 64
}
