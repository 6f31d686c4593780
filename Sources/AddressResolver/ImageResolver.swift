import Demangling
package import ObjectFiles
package import SymbolStore
public import SymbolicationModel

// From an address in a crashed process to functions, files and lines.
//
// `FrameAddressKind` says which address to look up for a frame, `Slide` converts it from the
// process to the file, and `ImageResolver` answers from the file's index, DWARF and symbols:
// `SymbolSources/` holds a type for each, and the order in which they are asked. `Index/` makes
// indexes and reads them.
//
// Opened files come in, and `SymbolStore` finds the others that an image needs: nothing here makes
// up a path.

/// Names the functions, files and lines of one image.
///
/// It asks its sources in this order, and returns the first whole answer with what it rests on: the
/// image's index, if there is one and it may be used; its DWARF; its symbols and stubs. A symbol
/// file that answers alone, such as a Breakpad symbol file, is the only source of its image.
/// Nothing is decoded before the first question, and nothing is read that an earlier source makes
/// unnecessary. What was decoded is kept, so many questions to one resolver, in ascending order,
/// are the cheap way. It belongs to one owner and is not for several threads at a time.
///
/// For a file without DWARF the store is asked for its separate debug file, which gives DWARF,
/// symbols and index in its place. If there is none, the debug map leads to the object files with
/// the DWARF. Stubs and function starts, which only a linked image has, come from the program.
public final class ImageResolver {
  private let files: ImageFiles
  private let problemList = ProblemList()
  private let standalone: (any StandaloneSource)?
  private let index: IndexSource
  private let dwarf: DwarfSource
  private let symbols: SymbolTableSource
  /// The sources, in the order in which they are asked.
  private let sources: [any SymbolSource]
  private var demangler: SymbolDemangler
  private lazy var outline: any ImageOutline =
    if let standalone {
      standalone.outline
    } else if objectFile.format == .gsym {
      IndexOutline(index: index.index)
    } else {
      objectFile
    }
  /// The segments that are loaded.
  package private(set) lazy var loadedRanges = outline.loadedRanges

  /// - Parameters:
  ///   - objectFile: the symbol file.
  ///   - program: the program or library that it belongs to, if that is another file and known.
  ///   - store: finds the other files that the image needs.
  package init(
    _ objectFile: ObjectFile, program: ObjectFile? = nil,
    dwarfReader: DwarfReaderChoice = .builtIn, indexUse: IndexUse = .never,
    demangling: DemanglingStyle = .simplified, store: SymbolStore = SymbolStore()
  ) {
    files = ImageFiles(objectFile, program: program, store: store)
    let hiddenNames = HiddenNames(files, problems: problemList)
    symbols = SymbolTableSource(files, hiddenNames)
    dwarf = DwarfSource(
      files, symbols: symbols, hiddenNames, readerChoice: dwarfReader, demangling: demangling,
      problems: problemList)
    index = IndexSource(
      files, indexUse, dwarf: dwarf, hiddenNames, readerChoice: dwarfReader,
      demangling: demangling, problems: problemList)
    standalone = Self.standaloneSource(files, problemList)
    sources = standalone.map { [$0] } ?? [index, dwarf, symbols]
    demangler = SymbolDemangler(style: demangling)
  }

  /// Nil for files that the other sources read. An index is among these, because an image may have
  /// one beside its symbol file.
  private static func standaloneSource(
    _ files: ImageFiles, _ problems: ProblemList
  ) -> (any StandaloneSource)? {
    switch files.objectFile.format {
    case .machO, .elf, .gsym: nil
    case .breakpad: BreakpadSource(files, problems: problems)
    case .sharedCache: SharedCacheSource(files, problems: problems)
    case .coreSymbolication: CoreSymbolicationSource(files, problems: problems)
    case .learnt: LearntSource(files)
    }
  }

  // MARK: - The image

  /// The symbol file.
  package var objectFile: ObjectFile { files.objectFile }

  /// The path of the symbol file.
  public var path: String { objectFile.path }

