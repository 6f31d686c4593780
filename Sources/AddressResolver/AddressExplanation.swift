package import SymbolicationModel

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
