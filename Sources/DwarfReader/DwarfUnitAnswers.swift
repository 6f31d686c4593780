package import SymbolicationModel

/// The answers of one unit for many addresses. Frames are numbers; the names and paths that they
/// share are in tables.
package struct DwarfUnitAnswers: Sendable {
  /// One function of an answer: a `DwarfFrame` in numbers.
  package struct Frame: Sendable {
    /// The index in `names`.
    package let name: Int32
    /// The index in `paths`; −1 if the file does not state the location.
    package let path: Int32
    package let line: UInt32
    package let column: UInt32
    /// The contiguous range of this function's or inlined body's code that contains the address.
    package let range: Range<UInt64>
  }

  /// The answer for one address. Only addresses with a function are answered.
  package struct Answer: Sendable {
    package let question: NumberedAddress
    /// Indices in `DwarfUnitAnswers.frames`, innermost first; never empty.
    package let frames: Range<Int>
  }

  package internal(set) var answers: [Answer] = []
  package internal(set) var frames: [Frame] = []
  package internal(set) var names: [FunctionNames] = []
  package internal(set) var paths: [String] = []
  /// `DW_AT_language` of the unit.
  package let language: UInt64?

  init(language: UInt64?) { self.language = language }

  /// One of `answers` in words.
  package func answer(_ answer: Answer) -> DwarfAnswer {
    let frames = self.frames[answer.frames].map { frame in
      DwarfFrame(frame, named: names[Int(frame.name)], paths: paths)
    }
    return DwarfAnswer(frames: frames, row: frames.first?.location, language: language)
  }
}

extension DwarfFrame {
  /// `frame` in words.
  init(_ frame: DwarfUnitAnswers.Frame, named names: FunctionNames, paths: [String]) {
    self.init(
      linkageName: names.linkageName, name: names.name,
      location: frame.path < 0
        ? nil
        : SourceLocation(path: paths[Int(frame.path)], line: frame.line, column: frame.column),
      range: LinkAddress(frame.range.lowerBound)..<LinkAddress(frame.range.upperBound))
  }
}
