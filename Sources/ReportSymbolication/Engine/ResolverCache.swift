package import AddressResolver
package import SymbolStore
package import SymbolicationModel

/// The resolvers in use, one for each slice of a symbol file. What a resolver decoded for one
/// report is reused for the next.
package struct ResolverCache {
  private struct Key: Hashable {
    let candidate: SymbolCandidate
    let indexUse: IndexUse
  }

  private var resolvers: [Key: ImageResolver] = [:]
  private var order: [Key] = []
  /// Of resolvers that were forgotten.
  private var earlierProblems: [Key: [SymbolFileProblem]] = [:]
  private var memory = AllocatedMemory()
  private let store: SymbolStore
  private let dwarfReader: DwarfReaderChoice
  private let demangling: DemanglingStyle

  /// - Parameter store: finds what the symbol files need besides.
  init(_ options: SymbolicationOptions, store: SymbolStore) {
    self.store = store
    self.dwarfReader = options.dwarfReader
    self.demangling = options.demangling
  }

  package mutating func resolver(for match: SymbolMatch, indexUse: IndexUse) -> ImageResolver {
    let key = Key(candidate: match.candidate, indexUse: indexUse)
    if let known = resolvers[key] { return known }
    let resolver = ImageResolver(
      match.objectFile, program: match.program, dwarfReader: dwarfReader, indexUse: indexUse,
      demangling: demangling, store: store)
    resolvers[key] = resolver
    if earlierProblems[key] == nil { order.append(key) }
    return resolver
  }

  /// What the resolvers could not read or had to assume, in the order in which the files were first
  /// used. An assumed link base is one of them, because addresses in a report are relative to the
  /// load address of their image.
  var problems: [SymbolFileProblem] {
    // Mostly there is one, whose key takes long to hash.
    if earlierProblems.isEmpty, resolvers.count < 2 {
      return resolvers.values.flatMap(Self.problems)
    }
    return order.flatMap { key in
      (earlierProblems[key] ?? []) + (resolvers[key].map(Self.problems) ?? [])
    }
  }

  private static func problems(of resolver: ImageResolver) -> [SymbolFileProblem] {
    guard let assumed = resolver.assumedLinkBase else { return resolver.problems }
    return resolver.problems
      + [SymbolFileProblem(path: resolver.path, kind: .assumedLinkBase(assumed))]
  }

  /// Forgets all resolvers if more than `limit` bytes of memory are in use. They are made again
  /// when they are needed.
  ///
  /// - Returns: whether they were forgotten.
  mutating func forget(above limit: UInt64) -> Bool {
    guard !resolvers.isEmpty, memory.exceeds(limit) else { return false }
    for (key, resolver) in resolvers {
      earlierProblems[key] =
        ((earlierProblems[key] ?? []) + Self.problems(of: resolver)).withoutRepetitions
    }
    resolvers = [:]
    return true
  }
}
