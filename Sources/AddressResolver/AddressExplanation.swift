package import SymbolicationModel

/// What the answer of an `ImageResolver` for one address rests on, and what it passed over.
package struct AddressExplanation: Hashable, Sendable {
  /// The file that has the answer; where there is none, the symbol file.
  package let file: String
  /// The index that answered in the file's place.
  package let index: String?
  /// Where the function that holds the address begins, as `LC_FUNCTION_STARTS` tells it; nil where
  /// the address has a name, or nothing tells.
  package let functionStart: LinkAddress?
  /// The nearest symbol, and why it does not name the address; nil where the address has a name.
  package let refusedSymbol: SymbolRefusal?
  /// Files that might have had the debug information of the function and cannot be used, each with the
  /// reason: a dSYM of another build, an object file that was changed. Places where nothing is are left out,
  /// but for the object file that the debug map names.
  package let refusedFiles: [DebugFileSearch.Attempt]
}

extension ImageResolver {
  /// Tells what `resolve(address)` rests on.
  ///
  /// - Parameter isAnswered: whether it returned an answer. Cost: up to that of resolving the address once more.
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
    case .symbolTable, .exports, .miniDebugInfo, .symbolStub: symbolPath(for: address)
    case nil: path
    }
  }
}
