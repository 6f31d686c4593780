package import ObjectFiles
package import SymbolStore
package import SymbolicationModel

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

/// What became of the search for the file with the debug information of a program that has none
/// itself: the dSYM of a Mach-O image, the file that `.gnu_debuglink` or the build-id of an ELF one
/// leads to.
package struct SeparateDebugFile: Sendable {
  /// Nil if none was found.
  package let objectFile: ObjectFile?
  /// The candidates that were refused or absent before the file was found; nil if there was nothing
  /// to search for.
  package let search: DebugFileSearch?
  /// What to report: that a candidate was refused, or that the file is missing that the program
  /// names itself. It is no problem that a program has no dSYM.
  package let problem: SymbolFileProblem?

  /// Searches for the file of `program`. Nothing is searched for if `program` has debug information
  /// of its own, or is of a kind that has no such file.
  ///
  /// Cost: the system is asked about some ten paths, and the headers of the files that exist are
  /// read; to compare a checksum, a whole ELF file.
  package static func find(for program: ObjectFile, in store: SymbolStore) -> SeparateDebugFile {
    guard let request = SymbolFileRequest.separateDebugFile(of: AskingFile(program)),
      case .separateDebugFile(let link) = request.wanted
    else { return SeparateDebugFile(objectFile: nil, search: nil, problem: nil) }
    let answer = store.locate(request)
    // An ELF file without link and build-id has nothing to be searched by.
    guard program.format == .machO || link != nil || answer.file != nil || !answer.refused.isEmpty
    else { return SeparateDebugFile(objectFile: nil, search: nil, problem: nil) }
    // Nothing states a name if only the build-id is known: then it is the first path.
    let name = request.name.isEmpty ? answer.refused.first?.path ?? "" : request.name
    return SeparateDebugFile(
      program, answer, name: name, isNamedByProgram: program.format == .elf && link != nil)
  }

  private init(objectFile: ObjectFile?, search: DebugFileSearch?, problem: SymbolFileProblem?) {
    self.objectFile = objectFile
    self.search = search
    self.problem = problem
  }

  private init(
    _ program: ObjectFile, _ answer: SymbolFileAnswer, name: String, isNamedByProgram: Bool
  ) {
    func search(_ attempts: [DebugFileSearch.Attempt]) -> DebugFileSearch {
      DebugFileSearch(purpose: .debugInformation, name: name, attempts: attempts)
    }
    objectFile = answer.file
    self.search = search(answer.refused)
    let refused = answer.refused.filter { $0.finding != .absent }
    guard answer.file == nil, !refused.isEmpty || isNamedByProgram else {
      problem = nil
      return
    }
    problem = SymbolFileProblem(
      path: program.path,
      kind: .unusableDebugFile(search(isNamedByProgram ? answer.refused : refused)))
  }
}
