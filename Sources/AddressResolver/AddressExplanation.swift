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
}

extension ImageResolver {
  /// Tells what `resolve(address)` rests on.
  ///
  /// - Parameter isAnswered: whether it returned an answer. Cost: up to that of resolving the address once more.
  package func explanation(
    isAnswered: Bool, at address: LinkAddress
  ) -> AddressExplanation {
    AddressExplanation(
      file: path, index: nil,
      functionStart: isAnswered ? nil : functionStart(containing: address))
  }
}
