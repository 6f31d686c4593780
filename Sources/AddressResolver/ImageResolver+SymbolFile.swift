import ObjectFiles
import SymbolStore
public import SymbolicationModel

extension ImageResolver {
  /// Opens the Mach-O, ELF or GSYM file at `path`. Files that it needs besides (its separate debug
  /// file, split units, object files, an index) are looked for where the command looks for them.
  ///
  /// - Parameters:
  ///   - architecture: the slice wanted from a file with several, with Apple's fall-backs
  ///     (`Architecture.fallback`). Nil takes the first of arm64, arm64e, x86_64 and x86_64h that
  ///     the file has, else its first.
  ///   - dwarfReader: what decodes DWARF.
  ///   - indexUse: whether an index that was made before may answer.
  ///   - demangling: how names are shown.
  public convenience init(
    symbolFile path: String, architecture: Architecture? = nil,
    dwarfReader: DwarfReaderChoice = .builtIn, indexUse: IndexUse = .never,
    demangling: DemanglingStyle = .simplified
  ) throws(SymbolFileProblem) {
    let container = try ObjectContainer.openForUse(path: path)
    self.init(
      try container.preferredObjectFile(for: architecture), dwarfReader: dwarfReader,
      indexUse: indexUse, demangling: demangling)
    try checkIsUsable(for: architecture)
  }
}
