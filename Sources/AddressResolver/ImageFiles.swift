import ObjectFiles
import SymbolStore
import SymbolicationModel

/// The files of one image: the symbol file given, its program, and the separate debug file, which
/// the store is asked for when something needs it.
final class ImageFiles {
  /// The symbol file given.
  let objectFile: ObjectFile
  /// The file with what a debug file lacks: the one given, or the program that it belongs to.
  let program: ObjectFile
  let store: SymbolStore
  var limits: ResourceLimits { store.limits }
  /// Nil until something asked for it.
  private(set) var separateDebugFile: SeparateDebugFile?

  init(_ objectFile: ObjectFile, program: ObjectFile?, store: SymbolStore) {
    self.objectFile = objectFile
    self.program = program ?? objectFile
    self.store = store
  }

  /// The file with the DWARF and the symbols. Cost: the search, at the first question, if the file
  /// given has no DWARF.
  var debugFile: ObjectFile {
    guard !objectFile.hasDebugInfo else { return objectFile }
    let found = separateDebugFile ?? SeparateDebugFile.find(for: objectFile, in: store)
    separateDebugFile = found
    return found.objectFile ?? objectFile
  }

  /// What the dSYM records about the image beside its DWARF; nil for most images. Cost: the search
  /// for the debug file, and an attempt to open one file.
  private(set) lazy var dsymPropertyList: DsymPropertyList? = readPropertyList()
  private var propertyListProblem: SymbolFileProblem?

  private func readPropertyList() -> DsymPropertyList? {
    guard objectFile.format == .machO else { return nil }
    do {
      return try DsymPropertyList.read(for: askingDebugFile)
    } catch {
      propertyListProblem = error
      return nil
    }
  }

  /// `debugFile` as one that asks the store for others.
  private(set) lazy var askingDebugFile = AskingFile(debugFile)

  /// Whether the program is another file than the one with the DWARF and the symbols.
  var hasOwnProgram: Bool { program.path != debugFile.path }

  /// What is wrong with the separate debug file, with the search for it, or with the dSYM's
  /// property list.
  var problems: [SymbolFileProblem] {
    [separateDebugFile?.problem, propertyListProblem].compactMap(\.self)
      + (separateDebugFile?.objectFile?.faults ?? []).map { SymbolFileProblem($0) }
  }
}
