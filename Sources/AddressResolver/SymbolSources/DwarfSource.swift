import Demangling
import DwarfReader
import ObjectFiles
import SymbolicationModel

/// The DWARF of an image: that of its symbol file or separate debug file, or, without either, that
/// of the object files to which its debug map leads.
final class DwarfSource: SymbolSource {
  private let files: ImageFiles
  private let readerChoice: DwarfReaderChoice
  private let names: SymbolNamesForDwarf
  private let symbols: SymbolTableSource
  private let demangling: DemanglingStyle
  private let hiddenNames: HiddenNames
  private let problemList: ProblemList
  /// The debug map of an image without DWARF of its own.
  private(set) lazy var debugMap: DebugMapReader? = openDebugMap()
  private lazy var referencedFiles = ImageReferencedFiles(files.debugFile, in: files.store)
  /// Nil until a question is asked; nil inside if there is no DWARF.
  private var opened: (any DwarfReading)??

  init(
    _ files: ImageFiles, symbols: SymbolTableSource, _ hiddenNames: HiddenNames,
    readerChoice: DwarfReaderChoice, demangling: DemanglingStyle, problems: ProblemList
  ) {
    self.files = files
    self.symbols = symbols
    self.hiddenNames = hiddenNames
    self.demangling = demangling
    self.names = SymbolNamesForDwarf(symbols: symbols)
    self.readerChoice = readerChoice
    self.problemList = problems
  }

  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer {
    // The reader keeps what it could not read among its faults; the symbol table answers instead.
    guard let found = (try? reader?.answer(at: address)) ?? nil else { return .none }
    let answer = hiddenNames.revealed(found)
    guard let function = answer.frames.last else {
      return .line(answer.row.map(hiddenNames.revealed))
    }
    return .whole(
      ResolvedAddress(
        inlinedFrames: answer.frames.dropLast().map { $0.resolved(&demangler) },
        function: names.function(
          function, holding: address, prefersSymbol: answer.mayHaveMangledSymbol, &demangler),
        origin: .dwarf))
  }

  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress] {
    reader?.prepare(for: addresses, jobs: jobs)
    return addresses
  }

  /// Leaves out answers with hidden names, whose problems have the order of the questions, and
  /// those for which other tables than the symbol table would be read.
  func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (ResolvedBatch) -> Void
  ) -> [NumberedAddress] {
    let batches = DwarfBatches(symbols: symbols, style: demangling)
    reader?.answer(questions, jobs: jobs) { take(batches.batch(from: $0)) }
    return questions
  }

  var problems: [SymbolFileProblem] {
    guard let opened else { return [] }
    if let debugMap { return debugMap.problems }
    return referencedFiles.problems
      + (opened?.faults ?? []).map { SymbolFileProblem($0, path: files.debugFile.path) }
  }

  // MARK: - What explanations ask

  /// The file whose DWARF is asked about `address`; nil if there is none. Cost: that file is
  /// opened, if it was not.
  func path(describing address: LinkAddress) -> String? {
    if files.debugFile.hasDebugInfo { return files.debugFile.path }
    _ = reader
    return debugMap?.objectPath(for: address)
  }

  /// The search for the object file with the function at `address`, if it failed.
  func failedSearch(for address: LinkAddress) -> DebugFileSearch? {
    opened == nil ? nil : debugMap?.failedSearch(for: address)
  }

  /// The searches for object files that failed so far, in the order of the debug map.
  var failedSearches: [DebugFileSearch] { opened == nil ? [] : debugMap?.failedSearches ?? [] }

  // MARK: - Opening

  private var reader: (any DwarfReading)? {
    if let opened { return opened }
    let reader = files.debugFile.hasDebugInfo ? openDwarf() : debugMap
    opened = .some(reader)
    return reader
  }

  private func openDwarf() -> (any DwarfReading)? {
    let sections = DwarfSections(
      files.debugFile, limits: files.limits, problems: &problemList.problems)
    do throws(DwarfReadError) {
      return try readerChoice.reader(of: sections, referencedFiles: referencedFiles)
    } catch {
      problemList.problems.append(SymbolFileProblem(error, path: files.debugFile.path))
      return nil
    }
  }

  private func openDebugMap() -> DebugMapReader? {
    guard !files.debugFile.hasDebugInfo else { return nil }
    do throws(ObjectFileError) {
      guard let map = try files.objectFile.readDebugMap() else { return nil }
      return DebugMapReader(map, of: files.objectFile, in: files.store) {
        [readerChoice] (sections) throws(DwarfReadError) in
        try readerChoice.reader(of: sections, referencedFiles: nil)
      }
    } catch {
      problemList.add(SymbolFileProblem(error))
      return nil
    }
  }
}
