import DwarfReader
import ObjectFiles
import SymbolicationModel

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
