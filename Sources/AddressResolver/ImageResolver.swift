import Demangling
import DwarfReader
import LibDwarfReader
package import ObjectFiles
import SymbolIndex
public import SymbolicationModel

/// Names the functions, files and lines of one image.
///
/// It asks the image's index first, where there is one and it may be used; then its DWARF; then its
/// symbols and stubs (`ImageSymbols`); and returns one whole answer with what it rests on. Nothing is decoded
/// before the first question, and of what the index answers nothing else is read; what was decoded is
/// kept, so many questions to one resolver, in ascending order, are the cheap way. It belongs to one
/// owner and is not for several threads at a time.
///
/// Where the file has no DWARF, its separate debug file (`SeparateDebugFile`) is looked for and gives DWARF,
/// symbols and index in its place; where there is none, the debug map leads to the object files that
/// have the DWARF (`DebugMapReader`). What only a linked image has, stubs and function starts, is the program's.
public final class ImageResolver {
  package let objectFile: ObjectFile
  /// The file with what a debug file lacks: the one given, or the program that it belongs to.
  private let program: ObjectFile
  private let debugDirectories: [String]
  private lazy var separateDebugFile = SeparateDebugFile.find(
    for: objectFile, debugDirectories: debugDirectories)
  /// Whether a question made the search for the separate debug file: nothing else is to.
  private var askedDebugFile = false
  private lazy var debugMap: DebugMapReader? = openDebugMap()
  private let dwarfReader: DwarfReaderChoice
  private let indexUse: IndexUse
  private lazy var index: ImageIndex? = openIndex()
  private var demangler: SymbolDemangler
  private lazy var dwarf: (any DwarfReading)? = openDwarf()
  /// Whether a question opened `dwarf`: nothing else is to.
  private var askedDwarf = false
  private lazy var referencedFiles = ImageSupplementaryFiles(
    objectFile: debugFile, debugDirectories: debugDirectories)
  private lazy var symbols = ImageSymbols(
    debugFile, functionStartsOf: hasOwnProgram ? program : nil)
  /// Asked where `symbols` has no answer; nil where it is of the same file.
  private lazy var programSymbols: ImageSymbols? = hasOwnProgram ? ImageSymbols(program) : nil
  private lazy var loadedRanges =
    isIndex ? [index?.range].compactMap(\.self) : objectFile.loadedRanges
  private var ownProblems: [SymbolFileProblem] = []

  /// - Parameters:
  ///   - objectFile: the symbol file.
  ///   - program: the program or library that it belongs to, where that is another file and known.
  ///   - debugDirectories: where the system keeps debug information; absolute paths.
  package init(
    _ objectFile: ObjectFile, program: ObjectFile? = nil,
    dwarfReader: DwarfReaderChoice = .builtIn, indexUse: IndexUse = .never,
    demangling: DemanglingStyle = .simplified,
    debugDirectories: [String] = ImageSupplementaryFiles.systemDebugDirectories
  ) {
    self.objectFile = objectFile
    self.program = program ?? objectFile
    self.debugDirectories = debugDirectories
    self.dwarfReader = dwarfReader
    self.indexUse = indexUse
    self.demangler = SymbolDemangler(style: demangling)
  }

  /// Opens the Mach-O, ELF or GSYM file at `path`.
  ///
  /// - Parameter architecture: the slice wanted of a file with several, with Apple's fall-backs
  ///   (`Architecture.fallback`). Nil takes the first of arm64, arm64e, x86_64 and x86_64h that is
  ///   there, else the file's first.
  /// - Parameter demangling: how names are shown.
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

  /// Throws where the symbol file is an index of which nothing can be used, or one that is known to be
  /// of another architecture than `wanted`.
  package func checkIsUsable(for wanted: Architecture?) throws(SymbolFileProblem) {
    guard isIndex else { return }
    if index == nil, let problem = ownProblems.first { throw problem }
    guard let wanted, let found = index?.architecture, found != wanted, found != wanted.fallback
    else { return }
    throw SymbolFileProblem(
      path: path, kind: .missingArchitecture(wanted: wanted, found: [found]))
  }

  /// The file's path.
  public var path: String { objectFile.path }

