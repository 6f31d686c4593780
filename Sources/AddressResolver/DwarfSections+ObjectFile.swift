import DwarfReader
import LibDwarfReader
package import ObjectFiles
package import SymbolicationModel

extension DwarfSections {
  /// Which part of a file's DWARF to take.
  enum Part {
    /// The sections under their own names.
    case whole
    /// The sections of split units (`.debug_info.dwo`), and the indexes of a package of them.
    case split
  }

  /// The debug sections of `objectFile`.
  ///
  /// A section that cannot be read is left out, and its problem is added to `problems`, once. Cost:
  /// compressed sections are inflated; nothing is read of the others.
  ///
  /// - Parameter codeRanges: where the image has code; nil if `objectFile` is the image itself, or
  ///   has the same code sections.
  init(
    _ objectFile: ObjectFile, part: Part = .whole, codeRanges: [Range<LinkAddress>]? = nil,
    limits: ResourceLimits, problems: inout [SymbolFileProblem]
  ) {
    self.init(
      byteOrder: objectFile.byteOrder, addressSize: objectFile.addressSize,
      codeRanges: codeRanges ?? objectFile.codeRanges
    ) { name in
      do throws(ObjectFileError) {
        return try objectFile.debugSection(
          name.elfName(in: part), inflatedSizeLimit: limits.sectionSize)
      } catch {
        let problem = SymbolFileProblem(error)
        if !problems.contains(problem) { problems.append(problem) }
        return nil
      }
    }
    unitLimit = limits.units
    decodedSizeLimit = limits.decodedSize
  }
}

extension DwarfSectionName {
  /// The name that the section has in a file. (DWARF 5, section 7.3.2.)
  fileprivate func elfName(in part: DwarfSections.Part) -> String {
    switch (part, self) {
    case (.whole, _), (.split, .unitIndex), (.split, .typeUnitIndex): rawValue
    case (.split, _): rawValue + ".dwo"
    }
  }
}

extension DwarfReaderChoice {
  /// A reader of `sections`. libdwarf reads no other files.
  func reader(
    of sections: DwarfSections, referencedFiles: ImageReferencedFiles?
  ) throws(DwarfReadError) -> any DwarfReading {
    switch self {
    case .builtIn:
      try BuiltInDwarfReader(sections: sections, referencedFiles: referencedFiles)
    case .libdwarf: try LibDwarfReader(sections: sections)
    }
  }
}

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
