import BinaryInput

/// Skeleton units, and the split units that hold their entries (DWARF 5, section 7.3.2; before it the
/// GNU extension with the same shape).
extension DwarfUnit {
  /// What finds the split unit; nil where the unit is no skeleton.
  ///
  /// Units of clang modules carry the same attributes and name a module file (`.pcm`), in which no
  /// code is: they have no code of their own, so nothing asks for it.
  var splitReference: DwarfSplitUnitReference? {
    guard let value = root.splitName, let name = string(value),
      let identifier = header.dwoIdentifier ?? root.splitIdentifier
    else { return nil }
    return DwarfSplitUnitReference(
      name: name, compilationDirectory: root.compilationDirectory.flatMap(string),
      identifier: identifier)
  }

  /// The unit in `splitFile` that `reference` names, on behalf of `skeleton`.
  ///
  /// Throws `splitUnitNotFound` where the file holds no unit with the identifier: it was made from
  /// another build.
  convenience init(
    splitOf skeleton: DwarfUnit, _ reference: DwarfSplitUnitReference, in splitFile: DwarfSplitFile
  ) throws(DwarfReadError) {
    let sections = try DwarfPackageIndex.sections(
      of: splitFile.sections, forUnit: reference.identifier)
    let combined = sections.combined(withSkeletonsOf: skeleton.file.sections)
    let file = try DwarfFile(sections: combined, supplementaryFiles: nil, isSplit: true)
    for header in file.unitList.units {
      if header.unitType == DwarfUnitHeader.splitTypeUnit
        || header.unitType == DwarfUnitHeader.typeUnit
      {
        continue
      }
      let unit = try DwarfUnit(header, of: file, skeleton: skeleton)
      if header.dwoIdentifier ?? unit.root.splitIdentifier == reference.identifier {
        try self.init(header, of: file, skeleton: skeleton)
        return
      }
    }
    throw .splitUnitNotFound(name: reference.name, identifier: reference.identifier)
  }
}

extension DwarfSections {
  /// The sections of a split unit's file, with those that stand in the image only: addresses, ranges
  /// before DWARF 5, and where the code is.
  fileprivate func combined(withSkeletonsOf image: DwarfSections) -> DwarfSections {
    var regions = regions
    regions[.addresses] = image[.addresses]
    regions[.ranges] = image[.ranges]
    return DwarfSections(
      regions: regions, byteOrder: byteOrder, addressSize: addressSize,
      codeRanges: image.codeRanges)
  }
}
