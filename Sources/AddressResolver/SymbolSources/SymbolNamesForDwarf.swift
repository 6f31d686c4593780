import Demangling
import DwarfReader
import ObjectFiles
import SymbolicationModel

/// The two cases in which an answer is made of DWARF and of a symbol together.
///
/// 1. DWARF describes the function and has no name for it, or no mangled name where the symbol
///    table may have one (`DwarfAnswer.mayHaveMangledSymbol`): the symbol that starts there names
///    it.
/// 2. A line row covers the address and no function does, as in assembly: the symbol names the
///    code, and the row gives its line. The linker's stubs have no lines.
struct SymbolNamesForDwarf {
  let symbols: SymbolTableSource

  /// Case 1: the frame of the function itself. Its inlined calls have names in DWARF.
  ///
  /// - Parameters:
  ///   - address: the address asked about.
  ///   - prefersSymbol: whether the symbol table may know a mangled name.
  func function(
    _ frame: DwarfFrame, holding address: LinkAddress, prefersSymbol: Bool,
    _ demangler: inout SymbolDemangler
  ) -> ResolvedFrame {
    if prefersSymbol, let mangled = symbols.mangledName(ofFunctionAt: frame.range.lowerBound) {
      return frame.resolved(rawName: mangled, &demangler)
    }
    if frame.linkageName ?? frame.name == nil, let code = symbols.code(at: address) {
      return frame.resolved(
        rawName: code.symbol.rawName, shownName: symbols.shownName(of: code, &demangler))
    }
    return frame.resolved(&demangler)
  }

  /// Case 2.
  static func answer(
    _ named: ResolvedAddress, line: SourceLocation?
  ) -> ResolvedAddress {
    guard let line, named.origin != .symbolStub else { return named }
    return ResolvedAddress(
      inlinedFrames: named.inlinedFrames,
      function: ResolvedFrame(
        name: named.function.name, rawName: named.function.rawName, location: line,
        rangeStart: named.function.rangeStart),
      origin: .symbolTableAndLineTable)
  }
}

extension DwarfFrame {
  /// The frame with the name that DWARF has.
  func resolved(_ demangler: inout SymbolDemangler) -> ResolvedFrame {
    guard let written = linkageName ?? name else {
      return resolved(rawName: "", shownName: Self.placeholder)
    }
    return resolved(rawName: written, &demangler)
  }

  /// What is shown for a function without any name.
  static var placeholder: String { "<unnamed>" }

  fileprivate func resolved(
    rawName: String, _ demangler: inout SymbolDemangler
  ) -> ResolvedFrame {
    resolved(
      rawName: rawName, shownName: demangler.shownName(of: rawName, isMachOSymbol: false))
  }

  fileprivate func resolved(rawName: String, shownName: String) -> ResolvedFrame {
    ResolvedFrame(
      name: shownName, rawName: rawName, location: location, rangeStart: range.lowerBound)
  }
}