  /// The file's own name: in a dSYM bundle that of the binary it was made from; for an index the
  /// part before `.gsym`; for a Breakpad symbol file the name that it states.
  public var imageName: String { objectFile.imageName }

  /// `unknown` for an index that does not state it.
  public var architecture: Architecture { outline.architecture }

  /// Whether the symbol file is an ELF object file as the compiler writes it.
  package var isUnlinkedElf: Bool {
    objectFile.format == .elf && objectFile.fileType == .relocatable
  }

  /// Where the file states that a segment is loaded; nil if it has no such segment.
  ///
  /// - Parameter segmentName: a Mach-O segment, such as `__TEXT_EXEC`. Nil asks where the image
  ///   begins: `__TEXT`, or the page of the first `PT_LOAD` of an ELF file. An index has no
  ///   segments, and may not state where the image begins: see `assumedLinkBase`.
  public func linkBase(segmentName: String? = nil) -> LinkAddress? {
    outline.linkBase(segmentName: segmentName)
  }

  /// What `linkBase()` returns, if the file does not state it and it is a guess.
  package var assumedLinkBase: LinkAddress? { outline.assumedLinkBase }

  /// Whether a segment that is loaded holds `address`.
  public func contains(_ address: LinkAddress) -> Bool {
    loadedRanges.contains { $0.contains(address) }
  }

  /// Whether there is anything that could name an address: debug information or a symbol, here or
  /// in the separate debug file.
  public var hasAnySymbols: Bool {
    if let standalone { return standalone.hasAny }
    return files.debugFile.hasDebugInfo || index.index.map { !$0.isEmpty } == true || symbols.hasAny
  }

  /// Throws if the symbol file is an index and cannot be used, or is known to be for another
  /// architecture than `wanted`.
  package func checkIsUsable(for wanted: Architecture?) throws(SymbolFileProblem) {
    try index.checkGivenFile(for: wanted)
  }

  /// Where the sources of the image are now, as its dSYM records it (`DBGSourcePathRemapping`), in
  /// the order in which they are tried. Answers have the paths of the build.
  package var recordedSourceMappings: [RecordedSourceMapping] {
    files.dsymPropertyList?.sourceMappings ?? []
  }

  // MARK: - Answers

  /// Announces addresses that `resolve` will be asked about, so that debug information is decoded
  /// for all of them together, on up to `jobs` threads. What `resolve` returns is the same without
  /// it, and for any number of jobs.
  public func prepare(for addresses: [LinkAddress], jobs: Int) {
    var remaining = addresses.withoutRepetitions.sorted()
    for source in sources where !remaining.isEmpty {
      remaining = source.prepare(for: remaining, jobs: jobs)
    }
  }

  /// Answers many addresses in numbers, on up to `jobs` threads.
  ///
  /// Not every address is answered in this way. Ask `resolve` about the others: what they need is
  /// decoded then. Which they are does not depend on `jobs`.
  ///
  /// - Parameters:
  ///   - questions: ascending by address, no address twice.
  ///   - take: gets the answers in parts, on the threads that found them. They are the same as
  ///     those of `resolve`.
  package func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (ResolvedBatch) -> Void
  ) {
    var remaining = questions
    for source in sources where !remaining.isEmpty {
      remaining = source.answer(remaining, jobs: jobs, take)
    }
  }

  /// The functions at `address`, or nil if nothing names any.
  ///
  /// The address is looked up as it is: see `FrameAddressKind` for return addresses.
  public func resolve(_ address: LinkAddress) -> ResolvedAddress? {
    var line: SourceLocation?
    for source in sources {
      switch source.answer(at: address, &demangler) {
      case .whole(let answer): return SymbolNamesForDwarf.answer(answer, line: line)
      case .line(let found): line = found
      case .none: continue
      }
    }
    return nil
  }

  /// Where the function that holds `address` begins according to `LC_FUNCTION_STARTS`, which a
  /// stripped Mach-O image keeps; nil if it does not say.
  public func functionStart(containing address: LinkAddress) -> LinkAddress? {
    symbols.functionStart(containing: address)
  }

  /// For an address that `resolve` has no name for: the nearest symbol before it, and why that is
  /// not its name. Nil if there is none, and for an index. Cost: that of `resolve`.
  public func refusedSymbol(at address: LinkAddress) -> SymbolRefusal? {
    symbols.refusal(at: address)
  }

  /// What is wrong with the file, and what could not be read so far.
  public var problems: [SymbolFileProblem] {
    objectFile.faults.map { SymbolFileProblem($0) } + problemList.problems + files.problems
      + symbols.problems + dwarf.problems + index.problems
  }
}

