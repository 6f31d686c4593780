/// Finds the other files that the DWARF of an image refers to: its supplementary file and its split
/// DWARF files. A reader asks for them when an answer needs them.
///
/// An implementation keeps what it found, so that asking again costs nothing. Its functions may be
/// called from several threads.
package protocol DwarfReferencedFiles: AnyObject, Sendable {
  /// The sections of the supplementary file, to which dwz moved what several files share (DWARF 5,
  /// section 7.3.6). The image names it in `.gnu_debugaltlink` or `.debug_sup`. Nil if the image
  /// names none, or it is not found.
  func supplementarySections() -> DwarfSections?

  /// The file that contains the split unit: a `.dwo` file or a package (`.dwp`). Nil if none is
  /// found.
  func splitFile(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?

  /// The `.dwo` file of the unit, in case `splitFile` returned a package that lacks the unit.
  /// Packages are made after a build, and easily become outdated by the next one.
  func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile?
}

extension DwarfReferencedFiles {
  /// Nil: no `.dwo` files are looked for beside packages.
  package func splitFileBesidePackage(for unit: DwarfSplitUnitReference) -> DwarfSplitFile? { nil }
}

/// The attributes by which a skeleton unit refers to its split unit (DWARF 5, section 3.1.2).
package struct DwarfSplitUnitReference: Hashable, Sendable {
  /// `DW_AT_dwo_name`, or `DW_AT_GNU_dwo_name`.
  package let name: String
  /// `DW_AT_comp_dir`: the directory that a relative `name` is relative to.
  package let compilationDirectory: String?
  /// The identifier in the unit's header, or `DW_AT_GNU_dwo_id`.
  package let identifier: UInt64

  package init(name: String, compilationDirectory: String?, identifier: UInt64) {
    self.name = name
    self.compilationDirectory = compilationDirectory
    self.identifier = identifier
  }
}

/// A split DWARF file: a `.dwo` file, or a package of many (`.dwp`).
package struct DwarfSplitFile: Sendable {
  /// The sections by their names without `.dwo`. Those of a package are complete: `.debug_cu_index`
  /// states which parts belong to a unit.
  package let sections: DwarfSections

  package init(sections: DwarfSections) { self.sections = sections }
}
