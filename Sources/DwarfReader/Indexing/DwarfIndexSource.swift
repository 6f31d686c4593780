/// The debug information of an image, unit by unit, for whoever makes an index of it.
package struct DwarfIndexSource: Sendable {
  private let file: DwarfFile
  /// What is wrong with the list of units.
  package let faults: [DwarfReadError]
  private let units: [DwarfUnitHeader]

  /// Reads the headers of the units.
  ///
  /// Throws `missingSection` without `.debug_info` or `.debug_abbrev`.
  package init(
    sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)?
  ) throws(DwarfReadError) {
    self.file = try DwarfFile(imageSections: sections, referencedFiles: referencedFiles)
    let list = file.unitList
    self.faults = list.faults
    self.units = list.unitsWithDies
  }

  package var unitCount: Int { units.count }

  /// Decodes the unit with `index`, below `unitCount`, in any thread.
  ///
  /// Throws where nothing of it can be read.
  package func unit(_ index: Int) throws(DwarfReadError) -> DwarfUnitFunctions {
    DwarfUnitFunctions(try DwarfUnit(units[index], of: file))
  }
}
