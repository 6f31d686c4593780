import SymbolStore

extension XcframeworkGap {
  /// Why the library has no dSYM, and what to do.
  package var sentences: String {
    let list = "\(xcframeworkPath)/Info.plist states"
    let folder = "\(xcframeworkPath)/\(identifier)"
    let advice = "Copy the whole .xcframework, or ask its vendor for the dSYM."
    switch reason {
    case .unstated:
      return
        "\(list) no DebugSymbolsPath for \(identifier), so its vendor shipped no dSYM. Ask the vendor for it."
    case .leadsOut(let path):
      return
        "\(list) the DebugSymbolsPath \(path) for \(identifier), which leads out of \(folder) and is not followed. Ask the vendor for the dSYM."
    case .noFolder(let path):
      return
        "\(list) the DebugSymbolsPath \(path) for \(identifier), but \(folder) has no such folder. \(advice)"
    case .noDsyms(let path):
      return
        "\(list) the DebugSymbolsPath \(path) for \(identifier), but there is no dSYM in that folder of \(folder). \(advice)"
    }
  }
}
