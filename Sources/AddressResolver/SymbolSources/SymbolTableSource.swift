import Demangling
import ObjectFiles
import SymbolicationModel

/// The symbols and stubs of an image: those of the file with the DWARF, which has more of them,
/// then those of the program.
final class SymbolTableSource: SymbolSource {
  private let files: ImageFiles
  private let hiddenNames: HiddenNames
  /// The two objects exist only once a question was asked.
  private var opened: (debugFile: ImageSymbols, program: ImageSymbols?)?

  init(_ files: ImageFiles, _ hiddenNames: HiddenNames) {
    self.files = files
    self.hiddenNames = hiddenNames
  }

  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer {
    guard let code = code(at: address) else { return .none }
    return .whole(
      ResolvedAddress(
        inlinedFrames: [],
        function: ResolvedFrame(
          name: shownName(of: code, &demangler), rawName: code.symbol.rawName, location: nil,
          rangeStart: code.symbol.addresses.lowerBound),
        origin: code.origin))
  }

  /// Symbol tables are read whole when they are first asked.
  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress] { addresses }

  var problems: [SymbolFileProblem] {
    guard let opened else { return [] }
    return opened.debugFile.problems + (opened.program?.problems ?? [])
  }

  // MARK: - What DWARF and explanations ask

  /// The named code at `address`, or nil.
  func code(at address: LinkAddress) -> ImageSymbols.NamedCode? {
    let symbols = symbols
    return (symbols.debugFile.code(at: address) ?? symbols.program?.code(at: address))
      .map(hiddenNames.revealed)
  }

  /// The mangled name that the symbol table has for the function that begins at `address`.
  func mangledName(ofFunctionAt address: LinkAddress) -> String? {
    symbols.debugFile.mangledName(ofFunctionAt: address) { hiddenNames.revealed($0) }
  }

  /// The same, unless the name of the symbol is hidden. Only the symbol table is read.
  func unhiddenMangledName(ofFunctionAt address: LinkAddress) -> UnhiddenName {
    var isHidden = false
    let name = symbols.debugFile.mangledName(ofFunctionAt: address) {
      if HiddenName($0) != nil { isHidden = true }
      return $0
    }
    return isHidden ? .hidden : name.map { .name($0) } ?? .none
  }

  enum UnhiddenName {
    case name(String)
    /// There is none.
    case none
    case hidden
  }

  /// The name to show. Stubs have the names that Apple's tools, and in ELF files GNU's, give them.
  func shownName(
    of code: ImageSymbols.NamedCode, _ demangler: inout SymbolDemangler
  ) -> String {
    let isMachO = files.objectFile.format == .machO
    let name = demangler.shownName(of: code.symbol.rawName, isMachOSymbol: isMachO)
    guard code.origin == .symbolStub else { return name }
    return isMachO ? "DYLD-STUB$$" + name : name + "@plt"
  }

  /// Whether there is any symbol with a name. Cost: the tables are read.
  var hasAny: Bool { symbols.debugFile.hasAny }

  /// As `ImageResolver.functionStart(containing:)`.
  func functionStart(containing address: LinkAddress) -> LinkAddress? {
    symbols.debugFile.functionStart(containing: address)
  }

  /// As `ImageResolver.refusedSymbol(at:)`.
  func refusal(at address: LinkAddress) -> SymbolRefusal? {
    symbols.debugFile.refusal(at: address).map { refusal in
      SymbolRefusal(
        rawName: hiddenNames.revealed(refusal.rawName), start: refusal.start, reason: refusal.reason
      )
    }
  }

  /// The file whose symbol names `address`: the one with the DWARF, or the program.
  func path(naming address: LinkAddress) -> String {
    symbols.debugFile.code(at: address) == nil ? files.program.path : files.debugFile.path
  }

  private var symbols: (debugFile: ImageSymbols, program: ImageSymbols?) {
    if let opened { return opened }
    let program = files.hasOwnProgram ? files.program : nil
    let symbols = (
      debugFile: ImageSymbols(
        files.debugFile, functionStartsOf: program, limits: files.limits),
      program: program.map { ImageSymbols($0, limits: files.limits) }
    )
    opened = symbols
    return symbols
  }
}
