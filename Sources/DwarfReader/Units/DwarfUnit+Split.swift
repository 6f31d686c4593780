import BinaryInput

/// Skeleton units, and the split units that hold their entries (DWARF 5, section 7.3.2; before it the
/// GNU extension with the same shape).
extension DwarfUnit {
  /// What finds the split unit; nil where the unit is no skeleton.
  ///
  /// Units of clang modules carry the same attributes and name a module file (`.pcm`), in which no
  /// code is: a skeleton says where the code is, and they have none.
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
  /// The unit whose entries are read for this one: its split unit, or itself where it has none or that
  /// cannot be read, which is told to `record`.
  func unitHoldingDies(record: (DwarfReadError) -> Void) -> DwarfUnit {
    do throws(DwarfReadError) {
      return try file.splitUnit(of: self) ?? self
    } catch {
      record(error)
      return self
    }
  }
}
