/// The functions of an image, unit by unit, for making an index.
package struct DwarfIndexSource: Sendable {
  private let file: DwarfFile
  /// The units whose headers cannot be read; of thousands, the first ones.
  package let faults: [DwarfReadError]
  private let units: [DwarfUnitHeader]

  /// Reads the headers of the units.
  ///
  /// Throws `missingSection` if there is no `.debug_info` or `.debug_abbrev`.
  package init(
    sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)?
  ) throws(DwarfReadError) {
    self.file = try DwarfFile(imageSections: sections, referencedFiles: referencedFiles)
    let list = file.unitList
    self.faults = list.faults
    self.units = list.unitsWithDies
  }

  /// The number of units that may contain functions.
  package var unitCount: Int { units.count }

  /// Decodes the unit with `index`, which must be below `unitCount`. May be called from several
  /// threads.
  ///
  /// Throws if nothing of the unit can be read.
  package func unit(_ index: Int) throws(DwarfReadError) -> DwarfUnitFunctions {
    DwarfUnitFunctions(try DwarfUnit(units[index], of: file))
  }
}
