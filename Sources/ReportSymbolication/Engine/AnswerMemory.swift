package import AddressResolver
package import SymbolStore
package import SymbolicationModel

/// The answers that were found for earlier inputs, by image and address.
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
  private var answers: HalvedCache<Key, SharedAnswer?>
  /// The resolvers whose answers are known: while one lives, its identifier is its own.
  private var resolvers: [ObjectIdentifier: ImageResolver] = [:]
  private let limit: Int
  package private(set) var hitCount = 0
  package private(set) var missCount = 0

  /// - Parameter limit: about how many bytes the answers may take.
  package init(limit: UInt64) {
    self.limit = Int(clamping: limit)
    answers = HalvedCache(halfLimit: self.limit / 2)
  }

  /// Nil if the address was not asked about, or is forgotten.
  package mutating func answer(to key: Key) -> SharedAnswer?? {
    let known = answers.value(key) { $0?.size ?? 0 }
    if known == nil { missCount += 1 } else { hitCount += 1 }
    return known
  }

  func knows(_ key: Key) -> Bool { answers.contains(key) }

  /// - Parameter resolver: the one of the key.
  package mutating func remember(_ answer: SharedAnswer?, _ key: Key, of resolver: ImageResolver) {
    resolvers[ObjectIdentifier(resolver)] = resolver
    answers.insert(answer, key, size: answer?.size ?? 0)
  }

  /// Forgets everything but the counts.
  mutating func forgetAll() {
    answers = HalvedCache(halfLimit: limit / 2)
    resolvers = [:]
  }
}
