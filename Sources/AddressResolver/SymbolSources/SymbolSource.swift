import Demangling
import ObjectFiles
package import SymbolicationModel

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

  /// Answers many addresses in numbers, on up to `jobs` threads. The others of `questions` are left
  /// to `answer(at:)`, and everything is decoded that it needs.
  ///
  /// - Parameters:
  ///   - questions: ascending by address, no address twice.
  ///   - take: gets the answers in parts, on the threads that found them.
  /// - Returns: the questions that the next source will be asked, answered ones among them or not.
  func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (ResolvedBatch) -> Void
  ) -> [NumberedAddress]

  /// What could not be read so far, in addition to what is in the resolver's `ProblemList`.
  var problems: [SymbolFileProblem] { get }
}

extension SymbolSource {
  /// Prepares for the questions and answers none.
  func answer(
    _ questions: [NumberedAddress], jobs: Int, _ take: @Sendable (ResolvedBatch) -> Void
  ) -> [NumberedAddress] {
    let remaining = prepare(for: questions.map(\.address), jobs: jobs)
    guard remaining.count < questions.count else { return questions }
    var next = 0
    return questions.filter { question in
      guard next < remaining.count, remaining[next] == question.address else { return false }
      next += 1
      return true
    }
  }
}

/// The only source of its image: the symbol file has a format that answers alone.
protocol StandaloneSource: SymbolSource {
  /// What the file states about the image.
  var outline: any ImageOutline { get }

  /// Whether there is anything to look up.
  var hasAny: Bool { get }
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

/// The answers of one image for many addresses, or a part of them. Frames are numbers; the
/// functions and paths that they share are in tables.
package struct ResolvedBatch: Sendable {
  /// The names of a function, as in `ResolvedFrame`.
  package struct Function: Hashable, Sendable {
    package let name: String
    package let rawName: String
  }

  /// A `ResolvedFrame` in numbers.
  package struct Frame: Sendable {
    /// The index in `functions`.
    package let function: Int32
    /// The index in `paths`; −1 if the symbol file does not state the location.
    package let path: Int32
    package let line: UInt32
    package let column: UInt32
    package let rangeStart: LinkAddress
  }

  /// The answer for one address.
  package struct Answer: Sendable {
    package let question: NumberedAddress
    /// Indices in `ResolvedBatch.frames`, innermost first; never empty. The last one is the
    /// function that was not inlined.
    package let frames: Range<Int>
    package let origin: AnswerOrigin
  }

  package internal(set) var answers: [Answer] = []
  package internal(set) var frames: [Frame] = []
  package internal(set) var functions: [Function] = []
  package internal(set) var paths: [String] = []
}

/// What a symbol file states about its image as a whole.
protocol ImageOutline {
  /// `unknown` if the file does not state it.
  var architecture: Architecture { get }

  /// As `ImageResolver.linkBase(segmentName:)`.
  func linkBase(segmentName: String?) -> LinkAddress?

  /// What `linkBase` returns without a segment name, if that is a guess and not stated by the file.
  var assumedLinkBase: LinkAddress? { get }

  /// The addresses of the segments that are loaded.
  var loadedRanges: [Range<LinkAddress>] { get }
}

extension ObjectFile: ImageOutline {
  var assumedLinkBase: LinkAddress? { nil }
}

/// What a file that answers alone states about its image.
struct StandaloneOutline: ImageOutline {
  let objectFile: ObjectFile
  /// The addresses of the image's code. Cost: it may read the file.
  let extent: () -> Range<LinkAddress>?

  var architecture: Architecture { objectFile.architecture }

  /// It has no segments.
  func linkBase(segmentName: String?) -> LinkAddress? {
    objectFile.linkBase(segmentName: segmentName)
  }

  var assumedLinkBase: LinkAddress? { nil }

  var loadedRanges: [Range<LinkAddress>] { [extent()].compactMap(\.self) }
}

/// An index without its image, or nothing if it cannot be used.
struct IndexOutline: ImageOutline {
  let index: OpenedIndex?

  var architecture: Architecture { index?.architecture ?? .unknown }

  /// An index has no segments.
  func linkBase(segmentName: String?) -> LinkAddress? {
    segmentName == nil ? index?.linkBase?.address : nil
  }

  var assumedLinkBase: LinkAddress? {
    guard let base = index?.linkBase, base.isAssumed else { return nil }
    return base.address
  }

  var loadedRanges: [Range<LinkAddress>] { [index?.range].compactMap(\.self) }
}
