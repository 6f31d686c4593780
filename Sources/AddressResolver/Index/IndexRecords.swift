import SymbolIndex
import SymbolicationModel

/// The records of an index, and which of them answer. Several threads may use it.
struct IndexRecords: Sendable {
  let file: GsymFile
  let source: Source

  /// What else is known about the image.
  enum Source {
    /// Nothing: the index answers alone.
    case none
    /// A file with debug information. Records with lines were made from it. The others were made
    /// from the symbol table, and debug information may know more about their code.
    case debugInformation
    /// A file with a symbol table and no debug information.
    case symbolTable
  }

  /// Whether the index has the answer for `address`, which is then in `answer`. Throws if its
  /// record cannot be read. Cost: that of `GsymFile.lookup`.
  func answers(
    _ address: LinkAddress, into answer: inout GsymAnswer
  ) throws(GsymError) -> Bool {
    guard try file.lookup(address, into: &answer) else { return false }
    switch source {
    case .none: return true
    case .debugInformation:
      return answer.frames.allSatisfy { $0.name != 0 && $0.location != nil }
    case .symbolTable:
      guard let function = answer.frames.first, answer.frames.count == 1 else { return false }
      return function.location == nil && function.name != 0 && !function.range.isEmpty
    }
  }
}
