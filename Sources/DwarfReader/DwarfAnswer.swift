package import SymbolicationModel

/// The functions and the source location that DWARF gives for one address.
package struct DwarfAnswer: Hashable, Sendable {
  /// Innermost first. The last is the concrete function (`DW_TAG_subprogram`); those before it are
  /// the calls inlined there (`DW_TAG_inlined_subroutine`). Empty if a line table covers the
  /// address but no function does, as for assembly.
  package let frames: [DwarfFrame]
  /// The line row that covers the address. It is also the location of the innermost frame.
  package let row: SourceLocation?
  /// Whether the symbol of the concrete function may have a better name
  /// (`FunctionNames.mayHaveMangledSymbol`).
  package let mayHaveMangledSymbol: Bool

  /// - Parameters:
  ///   - frames: innermost first.
  ///   - language: `DW_AT_language` of the unit.
  package init(frames: [DwarfFrame], row: SourceLocation?, language: UInt64?) {
    self.frames = frames
    self.row = row
    var names = FunctionNames()
    names.linkageName = frames.last?.linkageName
    names.name = frames.last?.name
    self.mayHaveMangledSymbol = names.mayHaveMangledSymbol(inLanguage: language)
  }

  /// `answer` with its frames replaced by others of the same functions.
  private init(_ answer: DwarfAnswer, frames: [DwarfFrame]) {
    self.frames = frames
    self.row = answer.row
    self.mayHaveMangledSymbol = answer.mayHaveMangledSymbol
  }

  /// This answer with each frame replaced by the result of `move`, which may change location and
  /// range.
  package func moved(_ move: (DwarfFrame) -> DwarfFrame) -> DwarfAnswer {
    DwarfAnswer(self, frames: frames.map(move))
  }
}

/// One function of an answer.
package struct DwarfFrame: Hashable, Sendable {
  /// The mangled name: `DW_AT_linkage_name`, or `DW_AT_MIPS_linkage_name` as Xcode 8 wrote it.
  package let linkageName: String?
  /// `DW_AT_name`.
  package let name: String?
  /// For the innermost frame, the line row; for every other frame, the call site
  /// (`DW_AT_call_file`, `DW_AT_call_line`) of the frame before it. Nil if the file does not state
  /// it.
  package let location: SourceLocation?
  /// The contiguous range (half-open) of this function's or inlined body's code that contains the
  /// address.
  package let range: Range<LinkAddress>

  package init(
    linkageName: String?, name: String?, location: SourceLocation?, range: Range<LinkAddress>
  ) {
    self.linkageName = linkageName
    self.name = name
    self.location = location
    self.range = range
  }
}

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
