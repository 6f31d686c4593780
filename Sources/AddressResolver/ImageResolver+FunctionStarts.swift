import Demangling
import ObjectFiles
package import SymbolicationModel

extension ImageResolver {
  /// Where functions begin, and data that is code, by their names as a symbol table or a demangler
  /// has them. A name that stands for several addresses is left out.
  ///
  /// - Complexity: reads the whole symbol table; if names are missing that are not mangled, all its
  ///   names are demangled.
  package func functionStarts(named names: Set<String>) -> [String: LinkAddress] {
    guard !names.isEmpty, let table = try? objectFile.symbolTableWithObjects() else { return [:] }
    var starts: [String: LinkAddress] = [:]
    var ambiguous: Set<String> = []
    func take(_ name: String, at start: LinkAddress) {
      guard names.contains(name) else { return }
      if let known = starts.updateValue(start, forKey: name), known != start {
        ambiguous.insert(name)
      }
    }
    let isMachO = objectFile.format == .machO
    for index in 0..<table.count {
      let symbol = table[index]
      let raw = symbol.rawName
      let name = isMachO && raw.hasPrefix("_") ? String(raw.dropFirst()) : raw
      take(name, at: symbol.addresses.lowerBound)
    }
    if names.contains(where: { starts[$0] == nil && ManglingScheme(of: $0) == nil }) {
      var demangler = SymbolDemangler()
      for index in 0..<table.count {
        let symbol = table[index]
        let name = demangler.shownName(of: symbol.rawName, isMachOSymbol: isMachO)
        if starts[name] != symbol.addresses.lowerBound {
          take(name, at: symbol.addresses.lowerBound)
        }
      }
    }
    for name in ambiguous { starts[name] = nil }
    return starts
  }
}
