import Demangling
import ObjectFiles
import SymbolIndex
import SymbolStore
import SymbolicationModel

/// The GSYM index of an image: the symbol file itself if that is an index, else one that was made
/// before from the symbol file.
final class IndexSource: SymbolSource {
  private let files: ImageFiles
  private let use: Use
  private let hiddenNames: HiddenNames
  private let demangling: DemanglingStyle
  private let problemList: ProblemList
  private(set) lazy var index: OpenedIndex? = open()

  private enum Use {
    /// The symbol file is the index, and there is nothing else to ask.
    case givenFile
    /// An index in this directory, nil for the user's cache. It is not used if the image's DWARF is
    /// that of its object files: it knows no more about those functions than the symbol table.
    case cached(directory: String?, besides: DwarfSource)
    case never
  }

  /// - Parameter readerChoice: an index holds what the built-in reader reads, so that it does not
  ///   answer in place of libdwarf.
  init(
    _ files: ImageFiles, _ indexUse: IndexUse, dwarf: DwarfSource, _ hiddenNames: HiddenNames,
    readerChoice: DwarfReaderChoice, demangling: DemanglingStyle, problems: ProblemList
  ) {
    self.files = files
    self.demangling = demangling
    self.hiddenNames = hiddenNames
    self.problemList = problems
    switch indexUse {
    case _ where files.objectFile.format == .gsym: use = .givenFile
    // No index is made from one.
    case _ where files.objectFile.answersAlone: use = .never
    case .cached(let directory) where readerChoice == .builtIn:
      use = .cached(directory: directory, besides: dwarf)
    case .cached, .never: use = .never
    }
  }

  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer {
    do throws(GsymError) {
      guard let found = try index?.resolve(address, &demangler) else { return .none }
      return revealed(found, &demangler).map { .whole($0) } ?? .none
    } catch {
      refuse(error)
      return .none
    }
  }

  /// The answer with its hidden names replaced. Nil for one with hidden names from a cached index:
  /// the symbol file answers, because which name it prefers depends on what the names stand for.
  private func revealed(
    _ found: ResolvedAddress, _ demangler: inout SymbolDemangler
  ) -> ResolvedAddress? {
    guard hiddenNames.occur(in: found) else { return found }
    guard case .givenFile = use else { return nil }
    return hiddenNames.revealed(found, &demangler)
  }

  /// An index is mapped and needs no preparation. What cannot be read of it is reported when the
  /// address is resolved.
  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress] {
    addresses.filter { (try? index?.answers($0)) != true }
  }

  /// Answers nothing if a record cannot be read: when that is reported, and what answers after it,
  /// depends on the order of the questions.
  func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (ResolvedBatch) -> Void
  ) -> [NumberedAddress] {
    guard let index else { return questions }
    if let batches = try? IndexBatches.batches(
      for: questions, from: index.records, demangling: demangling, jobs: jobs)
    {
      ParallelWork.perform(count: batches.count, jobs: jobs) { take(batches[$0]) }
    }
    return questions.filter { (try? index.answers($0.address)) != true }
  }

  /// All of them are in the resolver's list.
  var problems: [SymbolFileProblem] { [] }

  /// The path of an index that answers for `address` in the symbol file's place; nil if the symbol
  /// file answers itself.
  func path(answering address: LinkAddress) -> String? {
    var demangler = SymbolDemangler(style: .raw)
    guard case .cached = use, let index,
      let found = (try? index.resolve(address, &demangler)) ?? nil, !hiddenNames.occur(in: found)
    else { return nil }
    return index.path
  }

  /// Throws if the symbol file is an index and cannot be used, or is known to be for another
  /// architecture than `wanted`.
  func checkGivenFile(for wanted: Architecture?) throws(SymbolFileProblem) {
    guard case .givenFile = use else { return }
    if index == nil, let problem = problemList.problems.first { throw problem }
    guard let wanted, let found = index?.architecture, found != wanted, found != wanted.fallback
    else { return }
    throw SymbolFileProblem(
      path: files.objectFile.path, kind: .missingArchitecture(wanted: wanted, found: [found]))
  }

  /// Keeps the damage. A cached index that has any is not asked again: what else it says may be
  /// wrong, too.
  private func refuse(_ error: GsymError) {
    if case .givenFile = use {
      problemList.add(
        SymbolFileProblem(path: files.objectFile.path, kind: SymbolFileProblem.Kind(error)))
    } else if let index {
      problemList.add(
        SymbolFileProblem(path: index.path, kind: .unusableIndex(IndexRefusal(.gsym(error)))))
      self.index = nil
    }
  }

  private func open() -> OpenedIndex? {
    switch use {
    case .givenFile: return open(files.objectFile, besides: .none)
    case .cached(let directory, let dwarf):
      guard dwarf.debugMap == nil else { return nil }
      let answer = files.store.locate(
        SymbolFileRequest(.index(directory: directory), for: files.askingDebugFile))
      for refused in answer.refused {
        if case .unreadable(let kind) = refused.finding {
          problemList.add(SymbolFileProblem(path: refused.path, kind: kind))
        }
      }
      return answer.file.flatMap { file in
        open(file, besides: files.debugFile.hasDebugInfo ? .debugInformation : .symbolTable)
      }
    case .never: return nil
    }
  }

  private func open(_ file: ObjectFile, besides source: OpenedIndex.Source) -> OpenedIndex? {
    guard let bytes = file.content(as: .gsym) else { return nil }
    do throws(IndexFileError) {
      return OpenedIndex(try IndexFile(bytes, path: file.path), besides: source)
    } catch {
      problemList.add(SymbolFileProblem(path: file.path, kind: SymbolFileProblem.Kind(error)))
      return nil
    }
  }
}
