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
public final class ImageResolver {
  package let objectFile: ObjectFile
  private let dwarfReader: DwarfReaderChoice
  private let indexUse: IndexUse
  private lazy var index: ImageIndex? = openIndex()
  private var demangler: SymbolDemangler
  private lazy var dwarf: (any DwarfReading)? = openDwarf()
  /// Whether a question opened `dwarf`: nothing else is to.
  private var askedDwarf = false
  private lazy var supplementaryFiles = ImageSupplementaryFiles(objectFile: objectFile)
  private lazy var symbols = ImageSymbols(objectFile)
  private lazy var loadedRanges =
    isIndex ? [index?.range].compactMap(\.self) : objectFile.loadedRanges
  private var ownProblems: [SymbolFileProblem] = []

  package init(
    _ objectFile: ObjectFile, dwarfReader: DwarfReaderChoice = .builtIn,
    indexUse: IndexUse = .never, demangling: DemanglingStyle = .simplified
  ) {
    self.objectFile = objectFile
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

  /// Whether there is anything that could name an address: debug information or a symbol.
  public var hasAnySymbols: Bool {
    objectFile.hasDebugInfo || index.map { !$0.isEmpty } == true
      || symbols.hasAny
  }

  /// Whether a segment that is loaded holds `address`.
  public func contains(_ address: LinkAddress) -> Bool {
    loadedRanges.contains { $0.contains(address) }
  }

  /// What is wrong with the file, and what was passed over so far because it could not be read.
  public var problems: [SymbolFileProblem] {
    let own =
      objectFile.faults.map { SymbolFileProblem($0) } + ownProblems + symbols.problems
    guard askedDwarf else { return own }
    let faults = dwarf?.faults ?? []
    return own + supplementaryFiles.problems
      + faults.map { SymbolFileProblem($0, path: objectFile.path) }
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
    guard let code = symbols.code(at: address) else { return nil }
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
    symbols.functionStart(containing: address)
  }

  /// Of an address that `resolve` has no name for, the nearest symbol before it, and why that is not its
  /// name; nil where there is none, and of an index. Cost: that of `resolve`.
  public func refusedSymbol(at address: LinkAddress) -> SymbolRefusal? {
    symbols.refusal(at: address)
  }

  private func indexAnswer(at address: LinkAddress) -> ResolvedAddress? {
    do throws(GsymError) {
      return try index?.resolve(address, &demangler)
    } catch {
      if isIndex {
        keep(SymbolFileProblem(error, path: path))
      } else if let index {
        keep(SymbolFileProblem(path: index.path, kind: .unusableIndex(IndexFault(error))))
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
    } else if let address, let code = symbols.code(at: address) {
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
        keep(SymbolFileProblem(error, path: path))
        return nil
      }
    }
    // An index holds what our own reader reads.
    guard case .cached(let directory) = indexUse, dwarfReader == .builtIn else { return nil }
    guard let cache = directory.map({ IndexCache(directory: $0) }) ?? IndexCache.user() else {
      return nil
    }
    do throws(SymbolFileProblem) {
      guard let index = try cache.find(for: objectFile) else { return nil }
      return ImageIndex(
        index, besides: objectFile.hasDebugInfo ? .debugInformation : .symbolTable)
    } catch {
      keep(error)
      return nil
    }
  }

  private func openDwarf() -> (any DwarfReading)? {
    guard objectFile.hasDebugInfo else { return nil }
    let sections = DwarfSections(objectFile, problems: &ownProblems)
    do throws(DwarfReadError) {
      switch dwarfReader {
      case .builtIn:
        return try BuiltInDwarfReader(
          sections: sections, supplementaryFiles: supplementaryFiles)
      case .libdwarf: return try LibDwarfReader(sections: sections)
      }
    } catch {
      ownProblems.append(SymbolFileProblem(error, path: objectFile.path))
      return nil
    }
  }

  private func keep(_ problem: SymbolFileProblem) {
    if !ownProblems.contains(problem) { ownProblems.append(problem) }
  }
}