// MARK: - What explanations ask

extension ImageResolver {
  /// The separate debug file that answers for this one; nil if it has debug information of its own,
  /// or none was found. Cost: the search, at the first question.
  package var separateDebugFilePath: String? {
    files.debugFile.path == objectFile.path ? nil : files.debugFile.path
  }

  /// The file whose debug information is asked about `address`: the one given, its separate debug
  /// file, or the object file of the debug map, `lib.a(member.o)` for a member of an archive. Nil
  /// if there is none. Cost: that file is opened, if it was not.
  package func debugInformationPath(for address: LinkAddress) -> String? {
    dwarf.path(describing: address)
  }

  /// The index that has the answer for `address` and was made from another file; nil if that file
  /// answers itself.
  func answeringIndexPath(for address: LinkAddress) -> String? { index.path(answering: address) }

  /// The file whose symbol names `address`: the one with the DWARF, or the program.
  func symbolPath(for address: LinkAddress) -> String { symbols.path(naming: address) }

  /// The candidates for the debug information of the function at `address` that were refused: files
  /// that are not the image's separate debug file, and the object file of the debug map, absent or
  /// not.
  func refusedFiles(for address: LinkAddress) -> [DebugFileSearch.Attempt] {
    let others = files.separateDebugFile?.search?.attempts ?? []
    let object = dwarf.failedSearch(for: address)?.attempts ?? []
    return others.filter { $0.finding != .absent } + object
  }

  /// The searches so far for debug information outside of the file: for the separate debug file,
  /// whether it was found or not, and for object files of the debug map that cannot be used.
  package var debugInformationSearches: [DebugFileSearch] {
    [files.separateDebugFile?.search].compactMap(\.self) + dwarf.failedSearches
  }
}

/// What the answer of an `ImageResolver` for one address rests on, and what it did not use.
package struct AddressExplanation: Hashable, Sendable {
  /// The file that has the answer; the symbol file if there is no answer.
  package let file: String
  /// The index that answered in the file's place; nil if the file answered itself.
  package let index: String?
  /// Where the function that holds the address begins according to `LC_FUNCTION_STARTS`; nil if the
  /// address has a name, or the file does not say.
  package let functionStart: LinkAddress?
  /// The nearest symbol, and why it does not name the address; nil if the address has a name.
  package let refusedSymbol: SymbolRefusal?
  /// Candidates for the debug information of the function that were refused, each with the reason:
  /// a dSYM of another build, an object file that was changed. Absent files are left out, except
  /// the object file that the debug map names.
  package let refusedFiles: [DebugFileSearch.Attempt]
}

extension ImageResolver {
  /// What `resolve(address)` rests on. Cost: at most that of resolving the address once more.
  ///
  /// - Parameter isAnswered: whether it returned an answer.
  package func explanation(
    isAnswered: Bool, at address: LinkAddress
  ) -> AddressExplanation {
    AddressExplanation(
      file: isAnswered ? answeringPath(for: address) : path,
      index: isAnswered ? answeringIndexPath(for: address) : nil,
      functionStart: isAnswered ? nil : functionStart(containing: address),
      refusedSymbol: isAnswered ? nil : refusedSymbol(at: address),
      refusedFiles: refusedFiles(for: address))
  }

  private func answeringPath(for address: LinkAddress) -> String {
    switch resolve(address)?.origin {
    case .dwarf, .symbolTableAndLineTable: debugInformationPath(for: address) ?? path
    case .symbolTable, .exportTrie, .miniDebugInfo, .symbolStub: symbolPath(for: address)
    default: path
    }
  }
}
