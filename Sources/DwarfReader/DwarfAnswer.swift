package import SymbolicationModel

/// The answer of DWARF for one address.
package struct DwarfAnswer: Hashable, Sendable {
  /// Innermost first; the last is the concrete function (`DW_TAG_subprogram`) and those before it are
  /// the calls inlined there (`DW_TAG_inlined_subroutine`). Empty where a line table covers the
  /// address and no function does, as for assembly.
  package let frames: [DwarfFrame]
  /// The row of the line table that covers the address. It is also the location of the innermost frame.
  package let row: SourceLocation?
  /// Whether the concrete function's symbol may tell more than its name here
  /// (`FunctionNames.mayHaveMangledSymbol`).
  package let mayHaveMangledSymbol: Bool

  /// - Parameter language: `DW_AT_language` of the unit.
  package init(frames: [DwarfFrame], row: SourceLocation?, language: UInt64?) {
    self.frames = frames
    self.row = row
    var names = FunctionNames()
    names.linkageName = frames.last?.linkageName
    names.name = frames.last?.name
    self.mayHaveMangledSymbol = names.mayHaveMangledSymbol(inLanguage: language)
  }

  /// `answer` with other frames of the same functions.
  private init(_ answer: DwarfAnswer, frames: [DwarfFrame]) {
    self.frames = frames
    self.row = answer.row
    self.mayHaveMangledSymbol = answer.mayHaveMangledSymbol
  }

  /// The same answer, each of its frames at another place.
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
  /// For the innermost frame the line row, for every other the call site (`DW_AT_call_file`,
  /// `DW_AT_call_line`) of the frame before it. Nil where the file says nothing.
  package let location: SourceLocation?
  /// The contiguous range (half-open) of this function's or inlined body's code that holds the address.
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
