import Demangling
import SymbolicationModel

/// One kind of data that can name what is at an address of an image: an index, DWARF, symbol
/// tables.
///
/// `ImageResolver` asks its sources in the order of one list. Each gives the whole answer or
/// passes, so that a name never comes from one source and a line from another, but for the two
/// rules of `SymbolNamesForDwarf`. A source opens nothing before it is asked; an address that one
/// source answers costs nothing in those after it. It belongs to one owner and is not for several
/// threads.
protocol SymbolSource: AnyObject {
  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer

  /// Decodes what the following `answer` calls need, on up to `jobs` threads.
  ///
  /// - Parameter addresses: sorted, each once.
  /// - Returns: the addresses that the next source will be asked about.
  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress]

  /// What could not be read so far, in addition to what is in the resolver's `ProblemList`.
  var problems: [SymbolFileProblem] { get }
}

/// What a source knows about an address.
enum SourceAnswer {
  /// Everything: function, line and inlined calls, as far as anyone knows them.
  case whole(ResolvedAddress)
  /// The line of code that no function describes. The next source may name it.
  case line(SourceLocation?)
  /// Nothing.
  case none
}

/// What one resolver could not read, in the order in which it was found, each problem once.
final class ProblemList {
  /// For callers that add to it through `inout`; they check for repetitions themselves.
  var problems: [SymbolFileProblem] = []

  func add(_ problem: SymbolFileProblem) {
    if !problems.contains(problem) { problems.append(problem) }
  }
}
