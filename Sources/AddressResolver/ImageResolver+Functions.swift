import Demangling
import ObjectFiles
package import SymbolicationModel

extension ImageResolver {
  /// The addresses of functions, and of data that is code, by their names as a symbol table or a
  /// demangler has them. A name that stands for several addresses is left out.
  ///
  /// - Complexity: reads the whole symbol table; if names are missing that are not mangled, all its
  ///   names are demangled.
  package func functions(named names: Set<String>) -> [String: Range<LinkAddress>] {
    guard !names.isEmpty, let table = try? objectFile.symbolTableWithObjects() else { return [:] }
    var functions: [String: Range<LinkAddress>] = [:]
    var ambiguous: Set<String> = []
    func take(_ name: String, _ addresses: Range<LinkAddress>) {
      guard names.contains(name) else { return }
      if let known = functions.updateValue(addresses, forKey: name),
        known.lowerBound != addresses.lowerBound
      {
        ambiguous.insert(name)
      }
    }
    let isMachO = objectFile.format == .machO
    for index in 0..<table.count {
      let symbol = table[index]
      let raw = symbol.rawName
      let name = isMachO && raw.hasPrefix("_") ? String(raw.dropFirst()) : raw
      take(name, symbol.addresses)
    }
    if names.contains(where: { functions[$0] == nil && ManglingScheme(of: $0) == nil }) {
      var demangler = SymbolDemangler()
      for index in 0..<table.count {
        let symbol = table[index]
        let name = demangler.shownName(of: symbol.rawName, isMachOSymbol: isMachO)
        if functions[name]?.lowerBound != symbol.addresses.lowerBound {
          take(name, symbol.addresses)
        }
      }
    }
    for name in ambiguous { functions[name] = nil }
    return functions
  }
}
