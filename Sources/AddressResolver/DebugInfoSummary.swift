import DwarfReader
package import ObjectFiles
package import SymbolicationModel

/// How much an object file's debug information can answer.
package struct DebugInfoSummary: Hashable, Sendable {
  /// Whether there is a `.debug_info` section that is not empty and holds a unit.
  package let hasUnits: Bool
  /// Whether a unit has a row that leads from code of the image to a line.
  package let hasLineRows: Bool
  /// Whether names are `__hidden#123_`, which only a BCSymbolMap can translate.
  package let hasHiddenNames: Bool
  /// The first thing that cannot be read, if that was before a row was found.
  package let problem: SymbolFileProblem?

  /// Reads as little as possible: normally one unit, and names until a hidden one is found, at most
  /// 16 MB of them.
  package init(of objectFile: ObjectFile, limits: ResourceLimits) {
    hasHiddenNames = objectFile.hasHiddenNames
    guard objectFile.hasDebugInfo else {
      (hasUnits, hasLineRows, problem) = (false, false, nil)
      return
    }
    var problems: [SymbolFileProblem] = []
    let contents = DwarfContents(DwarfSections(objectFile, limits: limits, problems: &problems))
    hasUnits = contents.hasUnits
    hasLineRows = contents.hasLineRows
    // Without line tables there are no rows, which is not damage.
    problem =
      contents.hasLineRows || contents.hasUnits && !objectFile.hasDebugSection(".debug_line")
      ? nil
      : problems.first ?? contents.fault.map { SymbolFileProblem($0, path: objectFile.path) }
  }
}
