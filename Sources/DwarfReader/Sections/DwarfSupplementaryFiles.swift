/// Finds the files that the DWARF of an image refers to. A reader asks for them when an answer needs
/// them; whoever knows where the image lies implements it.
///
/// What is found is kept: asking again costs nothing. May be called from several threads.
package protocol DwarfSupplementaryFiles: AnyObject, Sendable {
  /// The sections of the file to which dwz moved what several files share (`.gnu_debugaltlink`, and
  /// `.debug_sup` of DWARF 5, section 7.3.6); nil where the image names none, or it is not found.
  func alternateSections() -> DwarfSections?

  /// The file that holds the split unit; nil where it is not found.
  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?

  /// The `.dwo` file of the unit, for when `splitFile` gave a package and that does not hold the unit:
  /// packages are made after the build, and forgotten after the next.
  func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?
}

extension DwarfSupplementaryFiles {
  package func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? { nil }
}

/// What a skeleton unit says of its split unit (DWARF 5, section 3.1.2).
package struct DwarfSplitUnitReference: Hashable, Sendable {
  /// `DW_AT_dwo_name`, or `DW_AT_GNU_dwo_name`.
  package let name: String
  /// `DW_AT_comp_dir`, which `name` is relative to.
  package let compilationDirectory: String?
  /// Of the unit's header, or `DW_AT_GNU_dwo_id`.
  package let identifier: UInt64

  package init(name: String, compilationDirectory: String?, identifier: UInt64) {
    self.name = name
    self.compilationDirectory = compilationDirectory
    self.identifier = identifier
  }
}

/// A file of split units: a `.dwo` file, or a package of many (`.dwp`).
package struct DwarfSplitFile: Sendable {
  /// Under their names without `.dwo`. Those of a package are the whole sections;
  /// `.debug_cu_index` says which parts belong to the unit.
  package let sections: DwarfSections

  package init(sections: DwarfSections) { self.sections = sections }
}
