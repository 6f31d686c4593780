import BinaryInput

// Skeleton units, and the split units that contain their DIEs (DWARF 5, section 7.3.2, and the
// older GNU extension of the same design).

extension DwarfUnit {
  /// The reference to the split unit; nil if the unit is not a skeleton.
  ///
  /// Units of clang modules have the same attributes, which name a module file (`.pcm`) without
  /// code. A skeleton has code ranges, and they do not.
  var splitReference: DwarfSplitUnitReference? {
    guard root.codeRange.low.isPresent || root.codeRange.ranges.isPresent,
      let value = root.splitName, let name = string(value),
      let identifier = header.dwoIdentifier ?? root.splitIdentifier
    else { return nil }
    return DwarfSplitUnitReference(
      name: name, compilationDirectory: root.compilationDirectory.flatMap(string),
      identifier: identifier)
  }
}

extension DwarfUnit {
  /// The unit that contains the functions of this unit: its split unit, or this unit if it has
  /// none. Also this unit if the split unit cannot be read; the reason is passed to `record`.
  func unitHoldingDies(record: (DwarfReadError) -> Void) -> DwarfUnit {
    do throws(DwarfReadError) {
      return try file.splitUnit(of: self) ?? self
    } catch {
      record(error)
      return self
    }
  }
}
