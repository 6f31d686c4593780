package import SymbolicationModel

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