  /// The file's own name; in a dSYM bundle that of the binary it was made from, of an index what
  /// stands before `.gsym`.
  public var imageName: String { objectFile.imageName }

  /// `unknown` for an index that does not tell it.
  public var architecture: Architecture {
    isIndex ? index?.architecture ?? .unknown : objectFile.architecture
  }

  /// Whether the symbol file is nothing but an index.
  private var isIndex: Bool { objectFile.format == .gsym }

  /// Whether it is an ELF object file as the compiler writes it.
  package var isUnlinkedElf: Bool {
    objectFile.format == .elf && objectFile.fileType == .relocatable
  }

  /// Where the file says that a segment is loaded; nil where it has none such.
  ///
  /// - Parameter segmentName: a Mach-O segment, such as `__TEXT_EXEC`. Without one it is where the
  ///   image begins: `__TEXT`, or the page of the first `PT_LOAD` of an ELF file. An index has no
  ///   segments, and may not tell where the image begins: see `assumedLinkBase`.
  public func linkBase(segmentName: String? = nil) -> LinkAddress? {
    guard isIndex else { return objectFile.linkBase(segmentName: segmentName) }
    return segmentName == nil ? index?.linkBase?.address : nil
  }

  /// What `linkBase()` says, where that is no statement of the file but a guess.
  package var assumedLinkBase: LinkAddress? {
    guard isIndex, let base = index?.linkBase, base.isAssumed else { return nil }
    return base.address
  }

  /// Whether the program is another file than the one with the DWARF and the symbols.
  private var hasOwnProgram: Bool { program.path != debugFile.path }

  /// The named code at `address` by the symbols of the file with the DWARF, which has more of them, else
  /// by those of the program.
  private func code(at address: LinkAddress) -> ImageSymbols.NamedCode? {
    symbols.code(at: address) ?? programSymbols?.code(at: address)
  }

  /// The file with the DWARF and the symbols.
  private var debugFile: ObjectFile {
    guard !objectFile.hasDebugInfo else { return objectFile }
    askedDebugFile = true
    return separateDebugFile.objectFile ?? objectFile
  }

  /// The separate debug file that answers for this one; nil where it has debug information of its own, or
  /// none was found. Cost: the search, at the first question.
  package var separateDebugFilePath: String? {
    debugFile.path == objectFile.path ? nil : debugFile.path
  }

  /// The file whose debug information is asked about `address`: the one given, its separate debug file,
  /// or the object file of the debug map, `lib.a(member.o)` for a member of an archive. Nil where there
  /// is none. Cost: that file is opened, if it was not.
  package func debugInformationPath(for address: LinkAddress) -> String? {
    if debugFile.hasDebugInfo { return debugFile.path }
    askedDwarf = true
    return debugMap?.objectPath(for: address)
  }

  /// The file whose symbols are asked about `address` with success: the one with the DWARF, or the program.
  func symbolPath(for address: LinkAddress) -> String {
    symbols.code(at: address) == nil ? program.path : debugFile.path
  }

  /// What was looked at for the debug information of the function at `address` and is not used: what is
  /// no separate debug file of the image, and the object file of the debug map, absent or not.
  func refusedFiles(for address: LinkAddress) -> [DebugFileSearch.Attempt] {
    let others = debugInformationSearches.first { $0.purpose == .debugInformation }?.attempts
    let object = askedDwarf ? debugMap?.failedSearch(for: address)?.attempts : nil
    return (others ?? []).filter { $0.finding != .absent } + (object ?? [])
  }

  /// What was looked for so far to find debug information outside of the file, with the places that were
  /// looked at in vain: the separate debug file, whether it was found or not, and object files of the debug map
  /// that cannot be used.
  package var debugInformationSearches: [DebugFileSearch] {
    let search = askedDebugFile ? separateDebugFile.search : nil
    return [search].compactMap(\.self) + (askedDwarf ? debugMap?.failedSearches ?? [] : [])
  }

  /// Whether there is anything that could name an address: debug information or a symbol, here or in the
  /// separate debug file.
  public var hasAnySymbols: Bool {
    debugFile.hasDebugInfo || index.map { !$0.isEmpty } == true || symbols.hasAny
  }

