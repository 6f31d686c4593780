import AddressResolver
import SymbolStore
import SymbolicationModel

/// The resolvers in use, one for each slice of a symbol file: what one decoded for a report serves
/// the next.
struct ResolverCache {
  private var resolvers: [SymbolCandidate: ImageResolver] = [:]
  private var order: [SymbolCandidate] = []
  private let dwarfReader: DwarfReaderChoice

  init(dwarfReader: DwarfReaderChoice) { self.dwarfReader = dwarfReader }

  mutating func resolver(for match: SymbolMatch) -> ImageResolver {
    let key = match.candidate
    if let known = resolvers[key] { return known }
    let resolver = ImageResolver(match.objectFile, dwarfReader: dwarfReader)
    resolvers[key] = resolver
    order.append(key)
    return resolver
  }

  /// What the resolvers could not read, in the order in which the files were first used.
  var problems: [SymbolFileProblem] {
    order.flatMap { resolvers[$0]?.problems ?? [] }
  }
}
