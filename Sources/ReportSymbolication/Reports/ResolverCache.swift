import AddressResolver
import SymbolStore
import SymbolicationModel

/// The resolvers in use, one for each slice of a symbol file: what one decoded for a report serves
/// the next.
struct ResolverCache {
  private var resolvers: [Key: ImageResolver] = [:]
  private var order: [Key] = []

  private struct Key: Hashable {
    let path: String
    let architecture: Architecture
  }

  mutating func resolver(for match: SymbolMatch) -> ImageResolver {
    let resolver = ImageResolver(match.objectFile)
    let key = Key(path: resolver.path, architecture: resolver.architecture)
    if let known = resolvers[key] { return known }
    resolvers[key] = resolver
    order.append(key)
    return resolver
  }

  /// What the resolvers could not read, in the order in which the files were first used.
  var problems: [SymbolFileProblem] {
    order.flatMap { resolvers[$0]?.problems ?? [] }
  }
}