  /// Whether a segment that is loaded holds `address`.
  public func contains(_ address: LinkAddress) -> Bool {
    loadedRanges.contains { $0.contains(address) }
  }

  /// What is wrong with the file, and what was passed over so far because it could not be read.
  public var problems: [SymbolFileProblem] {
    var own = objectFile.faults.map { SymbolFileProblem($0) } + ownProblems
    if askedDebugFile {
      own += [separateDebugFile.problem].compactMap(\.self)
      own += (separateDebugFile.objectFile?.faults ?? []).map { SymbolFileProblem($0) }
    }
    if askedDebugFile || objectFile.hasDebugInfo {
      own += symbols.problems + (programSymbols?.problems ?? [])
    }
    guard askedDwarf else { return own }
    if let debugMap { return own + debugMap.problems }
    let faults = dwarf?.faults ?? []
    return own + referencedFiles.problems
      + faults.map { SymbolFileProblem($0, path: debugFile.path) }
  }

  /// Announces addresses that `resolve` will be asked about, so that debug information is decoded for
  /// all of them together, on up to `jobs` threads. What `resolve` says is the same without it, and
  /// whatever `jobs` is.
  public func prepare(for addresses: [LinkAddress], jobs: Int) {
    var distinct = addresses.withoutRepetitions
    // What cannot be read of the index is kept when the address is resolved.
    distinct.removeAll { (try? index?.answers($0)) == true }
    guard !distinct.isEmpty else { return }
    distinct.sort()
    askedDwarf = true
    dwarf?.prepare(for: distinct, jobs: jobs)
  }

  /// The functions at `address`, or nil where nothing names any.
  ///
  /// The address is looked up as it is: see `FrameAddressKind` for return addresses.
  public func resolve(_ address: LinkAddress) -> ResolvedAddress? {
    if let answer = indexAnswer(at: address) { return answer }
    var row: SourceLocation?
    if let answer = dwarfAnswer(at: address) {
      if let concrete = answer.frames.last {
        return ResolvedAddress(
          inlinedFrames: answer.frames.dropLast().map { resolvedFrame($0) },
          function: resolvedFrame(
            concrete, symbolAt: address, prefersSymbol: answer.mayHaveMangledSymbol),
          origin: .dwarf)
      }
      row = answer.row
    }
    guard let code = code(at: address) else { return nil }
    // The linker's code has no lines.
    let location = code.origin == .symbolStub ? nil : row
    let function = ResolvedFrame(
      name: shownName(of: code), rawName: code.symbol.rawName, location: location,
      rangeStart: code.symbol.addresses.lowerBound)
    return ResolvedAddress(
      inlinedFrames: [], function: function,
      origin: location == nil ? code.origin : .symbolTableAndLineTable)
  }

  /// Where the function that holds `address` begins as `LC_FUNCTION_STARTS` tells it, which a
  /// stripped Mach-O image keeps; nil where it tells of none.
  public func functionStart(containing address: LinkAddress) -> LinkAddress? {
    // Of a debug file they are the program's.
    symbols.functionStart(containing: address)
  }

  /// Of an address that `resolve` has no name for, the nearest symbol before it, and why that is not its
  /// name; nil where there is none, and of an index. Cost: that of `resolve`.
  public func refusedSymbol(at address: LinkAddress) -> SymbolRefusal? {
    symbols.refusal(at: address)
  }

  /// The index that has the answer for `address` and was made of another file; nil where that file
  /// answers itself.
  func answeringIndexPath(for address: LinkAddress) -> String? {
    guard !isIndex, let index, (try? index.answers(address)) == true else { return nil }
    return index.path
  }

  private func indexAnswer(at address: LinkAddress) -> ResolvedAddress? {
    do throws(GsymError) {
      return try index?.resolve(address, &demangler)
    } catch {
      if isIndex {
        keep(SymbolFileProblem(path: path, kind: SymbolFileProblem.Kind(error)))
      } else if let index {
        keep(
          SymbolFileProblem(path: index.path, kind: .unusableIndex(IndexRefusal(.gsym(error)))))
        // What else it says may be wrong, too.
        self.index = nil
      }
      return nil
    }
  }

  private func dwarfAnswer(at address: LinkAddress) -> DwarfAnswer? {
    askedDwarf = true
    // The reader keeps what it could not read among its faults; the symbol table answers instead.
    do { return try dwarf?.answer(at: address) } catch { return nil }
  }

  /// - Parameters:
  ///   - symbolAt: an address where the symbol table is asked when DWARF gives no name.
  ///   - prefersSymbol: whether it may know a mangled name, which tells more.
  private func resolvedFrame(
    _ frame: DwarfFrame, symbolAt address: LinkAddress? = nil, prefersSymbol: Bool = false
  ) -> ResolvedFrame {
    let name: String
    let rawName: String
    if prefersSymbol,
      let mangled = symbols.mangledName(ofFunctionAt: frame.range.lowerBound)
    {
      rawName = mangled
      name = demangler.shownName(of: mangled, isMachOSymbol: false)
    } else if let written = frame.linkageName ?? frame.name {
      rawName = written
      name = demangler.shownName(of: written, isMachOSymbol: false)
    } else if let address, let code = code(at: address) {
      rawName = code.symbol.rawName
      name = shownName(of: code)
    } else {
      rawName = ""
      name = "<unnamed>"
    }
    return ResolvedFrame(
      name: name, rawName: rawName, location: frame.location, rangeStart: frame.range.lowerBound)
  }

  /// Stubs have the names that Apple's tools, and of ELF those of GNU, give them.
  private func shownName(of code: ImageSymbols.NamedCode) -> String {
    let isMachO = objectFile.format == .machO
    let name = demangler.shownName(of: code.symbol.rawName, isMachOSymbol: isMachO)
    guard code.origin == .symbolStub else { return name }
    return isMachO ? "DYLD-STUB$$" + name : name + "@plt"
  }

  private func openIndex() -> ImageIndex? {
    if let bytes = objectFile.gsym {
      do throws(IndexFileError) {
        return ImageIndex(try IndexFile(bytes, path: path), besides: .none)
      } catch {
        keep(SymbolFileProblem(path: path, kind: SymbolFileProblem.Kind(error)))
        return nil
      }
    }
    // An index holds what our own reader reads.
    guard case .cached(let directory) = indexUse, dwarfReader == .builtIn else { return nil }
    guard let cache = directory.map({ IndexCache(directory: $0) }) ?? IndexCache.user() else {
      return nil
    }
    do throws(SymbolFileProblem) {
      // An index tells of a debug map's functions no more than the symbol table does.
      guard debugMap == nil, let index = try cache.find(for: debugFile) else { return nil }
      return ImageIndex(
        index, besides: debugFile.hasDebugInfo ? .debugInformation : .symbolTable)
    } catch {
      keep(error)
      return nil
    }
  }

  private func openDwarf() -> (any DwarfReading)? {
    guard debugFile.hasDebugInfo else { return debugMap }
    let sections = DwarfSections(debugFile, problems: &ownProblems)
    do throws(DwarfReadError) {
      return try Self.reader(dwarfReader, sections, referencedFiles)
    } catch {
      ownProblems.append(SymbolFileProblem(error, path: debugFile.path))
      return nil
    }
  }

  private static func reader(
    _ choice: DwarfReaderChoice, _ sections: DwarfSections,
    _ referencedFiles: ImageSupplementaryFiles?
  ) throws(DwarfReadError) -> any DwarfReading {
    switch choice {
    case .builtIn:
      try BuiltInDwarfReader(sections: sections, referencedFiles: referencedFiles)
    case .libdwarf: try LibDwarfReader(sections: sections)
    }
  }

  private func openDebugMap() -> DebugMapReader? {
    guard !debugFile.hasDebugInfo else { return nil }
    do throws(ObjectFileError) {
      guard let map = try objectFile.readDebugMap() else { return nil }
      return DebugMapReader(map, of: objectFile) {
        [dwarfReader] (sections) throws(DwarfReadError) in
        try Self.reader(dwarfReader, sections, nil)
      }
    } catch {
      keep(SymbolFileProblem(error))
      return nil
    }
  }

  private func keep(_ problem: SymbolFileProblem) {
    if !ownProblems.contains(problem) { ownProblems.append(problem) }
  }
}
